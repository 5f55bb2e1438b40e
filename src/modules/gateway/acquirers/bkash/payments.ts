import { formatAmount, type Minor } from "../../kernel/money/money"
import { NoAnswer, unanswered } from "../http-call"
import type { Absent, AttemptRequest, Done, References, Refused, Unknown } from "../port"
import {
  type Answer,
  type Created,
  type Initiated,
  type Status,
  codeOf,
  invoiceOf,
  messageOf,
  notExecuted,
  readCreated,
  readExecuted,
  readStatus,
  refusal,
} from "./answers"
import { CHECKOUT, SEND_WITHIN_MS, unsent, type BkashClient } from "./client"
import { PAYMENT_CODES, nothingMovedBy } from "./codes"

/** A query takes up to 25 seconds, and follows an execute only while both together fit into the core's 30. */
const QUERY_WITHIN_MS = 4_000

type Asked = Pick<AttemptRequest, "key" | "save"> & { references: References }
type ToCreate = { key: string; amount: Minor; order_number?: string }
type NewPayment = { mode: "0011" | "0000" | "0001"; callbackURL: string; agreementID?: string }

/**
 * Payments on bKash's page. Only `execute` moves money, and only this process sends it: a payment that was never
 * executed has never charged. `references.execute` is "sent" from before an execute is sent until bKash has refused it
 * or is known never to have received it; "duplicate" or "no_consent" after an answer by which nothing has moved if bKash
 * calls the payment Initiated (`UNMOVED`).
 */
export class BkashPayments {
  constructor(private readonly client: BkashClient) {}

  /** Opens a payment, or with mode 0000 an agreement. It moves nothing, and a repetition opens another one. */
  async create(of: ToCreate, how: NewPayment): Promise<Created | Refused> {
    const { key, amount } = of
    try {
      const answer = await this.client.call(`${CHECKOUT}/create`, {
        ...how,
        payerReference: key,
        amount: formatAmount(amount),
        currency: "BDT",
        intent: "sale",
        merchantInvoiceNumber: invoiceOf(of),
      })
      return readCreated(answer, { key, ...(how.mode !== "0000" && { amount }) })
    } catch (error) {
      // A payment that bKash opened without our learning its id can never be executed.
      return error instanceof NoAnswer ? notExecuted(error.message, "network") : unsent(error)
    }
  }

  /**
   * Executes the payment of `references.paymentID`, and asks once for its outcome when the answer is not clear. `begun`
   * (`performance.now()`): when the core's call began.
   */
  async execute(asked: Asked, begun: number): Promise<Done | Refused | Unknown> {
    const answer = await this.sendExecute(asked, begun + SEND_WITHIN_MS)
    if (answer.result !== "unknown" || performance.now() > begun + QUERY_WITHIN_MS) {
      return answer
    }
    const status = await this.status(asked)
    if (status.result === "done") {
      return { ...status, references: { ...answer.references, execute: "sent", ...status.references } }
    }
    const executed = { ...asked, references: { ...asked.references, ...answer.references } }
    const unmoved = status.result === "initiated" ? unmovedPayment(executed, status) : null
    return unmoved === null ? answer : { ...unmoved, references: answer.references }
  }

  private async sendExecute(asked: Asked, sendBefore: number): Promise<Done | Refused | Unknown> {
    const { key, references, save } = asked
    const { paymentID } = references
    const sent: References = { execute: "sent" }
    const before = save && (() => save({ ...references, ...sent }))
    try {
      const answer = await this.client.call(`${CHECKOUT}/execute`, { paymentID }, { before, sendBefore })
      const unmoved = nothingMovedBy(codeOf(answer))
      if (unmoved !== undefined && !isRefusedCharge(answer, references)) {
        return { result: "unknown", message: messageOf(answer), references: { execute: unmoved } }
      }
      const read = readExecuted(answer, { paymentID, key })
      return { ...read, references: { execute: read.result === "refused" ? "refused" : "sent", ...read.references } }
    } catch (error) {
      return error instanceof NoAnswer
        ? { result: "unknown", message: error.message, trouble: "network", references: sent }
        : { ...unsent(error), references: { execute: "not_sent" } }
    }
  }

  async query(asked: Asked): Promise<Done | Refused | Unknown | Absent> {
    const status = await this.status(asked)
    if (status.result === "absent" && wasExecuted(asked.references)) {
      const message = "bKash does not know a payment that it was asked to execute"
      return { result: "unknown", message, needs_operator: true }
    }
    if (status.result !== "initiated") {
      return status
    }
    return (
      unmovedPayment(asked, status) ?? {
        result: "unknown",
        message: "bKash was asked to execute the payment, and has not done so yet",
        needs_operator: true,
      }
    )
  }

  /**
   * Closes a payment that was never executed: then nothing has moved, and nothing can, because nobody will execute it.
   * Whether it was executed is known from what `save` kept. Without `save` a crash may have lost that, so only a payment
   * that the shopper has not agreed to is closed.
   */
  async abandon(request: AttemptRequest): Promise<Done | Refused | Unknown> {
    const status = await this.status(request)
    if (status.result === "done" || status.result === "unknown") {
      return status
    }
    const isUnexecuted =
      request.references.execute !== "sent" &&
      (status.result === "absent" || status.verified === false || request.save !== undefined)
    if (!isUnexecuted) {
      return { result: "unknown", message: "bKash may have been asked to execute the payment; its outcome is open" }
    }
    return {
      result: "refused",
      code: request.now.getTime() >= request.expires_at.getTime() ? "EXPIRED" : "CANCELLED",
      message: "The shopper did not finish, and bKash was never asked to execute the payment",
    }
  }

  /** Asks bKash and moves nothing. */
  async status({ references, key }: Asked): Promise<Status> {
    const { paymentID, mode } = references
    if (paymentID === undefined) {
      return { result: "absent" }
    }
    if (mode === "0000") {
      // This is an agreement: no payment under it has been opened yet.
      return { result: "initiated", verified: false }
    }
    try {
      return readStatus(await this.client.call(`${CHECKOUT}/payment/status`, { paymentID }), { paymentID, key })
    } catch (error) {
      return unanswered(error)
    }
  }
}

/** Whether bKash was asked to execute the payment, and may know more of it than that it was opened. */
export function wasExecuted({ execute }: References): boolean {
  return execute === "sent" || execute === "duplicate" || execute === "no_consent"
}

/** What an Initiated payment is whose money has not moved; null: an execute is unanswered, and may move it yet. */
export function unmovedPayment({ references }: Asked, { verified }: Initiated): Refused | Unknown | null {
  const { execute, mode } = references
  if (execute === "sent") {
    return null
  }
  if (execute === "duplicate") {
    return refusal(coded("2029"), PAYMENT_CODES[2029])
  }
  if (execute === "no_consent" && mode === "0001") {
    // Nobody is on a page that could agree to it.
    return refusal(coded("2060"), PAYMENT_CODES[2060])
  }
  return {
    result: "unknown",
    message: "The payment was not executed",
    awaiting_shopper: verified === false || (verified === null && execute === "no_consent"),
    ...(verified === true ? { agreed: true } : {}),
  }
}

/** What bKash said of an execute in an earlier call. */
function coded(code: string): Answer {
  return { status: 200, body: { statusCode: code } }
}

/** A charge without the shopper that wants the shopper after all is refused by that; a code with status 5xx is unclear. */
function isRefusedCharge(answer: Answer, { mode }: References): boolean {
  return answer.status >= 500 || (mode === "0001" && codeOf(answer) === "2060")
}
