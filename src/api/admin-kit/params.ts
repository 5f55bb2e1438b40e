const INTEGER = /^[0-9]{1,9}$/

/** An integer id of a path; what is none is the id of nothing. */
export function readNumber(text: string): number {
  return INTEGER.test(text) ? Number(text) : -1
}
