import { parseAmount } from "../../kernel/money/money"
import { maskedAccount } from "../../kernel/text/phone"
import { fitted } from "../../kernel/text/text"
import type { AcquirerContext, AttemptRequest, Details, Done, InstrumentSummary, Refused, Unknown } from "../port"
import { codeOf, messageOf, textIn, troubleOf, type Answer } from "./client"
import { CODES, type Meaning } from "./codes"

const DETAIL_MAX_CHARS = 100
/** By the name under which it is kept: how shurjoPay spells it. What shoppers have typed there is not kept. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  method: ["method"],
  bank_status: ["bank_status"],
  invoice_no: ["invoice_no"],
  date_time: ["date_time"],
  payable_amount: ["payable_amount"],
  received_amount: ["received_amount", "recived_amount"],
}

type Asked = Pick<AttemptRequest, "key" | "references" | "expires_at" | "now">
type Logger = Pick<AcquirerContext["logger"], "error">

/** The answer to the question what became of a payment. */
export function readPayment(answer: Answer, asked: Asked, logger: Logger): Done | Refused | Unknown {
  const code = codeOf(answer)
  const meaning = CODES.get(code)
  const isRefusedQuestion = typeof meaning === "object" && "trouble" in meaning
  if (answer.status !== 200 || code === "" || isRefusedQuestion) {
    return { result: "unknown", message: messageOf(answer), trouble: troubleOf(answer) }
  }
  if (meaning === "lost") {
    logger.error(`gateway: shurjoPay does not know the payment that it opened for the attempt ${asked.key}`)
    return { result: "unknown", message: messageOf(answer), trouble: "bad_request" }
  }
  if (!isAbout(answer, asked)) {
    logger.error(`gateway: shurjoPay answered about another order than that of the attempt ${asked.key}`)
    return { result: "unknown", message: "shurjoPay's answer is about another order", trouble: "bad_request" }
  }
  return meaning === undefined
    ? { result: "unknown", message: messageOf(answer) }
    : readMeaning(meaning, answer, asked, logger)
}

/** Both numbers: shurjoPay's, by which it was asked, and ours. */
export function isAbout(answer: Answer, { references }: Pick<Asked, "references">): boolean {
  const { order_id, sp_order_id } = references
  return textIn(answer, "order_id") === sp_order_id && textIn(answer, "customer_order_id") === order_id
}

function readMeaning(
  meaning: Exclude<Meaning, { trouble: unknown }>,
  answer: Answer,
  asked: Asked,
  logger: Logger
): Done | Refused | Unknown {
  const unknown: Unknown = { result: "unknown", message: messageOf(answer) }
  if (typeof meaning === "object") {
    const { mayFollow, ...decline } = meaning.decline
    const isOver = asked.references.returned !== undefined || asked.now >= asked.expires_at
    return mayFollow === true && !isOver
      ? { ...unknown, awaiting_shopper: true }
      : { result: "refused", ...decline, message: unknown.message }
  }
  switch (meaning) {
    case "paid":
      return readPaid(answer)
    case "returning":
    case "returned":
      // An admin who has asked for a refund has seen it paid.
      return asked.references.bank_trx_id === undefined ? withAlarm(answer, asked, logger) : readPaid(answer)
    case "reversed":
      return withAlarm(answer, asked, logger)
    case "waiting":
      return { ...unknown, awaiting_shopper: true }
    case "unclear":
    case "lost":
      return unknown
  }
}

/**
 * `amount` is the order's. What came in may be less by the merchant's fee, so it is not compared; but a discount would
 * have made the shopper pay less than was asked, and is taken off, so that the core sees the difference.
 */
export function readPaid(answer: Answer): Done | Unknown {
  const [amount, discount] = [
    textIn(answer, "amount"),
    textIn(answer, "discount_amount", "discsount_amount") || "0",
  ].map(parseAmount)
  const currency = textIn(answer, "currency")
  const bank_trx_id = fitted(textIn(answer, "bank_trx_id"), DETAIL_MAX_CHARS)
  if (amount === null || discount === null || discount > amount || bank_trx_id === "" || currency === "") {
    return { result: "unknown", message: `${messageOf(answer)}, without a readable amount, currency or bank_trx_id` }
  }
  return {
    result: "done",
    // The bank's number is not known to differ over the ways to pay.
    reference: textIn(answer, "order_id"),
    amount: amount - discount,
    currency,
    references: { bank_trx_id },
    details: detailsOf(answer),
    instrument: instrumentOf(answer),
  }
}

/** The money came, and nobody here has asked for it to go back: an admin has to look. */
function withAlarm(answer: Answer, { key }: Asked, logger: Logger): Done | Unknown {
  const paid = readPaid(answer)
  const risk = `${messageOf(answer)}: the money is gone, or goes back`
  logger.error(`gateway: the attempt ${key} was paid, but ${risk}`)
  return paid.result === "done" ? { ...paid, risk } : paid
}

function detailsOf(answer: Answer): Details {
  return Object.fromEntries(
    Object.entries(KEPT)
      .map(([name, spellings]) => [name, fitted(textIn(answer, ...spellings), DETAIL_MAX_CHARS)] as const)
      .filter(([, value]) => value !== "")
  )
}

/** `card_number` is a card's, masked or not, or a wallet's: only its end is kept. */
function instrumentOf(answer: Answer): InstrumentSummary {
  const brand = fitted(textIn(answer, "method"), 30)
  const number = textIn(answer, "card_number").replace(/[\s-]/g, "")
  const last_four = /[0-9]{4}$/.exec(number)?.[0]
  return {
    ...(brand !== "" && { brand }),
    ...(/^01[0-9]{9}$/.test(number) ? { account: maskedAccount(number) } : last_four !== undefined && { last_four }),
  }
}
