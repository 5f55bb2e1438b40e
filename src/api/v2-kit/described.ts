/** What a rule means in JSON Schema, in its own words: `{ maxLength: 30 }`. */
type Facts = Readonly<Record<string, unknown>>

const FACTS = new WeakMap<object, Facts>()

/**
 * Says what a function of a schema (a check or a transform) means for those who send requests. JSON Schema cannot be read
 * from code: a check without facts is missing from the OpenAPI document, and a transform without facts reads as "any
 * value". The facts of a transform describe the whole value; those of a check are added to what it checks.
 */
export function described<Rule extends object>(rule: Rule, facts: Facts): Rule {
  FACTS.set(rule, facts)
  return rule
}

export function factsOf(rule: unknown): Facts | undefined {
  return typeof rule === "object" || typeof rule === "function" ? FACTS.get(rule as object) : undefined
}
