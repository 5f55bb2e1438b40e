import { invalid } from "./form.mjs"

/** A page of `objects`, newest first: those whose members are `filters`, and in the ranges of `ranges` and `created`. */
export function list(objects, { limit = 10, starting_after, created }, url, filters, ranges = {}) {
  const inRange = (time, { gt = -1, gte = 0, lt = Infinity, lte = Infinity } = {}) =>
    time > gt && time >= gte && time < lt && time <= lte
  const wanted = Object.entries({ ...ranges, created })
  const found = [...objects.values()]
    .reverse()
    .filter((one) => wanted.every(([name, range]) => inRange(one[name], range)))
    .filter((one) => Object.entries(filters).every(([name, value]) => one[name] === value))
  const from = starting_after === undefined ? 0 : found.findIndex(({ id }) => id === starting_after) + 1
  if (starting_after !== undefined && from === 0) {
    throw invalid(`No such object: '${starting_after}'`, { code: "resource_missing", param: "starting_after" })
  }
  return { object: "list", data: found.slice(from, from + limit), has_more: found.length > from + limit, url }
}
