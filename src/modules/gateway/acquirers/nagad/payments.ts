import { localTime } from "../../kernel/money/calendar"
import { formatAmount } from "../../kernel/money/money"
import { NoAnswer, NotReached, unanswered } from "../http-call"
import type {
  Absent,
  AcquirerContext,
  AttemptRequest,
  ConnectionTest,
  Done,
  PaymentRequest,
  Redirect,
  References,
  Refused,
  Unknown,
} from "../port"
import { complaintOf, isAccepted, type NagadClient, notStarted, SEND_WITHIN_MS, textOf, troubleOf } from "./client"
import { isNagadsPage } from "./host-rules"
import { newChallenge, newOrderId } from "./names"
import { firstAsk, readPayment } from "./status"

/** Taka in ISO 4217's numbers. */
const TAKA = "050"

type Initialised = { result: "initialised"; orderId: string; paymentReferenceId: string; challenge: string }

/**
 * Payments on Nagad's page. It is opened in two steps, and nobody can pay before the answer to the second one has been
 * read. Nagad can be asked about a payment only by the reference that the first step answers, so that is saved before the
 * second: a page whose reference is lost could be paid without anybody here finding out.
 */
export class NagadPayments {
  constructor(
    private readonly context: AcquirerContext,
    private readonly client: NagadClient
  ) {}

  async start(request: PaymentRequest): Promise<Redirect | Refused | Unknown> {
    const begun = performance.now()
    if (request.currency !== "BDT" || request.save === undefined) {
      const wrong = request.save === undefined ? "a core that saves its reference" : `BDT, not ${request.currency}`
      return notStarted(`Nagad takes ${wrong}`, "bad_request")
    }
    const opened = await this.initialise(newOrderId(request.key))
    if (opened.result !== "initialised") {
      return opened
    }
    const { orderId, paymentReferenceId, challenge } = opened
    const { merchantId } = this.client
    const amount = formatAmount(request.amount)
    const sealed = this.client.envelope.seal({ merchantId, orderId, amount, currencyCode: TAKA, challenge })
    if (sealed === null) {
      return notStarted("The order does not fit into one block of Nagad's key", "bad_request")
    }
    const references = { orderId, paymentReferenceId, startedAt: request.now.toISOString() }
    await request.save(references)
    if (performance.now() > begun + SEND_WITHIN_MS) {
      return notStarted("The payment was not opened, because getting there took too long", "network")
    }
    return this.complete(request, references, { ...sealed, merchantCallbackURL: request.return_url })
  }

  async query(request: AttemptRequest): Promise<Done | Refused | Unknown | Absent> {
    const { paymentReferenceId, orderId } = request.references
    if (paymentReferenceId === undefined) {
      const message = "Nagad's reference of the payment is lost, and Nagad cannot be asked by the order number"
      return orderId === undefined ? { result: "absent" } : { result: "unknown", message, needs_operator: true }
    }
    try {
      const answer = await this.client.get(verifyPath(paymentReferenceId))
      return readPayment(answer, request, this.client, this.context.logger)
    } catch (error) {
      return unanswered(error)
    }
  }

  /** Opens an order that nobody will complete: Nagad has no call that only says whether the credentials are right. */
  async test(): Promise<ConnectionTest> {
    const opened = await this.initialise(newOrderId(newChallenge()))
    return opened.result === "initialised"
      ? { works: true }
      : { works: false, trouble: opened.trouble ?? "bad_request", message: opened.message }
  }

  private async initialise(orderId: string): Promise<Initialised | Refused | Unknown> {
    const { merchantId, envelope } = this.client
    const { merchant_number: accountNumber } = this.context.credentials
    // Nagad compares it with its own clock, so a sandbox's clock that was moved does not count.
    const dateTime = localTime(new Date())
    const sealed = envelope.seal({ merchantId, datetime: dateTime, orderId, challenge: newChallenge() })
    if (sealed === null) {
      return notStarted("The request does not fit into one block of Nagad's key", "bad_request")
    }
    try {
      const path = `check-out/initialize/${encodeURIComponent(merchantId)}/${orderId}`
      const answer = await this.client.post(path, {
        body: { ...(accountNumber && { accountNumber }), dateTime, ...sealed },
      })
      if (!isAccepted(answer) || answer.body === null) {
        const complaint = complaintOf(answer)
        const mayRepeat = complaint === "duplicate" || complaint === "server"
        return notStarted(this.client.messageOf(answer), troubleOf(answer), mayRepeat)
      }
      const opened = envelope.open(answer.body)
      if (opened === null) {
        return this.forged("initialize")
      }
      const [paymentReferenceId, challenge] = ["paymentReferenceId", "challenge"].map((name) =>
        textOf({ body: opened }, name)
      )
      return paymentReferenceId === "" || challenge === ""
        ? notStarted("Nagad opened an order without a reference or challenge", "bad_request")
        : { result: "initialised", orderId, paymentReferenceId, challenge }
    } catch (error) {
      return notOpened(error)
    }
  }

  private async complete(
    { now }: PaymentRequest,
    references: References,
    body: Readonly<Record<string, string>>
  ): Promise<Redirect | Refused | Unknown> {
    const { client, context } = this
    try {
      const answer = await client.post(`check-out/complete/${encodeURIComponent(references.paymentReferenceId)}`, {
        body,
      })
      const complaint = complaintOf(answer)
      if (complaint !== undefined && complaint !== "server") {
        return { ...notStarted(client.messageOf(answer), troubleOf(answer)), references }
      }
      if (!isAccepted(answer) || textOf(answer, "status") !== "Success") {
        return { result: "unknown", message: client.messageOf(answer), trouble: troubleOf(answer), references }
      }
      const url = textOf(answer, "callBackUrl")
      if (!isNagadsPage(url, context)) {
        const at = URL.canParse(url) ? new URL(url).origin : "no address"
        context.logger.error(
          `gateway: Nagad wants to send a shopper to ${at}, which is not its page; nobody was sent there`
        )
        return { ...notStarted(`Nagad opened a payment on ${at}, which is not its page`, "bad_request"), references }
      }
      return { result: "redirect", url, references: { ...references, page: "shown" }, ask_again_at: firstAsk(now) }
    } catch (error) {
      return error instanceof NoAnswer ? { ...unanswered(error), references } : notOpened(error)
    }
  }

  /** Nobody is sent to a page that another than Nagad may have answered. */
  private forged(call: string): Unknown {
    const message = `Nagad's answer to ${call} cannot be opened with our key, or is not signed with Nagad's`
    this.context.logger.error(`gateway: ${message}; compare both keys with Nagad's portal`)
    return { result: "unknown", message, trouble: "credentials" }
  }
}

export function verifyPath(paymentReferenceId: string): string {
  return `verify/payment/${encodeURIComponent(paymentReferenceId)}`
}

/** An order that Nagad opened without our learning its reference has no page: it can never be paid. */
function notOpened(error: unknown): Refused {
  if (error instanceof NoAnswer || error instanceof NotReached) {
    return notStarted(error.message, "network", true)
  }
  throw error
}
