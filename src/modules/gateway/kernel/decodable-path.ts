/**
 * Returns a path whose segments all decode. A segment that does not decode becomes `-`, an id that never exists. The
 * route then answers 404 as for any unknown id; otherwise Express would throw and Medusa would answer 500.
 */
export function decodablePath(path: string): string {
  return path
    .split("/")
    .map((segment) => (isDecodable(segment) ? segment : "-"))
    .join("/")
}

function isDecodable(segment: string): boolean {
  try {
    return !decodeURIComponent(segment).includes("\0")
  } catch {
    return false
  }
}

/**
 * Returns a query in which the replacement character stands for each NUL: PostgreSQL stores no NUL and refuses it in
 * every comparison, so a route that compares what it was sent would answer 500. The replacement matches nothing.
 */
export function storableQuery(query: string): string {
  return query.replaceAll("%00", "%EF%BF%BD")
}
