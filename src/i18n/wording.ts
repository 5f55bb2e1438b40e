/** The same keys in another language: a text that is missing, or that English does not have, is a type error. */
export type Wording<Texts> = { [Key in keyof Texts]: Texts[Key] extends string ? string : Wording<Texts[Key]> }

/** `payments.title` of `{ payments: { title: string } }`; of `rows_one` and `rows_other` it is `rows`. */
export type KeyOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? Counted<Key> : `${Key}.${KeyOf<Texts[Key]>}`
}[keyof Texts & string]

type Counted<Key extends string> = Key extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : Key

/** The text behind a key, as a literal type; of a plural that for many. */
export type TextAt<Texts, Key extends string> = Key extends `${infer Group}.${infer Rest}`
  ? Group extends keyof Texts
    ? TextAt<Texts[Group], Rest>
    : never
  : Key extends keyof Texts
    ? Texts[Key]
    : `${Key}_other` extends keyof Texts
      ? Texts[`${Key}_other`]
      : never

/** `min` and `max` of `from {{min}} to {{max}}`. */
export type NamesIn<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}` ? Name | NamesIn<Rest> : never
