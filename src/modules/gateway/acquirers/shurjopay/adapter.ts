import { randomBytes } from "node:crypto"
import { formatAmount } from "../../kernel/money/money"
import { isBangladeshiMobile } from "../../kernel/text/phone"
import { fitted, headerText } from "../../kernel/text/text"
import { jsonObject, NoAnswer, NotReached, ownAddress, unanswered } from "../http-call"
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
  References,
  Refused,
  RefundRequest,
  Trouble,
  Unknown,
} from "../port"
import { isAbout, readPaid, readPayment } from "./answers"
import { codeOf, messageOf, ShurjopayClient, textIn, troubleOf, type Answer, type Row, type Session } from "./client"
import { CODES, UNKNOWN_ORDER } from "./codes"

const ORDER_ID = /^[A-Za-z0-9_-]{1,64}$/
/** Of a refund that nobody can ask for by a call: the admin says so in place of a lost answer (docs/acquirers.md). */
const BY_HAND: References = { refund: "by_hand" }
/** Of a question that follows a shopper's return. */
const RETURNED: References = { returned: "yes" }
const TEXT_MAX_CHARS = 100
const EMPTY = "N/A"
/** shurjoPay wants eleven digits. Sent for a shopper without a number of the country: no subscriber has it. */
const NO_PHONE = "00000000000"

/** shurjoPay v2.1. What settles, and what is unconfirmed: README.md. */
export class ShurjopayAcquirer implements Acquirer {
  readonly id = "shurjopay"
  readonly flow = "redirect"
  readonly pageStaysOpen = true

  private readonly client: ShurjopayClient

  constructor(private readonly context: AcquirerContext) {
    this.client = new ShurjopayClient(context)
  }

  /** shurjoPay's own page asks for everything. */
  check(): void {}

  /**
   * Nobody can pay before the answer has been read, because it alone names the page. shurjoPay knows no number of ours
   * that could be asked for, and opens a second payment for one that it has: each try has another.
   */
  async start(request: PaymentRequest): Promise<Redirect | Refused> {
    if (request.currency !== "BDT") {
      return notStarted(`shurjoPay is asked in BDT only, not in ${request.currency}`, "bad_request")
    }
    const order_id = request.key + randomBytes(3).toString("hex")
    const { prefix } = this.context.credentials
    try {
      const answer = await this.client.call("secret-pay", (session) =>
        formOf(request, { ...session, prefix, order_id })
      )
      return this.readCreated(answer, order_id)
    } catch (error) {
      if (error instanceof NotReached) {
        return notStarted(error.message, error.trouble, error.mayRepeat)
      }
      if (error instanceof NoAnswer) {
        return notStarted(error.message, "network", true)
      }
      throw error
    }
  }

  async query({ references, ...asked }: AttemptRequest): Promise<Done | Refused | Unknown | Absent> {
    if (references.sp_order_id === undefined) {
      return { result: "absent" }
    }
    try {
      const answer = await this.ask(references)
      return readPayment(answer, { ...asked, references }, this.context.logger)
    } catch (error) {
      return unanswered(error)
    }
  }

  /** shurjoPay publishes no call that refunds. The reconciler asks at once, and hands it to an admin. */
  async refund({ payment, now }: RefundRequest): Promise<Unknown> {
    return { ...byHand(payment.references), ask_again_at: now }
  }

  /** What shurjoPay says of a payment shows only that all of it went back, not how much. */
  async refundStatus({ amount, payment }: RefundRequest): Promise<Done | Unknown> {
    const { references } = payment
    try {
      const answer = await this.ask(references)
      const isReturned = CODES.get(codeOf(answer)) === "returned" && isAbout(answer, { references })
      const paid = isReturned && amount === payment.amount ? readPaid(answer) : null
      return paid?.result === "done" && paid.amount === amount
        ? { result: "done", reference: paid.reference, amount, currency: paid.currency }
        : byHand(references)
    } catch (error) {
      return { ...unanswered(error), ...byHand(references) }
    }
  }

  /** shurjoPay brings the browser back to one address whatever happened, with its number of the payment. */
  readReturn(incoming: Incoming): Hint | null {
    const sp_order_id = orderIdIn(incoming)
    return sp_order_id === null
      ? null
      : { about: "payment", references: { sp_order_id, ...RETURNED }, claims: "unclear" }
  }

  /**
   * One address for all payments of a merchant, unsigned, and without a word about the outcome. It claims `paid`, so that
   * the core asks whatever it has made of the attempt.
   */
  async readNotification(incoming: Incoming): Promise<Notification> {
    const sp_order_id = orderIdIn(incoming)
    return sp_order_id === null
      ? { result: "irrelevant" }
      : { result: "hint", hint: { about: "payment", references: { sp_order_id }, claims: "paid" } }
  }

