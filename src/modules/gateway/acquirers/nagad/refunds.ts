import { formatAmount, parseAmount } from "../../kernel/money/money"
import { NoAnswer, NotReached, unanswered } from "../http-call"
import type { Absent, AcquirerContext, Done, References, Refused, RefundRequest, Unknown } from "../port"
import { complaintOf, isAccepted, SEND_WITHIN_MS, textOf, troubleOf, type Answer, type NagadClient } from "./client"
import { GIVEN_BACK, GIVEN_BACK_WHOLLY } from "./codes"
import { refundNumber } from "./names"
import { verifyPath } from "./payments"
import { CURRENCY, dayOfPayment } from "./status"

const SENT: References = { request: "sent" }
/** What needs no escape in JSON, and is one byte long. */
const UNSAFE = /[^A-Za-z0-9 .,:;()/-]+/g

/**
 * Refunds. Nagad is not known to give money back only once for a number of ours, and of a payment that was partly given
 * back nobody can read how much. So a refund is sent once: whether a lost one has arrived is visible for the whole
 * amount only, and an operator decides about the others. `references.request` is "sent" from before a refund is sent
 * until Nagad is known not to have received it.
 */
export class NagadRefunds {
  constructor(
    private readonly context: Pick<AcquirerContext, "logger">,
    private readonly client: NagadClient
  ) {}

  async refund(request: RefundRequest): Promise<Done | Refused | Unknown> {
    const begun = performance.now()
    if (request.references.request === "sent") {
      return this.outcome(request)
    }
    const { paymentReferenceId, orderId } = request.payment.references
    const fields = this.fieldsOf(request)
    const sealed = this.client.envelope.seal(fields)
    if (paymentReferenceId === undefined || request.save === undefined || sealed === null) {
      return notRefunded(
        "The refund names no payment of Nagad, or does not fit into one block of its key",
        "bad_request"
      )
    }
    await request.save({ ...SENT, referenceNo: fields.referenceNo })
    if (performance.now() > begun + SEND_WITHIN_MS) {
      return unsent("The refund was not sent, because getting there took too long")
    }
    try {
      const answer = await this.client.post("purchase/cancel", {
        query: { paymentRefId: paymentReferenceId, ...(orderId && { orderId }) },
        body: { sensitiveDataCancelRequest: sealed.sensitiveData, signature: sealed.signature },
      })
      const read = this.read(answer, fields)
      return {
        ...read,
        references: { ...(read.result === "refused" ? { request: "refused" } : SENT), ...read.references },
      }
    } catch (error) {
      if (error instanceof NotReached) {
        return unsent(error.message)
      }
      if (error instanceof NoAnswer) {
        return { result: "unknown", message: error.message, trouble: "network", references: SENT }
      }
      throw error
    }
  }

  /** `absent` only when the refund was never sent. */
  async status(request: RefundRequest): Promise<Done | Refused | Unknown | Absent> {
    return request.references.request === "sent" ? this.outcome(request) : { result: "absent" }
  }

  private fieldsOf({ key, amount, reason, payment, now }: RefundRequest) {
    const fields = {
      merchantId: this.client.merchantId,
      originalRequestDate: dayOfPayment(payment.references, now),
      originalAmount: formatAmount(payment.amount),
      cancelAmount: formatAmount(amount),
      referenceNo: refundNumber(key),
      referenceMessage: "",
    }
    const room = this.client.envelope.maxBytes - JSON.stringify(fields).length
    const message = reason.replace(UNSAFE, " ").replace(/ +/g, " ").trim()
    const words = /[A-Za-z0-9]/.test(message) ? message : "Refund"
    return { ...fields, referenceMessage: words.slice(0, Math.max(room, 0)).trim() }
  }

  private read(answer: Answer, sent: { referenceNo: string }): Done | Refused | Unknown {
    if (!isAccepted(answer) || answer.body === null) {
      return this.readComplaint(answer)
    }
    const opened = this.client.envelope.open(answer.body)
    if (opened === null) {
      const message = "Nagad's answer to a refund cannot be opened with our key, or is not signed with Nagad's"
      this.context.logger.error(`gateway: ${message}; compare both keys with Nagad's portal`)
      return { result: "unknown", message, trouble: "credentials" }
    }
    const body = { body: opened }
    const amount = parseAmount(opened.cancelAmount)
    const word = textOf(body, "status")
    if (!GIVEN_BACK.has(word) || amount === null || textOf(body, "referenceNo") !== sent.referenceNo) {
      return {
        result: "unknown",
        message: `Nagad says ${word.slice(0, 30) || "nothing"} of the refund, or names another`,
      }
    }
    const reference = textOf(body, "cancelTrxId") || sent.referenceNo
    return { result: "done", reference, amount, currency: CURRENCY, details: { status: word } }
  }

  /** A day that Nagad does not accept is not replaced by another one: sources differ in which day it is. */
  private readComplaint(answer: Answer): Refused | Unknown {
    const message = this.client.messageOf(answer)
    const trouble = troubleOf(answer)
    if (/\bdate\b|requestdate/i.test(message)) {
      return { result: "unknown", message: `${message}. Refund it in Nagad's portal`, trouble, needs_operator: true }
    }
    const complaint = complaintOf(answer)
    return complaint === "credentials" || complaint === "bad_request"
      ? notRefunded(message, trouble)
      : { result: "unknown", message, trouble }
  }

  private async outcome(request: RefundRequest): Promise<Done | Unknown> {
    const { paymentReferenceId, orderId } = request.payment.references
    try {
      const answer = await this.client.get(verifyPath(paymentReferenceId ?? ""))
      if (!isAccepted(answer)) {
        return { result: "unknown", message: this.client.messageOf(answer), trouble: troubleOf(answer) }
      }
      const isOwn = textOf(answer, "orderId") === orderId && textOf(answer, "merchantId") === this.client.merchantId
      return (isOwn ? givenBack(answer, request) : null) ?? undecided(answer)
    } catch (error) {
      return unanswered(error)
    }
  }
}

/** The whole payment went back, and this refund is the only one that can have done that; null: it cannot be read. */
function givenBack(answer: Answer, { amount, payment, other_refunds }: RefundRequest): Done | null {
  const reference = textOf(answer, "cancelIssuerRefNo")
  const paid = parseAmount(answer.body?.amount)
  const isWhole = amount === payment.amount && paid === amount && other_refunds.length === 0
  const isBack = GIVEN_BACK_WHOLLY.has(textOf(answer, "status")) && textOf(answer, "issuerPaymentRefNo") !== ""
  return isWhole && isBack && reference !== ""
    ? { result: "done", reference, amount: paid, currency: CURRENCY, details: { status: textOf(answer, "status") } }
    : null
}

function undecided(answer: Answer): Unknown {
  const word = textOf(answer, "status").slice(0, 30) || "nothing"
  return {
    result: "unknown",
    message: `Nagad was asked for this refund, and says ${word} of the payment; look at Nagad's portal before another is made`,
    needs_operator: true,
  }
}

function notRefunded(message: string, trouble: Refused["trouble"]): Refused {
  return { result: "refused", code: "REFUND_FAILED", message, trouble }
}

/** Not a refusal: the refund is still wanted, and may be requested again. */
function unsent(message: string): Unknown {
  return { result: "unknown", message, trouble: "network", references: { request: "not_sent" } }
}
