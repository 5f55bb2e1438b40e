import type { Authorized } from "../authorization-port"
import type { Details, Done, KeptInstrument, Reported, Refused, Unknown } from "../port"
import { formatAmount } from "../../kernel/money/money"
import { declineOf, type Decline } from "./codes"
import { currencyOf, expanded, idOf, minorOf, texts, tokenOf, type Intent, type Session } from "./objects"
import { CURRENCIES } from "../../kernel/money/currencies"

/** Which of the two ways an attempt was made; kept with the references, so that a look-up knows what to look for. */
export const CHECKOUT = { made_by: "checkout" } as const
export const CHARGE = { made_by: "charge" } as const

type Outcome = Done | Refused | Unknown
/** `now`: the merchant's clock; `real_now`: Stripe's, at the same moment. */
type Clock = { now: Date; real_now: Date }
type Moment = Clock & { expires_at: Date }

const HOUR_MS = 3_600_000
/** How long money is reserved if Stripe does not say; without the cardholder Visa allows less (Stripe: place a hold). */
const HELD_MS = 7 * 24 * HOUR_MS
const HELD_WITHOUT_SHOPPER_MS = (4 * 24 + 18) * HOUR_MS
/** Nothing is captured in the last hour: the request takes its time, and clocks disagree. */
const CAPTURE_MARGIN_MS = HOUR_MS

/**
 * A Checkout Session as an outcome. Only its payment intent says that money has moved: a session is also `complete` when
 * the payment is still under way. A decline is not the end of a session: the shopper may try another card inside.
 */
export function answerOfSession(session: Session, moment: Moment): Outcome {
  const intent = expanded<Intent>(session.payment_intent)
  const reported: Reported = {
    references: texts({
      ...CHECKOUT,
      session_id: session.id,
      payment_intent: idOf(session.payment_intent),
      charge: idOf(intent?.latest_charge),
    }),
  }
  if (intent?.status === "succeeded") {
    return doneBy(intent, reported)
  }
  if (intent?.status === "requires_capture") {
    return reservedBy(intent, reported, authorizedUntil(intent, moment, HELD_MS))
  }
  if (session.status === "expired" && (intent === null || isIdle(intent))) {
    return { result: "refused", ...endOf(intent, moment), ...reported, message: "The Checkout Session has expired" }
  }
  if (session.status === "complete" && intent !== null && hasFailed(intent)) {
    return { result: "refused", ...endOf(intent, moment), ...reported, message: "The payment has failed at the bank" }
  }
  const message = `The Checkout Session is ${session.status}, its payment ${intent?.status ?? session.payment_status}`
  if (session.status === "open" && (intent === null || isIdle(intent) || intent.status === "requires_action")) {
    const details = texts({ last_decline: intent === null ? null : lastDecline(intent) })
    return { result: "unknown", awaiting_shopper: true, message, ...reported, details }
  }
  return { result: "unknown", message, ...reported }
}

/** A session that ended without a payment: with the decline that the shopper saw last, if there was one. */
function endOf(intent: Intent | null, { now, expires_at }: Moment): Decline & Pick<Refused, "instrument"> {
  if (intent?.last_payment_error) {
    const { decline_code, code, payment_method } = intent.last_payment_error
    return { ...declineOf(decline_code, code), ...instrumentOf(payment_method?.card) }
  }
  return { code: now < expires_at ? "CANCELLED" : "EXPIRED" }
}

/** No money is on its way through it. */
function isIdle({ status }: Intent): boolean {
  return status === "requires_payment_method" || status === "canceled"
}

/**
 * The bank has refused a payment that it took time for. The session stays complete, and nobody can pay in it again: a
 * session in which the shopper may try another card is open.
 */
function hasFailed(intent: Intent): boolean {
  return intent.status === "canceled" || (isIdle(intent) && Boolean(intent.last_payment_error))
}

/** The payment intent of a charge without the shopper, once nothing can change it any more. */
export function answerOfCharge(intent: Intent, clock: Clock): Outcome {
  const reported: Reported = {
    references: texts({ ...CHARGE, payment_intent: intent.id, charge: idOf(intent.latest_charge) }),
  }
  if (intent.status === "succeeded") {
    return doneBy(intent, reported)
  }
  if (intent.status === "requires_capture") {
    return reservedBy(intent, reported, authorizedUntil(intent, clock, HELD_WITHOUT_SHOPPER_MS))
  }
  if (isIdle(intent)) {
    return { result: "refused", ...declineOfCharge(intent), ...reported, message: `Declined: ${lastDecline(intent)}` }
  }
  return { result: "unknown", ...reported, message: `The payment intent is ${intent.status}` }
}

