import type {
  Absent,
  Acquirer,
  AcquirerContext,
  AttemptRequest,
  ConnectionTest,
  Done,
  Hint,
  Incoming,
  Notification,
  PaymentRequest,
  Redirect,
  Refused,
  RefundRequest,
  Unknown,
} from "../port"
import { allowsPlainHttp, unanswered } from "../http-call"
import { Agreements } from "./agreements"
import { codeOf, messageOf, notExecuted, redirectTo, troubleOf } from "./answers"
import { BkashClient, CHECKOUT } from "./client"
import { PAYMENT_CODES, SUCCESSFUL, UNKNOWN_PAYMENT } from "./codes"
import { BkashNotifications, snsFetch, type FetchText } from "./notification"
import { BkashPayments } from "./payments"
import { BkashRefunds } from "./refunds"

const PAYMENT_ID = /^[A-Za-z0-9_-]{1,64}$/
const CLAIMS: Readonly<Record<string, Hint["claims"]>> = { success: "paid", failure: "not_paid", cancel: "cancelled" }

/** bKash's tokenized checkout v1.2.0-beta with refunds v2. What settles, and what is unconfirmed: README.md. */
export class BkashAcquirer implements Acquirer {
  readonly id = "bkash"
  readonly flow = "redirect"
  readonly serialRefunds = true
  readonly refundReference = "refundTrxId"
  /** Only for merchants whose contract allows payments without the shopper; renewals go by pay link otherwise. */
  readonly charge?: Acquirer["charge"]

  private readonly client: BkashClient
  private readonly payments: BkashPayments
  private readonly agreements: Agreements
  private readonly refunds: BkashRefunds
  private readonly notifications: BkashNotifications

  constructor(
    private readonly context: AcquirerContext,
    fetchText: FetchText = snsFetch(context)
  ) {
    this.client = new BkashClient(context)
    this.payments = new BkashPayments(this.client)
    this.agreements = new Agreements(this.client, this.payments)
    this.refunds = new BkashRefunds(this.client)
    this.notifications = new BkashNotifications(context, fetchText)
    if (this.isUnattended) {
      this.charge = (request) => this.agreements.charge(request)
    }
  }

  private get isUnattended(): boolean {
    return this.context.credentials.unattended_agreements === "yes"
  }

  /** bKash's own page asks for everything. */
  check(): void {}

  async start(request: PaymentRequest): Promise<Redirect | Refused> {
    if (request.currency !== "BDT") {
      return notExecuted(`bKash takes BDT, not ${request.currency}`, "bad_request")
    }
    // The payment under a new agreement is executed without the shopper, and that is safe only where its id is saved.
    const makesAgreement = request.keep && this.isUnattended && request.save !== undefined
    const mode = makesAgreement ? "0000" : "0011"
    const created = await this.payments.create(request, { mode, callbackURL: request.return_url })
    return created.result === "created"
      ? redirectTo(created, { paymentID: created.paymentID, mode }, allowsPlainHttp(this.context))
      : created
  }

  query(request: AttemptRequest): Promise<Done | Refused | Unknown | Absent> {
    return this.payments.query(request)
  }

  async confirm(request: AttemptRequest): Promise<Done | Refused | Unknown> {
    if (request.references.paymentID === undefined) {
      return notExecuted("No payment was opened at bKash", "bad_request")
    }
    return request.references.mode === "0000"
      ? this.agreements.confirm(request)
      : this.payments.execute(request, performance.now())
  }

  abandon(request: AttemptRequest): Promise<Done | Refused | Unknown> {
    return this.payments.abandon(request)
  }

  forget(token: string): Promise<void> {
    return this.agreements.forget(token)
  }

  refund(request: RefundRequest): Promise<Done | Refused | Unknown> {
    return this.refunds.refund(request)
  }

  refundStatus(request: RefundRequest): Promise<Done | Refused | Unknown | Absent> {
    return this.refunds.status(request)
  }

  /**
   * bKash sends the browser back with `paymentID` and `status`; anybody can. The id is there to be compared with the
   * attempt's own: a payment is executed by the id that bKash has given us, never by this one.
   */
  readReturn({ target }: Incoming): Hint | null {
    const query = new URLSearchParams(target.split("?").slice(1).join("?"))
    const ids = query.getAll("paymentID")
    const claims = CLAIMS[query.get("status") ?? ""]
    if (ids.length !== 1 || query.getAll("status").length !== 1 || !PAYMENT_ID.test(ids[0]) || claims === undefined) {
      return null
    }
    return { about: "payment", references: { paymentID: ids[0] }, claims }
  }

  readNotification(incoming: Incoming): Promise<Notification> {
    return this.notifications.read(incoming)
  }

  /** Asks for the status of a payment that does not exist: with the right credentials the answer says so. */
  async test(): Promise<ConnectionTest> {
    try {
      const answer = await this.client.call(`${CHECKOUT}/payment/status`, { paymentID: "CONNECTIONTEST" })
      const code = codeOf(answer)
      if (code === UNKNOWN_PAYMENT || (answer.status === 200 && code === SUCCESSFUL)) {
        return { works: true }
      }
      const trouble = PAYMENT_CODES[code]?.trouble ?? troubleOf(answer) ?? "bad_request"
      return { works: false, trouble, message: messageOf(answer) }
    } catch (error) {
      const { message, trouble } = unanswered(error)
      return { works: false, trouble, message }
    }
  }
}
