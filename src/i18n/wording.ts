/** The same keys in another language: a text that is missing, or that English does not have, is a type error. */
export type Wording<Texts> = { [Key in keyof Texts]: Texts[Key] extends string ? string : Wording<Texts[Key]> }

/** `payments.title` of `{ payments: { title: string } }`; of `rows_one` and `rows_other` it is `rows`. */
export type KeyOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? Counted<Texts, Key> : `${Key}.${KeyOf<Texts[Key]>}`
}[keyof Texts & string]

/** A plural has both forms: `demo_one` alone is a name. */
type Counted<Texts, Key extends string> = Key extends `${infer Stem}_one` | `${infer Stem}_other`
  ? `${Stem}_one` extends keyof Texts
    ? `${Stem}_other` extends keyof Texts
      ? Stem
      : Key
    : Key
  : Key

/** The text behind a key, as a literal type; of a plural that for many, and its `count`. */
type TextAt<Texts, Key extends string> = Key extends `${infer Group}.${infer Rest}`
  ? Group extends keyof Texts
    ? TextAt<Texts[Group], Rest>
    : never
  : Key extends keyof Texts
    ? Texts[Key]
    : `${Key}_other` extends keyof Texts
      ? `${Texts[`${Key}_other`] & string}{{count}}`
      : never

/** `min` and `max` of `from {{min}} to {{max}}`. */
type NamesIn<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** What a text has to be given: nothing without placeholders. An unknown, a missing and a misspelt one are type errors. */
export type ValuesOf<Texts, Key extends string, Value = string | number> = [NamesIn<TextAt<Texts, Key>>] extends [never]
  ? []
  : [values: { readonly [Name in NamesIn<TextAt<Texts, Key>>]: Name extends "count" ? number : Value }]

/** Says one of the texts. */
export type Say<Texts> = <Key extends KeyOf<Texts>>(key: Key, ...values: ValuesOf<Texts, Key>) => string