/** `abandoned` is the reason under which this adapter cancels what only an authentication could complete. */
function declineOfCharge({ last_payment_error: error, cancellation_reason }: Intent): Decline {
  if (!error && cancellation_reason === "abandoned") {
    return declineOf("authentication_required")
  }
  return declineOf(error?.decline_code, error?.code)
}

function lastDecline({ last_payment_error: error, cancellation_reason }: Intent): string | undefined {
  return error?.decline_code ?? error?.code ?? cancellation_reason ?? undefined
}

/** Money has moved, in the amount that Stripe has received. */
function doneBy(intent: Intent, reported: Reported): Done | Unknown {
  return moneyOf(intent, intent.amount_received, reported)
}

/** The bank has reserved money, in the amount that Stripe can capture. */
function reservedBy(intent: Intent, reported: Reported, authorized: Authorized): Done | Unknown {
  const done = moneyOf(intent, intent.amount_capturable, reported)
  return done.result === "done" ? { ...done, authorized } : done
}

/** Stripe's time is the real one: what is left of it counts on the merchant's clock. */
function authorizedUntil(intent: Intent, { now, real_now }: Clock, held_ms: number): Authorized {
  const charge = chargeOf(intent)
  const given = charge?.payment_method_details?.card?.capture_before
  const until = given === undefined ? (charge?.created ?? intent.created) * 1_000 + held_ms : given * 1_000
  const left = until - real_now.getTime() - CAPTURE_MARGIN_MS
  return { capture_before: new Date(now.getTime() + left), is_single: true }
}

function moneyOf(intent: Intent, minor: number, { references }: Reported): Done | Unknown {
  const amount = minorOf(minor)
  const currency = currencyOf(intent.currency)
  if (amount === null || currency === null) {
    return { result: "unknown", references, message: "Stripe reports a payment without an amount" }
  }
  const card = cardOf(intent)
  return {
    result: "done",
    reference: intent.id,
    amount,
    currency,
    references,
    details: detailsOf(intent),
    ...instrumentOf(card),
    kept: keptBy(intent),
    risk: riskOf(intent),
  }
}

type Card = { brand?: string | null; last4?: string | null }

function instrumentOf(card: Card | null | undefined): Pick<Refused, "instrument"> {
  return card ? { instrument: { brand: card.brand?.toUpperCase(), last_four: card.last4 ?? undefined } } : {}
}

function chargeOf(intent: Intent) {
  return expanded(intent.latest_charge)
}

function cardOf(intent: Intent) {
  return chargeOf(intent)?.payment_method_details?.card ?? null
}

/** A first payment that was asked to keep its card, and did. */
function keptBy(intent: Intent): KeptInstrument | undefined {
  const customer = idOf(intent.customer)
  const payment_method = idOf(intent.payment_method)
  if (intent.setup_future_usage !== "off_session" || customer === undefined || payment_method === undefined) {
    return undefined
  }
  const card = cardOf(intent)
  return {
    token: tokenOf({ customer, payment_method }),
    expiry_month: card?.exp_month ?? undefined,
    expiry_year: card?.exp_year ?? undefined,
  }
}

/** Radar lets such payments through, and asks the merchant to look at them. */
function riskOf(intent: Intent): string | undefined {
  const outcome = chargeOf(intent)?.outcome
  const isSuspicious =
    outcome?.risk_level === "elevated" || outcome?.risk_level === "highest" || outcome?.type === "manual_review"
  return isSuspicious
    ? [outcome?.risk_level, outcome?.reason, outcome?.seller_message].filter(Boolean).join(": ")
    : undefined
}

function detailsOf(intent: Intent): Details {
  const charge = chargeOf(intent)
  const card = cardOf(intent)
  const settled = expanded(charge?.balance_transaction)
  const settlement = currencyOf(settled?.currency)
  return texts({
    ...(settled && settlement !== null && CURRENCIES.includes(settlement)
      ? { fee: formatAmount(settled.fee), net: formatAmount(settled.net), settlement_currency: settlement }
      : {}),
    card_funding: card?.funding,
    card_country: card?.country,
    card_issuer: card?.issuer,
    three_d_secure: card?.three_d_secure?.result,
    risk_level: charge?.outcome?.risk_level,
    risk_score: charge?.outcome?.risk_score,
  })
}
