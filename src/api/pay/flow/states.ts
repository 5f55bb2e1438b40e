import { GatewayError } from "../../../modules/gateway/kernel/errors"
import type { Visitor } from "../http/request"
import { csrfToken } from "../http/csrf"
import type { FormFields, Problem } from "../form/fields"
import type { CheckoutPage } from "../../../modules/gateway/checkout/page"
import { sessionPath } from "../view/parts"
import { paymentPage } from "../view/payment"
import { checkoutStatusPage, problemPage, processingPage, waitPage } from "../view/status"
import type { Markup } from "../../../modules/gateway/kernel/text/html"

/** What a handler returns: a page, or a redirect. */
export type Reply =
  /** `sandbox`: a checkout's in the sandbox, whose form may lead to a sandbox's page of an acquirer. */
  | { status: number; body: Markup; refresh?: { seconds: number; url: string }; sandbox?: boolean }
  /** Refused for now; retry later. */
  | { status: 429 | 503; body: Markup; retryAfter: number }
  /** `receipt`: a cookie besides ours, with which this browser sees the receipt. */
  | { status: 303; location: string; receipt?: string }
  /** The cookie is all that this answer sets: a form of another site comes without our other cookies. */
  | { status: 303; location: string; cookie: string | null }
  | { status: 200; file: { name: string; type: string; bytes: Buffer } }

/** A checkout's state as shown to the shopper; `unavailable`: its merchant may not take payments now. */
type PageState =
  "payable" | "unavailable" | "processing" | "authorized" | "paid" | "failed" | "cancelled" | "expired" | "refunded"

type ShownCheckout = { page: CheckoutPage; visitor: Visitor }

const FINAL_STATES = {
  SUCCESS: "paid",
  FAILED: "failed",
  CANCELLED: "cancelled",
  EXPIRED: "expired",
  REFUNDED: "refunded",
} as const

/**
 * The status of a page that can never be paid again (decisions: Found by real clients and people). Of a page 408 would
 * mean that its request came too slowly, and some browsers and proxies then send it again; the API keeps the contract's
 * 408.
 */
export const GONE = 410

const STATUS_CODES: Partial<Record<PageState, number>> = { expired: GONE, unavailable: 403 }

const FAST_CHECKS = 20
const FAST_SECONDS = 3
const SLOW_SECONDS = 15
/** During this many checks a shopper whose return says that the payment was made is not offered to pay again. */
const CONFIRMING_CHECKS = 5
const MOST_CHECKS = 9999

export function stateOf(page: CheckoutPage): PageState {
  if (page.status === "PENDING") {
    return page.authorized
      ? "authorized"
      : page.processing
        ? "processing"
        : page.may_be_paid
          ? "payable"
          : "unavailable"
  }
  return FINAL_STATES[page.status]
}

/**
 * Where the shop wants the shopper back in this state. A payment that is still being confirmed goes to the success
 * address with status PENDING, because the other addresses mean an end (contract 3.3: the merchant waits and verifies
 * again).
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
    case "authorized":
      return success.replace(/([?&]status=)SUCCESS(?=&|$)(?!.*[?&]status=SUCCESS)/, "$1PENDING")
  }
}

/** The form, empty or with the problems of the last submission. */
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
  return { status: refused === null ? 200 : 422, body, sandbox: page.environment === "sandbox" }
}

/** Where a browser waits that comes from the acquirer's page: `isPaid` when the acquirer's address says so, unproven. */
export function waitingPath(session_id: string, { isPaid }: { isPaid: boolean }, checks = 1): string {
  return `/pay/${session_id}?wait=${Math.min(checks, MOST_CHECKS)}${isPaid ? "&paid=1" : ""}`
}

/** Where a shopper is sent whose return claims a payment. That route asks the acquirer whether it is true. */
export function confirmingPath(session_id: string): string {
  return `/pay/${session_id}/return?paid=1`
}

/**
 * `checks` counts the browser's polls so far; after a minute it polls less often. `isPaid`: as in waitingPath. A
 * notification may be at work on that payment, and a shopper who is offered to pay meanwhile may pay twice.
 */
export function processingReply(
  { page, visitor }: ShownCheckout,
  checks: number,
  { isPaid = false } = {}
): Extract<Reply, { refresh?: object }> {
  const isConfirming = isPaid && checks <= CONFIRMING_CHECKS
  const url = waitingPath(page.session_id, { isPaid: isConfirming }, checks + 1)
  // A shopper who came back from the acquirer's page without its redirect may trigger an inquiry; the page itself polls
  // only us.
  const checkUrl = page.paid_elsewhere ? `${sessionPath(page)}/return` : url
  const body = processingPage({
    page: isConfirming ? { ...page, acquirer_url: null } : page,
    language: visitor.language,
    token: csrfToken(visitor.secret, page.session_id),
    checkUrl,
    returnUrl: returnUrlOf(page),
  })
  // An admin who has to decide takes longer than an acquirer.
  const isSoon = checks < FAST_CHECKS && !page.held
  return { status: 200, body, refresh: { seconds: isSoon ? FAST_SECONDS : SLOW_SECONDS, url } }
}

/** The page of a checkout that cannot be paid: 410 when expired, 403 when unavailable, for any request. */
export function finalReply(
  kind: Exclude<PageState, "payable" | "processing">,
  { page, visitor }: ShownCheckout,
  status: 200 | 409
): Reply {
  const returnUrl = page.left_behind?.paid?.url ?? returnUrlOf(page)
  const body = checkoutStatusPage(shownAs(kind, page), { page, language: visitor.language, returnUrl })
  return { status: STATUS_CODES[kind] ?? status, body }
}

/** Why it ended so, where the page can say more than the state. */
function shownAs(kind: Exclude<PageState, "payable" | "processing">, page: CheckoutPage) {
  if (kind === "expired" && page.left_behind !== null) {
    return page.left_behind.paid === null ? "leftBehind" : "paidInstead"
  }
  return kind === "failed" && page.given_back ? "givenBack" : kind
}

export function unknownReply(visitor: Visitor): Reply {
  return { status: 404, body: problemPage("unknown", { language: visitor.language, path: null }) }
}

/** `path` is the page to try again; null: the page the browser is on. */
export function waitReply(
  kind: "tooMany" | "tooManyCards",
  visitor: Pick<Visitor, "language">,
  seconds: number,
  path: string | null
): Reply {
  return { status: 429, retryAfter: seconds, body: waitPage(kind, { language: visitor.language, path, seconds }) }
}

/** Whether the merchant may take no payments now: nothing was moved, and the payment page says so. */
export function mayNotCharge(error: unknown): boolean {
  return isCode(error, "MERCHANT_SUSPENDED") || isCode(error, "SERVICE_NOT_ENABLED")
}

export function isCode(error: unknown, code: GatewayError["code"]): error is GatewayError {
  return GatewayError.from(error)?.code === code
}
