import { HOME_TIME_ZONE } from "../../../../i18n/formats"
import { localDay } from "../../kernel/money/calendar"
import { addSeconds } from "../../kernel/money/clock"
import { parseAmount } from "../../kernel/money/money"
import { maskedAccount } from "../../kernel/text/phone"
import type { AcquirerContext, AttemptRequest, Details, Done, Refused, Unknown } from "../port"
import { isAccepted, notStarted, textOf, troubleOf, type Answer, type NagadClient } from "./client"
import { STATUSES, type Meaning } from "./codes"
import { orderPrefix } from "./names"

/** A merchant of Nagad has no other currency, and no answer names one. */
export const CURRENCY = "BDT"

/**
 * When Nagad is asked after a shopper was sent to its page, in seconds: it sends no notification, and a browser that was
 * closed brings nothing back. After the last the core's own schedule follows.
 */
const ASK_AFTER = [30, 120, 300, 600] as const
/** How long Nagad's page can still be paid after our session has ended: a guess, on the safe side. */
const PAGE_LIFE_SECONDS = 1_800
/** Longer than a call that opens the page can take: 15 seconds until it is sent, 30 until it is given up. */
const STARTING_SECONDS = 60
const HOUR_SECONDS = 3_600
const WEEK_SECONDS = 7 * 86_400

const KEPT = ["orderDateTime", "issuerPaymentDateTime", "serviceType", "cancelIssuerDateTime", "cancelIssuerRefNo"]
const DETAIL_MAX_CHARS = 100

type Asked = Pick<AttemptRequest, "key" | "amount" | "references" | "expires_at" | "now">
type Logger = Pick<AcquirerContext["logger"], "error">

export function firstAsk(now: Date): Date {
  return addSeconds(now, ASK_AFTER[0])
}

/** The next early moment; undefined: they are over, and the usual schedule follows. */
function nextAsk({ references, now, expires_at }: Asked): Date | undefined {
  const started = startOf(references.startedAt, now)
  const at = ASK_AFTER.map((seconds) => addSeconds(started, seconds)).find((moment) => moment > now)
  return at !== undefined && now < expires_at && at > expires_at ? expires_at : at
}

function startOf(startedAt: string | undefined, now: Date): Date {
  const at = new Date(startedAt ?? "")
  return Number.isNaN(at.getTime()) ? now : at
}

const isOlder = ({ references, now }: Asked, seconds: number) =>
  addSeconds(startOf(references.startedAt, now), seconds) <= now

/** The answer to the question what became of a payment. */
export function readPayment(
  answer: Answer,
  asked: Asked,
  client: Pick<NagadClient, "merchantId" | "messageOf">,
  logger: Logger
): Done | Refused | Unknown {
  const word = textOf(answer, "status")
  if (!isAccepted(answer) || word === "InvalidRequest") {
    return { result: "unknown", message: client.messageOf(answer), trouble: troubleOf(answer) }
  }
  const foreign = foreignTo(answer, asked, client.merchantId)
  if (foreign !== null) {
    logger.error(`gateway: Nagad answered about another ${foreign} than that of the attempt ${asked.key}`)
    return { result: "unknown", message: `Nagad's answer is about another ${foreign}`, trouble: "bad_request" }
  }
  const meaning = STATUSES.get(word)
  return meaning === undefined
    ? { result: "unknown", message: `Nagad says ${word.slice(0, DETAIL_MAX_CHARS) || "nothing"} of the payment` }
    : readMeaning(meaning, word, answer, asked, logger)
}

function foreignTo(answer: Answer, { key, references }: Asked, merchantId: string): string | null {
  const orderId = textOf(answer, "orderId")
  const isOwn = references.orderId === undefined ? orderId.startsWith(orderPrefix(key)) : orderId === references.orderId
  return textOf(answer, "merchantId") !== merchantId ? "merchant" : isOwn ? null : "order"
}

function readMeaning(
  meaning: Meaning,
  word: string,
  answer: Answer,
  asked: Asked,
  logger: Logger
): Done | Refused | Unknown {
  const isPaid = textOf(answer, "issuerPaymentRefNo") !== ""
  switch (meaning) {
    case "paid":
      return readPaid(answer)
    case "initiated":
      return readInitiated(word, asked)
    case "paying":
      return { ...waiting(word, asked), awaiting_shopper: true }
    case "moving":
      return { ...waiting(word, asked), ...(isOlder(asked, WEEK_SECONDS) && { needs_operator: true }) }
    case "returned":
      return readReturned(word, answer, asked, logger)
    case "cancelled":
      return isPaid ? readReturned(word, answer, asked, logger) : refused("CANCELLED", word)
    case "aborted":
      return refused("CANCELLED", word)
    case "failed":
      return refused("CARD_DECLINED", word)
    case "perhaps_failed":
      return isOlder(asked, HOUR_SECONDS) ? refused("CARD_DECLINED", word) : waiting(word, asked)
    case "fraud":
      return { ...refused("FRAUD_SUSPECTED", word), reason: "fraud_suspected" }
  }
}

