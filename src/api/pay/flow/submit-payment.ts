import type { PayWith } from "../../../modules/gateway/payments/choosing"
import { isCardDecline } from "../../../modules/gateway/payments/card-testing-rules"
import { GatewayError } from "../../../modules/gateway/kernel/errors"
import { type FieldName, type FieldProblem, type FormFields, type Problem } from "../form/fields"
import { readWay } from "../form/saved-method"
import { enteredCard, readInstrument, withMethodOfService, withoutForeignDetails } from "../form/instrument"
import type { Language } from "../../../i18n/languages"
import type { Kind } from "../../../i18n/message"
import { receiptCookie } from "../http/csrf"
import type { LoadPage, Visitor } from "../http/request"
import type { CheckoutPage } from "../../../modules/gateway/checkout/page"
import { sessionPath } from "../view/parts"
import { untriedPage, type Untried } from "../view/status"
import { loadOrNull } from "./show-page"
import { finalReply, formReply, GONE, returnUrlOf, stateOf, unknownReply, waitReply, type Reply } from "./states"

export type Submission = {
  sessionId: string
  visitor: Visitor
  fields: FormFields
  load: LoadPage
  cards: CardWatch
}

export type Paid = { redirect_url: string; status: string; authorized: boolean; declined: string | null }
/** `receipt_key`: what the browser keeps to see the receipt of a payment link. */
type PaidHere = Paid & { receipt_key?: string | null }
export type Pay = (input: PayWith & { session_id: string; language: Language }) => Promise<PaidHere>

/** Counts failed cards, and slows down visitors who try many (decisions: Card testing). */
export type CardWatch = {
  /** In how many seconds the next payment may be tried; null: now. */
  secondsToWait(page: CheckoutPage): Promise<number | null>
  /** A payment failed; `card` is its number, when it was entered here, or names the saved method. */
  failed(page: CheckoutPage, card: string | null): Promise<void>
}

/** The gateway's field names and the problems that the page shows for them. */
const REFUSED_FIELDS: Readonly<Record<string, Problem>> = {
  card_number: { field: "card_number", problem: "card_number_not_test" },
  payment_method: { field: "method", problem: "method_not_allowed" },
  payment_service: { field: "service", problem: "method_not_allowed" },
  mobile_number: { field: "mobile_number", problem: "mobile_number_invalid" },
  emi_configuration_id: { field: "emi", problem: "emi_gone" },
}

/** Why nothing was tried on a checkout that is still open; every other refusal: the payment is not needed any more. */
const UNTRIED: Partial<Record<Kind, Untried>> = {
  // Another tab's payment, or the worker, changed the state between the look at it and the write.
  "error.INVALID_STATE_TRANSITION": "busy",
  "refusal.state": "busy",
  "refusal.subscription_payment_running": "busy",
  "refusal.cart_locked": "busy",
  "refusal.balance_settling": "busy",
  "refusal.period_amount_changed": "subscriptionChanged",
  "refusal.period_interval_changed": "subscriptionChanged",
  "refusal.goods_out_of_stock": "outOfStock",
  "refusal.goods_not_sold": "notSold",
}

const SAVED_GONE: Problem = { field: "method", problem: "saved_gone" }
const FALLBACK: { field: FieldName; problem: FieldProblem } = { field: "method", problem: "refused" }

/** POST of the page: pays, then redirects to the shop or the acquirer, or shows the problems. */
export async function submitPayment(posted: Submission, pay: Pay): Promise<Reply> {
  const { sessionId, visitor, load, cards } = posted
  const page = await loadOrNull(load, sessionId)
  if (page === null) {
    return unknownReply(visitor)
  }
  const shown = { page, visitor }
  if (stateOf(page) !== "payable") {
    return notPayable(page, visitor)
  }
  const seconds = await cards.secondsToWait(page)
  if (seconds !== null) {
    return waitReply("tooManyCards", visitor, seconds, sessionPath(page))
  }
  const fields = withoutForeignDetails(page, withMethodOfService(page, posted.fields))
  const submission = { ...posted, fields }
  const { way, problems } = readWay(page, fields)
  if (way === null) {
    await countRefusedCard(problems, page, submission)
    return formReply(shown, { entered: fields, problems })
  }
  try {
    const paid = await pay({ session_id: sessionId, ...way, language: visitor.language })
    if (isCardDecline(paid.declined)) {
      await cards.failed(page, "saved_method" in way ? way.saved_method : (way.instrument.card?.number ?? null))
    }
    const { redirect_url: location, receipt_key } = paid
    return page.link_token === null || !receipt_key
      ? { status: 303, location }
      : { status: 303, location, receipt: receiptCookie(visitor, page.link_token, receipt_key) }
  } catch (error) {
    return refusal(error, page, submission)
  }
}