  /** Asks about a payment that does not exist: with the right credentials the answer says so. It does not test the prefix. */
  async test(): Promise<ConnectionTest> {
    try {
      const answer = await this.ask({ sp_order_id: "CONNECTIONTEST" })
      return codeOf(answer) === UNKNOWN_ORDER
        ? { works: true }
        : { works: false, trouble: troubleOf(answer), message: messageOf(answer) }
    } catch (error) {
      const { trouble, message } = unanswered(error)
      return { works: false, trouble, message }
    }
  }

  /** Of its two questions, shurjoPay wants `verification` when the shopper is back, and the other one later. */
  private ask({ sp_order_id: order_id, returned }: References): Promise<Answer> {
    return this.client.call(returned === undefined ? "payment-status" : "verification", () => ({ order_id }))
  }

  private readCreated(answer: Answer, order_id: string): Redirect | Refused {
    const { client, context } = this
    const [url, sp_order_id] = [textIn(answer, "checkout_url"), textIn(answer, "sp_order_id")]
    if (answer.status !== 200 || url === "") {
      const meaning = CODES.get(codeOf(answer))
      return typeof meaning === "object" && "decline" in meaning
        ? { result: "refused", code: meaning.decline.code, reason: meaning.decline.reason, message: messageOf(answer) }
        : notStarted(messageOf(answer), troubleOf(answer))
    }
    if (!client.isOwnPage(url)) {
      const at = URL.canParse(url) ? new URL(url).origin : "no address"
      context.logger.error(
        `gateway: shurjoPay wants to send a shopper to ${at}, which is not its page; nobody was sent there`
      )
      return notStarted(`shurjoPay opened a payment on ${at}, which is not its page`, "bad_request")
    }
    const named = textIn(answer, "customer_order_id")
    return !ORDER_ID.test(sp_order_id) || (named !== "" && named !== order_id)
      ? notStarted("shurjoPay opened a payment without a number, or another one than was asked for", "bad_request")
      : { result: "redirect", url, references: { order_id, sp_order_id } }
  }
}

function formOf(request: PaymentRequest, own: Session & { prefix: string; order_id: string }): Row {
  const { customer, key, return_url } = request
  const postcode = fitted(customer.postcode, TEXT_MAX_CHARS, EMPTY)
  return {
    ...own,
    return_url,
    cancel_url: return_url,
    amount: formatAmount(request.amount),
    currency: request.currency,
    // The core does not give shoppers' addresses to acquirers.
    client_ip: ownAddress(),
    customer_name: fitted(customer.name, TEXT_MAX_CHARS, EMPTY),
    customer_phone: isBangladeshiMobile(customer.phone) ? customer.phone.replace("+88", "") : NO_PHONE,
    customer_email: fitted(customer.email, TEXT_MAX_CHARS),
    customer_address: fitted(customer.address, TEXT_MAX_CHARS, EMPTY),
    customer_city: fitted(customer.city, TEXT_MAX_CHARS, EMPTY),
    // Sources spell it in two ways.
    customer_postcode: postcode,
    customer_post_code: postcode,
    customer_country: fitted(customer.country, TEXT_MAX_CHARS, EMPTY),
    value1: key,
  }
}

/** Nobody has a page on which the payment could be paid. `retry`: it may be tried again, under another order number. */
function notStarted(message: string, trouble: Trouble, retry = false): Refused {
  return { result: "refused", code: "NETWORK_ERROR", message, trouble, ...(retry && { retry }) }
}

function byHand({ sp_order_id }: References): Unknown {
  const message = `shurjoPay takes refunds in its panel only: refund ${sp_order_id} there, then say here that it was done`
  return { result: "unknown", message, needs_operator: true, references: { ...BY_HAND, sp_order_id } }
}

/** shurjoPay's number in the query, a form or JSON; null: none, or several. */
function orderIdIn({ target, headers, body }: Incoming): string | null {
  const text = body.toString("utf8")
  const json = /\bjson\b/.test(headerText(headers["content-type"]) ?? "") ? jsonObject(text) : null
  const form = json === null ? new URLSearchParams(text).getAll("order_id") : [textIn({ row: json }, "order_id")]
  const query = new URLSearchParams(target.split("?").slice(1).join("?")).getAll("order_id")
  const ids = new Set([...query, ...form].filter((id) => id !== ""))
  const [id] = ids
  return ids.size === 1 && ORDER_ID.test(id) ? id : null
}
