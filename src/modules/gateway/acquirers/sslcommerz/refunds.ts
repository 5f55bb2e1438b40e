import { formatAmount } from "../../kernel/money/money"
import { fitted } from "../../kernel/text/text"
import type { Done, References, Refused, RefundRequest, Unknown } from "../port"
import { notConnected, type Reply } from "./client"
import { refundTransId, text, type Answer } from "./fields"

const MESSAGE_MAX_CHARS = 200

/**
 * Kept with a refund: whether a request for it can have arrived. While it says "no", the next request is the first one
 * for SSLCommerz, whose refusal then is final.
 */
export const NOT_SENT: References = { sent: "no" }
const SENT: References = { sent: "yes" }

export function refundForm(request: RefundRequest): Record<string, string> {
  return {
    bank_tran_id: request.payment.reference,
    refund_trans_id: refundTransId(request.key),
    refund_amount: formatAmount(request.amount),
    refund_remarks: fitted(request.reason, 255, "Refund"),
    refe_id: fitted(request.key, 50),
  }
}

/**
 * `success` means that the request was accepted; the money goes back days later. `repeated`: an earlier request may have
 * arrived, so `failed` may be about the second one only, and decides nothing.
 */
export function readRefund(request: RefundRequest, reply: Reply, repeated: boolean): Refused | Unknown {
  if (reply.kind !== "answer") {
    const isUnsent = reply.kind === "not_reached" && !repeated
    const references = isUnsent ? NOT_SENT : SENT
    return { result: "unknown", message: reply.message, trouble: reply.trouble, references }
  }
  const refused = notConnected(reply.body)
  if (refused !== null) {
    return { result: "unknown", ...refused, references: SENT }
  }
  if (isOfAnother(request, reply.body)) {
    return { result: "unknown", message: "SSLCommerz answered about another payment's refund", references: SENT }
  }
  const status = text(reply.body, "status")
  const refund_ref_id = fitted(text(reply.body, "refund_ref_id"), 50)
  const why = fitted(text(reply.body, "errorReason"), MESSAGE_MAX_CHARS, "no reason")
  if (status === "failed" && refund_ref_id === "") {
    return refusedRefund(why, repeated)
  }
  if (request.other_refunds.some((other) => (other.refund_ref_id ?? other.reference) === refund_ref_id)) {
    // Taking its number over would complete two refunds when one of them is paid out.
    const message = "SSLCommerz answered with the refund_ref_id of another refund of this payment"
    return { result: "unknown", message, trouble: "bad_request", needs_operator: true, references: SENT }
  }
  if ((status === "success" || status === "processing") && refund_ref_id !== "") {
    const message = `SSLCommerz has accepted the refund and answers "${status}"`
    return { result: "unknown", message, references: { ...SENT, refund_ref_id } }
  }
  return {
    result: "unknown",
    message: `SSLCommerz answered the refund with "${fitted(status, 30)}" and no usable refund_ref_id: ${why}`,
    trouble: "bad_request",
    needs_operator: true,
    references: SENT,
  }
}

function refusedRefund(why: string, repeated: boolean): Refused | Unknown {
  // Production refuses refunds from an IP address that is not registered.
  const trouble = /\bip\b/i.test(why) ? "credentials" : "bad_request"
  return repeated
    ? {
        result: "unknown",
        message: `SSLCommerz refused a repeated refund request: ${why}. Look the refund up in its panel`,
        trouble,
        needs_operator: true,
        references: SENT,
      }
    : {
        result: "refused",
        code: "REFUND_FAILED",
        message: `SSLCommerz refused the refund: ${why}`,
        ...(trouble === "credentials" ? { trouble } : {}),
      }
}

/**
 * The state of a refund that SSLCommerz has accepted. Its answer has no amount: `refund_ref_id` stands for the request
 * that it accepted, so the amount of that request is reported.
 */
export function readRefundStatus(
  request: RefundRequest,
  refund_ref_id: string,
  reply: Reply
): Done | Refused | Unknown {
  if (reply.kind !== "answer") {
    return { result: "unknown", message: reply.message, trouble: reply.trouble }
  }
  const refused = notConnected(reply.body)
  if (refused !== null) {
    return { result: "unknown", ...refused }
  }
  if (text(reply.body, "refund_ref_id") !== refund_ref_id || isOfAnother(request, reply.body)) {
    return { result: "unknown", message: "SSLCommerz answered about another refund" }
  }
  const status = text(reply.body, "status")
  const details = Object.fromEntries(
    ["initiated_on", "refunded_on", "errorReason"]
      .map((name) => [name, fitted(text(reply.body, name), 255)] as const)
      .filter(([, value]) => value !== "")
  )
  switch (status) {
    case "refunded":
      return { result: "done", reference: refund_ref_id, amount: request.amount, currency: request.currency, details }
    case "cancelled":
      return { result: "refused", code: "REFUND_FAILED", message: "SSLCommerz has cancelled the refund", details }
    default:
      return { result: "unknown", message: `SSLCommerz reports the refund as "${fitted(status, 30)}"`, details }
  }
}

function isOfAnother({ payment }: RefundRequest, body: Answer): boolean {
  const bank = text(body, "bank_tran_id")
  return bank !== "" && bank !== payment.reference
}