const refused = (code: string, word: string): Refused => ({ result: "refused", code, message: `Nagad says ${word}` })

function waiting(word: string, asked: Asked): Unknown {
  const ask_again_at = nextAsk(asked)
  return { result: "unknown", message: `Nagad says ${word} of the payment`, ...(ask_again_at && { ask_again_at }) }
}

/**
 * Nobody has begun to pay, and nobody can where no browser was sent to the page; for a minute one may still be sent there,
 * by a call that is under way.
 */
function readInitiated(word: string, asked: Asked): Refused | Unknown {
  if (asked.references.page === undefined) {
    return isOlder(asked, STARTING_SECONDS)
      ? notStarted("Nagad has the order, and nobody was sent to its page", "network", true)
      : waiting(word, asked)
  }
  return asked.now >= addSeconds(asked.expires_at, PAGE_LIFE_SECONDS)
    ? refused("EXPIRED", word)
    : { ...waiting(word, asked), awaiting_shopper: true }
}

/** The amount is not compared here: the core does that, and holds a payment of another amount. */
function readPaid(answer: Answer): Done | Unknown {
  const code = textOf(answer, "statusCode")
  return code === "000"
    ? doneOf(answer)
    : { result: "unknown", message: `Nagad says Success with the code ${code.slice(0, DETAIL_MAX_CHARS) || "(none)"}` }
}

function doneOf(answer: Answer): Done | Unknown {
  const issuerPaymentRefNo = textOf(answer, "issuerPaymentRefNo")
  const amount = parseAmount(answer.body?.amount)
  if (issuerPaymentRefNo === "" || amount === null) {
    const missing = amount === null ? "readable amount" : "issuerPaymentRefNo"
    return { result: "unknown", message: `Nagad's answer has no ${missing}` }
  }
  const paidOn = dayIn(textOf(answer, "issuerPaymentDateTime")) ?? dayIn(textOf(answer, "orderDateTime"))
  return {
    result: "done",
    reference: issuerPaymentRefNo,
    amount,
    currency: CURRENCY,
    references: { issuerPaymentRefNo, ...(paidOn && { paidOn }) },
    details: detailsOf(answer),
    instrument: { brand: "Nagad", ...accountIn(textOf(answer, "clientMobileNo")) },
  }
}

/**
 * The money came and has gone back. It is `done`, so that the core does not take the payment for one that never was.
 * Before the core has seen it paid, nobody here can have asked for a refund: an admin has to look.
 */
function readReturned(word: string, answer: Answer, { key, references }: Asked, logger: Logger): Done | Unknown {
  const done = doneOf(answer)
  if (done.result !== "done" || references.issuerPaymentRefNo !== undefined) {
    return done
  }
  logger.error(
    `gateway: Nagad says ${word} of the attempt ${key}, for which no refund was asked: its money has gone back`
  )
  return { ...done, risk: `Nagad says ${word}: the money has gone back` }
}

/** `20211123` of `2021-11-23 23:48:22.0`, which is Dhaka's time. */
function dayIn(text: string): string | undefined {
  return /^\d{4}-\d\d-\d\d/.test(text) ? text.slice(0, 10).replaceAll("-", "") : undefined
}

/** The Dhaka day of a payment, as a refund names it. */
export function dayOfPayment({ paidOn, startedAt }: AttemptRequest["references"], now: Date): string {
  return paidOn ?? localDay(startOf(startedAt, now), HOME_TIME_ZONE).replaceAll("-", "")
}

function accountIn(number: string): { account?: string } {
  const digits = number.replace(/\D/g, "")
  return number === "" ? {} : { account: number.includes("*") ? number.slice(0, 15) : maskedAccount(digits) }
}

function detailsOf(answer: Answer): Details {
  return Object.fromEntries(
    KEPT.map((name) => [name, textOf(answer, name).slice(0, DETAIL_MAX_CHARS)]).filter(([, value]) => value !== "")
  )
}
