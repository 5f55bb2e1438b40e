import { GatewayError } from "../../kernel/errors"
import type {
  Absent,
  Acquirer,
  AcquirerContext,
  AttemptRequest,
  ConnectionTest,
  Done,
  Hint,
  Incoming,
  Instrument,
  Notification,
  PaymentRequest,
  Redirect,
  Refused,
  RefundRequest,
  Unknown,
} from "../port"
import { choose, doneOf, readCreate, readList, readValidation, type Paid } from "./answers"
import { notConnected, SslcommerzClient, type Account } from "./client"
import { text } from "./fields"
import { CARD_NAMES, createForm, refusedBeforehand } from "./form"
import { readNotification, readReturn } from "./incoming"
import { NOT_SENT, readRefund, readRefundStatus, refundForm } from "./refunds"

/** SSLCommerz v4: the shopper pays on its hosted page, and its validation and list of transactions say what was paid. */
export class SslcommerzAcquirer implements Acquirer {
  readonly id = "sslcommerz"
  readonly flow = "redirect"
  readonly instalments = true
  readonly pageStaysOpen = true
  readonly refundReference = "refund_ref_id"

  private readonly client: SslcommerzClient

  constructor(
    private readonly account: Account,
    private readonly logger: AcquirerContext["logger"]
  ) {
    this.client = new SslcommerzClient(account)
  }

  check({ payment_service }: Instrument): void {
    if (payment_service && !CARD_NAMES.has(payment_service)) {
      throw new GatewayError("VALIDATION_ERROR", undefined, { field: "payment_service" })
    }
  }

  async start(request: PaymentRequest): Promise<Redirect | Refused | Unknown> {
    const refused = refusedBeforehand(request)
    const { base_url, plain_http } = this.account
    return refused ?? readCreate(await this.client.create(createForm(request)), plain_http ? base_url : null)
  }

  /**
   * The validation of a `val_id` and the list of the attempt's transactions are asked at the same time: the first knows
   * the details, the second shows a payment that came twice. A paid row that nobody has validated is validated here,
   * because SSLCommerz wants to be asked once for each payment.
   */
  async query(request: AttemptRequest): Promise<Done | Refused | Unknown | Absent> {
    const { val_id } = request.references
    const [validation, list] = await Promise.all([
      val_id === undefined ? null : this.client.validate(val_id),
      this.client.transactions(request.key),
    ])
    const validated = readValidation(request.key, validation)
    const listed = readList(request, list)
    const paid = [...(validated === null ? [] : [validated]), ...("paid" in listed ? listed.paid : [])]
    if (paid.length === 0 && !("paid" in listed)) {
      return listed
    }
    const chosen = choose(request, paid)
    if (chosen === null) {
      return { result: "unknown", message: "SSLCommerz no longer reports the payment that it reported before" }
    }
    const confirmed = await this.confirmed(request.key, chosen.first)
    if ("result" in confirmed) {
      return confirmed
    }
    const done = doneOf(request, confirmed, chosen.extra)
    this.reportUnusable(request, chosen.extra, done)
    return done
  }

  /** The core gives further payments back, and reports them once. What it cannot give back is left to an admin. */
  private reportUnusable({ key, currency }: AttemptRequest, extra: readonly Paid[], done: Done | Unknown): void {
    const given = done.result === "done" ? (done.extra ?? []).filter((payment) => payment.currency === currency) : []
    const usable = new Set(given.map(({ reference }) => reference))
    const left = extra.map(({ answer }) => text(answer, "bank_tran_id")).filter((reference) => !usable.has(reference))
    if (done.result === "done" && left.length > 0) {
      this.logger.error(
        `SSLCommerz: attempt ${key} was paid more than once, and its further payments cannot be given back automatically: bank_tran_id ${left.join(", ")}`
      )
    }
  }

  async refund(request: RefundRequest): Promise<Refused | Unknown> {
    return this.requestRefund(request, request.references.sent === "yes")
  }

  /**
   * Without a `refund_ref_id` SSLCommerz cannot be asked. Then the same request is sent again: the same
   * `refund_trans_id` gives money back once, and its answer says that the refund is under way.
   */
  async refundStatus(request: RefundRequest): Promise<Done | Refused | Unknown> {
    const { refund_ref_id, sent } = request.references
    if (refund_ref_id === undefined) {
      return this.requestRefund(request, sent !== NOT_SENT.sent)
    }
    return readRefundStatus(request, refund_ref_id, await this.client.refundStatus(refund_ref_id))
  }

  readReturn(incoming: Incoming): Hint | null {
    return readReturn(incoming)
  }

  async readNotification(incoming: Incoming): Promise<Notification> {
    return readNotification(incoming, this.account)
  }

  /** Asks for a payment that cannot exist. */
  async test(): Promise<ConnectionTest> {
    const reply = await this.client.transactions("connection-test")
    if (reply.kind !== "answer") {
      return { works: false, trouble: reply.trouble, message: reply.message }
    }
    const refused = notConnected(reply.body)
    return refused === null
      ? { works: true }
      : { works: false, trouble: refused.trouble ?? "bad_request", message: refused.message }
  }

  private async requestRefund(request: RefundRequest, repeated: boolean): Promise<Refused | Unknown> {
    return readRefund(request, await this.client.refund(refundForm(request)), repeated)
  }

  /**
   * A paid row as its validation reports it. If SSLCommerz does not answer, the row stands: it is its own word too. If
   * it says otherwise, nothing is certain.
   */
  private async confirmed(key: string, paid: Paid): Promise<Paid | Unknown> {
    const val_id = text(paid.answer, "val_id")
    if (paid.validated || val_id === "") {
      return paid
    }
    const reply = await this.client.validate(val_id)
    const validated = readValidation(key, reply)
    if (validated !== null && text(validated.answer, "bank_tran_id") === text(paid.answer, "bank_tran_id")) {
      return validated
    }
    return reply.kind === "answer" && notConnected(reply.body) === null
      ? { result: "unknown", message: "SSLCommerz's list shows a payment that its validation does not confirm" }
      : paid
  }
}
