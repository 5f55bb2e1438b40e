import { asciiDigits } from "../../../../i18n/typed"
import { type Minor, formatAmount, parseAmount } from "../../kernel/money/money"
import { maskedAccount } from "../../kernel/text/phone"
import { isPageAddress } from "../http-call"
import type { Absent, Details, Done, Redirect, References, Refused, Trouble, Unknown } from "../port"
import { type Meaning, PAYMENT_CODES, SUCCESSFUL, UNKNOWN_PAYMENT, nothingMovedBy } from "./codes"

const TEXT_MAX_CHARS = 200

/** `body` is null when the answer was no JSON object, such as the HTML of a proxy. */
export type Answer = { status: number; body: Readonly<Record<string, unknown>> | null }

/** A field as text; "" when it is missing or holds no text. */
export function text(answer: { body: Answer["body"] }, field: string): string {
  const value = answer.body?.[field]
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : ""
}

/** An amount that the acquirer reports; null when it is missing or malformed. */
export function amountIn(answer: { body: Answer["body"] }, field: string): Minor | null {
  return parseAmount(answer.body?.[field])
}

/**
 * bKash refuses in three shapes, mostly with status 200: `statusCode`, `errorCode`, and for refunds `externalCode` with
 * `internalCode`. "" when there is none: then the answer comes from the front door, not from the payment service.
 */
export function codeOf(answer: Answer): string {
  return (
    ["errorCode", "externalCode", "internalCode", "statusCode"].map((name) => text(answer, name)).find(Boolean) ?? ""
  )
}

/** bKash's own sentence, for the record: one line, shortened. */
function sentenceOf(answer: Answer): string {
  const fields = ["errorMessage", "errorMessageEn", "statusMessage", "message", "msg"]
  const sentence = fields.map((name) => text(answer, name)).find(Boolean) ?? ""
  return sentence.replace(/\s+/g, " ").slice(0, TEXT_MAX_CHARS)
}

/** `bKash 2023: Insufficient Balance`; `says` speaks when bKash sent no sentence. */
export function messageOf(answer: Answer, says = "no readable answer"): string {
  const code = codeOf(answer)
  return `bKash ${code === "" ? `status ${answer.status}` : code}: ${sentenceOf(answer) || says}`
}

/** The front door turned the token down: the request got no further, so it may be sent again with a new one. */
export function rejectsToken(answer: Answer): boolean {
  return answer.status === 401
}

/** Facts of an answer that are kept as details; nothing else is. */
const KEPT = [
  "paymentExecuteTime",
  "payerType",
  "saleAmount",
  "serviceFee",
  "couponAmount",
  "merchantShareAmount",
  "creditedAmount",
  "maxRefundableAmount",
] as const
const DETAIL_MAX_CHARS = 100

/** What an answer must be about to count. */
type Expected = { paymentID: string; key: string }

/**
 * A declined call, in the contract's words. A refusal of the merchant, or of our request, is no decline: every shopper
 * would get it, and the counters of failed cards would take the shoppers of one network for people who try cards.
 */
export function refusal(answer: Answer, meaning: Meaning): Refused {
  const { code, reason, tries_left, trouble } = meaning
  return {
    result: "refused",
    code: trouble === undefined ? code : "NETWORK_ERROR",
    message: messageOf(answer, meaning.says),
    ...(reason && { reason }),
    ...(tries_left !== undefined && { tries_left }),
    ...(trouble && { trouble }),
  }
}

export function unclear(answer: Answer, meaning?: Meaning): Unknown {
  const trouble = meaning?.trouble ?? troubleOf(answer)
  return { result: "unknown", message: messageOf(answer, meaning?.says), ...(trouble && { trouble }) }
}

/** The trouble that the HTTP status of an answer without bKash's code shows. */
export function troubleOf(answer: Answer): Trouble | undefined {
  if (answer.status === 401 || answer.status === 403) {
    return "credentials"
  }
  return answer.status === 429 ? "rate_limited" : answer.status >= 500 ? "maintenance" : undefined
}

