import { formatAmount } from "../../kernel/money/money"
import { NoAnswer, unanswered } from "../http-call"
import type { Absent, Details, Done, References, Refused, RefundRequest, Unknown } from "../port"
import { type Answer, amountIn, codeOf, messageOf, text, unclear } from "./answers"
import { REFUND, SEND_WITHIN_MS, unsent, type BkashClient } from "./client"
import { refundMeaning, SUCCESSFUL } from "./codes"

const TEXT_MAX_CHARS = 255
/** bKash knows one currency. Its list of refunds names none. */
const CURRENCY = "BDT"

type Payment = { paymentId: string; trxId: string }
/** What the list says of this refund; `none`: it lists nothing that could be it. */
type Listed = Done | Unknown | { result: "none" }

/**
 * Refunds (v2). bKash knows no idempotency keys and returns none of our names, so a refund whose answer was lost is
 * recognised by its amount among the ids that no other refund of ours has. That needs `serialRefunds`.
 * `references.request` is "sent" from before a refund is sent until bKash is known not to have received it.
 */
export class BkashRefunds {
  constructor(private readonly client: BkashClient) {}

  async refund(request: RefundRequest, begun = performance.now()): Promise<Done | Refused | Unknown> {
    const payment = paymentOf(request)
    if (payment === null) {
      return refundRefused("The payment has no paymentID and trxID of bKash")
    }
    if (request.references.request === "sent") {
      // It was sent before: what that achieved comes first.
      const listed = await this.listed(payment, request)
      if (listed.result !== "none") {
        return listed
      }
    }
    return this.send(payment, request, begun)
  }

  private async send(payment: Payment, request: RefundRequest, begun: number): Promise<Done | Refused | Unknown> {
    const { references, save } = request
    const sent: References = { request: "sent" }
    const body = {
      ...payment,
      refundAmount: formatAmount(request.amount),
      sku: request.key.slice(0, TEXT_MAX_CHARS),
      reason: reasonOf(request),
    }
    const before = save && (() => save({ ...references, ...sent }))
    try {
      const answer = await this.client.call(`${REFUND}/transaction`, body, {
        before,
        sendBefore: begun + SEND_WITHIN_MS,
      })
      const read = readRefunded(answer, payment, request)
      return { ...read, references: { request: read.result === "refused" ? "refused" : "sent", ...read.references } }
    } catch (error) {
      if (error instanceof NoAnswer) {
        return { result: "unknown", message: error.message, trouble: "network", references: sent }
      }
      // Not a refusal: the refund is still wanted, and `refundStatus` now knows that it may be requested again.
      const { message, trouble } = unsent(error)
      return { result: "unknown", message, trouble, references: { request: "not_sent" } }
    }
  }

  /** `absent` only when the refund was never sent; otherwise a refund that is not listed may be listed later. */
  async status(request: RefundRequest): Promise<Done | Refused | Unknown | Absent> {
    const payment = paymentOf(request)
    const { request: state } = request.references
    const isUnsent = state === undefined ? request.save !== undefined : state !== "sent"
    if (isUnsent || payment === null) {
      return { result: "absent" }
    }
    const listed = await this.listed(payment, request)
    return listed.result === "none"
      ? {
          result: "unknown",
          message:
            "bKash was asked for this refund and does not list it; look at bKash's dashboard before it is sent again",
          needs_operator: true,
        }
      : listed
  }

  private async listed(payment: Payment, request: RefundRequest): Promise<Listed> {
    try {
      return findInList(await this.client.call(`${REFUND}/status`, { ...payment }), payment, request)
    } catch (error) {
      return unanswered(error)
    }
  }
}

function paymentOf({ payment }: RefundRequest): Payment | null {
  const { paymentID } = payment.references
  const trxId = payment.references.trxID ?? payment.reference
  return paymentID === undefined || trxId === "" ? null : { paymentId: paymentID, trxId }
}

