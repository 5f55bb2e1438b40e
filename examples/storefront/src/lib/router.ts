/** The request for a screen. `signal` is aborted when the shopper has left: stop timers and polling then. */
export type ScreenRequest = {
  params: Record<string, string>
  query: URLSearchParams
  signal: AbortSignal
}
export type Page = { title: string; content: Node }
export type Screen = (request: ScreenRequest) => Promise<Page> | Page
export type Routes = { [pattern: string]: Screen }

/** Thrown by a screen that has nothing to show at this address; the address is replaced, so Back does not return to it. */
export class Redirect extends Error {
  constructor(readonly path: string) {
    super(`Redirect to ${path}`)
  }
}

/** The address of a screen for an `href`. Routes live in the hash, so any static file server can serve the shop. */
export const href = (path: string): string => `#${path}`

export function navigate(path: string): void {
  location.hash = path
}

/** Like `navigate`, but Back skips the current screen. */
export function replace(path: string): void {
  location.replace(href(path))
}

/** Finds the screen for a hash such as `#/products/jute-bag?x=1`. `:name` in a pattern matches one path segment. */
export function matchRoute(
  routes: Routes,
  hash: string
): { screen: Screen; params: Record<string, string>; query: URLSearchParams } | null {
  const [path = "", search = ""] = hash.replace(/^#/, "").split("?", 2)
  const parts = path.split("/").filter(Boolean)

  for (const [pattern, screen] of Object.entries(routes)) {
    const names = pattern.split("/").filter(Boolean)
    const params: Record<string, string> = {}
    const matches =
      names.length === parts.length &&
      names.every((name, index) => {
        const part = parts[index] ?? ""
        if (!name.startsWith(":")) {
          return name === part
        }
        params[name.slice(1)] = decode(part)
        return true
      })
    if (matches) {
      return { screen, params, query: new URLSearchParams(search) }
    }
  }
  return null
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A hand-typed "%" must not lead to a blank page.
    return part
  }
}
