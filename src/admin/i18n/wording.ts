/** The same keys in another language: a text that is missing, or that English does not have, is a type error. */
export type Wording<Texts> = { [Key in keyof Texts]: Texts[Key] extends string ? string : Wording<Texts[Key]> }

/** `payments.title` of `{ payments: { title: string } }`; of `rows_one` and `rows_other` it is `rows`. */
export type KeyOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? Counted<Key> : `${Key}.${KeyOf<Texts[Key]>}`
}[keyof Texts & string]

type Counted<Key extends string> = Key extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : Key
