import { createHmac } from "node:crypto"
import type { ConfigModule } from "@medusajs/framework/types"

/*
 * Limits for anonymous visitors and for failed sign-ins: the defaults of the options `pageLimits` and `authLimits`
 * (docs/operations.md, docs/decisions/17). 0 switches a limit off.
 */

/** For the pages under /pay, /portal and /gateway. Requests are those of one minute. */
export const PAGE_LIMITS = {
  /** Requests of one address; many shoppers of a mobile network share one. */
  address: 600,
  /** Posted forms of one address. */
  addressForms: 120,
  /** Requests about one checkout or invoice; a page that waits for its payment asks 20 times a minute. */
  session: 120,
  /** Posted forms of one checkout or invoice. */
  sessionForms: 20,
  /** PDFs of one invoice, those that one portal link shows, or receipts of one payment link that one address asks for. */
  pdf: 20,
  /** PDFs that `/api/v2` has to draw for one merchant and environment: each keeps the process busy for hundredths of a second. */
  pdfsPerMerchant: 60,
  /** The same for one signed-in customer of the store, whose own invoices `/store/gateway` draws. */
  pdfsPerCustomer: 20,
  /** E-mails with a portal link that one address asks for, and that are sent to one customer; in an hour. */
  portalMailsFrom: 30,
  portalMailsTo: 4,
  /** Codes for orders in cash that one address asks for, and that are sent to one phone; in a day. */
  cashCodesFrom: 10,
  cashCodesTo: 3,
  /** At least this many seconds between two inquiries to the acquirer that a browser triggers for one checkout. */
  returnSeconds: 5,
  /** Reports of broken content rules that browsers of one address send. */
  reports: 60,
  /** Different cards that fail in ten minutes: on one checkout, from one address, at one merchant. */
  cardsPerSession: 8,
  cardsPerAddress: 25,
  cardsPerMerchant: 100,
} as const

/** For Medusa's /auth. Attempts are those of fifteen minutes. */
export const AUTH_LIMITS = {
  /** Failed requests of one address, for all accounts together. */
  address: 100,
  /** All requests of one address: registrations and password resets cost work or an e-mail even when they succeed. */
  requests: 300,
  /** Failed attempts on one account from one address. */
  accountAddress: 10,
  /** Failed attempts on one account from everywhere in an hour; beyond it each has to wait longer. */
  account: 50,
} as const

/** Durations used by the sign-in limits. */
export const SIGN_IN = {
  windowSeconds: 900,
  accountWindowSeconds: 3_600,
  /** The longest wait between two attempts on an account that is attacked from many addresses. */
  longestWaitSeconds: 60,
  /** How long an address counts as one from which the account's owner signs in. */
  knownSeconds: 14 * 86_400,
} as const

/** What `Retry-After` says: whole seconds, at least one. */
export function retryAfter({ reset_at }: { reset_at: Date }): number {
  return Math.max(1, Math.ceil((reset_at.getTime() - Date.now()) / 1000))
}

export type KeyedDigest = (text: string) => string

/**
 * Hashes that require the deployment's secret. Card numbers and e-mail addresses are few enough to try them all, so a
 * plain hash would reveal them. `purpose` keeps hashes of different uses apart.
 */
export function keyedDigest({ projectConfig }: Pick<ConfigModule, "projectConfig">, purpose: string): KeyedDigest {
  const key = createHmac("sha256", projectConfig.http.cookieSecret ?? "")
    .update(`gateway ${purpose}`)
    .digest()
  return (text) => createHmac("sha256", key).update(text).digest("base64url")
}
