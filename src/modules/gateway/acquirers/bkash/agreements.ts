import { unanswered } from "../http-call"
import type { AttemptRequest, ChargeRequest, Done, Refused, Unknown } from "../port"
import { codeOf, messageOf, notExecuted, readAgreed, text } from "./answers"
import { CHECKOUT, type BkashClient } from "./client"
import { AGREEMENT_CANCELLED, SUCCESSFUL } from "./codes"
import { unmovedPayment, wasExecuted, type BkashPayments } from "./payments"

/** create requires an address, and no browser is sent there. */
const CALLBACK_OF_CHARGES = "https://www.bkash.com/"

/**
 * Kept wallets. An agreement is made on bKash's page (mode 0000), and payments under it (mode 0001) are executed without
 * the shopper. bKash allows that only to merchants whose contract says so; to others it answers that the shopper has not
 * finished.
 */
export class Agreements {
  constructor(
    private readonly client: BkashClient,
    private readonly payments: BkashPayments
  ) {}

  /** The shopper has agreed: completes the agreement, which moves no money, and takes the first payment under it. */
  async confirm(request: AttemptRequest): Promise<Done | Refused | Unknown> {
    const begun = performance.now()
    const agreed = await this.agree(request.references.paymentID)
    if ("result" in agreed) {
      return agreed
    }
    const answer = await this.chargeUnder(agreed.agreementID, request, begun)
    const references = { ...answer.references, agreementID: agreed.agreementID }
    return answer.result === "done"
      ? { ...answer, references, kept: { token: agreed.agreementID } }
      : { ...answer, references }
  }

  /**
   * bKash knows no idempotency keys: a second create under the same invoice number is a second payment. So the id of the
   * payment is saved before it is executed, and a repeated call asks about that payment before it opens another one.
   */
  async charge(request: ChargeRequest): Promise<Done | Refused | Unknown> {
    const references = request.references ?? {}
    if (!wasExecuted(references)) {
      return this.chargeUnder(request.token, request, performance.now())
    }
    const asked = { key: request.key, references }
    const status = await this.payments.status(asked)
    if (status.result === "done" || status.result === "unknown") {
      return status
    }
    const unmoved = status.result === "initiated" ? unmovedPayment(asked, status) : null
    return unmoved ?? { result: "unknown", message: "bKash was asked to execute this charge, and its outcome is open" }
  }

  private async chargeUnder(
    agreementID: string,
    request: Pick<ChargeRequest, "key" | "amount" | "currency" | "save">,
    begun: number
  ): Promise<Done | Refused | Unknown> {
    const { save } = request
    if (save === undefined) {
      return notExecuted("A charge needs a core that saves its references", "bad_request")
    }
    if (request.currency !== "BDT") {
      return notExecuted(`bKash takes BDT, not ${request.currency}`, "bad_request")
    }
    const created = await this.payments.create(request, { mode: "0001", agreementID, callbackURL: CALLBACK_OF_CHARGES })
    if (created.result === "refused") {
      return created
    }
    const references = { paymentID: created.paymentID, mode: "0001" }
    const answer = await this.payments.execute({ key: request.key, save, references }, begun)
    return { ...answer, references: { ...references, ...answer.references } }
  }

  private async agree(paymentID: string): Promise<{ agreementID: string } | Refused | Unknown> {
    try {
      return readAgreed(await this.client.call(`${CHECKOUT}/execute`, { paymentID }), paymentID)
    } catch (error) {
      const { message, trouble } = unanswered(error)
      return notExecuted(message, trouble)
    }
  }

  /** Throws when bKash does not confirm it, so that the caller can try again. */
  async forget(agreementID: string): Promise<void> {
    const answer = await this.client.call(`${CHECKOUT}/agreement/cancel`, { agreementID })
    const code = codeOf(answer)
    const isCancelled = code === SUCCESSFUL && text(answer, "agreementStatus") === "Cancelled"
    if (!isCancelled && code !== AGREEMENT_CANCELLED) {
      throw new Error(`The agreement was not cancelled: ${messageOf(answer)}`)
    }
  }
}
