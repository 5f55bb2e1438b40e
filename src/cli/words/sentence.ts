export type Params = Readonly<Record<string, string | number>>

/** A problem in words: what is wrong, and what to do about it. `{name}` stands for a parameter. */
export type Wording = { message: string; fix: string }

/** Throws for a placeholder without a parameter: a test fills every sentence. */
export function sentenceOf(text: string, params: Params): string {
  return text.replace(/\{([a-z_]+)\}/g, (_all, name: string) => {
    const value = params[name]
    if (value === undefined) {
      throw new Error(`the sentence "${text}" needs ${name}`)
    }
    return String(value)
  })
}
