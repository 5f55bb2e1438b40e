/**
 * A list of origins as Medusa reads it (STORE_CORS, separated by commas) with one more, once.
 * @param {string | undefined} list
 * @param {string} origin
 */
export function withOrigin(list, origin) {
  const others = (list ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== origin)
  return [origin, ...others].join(",")
}
