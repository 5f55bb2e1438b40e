/*
 * With TEST_SERVE=1 requests to a store's `/api/v2` go to an API process beside it: the same tests then hold for both.
 */

const ORIGINS = new Map<string, string>()
const CONTRACT = /^(\/sandbox)?\/api\/v2(?=[/?#]|$)/i

/** From now on the API process at `api` answers the `/api/v2` of the store at `store`. */
export function answerApiOf(store: string, api: string): void {
  ORIGINS.set(store, api)
}

/** Where a request to a store goes: to its API process for `/api/v2`, if it has one. */
export function originFor(store: string, path: string): string {
  return CONTRACT.test(path) ? (ORIGINS.get(store) ?? store) : store
}