/** What an invoice number may have (unconfirmed: README.md): the order's number, which the shopper reads, and the key. */
const NUMBER_MAX_CHARS = 19
const KEY_AT_END = /(?:^|-)([a-z0-9]{30})$/

/** The invoice number: the key alone where the order's number is absent, or has no letter or digit that bKash takes. */
export function invoiceOf({ key, order_number = "" }: { key: string; order_number?: string }): string {
  const plain = asciiDigits(order_number).replace(/[^A-Za-z0-9]+/g, "-")
  const number = plain.replace(/^-/, "").slice(0, NUMBER_MAX_CHARS).replace(/-$/, "")
  return number === "" ? key : `${number}-${key}`
}

/** The attempt's key in an invoice number; null: it is none of ours. */
export function keyIn(invoice: string): string | null {
  return KEY_AT_END.exec(invoice)?.[1] ?? null
}

export type Created = { result: "created"; paymentID: string; url: string }

/**
 * Reads the answer to create. Only an execute moves money, and only we send one. So an answer without a usable payment
 * is a refusal: nobody can execute a payment whose id never arrived.
 */
export function readCreated(answer: Answer, asked: { amount?: bigint; key: string }): Created | Refused {
  const code = codeOf(answer)
  const paymentID = text(answer, "paymentID")
  if (answer.status === 200 && code === SUCCESSFUL && paymentID !== "") {
    const differs = differences(answer, asked)
    return differs === ""
      ? { result: "created", paymentID, url: text(answer, "bkashURL") }
      : notExecuted(`bKash opened a payment with another ${differs}`, "bad_request")
  }
  const meaning = PAYMENT_CODES[code]
  // What has a reason for the shopper is that shopper's: the same payment again within two minutes.
  if (meaning !== undefined && (meaning.effect === "refused" || meaning.reason !== undefined)) {
    return refusal(answer, meaning)
  }
  return notExecuted(messageOf(answer, meaning?.says), meaning?.trouble ?? troubleOf(answer) ?? "network")
}

/** What create echoes of the request and has changed; "" when all that it echoes is right. */
function differences(answer: Answer, { amount, key }: { amount?: bigint; key: string }): string {
  const invoice = text(answer, "merchantInvoiceNumber")
  if (invoice !== "" && keyIn(invoice) !== key) {
    return "invoice number"
  }
  if (amount === undefined) {
    return ""
  }
  const echoed = amountIn(answer, "amount")
  if (text(answer, "amount") !== "" && echoed !== amount) {
    return `amount (${echoed === null ? "malformed" : formatAmount(echoed)} instead of ${formatAmount(amount)})`
  }
  const currency = text(answer, "currency")
  return currency !== "" && currency !== "BDT" ? "currency" : ""
}

/** Nothing was sent that could have moved money. */
export function notExecuted(message: string, trouble: Trouble): Refused {
  return { result: "refused", code: "NETWORK_ERROR", message, trouble }
}

/** Sends the shopper to bKash's page, if the address is one that a browser may be sent to. */
export function redirectTo(created: Created, references: References, plainHttp: boolean): Redirect | Refused {
  return isPageAddress(created.url, { plainHttp })
    ? { result: "redirect", url: created.url, references }
    : { ...notExecuted("bKash opened a payment without a usable bkashURL", "bad_request"), references }
}

/** The answer to execute, of a payment. */
export function readExecuted(answer: Answer, expected: Expected): Done | Refused | Unknown {
  const code = codeOf(answer)
  if (answer.status === 200 && code === SUCCESSFUL) {
    return readCompleted(answer, expected)
  }
  if (answer.status === 401) {
    return notExecuted(messageOf(answer), "credentials")
  }
  const meaning = PAYMENT_CODES[code]
  return meaning?.effect === "refused" && answer.status < 500 ? refusal(answer, meaning) : unclear(answer, meaning)
}

