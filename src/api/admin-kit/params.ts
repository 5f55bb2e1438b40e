const INTEGER = /^[0-9]{1,9}$/

/** An integer id in a path; anything else becomes an id that never exists. */
export function readNumber(text: string): number {
  return INTEGER.test(text) ? Number(text) : -1
}
