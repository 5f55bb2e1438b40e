/**
 * The members of `next` that differ from those of `before`. A form that sent all of them would undo what somebody else
 * has changed since it was opened.
 */
export function changedMembers<Body extends object>(next: Body, before: Body): Partial<Body> {
  const names = Object.keys(next) as (keyof Body)[]
  return Object.fromEntries(
    names.filter((name) => next[name] !== before[name]).map((name) => [name, next[name]])
  ) as Partial<Body>
}
