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
