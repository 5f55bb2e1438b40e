/**
 * A path whose segments can all be decoded: one that cannot be becomes `-`, an id that nothing has. Its route then
 * answers 404 as for any unknown id, where Express would throw and Medusa answer 500.
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
