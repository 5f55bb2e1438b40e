/**
 * The members of `next` that differ from those of `before`; lists are compared by their entries. A form that sent all of
 * them would undo what somebody else has changed since it was opened.
 */
export function changedMembers<Body extends object>(next: Body, before: Body): Partial<Body> {
  const names = Object.keys(next) as (keyof Body)[]
  return Object.fromEntries(
    names.filter((name) => !isSame(next[name], before[name])).map((name) => [name, next[name]])
  ) as Partial<Body>
}

function isSame(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((entry, index) => entry === other[index])
    : one === other
}
