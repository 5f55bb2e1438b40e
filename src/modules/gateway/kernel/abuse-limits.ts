/**
 * What anonymous visitors may do, and who fails to sign in: the defaults of the options `pageLimits` and `authLimits`
 * (docs/operations.md, docs/decisions/0037). 0 switches a limit off.
 */

/** For the pages under /pay and /gateway. Requests are those of one minute. */
export const PAGE_LIMITS = {
  /** Requests of one address; many shoppers of a mobile network share one. */
  address: 600,
  /** Posted forms of one address. */
  addressForms: 120,
  /** Requests about one checkout or invoice; a page that waits for its payment asks 20 times a minute. */
  session: 120,
  /** Posted forms of one checkout or invoice. */
  sessionForms: 20,
  /** PDFs of one invoice. */
  pdf: 20,
  /** Seconds between two questions to the acquirer about one checkout that a browser causes. */
  returnSeconds: 5,
  /** Reports of broken content rules that browsers of one address send. */
  reports: 60,
  /** Different cards that fail in ten minutes: on one checkout, from one address, at one merchant. */
  cardsPerSession: 8,
  cardsPerAddress: 25,
  cardsPerMerchant: 100,
} as const

export type PageLimits = Record<keyof typeof PAGE_LIMITS, number>

/** For Medusa's /auth. Attempts are those of fifteen minutes. */
export const AUTH_LIMITS = {
  /** Failed requests of one address, whatever they are about. */
  address: 100,
  /** Registrations, password resets and their like of one address: they cost work or an e-mail when they succeed too. */
  requests: 300,
  /** Failed attempts on one account from one address. */
  accountAddress: 10,
  /** Failed attempts on one account from everywhere in an hour; beyond it each has to wait longer. */
  account: 50,
} as const

/** Times of the limits on signing in. */
export const SIGN_IN = {
  windowSeconds: 900,
  accountWindowSeconds: 3_600,
  /** The longest pause between two attempts on an account that is guessed at from everywhere. */
  longestWaitSeconds: 60,
  /** How long an address counts as one where the account's owner signs in. */
  knownSeconds: 14 * 86_400,
} as const

export type AuthLimits = Record<keyof typeof AUTH_LIMITS, number>

/** What `Retry-After` says: whole seconds, at least one. */
export function retryAfter({ reset_at }: { reset_at: Date }): number {
  return Math.max(1, Math.ceil((reset_at.getTime() - Date.now()) / 1000))
}