/** A payment that an answer calls completed: only if it is ours, and says all that a completed payment says. */
function readCompleted(answer: Answer, expected: Expected): Done | Unknown {
  const amount = amountIn(answer, "amount")
  const wrong = mismatchOf(answer, expected)
  if (wrong !== null || amount === null) {
    return { result: "unknown", message: `bKash's answer ${wrong ?? "has no readable amount"}` }
  }
  const trxID = text(answer, "trxID")
  const wallet = text(answer, "customerMsisdn").replace(/\D/g, "")
  return {
    result: "done",
    reference: trxID,
    amount,
    currency: text(answer, "currency"),
    references: { trxID },
    details: detailsOf(answer),
    instrument: { brand: "bKash", ...(wallet && { account: maskedAccount(wallet) }) },
  }
}

/** The amount is not compared here: the core does that, and holds a payment of another amount. */
function mismatchOf(answer: Answer, { paymentID, key }: Expected): string | null {
  const status = text(answer, "transactionStatus")
  // Answers to a query spell it merchantInvoice. Some have neither: then only the paymentID is compared.
  const invoice = text(answer, "merchantInvoiceNumber") || text(answer, "merchantInvoice")
  const checks: [boolean, string][] = [
    [text(answer, "paymentID") !== paymentID, "is about another paymentID"],
    [invoice !== "" && keyIn(invoice) !== key, "is about another invoice number"],
    [status !== "Completed", `says ${status || "no transactionStatus"}`],
    [text(answer, "trxID") === "", "has no trxID"],
    [text(answer, "currency") === "", "has no currency"],
  ]
  return checks.find(([isWrong]) => isWrong)?.[1] ?? null
}

function detailsOf(answer: Answer): Details {
  return Object.fromEntries(
    KEPT.map((name) => [name, text(answer, name).slice(0, DETAIL_MAX_CHARS)]).filter(([, value]) => value !== "")
  )
}

/** What bKash says of a payment. `verified`: whether the shopper has agreed on bKash's page; null: not said. */
export type Initiated = { result: "initiated"; verified: boolean | null }
export type Status = Done | Unknown | Absent | Initiated

/** The answer to a query. Only what is completed settles; any other word leaves the payment open. */
export function readStatus(answer: Answer, expected: Expected): Status {
  const code = codeOf(answer)
  if (answer.status === 200 && code === SUCCESSFUL) {
    const isOurs = text(answer, "paymentID") === expected.paymentID
    if (isOurs && text(answer, "transactionStatus") === "Initiated") {
      // Some answers have only the second.
      const said = text(answer, "userVerificationStatus") || text(answer, "verificationStatus")
      const verification = said.toLowerCase()
      return {
        result: "initiated",
        verified: verification === "complete" ? true : verification === "incomplete" ? false : null,
      }
    }
    return readCompleted(answer, expected)
  }
  return code === UNKNOWN_PAYMENT && answer.status < 500 ? { result: "absent" } : unclear(answer, PAYMENT_CODES[code])
}

/**
 * The answer to execute, of an agreement: its id. It moves no money, so what is unclear is a refusal; but a shopper who
 * has not agreed yet still can.
 */
export function readAgreed(answer: Answer, paymentID: string): { agreementID: string } | Refused | Unknown {
  const code = codeOf(answer)
  if (nothingMovedBy(code) === "no_consent" && answer.status < 500) {
    return { result: "unknown", message: messageOf(answer, PAYMENT_CODES[code].says), awaiting_shopper: true }
  }
  const agreementID = text(answer, "agreementID")
  if (answer.status === 200 && code === SUCCESSFUL) {
    const isAgreed =
      agreementID !== "" && text(answer, "paymentID") === paymentID && text(answer, "agreementStatus") === "Completed"
    return isAgreed ? { agreementID } : notExecuted("bKash's answer has no completed agreement", "network")
  }
  const meaning = PAYMENT_CODES[code]
  return meaning?.effect === "refused"
    ? refusal(answer, meaning)
    : notExecuted(messageOf(answer, meaning?.says), meaning?.trouble ?? troubleOf(answer) ?? "network")
}
