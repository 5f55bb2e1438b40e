import { FetchError } from "@medusajs/js-sdk"
import { t } from "../text"

/** A message for the shopper about any error of a request to the store. */
export function describeError(error: unknown): string {
  if (!(error instanceof FetchError)) {
    // fetch() rejects with a TypeError when there is no response at all; anything else is a bug of the shop itself.
    return error instanceof TypeError ? t.errors.network : t.errors.unexpected
  }
  const status = error.status ?? 500
  if (status === 429) {
    return t.errors.tooMany
  }
  if (status === 401) {
    return t.errors.signedOut
  }
  if (status === 409) {
    return t.errors.meanwhile
  }
  if (status === 404) {
    return t.errors.notFound
  }
  if (/required inventory|insufficient.inventory/i.test(error.message)) {
    return t.errors.outOfStock
  }
  if (status >= 500) {
    return t.errors.server
  }
  return t.errors.refused(error.message)
}

const statusOf = (error: unknown): number | null => (error instanceof FetchError ? (error.status ?? 500) : null)

/** Whether a retry is pointless: the store has understood the request and refuses it. */
export const isRefusal = (error: unknown): boolean => {
  const status = error instanceof FetchError ? (error.status ?? 500) : 500
  return status >= 400 && status < 500 && status !== 429
}

export const isNotFound = (error: unknown): boolean => statusOf(error) === 404

/** Nobody is signed in (any more). */
export const isSignedOut = (error: unknown): boolean => statusOf(error) === 401

/** The request conflicts with the current state. */
export const isConflict = (error: unknown): boolean => statusOf(error) === 409
