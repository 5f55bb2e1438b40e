import type { JsonObject } from "./body"

/** More names than any operation has; the rest is dropped, as Express's own reader does. */
const MOST = 1_000

/**
 * The query of a target: text by name. A name that is repeated, or that has brackets as PHP and Rails write lists, has a
 * list, which the schema of a text refuses. Text that does not decode stays as it was sent.
 */
export function readQuery(target: string): JsonObject {
  const start = target.indexOf("?")
  const query: JsonObject = {}
  if (start === -1) {
    return query
  }
  const [text] = target.slice(start + 1).split("#")
  for (const pair of text.split("&", MOST)) {
    const equals = pair.indexOf("=")
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals))
    const value = equals === -1 ? "" : decoded(pair.slice(equals + 1))
    const bracket = name.indexOf("[", 1)
    add(query, bracket === -1 ? name : name.slice(0, bracket), bracket === -1 ? value : [value])
  }
  return query
}

function add(query: JsonObject, name: string, value: string | string[]): void {
  // Assigning it would change the prototype.
  if (name !== "" && name !== "__proto__") {
    const known = Object.hasOwn(query, name) ? query[name] : undefined
    if (Array.isArray(known)) {
      known.push(...[value].flat())
    } else {
      query[name] = known === undefined ? value : [known, value].flat()
    }
  }
}

function decoded(text: string): string {
  const spaced = text.replaceAll("+", " ")
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
