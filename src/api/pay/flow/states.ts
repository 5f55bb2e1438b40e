import { GatewayError } from "../../../modules/gateway/kernel/errors"
import type { Visitor } from "../http/visitor"
import { csrfToken } from "../http/csrf"
import type { FormFields, Problem } from "../form/fields"
import type { CheckoutPage } from "../view/checkout-page"
import { sessionPath } from "../view/form-view"
import { paymentPage } from "../view/payment"
import { checkoutStatusPage, problemPage, processingPage, waitPage } from "../view/status"
import type { Markup } from "../view/html"

/** What a handler answers: a page, or the way to another one. */
export type Reply =
  | { status: number; body: Markup; refresh?: { seconds: number; url: string } }
  /** Refused for now. */
  | { status: 429; body: Markup; retryAfter: number }
  | { status: 303; location: string }
  | { status: 200; file: { name: string; type: string; bytes: Buffer } }

/** A checkout's state as the shopper meets it; `unavailable`: its merchant may not take payments now. */
export type PageState =
  "payable" | "unavailable" | "processing" | "paid" | "failed" | "cancelled" | "expired" | "refunded"

export type ShownCheckout = { page: CheckoutPage; visitor: Visitor }

const FINAL_STATES = {
  SUCCESS: "paid",
  FAILED: "failed",
  CANCELLED: "cancelled",
  EXPIRED: "expired",
  REFUNDED: "refunded",
} as const

const STATUS_CODES: Partial<Record<PageState, number>> = { expired: 408, unavailable: 403 }

const FAST_CHECKS = 20
const FAST_SECONDS = 3
const SLOW_SECONDS = 15
const MOST_CHECKS = 9999

export function stateOf(page: CheckoutPage): PageState {
  if (page.status === "PENDING") {
    return page.processing ? "processing" : page.may_be_paid ? "payable" : "unavailable"
  }
  return FINAL_STATES[page.status]
}

/**
 * Where the shop takes the shopper back in this state. A payment still being confirmed goes to the success address
 * with status PENDING (contract 3.3: the merchant waits and verifies again), because the others tell of an end.
 */
export function returnUrlOf(page: CheckoutPage): string {
  const { success, fail, cancel } = page.return_urls
  switch (stateOf(page)) {
    case "paid":
    case "refunded":
      return success
    case "failed":
    case "expired":
    case "unavailable":
      return fail
    case "cancelled":
      return cancel
    case "payable":
    case "processing":
      return success.replace(/([?&]status=)SUCCESS(?=&|$)(?!.*[?&]status=SUCCESS)/, "$1PENDING")
  }
}

/** The form, as it is or with what was wrong with it. */
export function formReply(
  { page, visitor }: ShownCheckout,
  refused: { entered: FormFields; problems: readonly Problem[] } | null
): Reply {
  const body = paymentPage({
    page,
    language: visitor.language,
    token: csrfToken(visitor.secret, page.session_id),
    entered: refused?.entered ?? new Map(),
    problems: refused?.problems ?? [],
  })
  return { status: refused === null ? 200 : 422, body }
}

/** `checks` counts how often the browser has asked already; after a minute it asks less often. */
export function processingReply(
  { page, visitor }: ShownCheckout,
  checks: number
): Extract<Reply, { refresh?: object }> {
  const url = `${sessionPath(page)}?wait=${Math.min(checks + 1, MOST_CHECKS)}`
  // Whoever left the acquirer's page by hand may have the acquirer asked; by itself the page asks only us.
  const checkUrl = page.acquirer_flow === "redirect" ? `${sessionPath(page)}/return` : url
  const body = processingPage({ page, language: visitor.language, checkUrl, returnUrl: returnUrlOf(page) })
  return { status: 200, body, refresh: { seconds: checks < FAST_CHECKS ? FAST_SECONDS : SLOW_SECONDS, url } }
}

/** The page of a checkout that cannot be paid; expired ones answer 408, unavailable ones 403, however they are asked for. */
export function finalReply(
  kind: Exclude<PageState, "payable" | "processing">,
  { page, visitor }: ShownCheckout,
  status: 200 | 409
): Reply {
  const shown = kind === "expired" && page.left_behind ? "leftBehind" : kind
  const body = checkoutStatusPage(shown, { page, language: visitor.language, returnUrl: returnUrlOf(page) })
  return { status: STATUS_CODES[kind] ?? status, body }
}

export function unknownReply(visitor: Visitor): Reply {
  return { status: 404, body: problemPage("unknown", { language: visitor.language, path: null }) }
}

/** `path` is where to try again, or null when that is where the browser is. */
export function waitReply(
  kind: "tooMany" | "tooManyCards",
  visitor: Pick<Visitor, "language">,
  seconds: number,
  path: string | null
): Reply {
  return { status: 429, retryAfter: seconds, body: waitPage(kind, { language: visitor.language, path, seconds }) }
}

export function isCode(error: unknown, code: GatewayError["code"]): error is GatewayError {
  return GatewayError.from(error)?.code === code
}