function reasonOf({ reason }: RefundRequest): string {
  const line = reason.replace(/\s+/g, " ").trim()
  return line.slice(0, TEXT_MAX_CHARS) || "Refund"
}

function refundRefused(message: string): Refused {
  return { result: "refused", code: "REFUND_FAILED", message, trouble: "bad_request" }
}

/** The answer to a refund. */
export function readRefunded(answer: Answer, payment: Payment, request: RefundRequest): Done | Refused | Unknown {
  const code = codeOf(answer)
  const refundTrxId = refundId(answer.body)
  if (answer.status !== 200 || (code !== "" && code !== SUCCESSFUL) || refundTrxId === "") {
    const meaning = refundMeaning(code, request.references.request === "sent")
    return meaning?.effect === "refused" && answer.status < 500
      ? {
          result: "refused",
          code: "REFUND_FAILED",
          message: messageOf(answer, meaning.says),
          ...(meaning.trouble && { trouble: meaning.trouble }),
        }
      : unclear(answer, meaning)
  }
  if (text(answer, "originalTrxId") !== payment.trxId) {
    return { result: "unknown", message: "bKash's answer is about another trxId" }
  }
  return knownIds(request).has(refundTrxId)
    ? { result: "unknown", message: "bKash's answer is about an earlier refund" }
    : readEntry(answer.body ?? {}, text(answer, "currency"))
}

/**
 * This refund among those that bKash lists for the payment: by its id when an answer has named it, otherwise the only
 * one of its amount whose id belongs to no other refund of ours.
 */
function findInList(answer: Answer, payment: Payment, request: RefundRequest): Listed {
  const code = codeOf(answer)
  const list = answer.body?.refundTransactions
  if (answer.status !== 200 || (code !== "" && code !== SUCCESSFUL)) {
    const meaning = refundMeaning(code)
    return meaning?.effect === "refused" && answer.status < 500 ? { result: "none" } : unclear(answer, meaning)
  }
  if (!Array.isArray(list) || text(answer, "originalTrxId") !== payment.trxId) {
    return { result: "unknown", message: "bKash's list of refunds is not readable" }
  }
  const entries = list.filter((entry): entry is Record<string, unknown> => typeof entry === "object" && entry !== null)
  const known = knownIds(request)
  const own = request.references.refundTrxId
  const candidates = entries.filter((body) =>
    own === undefined
      ? !known.has(refundId(body)) && amountIn({ body }, "refundAmount") === request.amount
      : refundId(body) === own
  )
  if (candidates.length > 1) {
    const message = "bKash lists several refunds of this amount that are not ours"
    return { result: "unknown", message, needs_operator: true }
  }
  return candidates.length === 0 ? { result: "none" } : readEntry(candidates[0], text(answer, "currency") || CURRENCY)
}

/** One refund of bKash's. Any other word than Completed leaves it open. */
function readEntry(body: Record<string, unknown>, currency: string): Done | Unknown {
  const refundTrxId = refundId(body)
  const status = text({ body }, "refundTransactionStatus")
  const amount = amountIn({ body }, "refundAmount")
  const references = { refundTrxId }
  if (status !== "Completed" || refundTrxId === "" || amount === null || currency === "") {
    return { result: "unknown", message: `bKash says ${status || "nothing"} of the refund ${refundTrxId}`, references }
  }
  const completedTime = text({ body }, "completedTime")
  const details: Details = completedTime === "" ? {} : { completedTime }
  return { result: "done", reference: refundTrxId, amount, currency, references, details }
}

/** Sources differ in the spelling. */
function refundId(body: Answer["body"]): string {
  return text({ body }, "refundTrxId") || text({ body }, "refundTrxID")
}

function knownIds({ other_refunds }: RefundRequest): Set<string> {
  return new Set(other_refunds.flatMap(({ refundTrxId, reference }) => refundTrxId ?? reference ?? []))
}