/** Counts a number that the page refused itself: it is no card number, or not a test card. */
async function countRefusedCard(
  problems: readonly Problem[],
  page: CheckoutPage,
  { fields, cards }: Submission
): Promise<void> {
  const card = enteredCard(fields)
  if (card !== null && problems.some(({ field }) => field === "card_number")) {
    await cards.failed(page, card)
  }
}

/**
 * A form posted to a checkout that is no longer open. A paid or declined checkout leads to that outcome, because a
 * second press, a reload or a second tab wants just that. A cancelled, refunded or unavailable one shows its state.
 */
export function notPayable(page: CheckoutPage, visitor: Visitor): Reply {
  const state = stateOf(page)
  switch (state) {
    case "payable":
    case "processing":
      return { status: 303, location: `${sessionPath(page)}?wait=1` }
    case "paid":
    case "authorized":
    case "failed":
      return { status: 303, location: returnUrlOf(page) }
    case "refunded":
      // A verification is refunded as soon as it is paid: that is how it ends.
      return page.verifies ? { status: 303, location: returnUrlOf(page) } : finalReply(state, { page, visitor }, 409)
    default:
      return finalReply(state, { page, visitor }, 409)
  }
}

async function refusal(error: unknown, page: CheckoutPage, submission: Submission): Promise<Reply> {
  const { sessionId, visitor, fields, load } = submission
  const known = GatewayError.from(error)
  switch (known?.code) {
    case "SESSION_NOT_FOUND":
      return unknownReply(visitor)
    case "PAYMENT_TIMEOUT":
    case "INVALID_STATE_TRANSITION": {
      const current = await loadOrNull(load, sessionId)
      if (current !== null && stateOf(current) === "payable") {
        return untried(UNTRIED[known.reason.kind] ?? "notNeeded", current, visitor)
      }
      return current === null ? unknownReply(visitor) : notPayable(current, visitor)
    }
    case "VALIDATION_ERROR": {
      const problem = REFUSED_FIELDS[known.field ?? ""] ?? FALLBACK
      await countRefusedCard([problem], page, submission)
      return formReply({ page, visitor }, { entered: fields, problems: [problem] })
    }
    case "PAYMENT_METHOD_NOT_FOUND": {
      const current = (await loadOrNull(load, sessionId)) ?? page
      return stateOf(current) === "payable"
        ? formReply({ page: current, visitor }, { entered: new Map(), problems: [SAVED_GONE] })
        : notPayable(current, visitor)
    }
    case "EMI_CARD_NOT_ACCEPTED":
      return formReply(
        { page, visitor },
        { entered: fields, problems: [{ field: "card_number", problem: "emi_card" }] }
      )
    case "SERVICE_UNAVAILABLE":
      return unreachable(submission)
    case "MERCHANT_SUSPENDED":
    case "SERVICE_NOT_ENABLED":
      return finalReply("unavailable", { page, visitor }, 409)
    case "EMI_TERMS_CHANGED":
      return termsChanged(submission)
    case "CART_CHANGED":
      return untried(known.reason.kind === "refusal.balance_changed" ? "orderChanged" : "cartChanged", page, visitor)
    default:
      throw error
  }
}

/** A changed cart or order has ended its checkout; other refusals leave it open. */
function untried(kind: Untried, page: CheckoutPage, visitor: Visitor): Reply {
  return {
    status: kind === "cartChanged" || kind === "orderChanged" ? GONE : 409,
    body: untriedPage(kind, { page, language: visitor.language, returnUrl: page.return_urls.fail }),
  }
}

/** The terms changed between reading the form and paying: loads the page again to show the new ones. */
async function termsChanged({ sessionId, visitor, fields, load }: Submission): Promise<Reply> {
  const page = await loadOrNull(load, sessionId)
  if (page === null) {
    return unknownReply(visitor)
  }
  const { problems } = readInstrument(page, fields)
  const changed: Problem = problems.find(({ field }) => field === "emi") ?? { field: "emi", problem: "emi_changed" }
  return stateOf(page) === "payable"
    ? formReply({ page, visitor }, { entered: fields, problems: [changed] })
    : notPayable(page, visitor)
}

/**
 * Nothing was tried, or a process of the store died in the middle of it: then the payment may be under way, and the form
 * would have the shopper pay for it again.
 */
async function unreachable({ sessionId, visitor, fields, load }: Submission): Promise<Reply> {
  const page = await loadOrNull(load, sessionId)
  if (page === null) {
    return unknownReply(visitor)
  }
  return stateOf(page) === "payable"
    ? formReply({ page, visitor }, { entered: fields, problems: [{ field: "method", problem: "unreachable" }] })
    : notPayable(page, visitor)
}
