/*
 * With TEST_SERVE=1 requests to a store's `/api/v2` and pages go to an API process beside it: the same tests then hold
 * for both.
 */

const ORIGINS = new Map<string, { api: string; pages: boolean }>()
const CONTRACT = /^(\/sandbox)?\/api\/v2(?=[/?#]|$)/i
const PAGES = /^\/(pay|portal|gateway\/(acquirers|return|csp-reports))(?=[/?#]|$)/i

/** From now on the API process at `api` answers the `/api/v2` of the store at `store`; with `pages` its pages too. */
export function answerApiOf(store: string, api: string, { pages }: { pages: boolean }): void {
  ORIGINS.set(store, { api, pages })
  redirectFetch()
}

/** Where a request to a store goes: to its API process for what that answers, if it has one. */
export function originFor(store: string, path: string): string {
  const to = ORIGINS.get(store)
  const isThere = to !== undefined && (CONTRACT.test(path) || (to.pages && PAGES.test(path)))
  return isThere ? to.api : store
}

let isRedirected = false

/** Pages are opened by their whole addresses, which name the store. */
function redirectFetch(): void {
  if (isRedirected) {
    return
  }
  isRedirected = true
  const plain = globalThis.fetch
  globalThis.fetch = (input, init) => {
    if (input instanceof Request) {
      return plain(input, init)
    }
    const [address, origin, path] = /^(https?:\/\/[^/?#]*)(.*)$/s.exec(String(input)) ?? []
    return plain(address === undefined ? input : `${originFor(origin, path)}${path}`, init)
  }
}
