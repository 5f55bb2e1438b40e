/**
 * A value from outside as text: text, numbers and booleans as they are written, "" for everything else. String() throws
 * at an object with a `toString` that is no function, and any JSON body can contain one.
 */
export function textOf(value: unknown): string {
  return typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean" || typeof value === "bigint"
      ? String(value)
      : ""
}

/** A header of a request; one sent several times counts as one list. */
export function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(",") : header
}

/** At most `length` characters on one line; `otherwise` when nothing is left, because required fields may not be empty. */
export function fitted(value: string, length: number, otherwise = ""): string {
  const line = [...value.replace(/[\p{Cc}\s]+/gu, " ").trim()].slice(0, length).join("").trim()
  return line === "" ? otherwise : line
}
