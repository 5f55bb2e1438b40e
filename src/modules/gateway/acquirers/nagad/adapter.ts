import type {
  Absent,
  Acquirer,
  AcquirerContext,
  AttemptRequest,
  ConnectionTest,
  Done,
  Hint,
  Incoming,
  PaymentRequest,
  Redirect,
  Refused,
  RefundRequest,
  Unknown,
} from "../port"
import { NagadClient } from "./client"
import { mayBeAbout } from "./names"
import { NagadPayments } from "./payments"
import { NagadRefunds } from "./refunds"

const REFERENCE = /^[A-Za-z0-9+/=_-]{1,200}$/
const CLAIMS: ReadonlyMap<string, Hint["claims"]> = new Map<string, Hint["claims"]>([
  ["Success", "paid"],
  ["Failed", "not_paid"],
  ["Cancelled", "cancelled"],
  ["Aborted", "cancelled"],
])

/** Nagad's remote payment gateway, API version v-0.2.0. What settles, and what is unconfirmed: README.md. */
export class NagadAcquirer implements Acquirer {
  readonly id = "nagad"
  readonly flow = "redirect"
  readonly serialRefunds = true
  readonly pageStaysOpen = true

  private readonly merchantId: string
  private readonly payments: NagadPayments
  private readonly refunds: NagadRefunds

  constructor(context: AcquirerContext) {
    const client = new NagadClient(context)
    this.merchantId = client.merchantId
    this.payments = new NagadPayments(context, client)
    this.refunds = new NagadRefunds(context, client)
  }

  /** Nagad's own page asks for everything. */
  check(): void {}

  start(request: PaymentRequest): Promise<Redirect | Refused | Unknown> {
    return this.payments.start(request)
  }

  query(request: AttemptRequest): Promise<Done | Refused | Unknown | Absent> {
    return this.payments.query(request)
  }

  refund(request: RefundRequest): Promise<Done | Refused | Unknown> {
    return this.refunds.refund(request)
  }

  refundStatus(request: RefundRequest): Promise<Done | Refused | Unknown | Absent> {
    return this.refunds.status(request)
  }

  /**
   * Nagad sends the browser back with `merchant`, `order_id`, `payment_ref_id` and `status`, unsigned. One that is about
   * another merchant's or attempt's payment says nothing.
   */
  readReturn({ target }: Incoming): Hint | null {
    const [path, ...rest] = target.split("?")
    const query = new URLSearchParams(rest.join("?"))
    const [key = ""] = path.split("/").slice(-1)
    const [ids, statuses] = [query.getAll("payment_ref_id"), query.getAll("status")]
    // A + that was not escaped arrives as a space.
    const paymentReferenceId = (ids[0] ?? "").replaceAll(" ", "+")
    const claims = CLAIMS.get(statuses[0])
    if (ids.length !== 1 || statuses.length !== 1 || claims === undefined || !REFERENCE.test(paymentReferenceId)) {
      return null
    }
    return mayBeAbout(paymentReferenceId, this.merchantId, key)
      ? { about: "payment", references: { paymentReferenceId }, claims }
      : null
  }

  test(): Promise<ConnectionTest> {
    return this.payments.test()
  }
}
