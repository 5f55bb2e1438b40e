import { messageOf } from "../../../i18n/message"
import { actorOf, audit, doneBefore, type By } from "../kernel/database/audit"
import { addSeconds, clockNow } from "../kernel/money/clock"
import type { Database } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { LINK_TOKEN, newLinkOrderId, newLinkToken, newOrderedId, newSessionId, orderNumberOf } from "../kernel/text/ids"
import { LIMITS } from "../kernel/limits"
import { formatAmount, type Minor } from "../kernel/money/money"
import type { Cradle, Scope, Tenant } from "../kernel/types"
import type { CheckoutService } from "../checkout/service"
import type { AcquirerRegistry, WithAcquirers } from "../acquirers/registry"
import type { CustomerDetails } from "../acquirers/order"
import { requireMayCharge } from "../saved-methods/permission-to-charge"
import type { PaymentService } from "../payments/service"
import type { TransactionService } from "../payments/transactions"
import {
  disableLink,
  findByToken,
  findLink,
  insertLink,
  livePayment,
  type LinkRow,
  type LinkView,
  type PaymentLink,
} from "./records"
import { linkUrl, requireOpen } from "./rules"

/** A payer: contact details alone, because a link ships nothing. `phone` as it was entered. */
export type Payer = { name: string; email: string; phone: string; phone_e164: string }
export type NewLink = {
  amount: Minor
  currency: string
  description: string
  customer: Payer | null
  expires_at: Date | null
}

type Urls = { ipn_url: string | null }
/** A checkout to pay, or one that must end first because it cannot be shown to this payer. */
type Found = { session_id: string } | { outdated: string }

/** Others who open the same link at the same moment make theirs. */
const TRIES = 3

/** Links that ask for one amount, once (docs/decisions/10). */
export class PaymentLinkService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly checkouts: CheckoutService
  private readonly payments: PaymentService
  private readonly transactions: TransactionService

  constructor(
    cradle: Cradle &
      WithAcquirers & {
        checkoutService: CheckoutService
        paymentService: PaymentService
        transactionService: TransactionService
      }
  ) {
    this.database = cradle.database
    this.acquirers = cradle.acquirerRegistry
    this.checkouts = cradle.checkoutService
    this.payments = cradle.paymentService
    this.transactions = cradle.transactionService
  }

  /** A repeated request with the same idempotency record finds its link. */
  async create(scope: Scope & By, wanted: NewLink, idempotency_id: string | null = null): Promise<PaymentLink> {
    const { merchant_id, environment } = scope
    const { customer } = wanted
    return this.database.transaction(async (sql) => {
      const id = newOrderedId("lnk")
      const link: Omit<LinkRow, "state" | "disabled_at"> = {
        id,
        token: newLinkToken(),
        merchant_id,
        environment,
        amount_minor: Number(wanted.amount),
        currency: wanted.currency,
        description: wanted.description,
        customer: customer && detailsOf(customer),
        customer_phone: customer?.phone_e164 ?? null,
        expires_at: wanted.expires_at,
        created_by: actorOf(scope).id,
        opened_at: scope.now,
      }
      const known = await insertLink(sql, link, idempotency_id)
      if (known === id) {
        const { currency, description, expires_at } = wanted
        const after = {
          amount: formatAmount(wanted.amount),
          currency,
          description,
          expires_at,
          customer: customer?.email,
        }
        await audit(sql, {
          merchant_id,
          environment,
          by: scope,
          action: "payment_link.created",
          resource_id: id,
          after,
        })
      }
      return findLink(sql, scope, known)
    })
  }

  /** Throws LINK_NOT_FOUND, for another tenant's too. */
  async retrieve(tenant: Tenant, id: string): Promise<PaymentLink> {
    return findLink(this.database, tenant, id)
  }

  /** By the token in its public address; throws LINK_NOT_FOUND. */
  async byToken(token: string): Promise<LinkView> {
    if (!LINK_TOKEN.test(token)) {
      throw new GatewayError("LINK_NOT_FOUND")
    }
    return findByToken(this.database, token)
  }

  /**
   * Nobody can pay it any more: its unpaid checkout ends with it. A payment that is under way goes on, and the link then
   * reads as paid. Errors: LINK_NOT_FOUND, INVALID_STATE_TRANSITION (it is paid, or disabled already).
   */
  async disable(scope: Scope & By, id: string): Promise<PaymentLink> {
    while (!(await this.disableWithCheckout(scope, id))) {
      // Somebody has opened another checkout at this very moment: it must end too.
    }
    return findLink(this.database, scope, id)
  }

  /** Lock order: the payment before the link. False, and nothing is changed, when the link has got another checkout. */
  private disableWithCheckout(scope: Scope & By, id: string): Promise<boolean> {
    const { merchant_id, environment } = scope
    return this.database.transaction(async (sql) => {
      const { id: own } = await findLink(sql, scope, id)
      const before = await livePayment(sql, own)
      const record = before === null ? null : await this.transactions.lockSession(sql, before.session_id)
      const link = await findLink(sql, scope, id, "FOR UPDATE OF l")
      const live = await livePayment(sql, id)
      if (live !== null && live.session_id !== before?.session_id) {
        return false
      }
      if ((await doneBefore(sql, scope)) !== null) {
        return true
      }
      if (link.transaction_id !== null) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.link_not_open", { state: "paid" }))
      }
      await disableLink(sql, link, scope.now)
      if (record?.state === "OPEN") {
        await this.transactions.apply(sql, record, "expire", scope.now)
      }
      const change = { before: { state: link.state }, after: { state: "disabled" } }
      await audit(sql, {
        merchant_id,
        environment,
        by: scope,
        action: "payment_link.disabled",
        resource_id: id,
        ...change,
      })
      return true
    })
  }

  /**
   * Returns a checkout that pays the link and leads back to its page. There is one at a time, and a unique index allows
   * no second that could take money: for the same payer it is returned again, for another one it ends, because it shows
   * who pays. `payer`: ignored when the link names its customer. Errors: LINK_NOT_FOUND; INVALID_STATE_TRANSITION (the
   * link cannot be paid, or is being paid); MERCHANT_SUSPENDED; SERVICE_NOT_ENABLED.
   */
  async pay(token: string, payer: Payer | null, publicUrl: string): Promise<{ session_id: string }> {
    const link = await this.byToken(token)
    const now = clockNow(new Date(), link.clock_offset_seconds)
    requireOpen(link, now)
    await requireMayCharge(this.database, link, "checkout")
    if (!(await this.acquirers.has(link))) {
      throw new GatewayError("SERVICE_NOT_ENABLED")
    }
    for (let tries = 1; ; tries += 1) {
      const found = await this.open({ ...link, now }, payer, publicUrl)
      if ("session_id" in found) {
        return found
      }
      if (tries === TRIES || !(await this.end(found.outdated))) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.link_being_paid"))
      }
    }
  }

  /** The link is locked, so that concurrent requests find one checkout. */
  private open(
    { id, now, ...scope }: LinkView & { now: Date },
    payer: Payer | null,
    publicUrl: string
  ): Promise<Found> {
    return this.database.transaction(async (sql) => {
      const link = await findLink(sql, scope, id, "FOR UPDATE OF l")
      requireOpen(link, now)
      const customer = link.customer ?? (payer && detailsOf(payer))
      const customer_phone = link.customer === null ? payer?.phone_e164 : link.customer_phone
      if (customer === null) {
        throw new Error(`the payment link ${id} has no customer, and nobody says who pays`)
      }
      const live = await livePayment(sql, id)
      if (live !== null && live.state !== "OPEN") {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.link_being_paid"))
      }
      if (live !== null) {
        const isTheirs = JSON.stringify(ofPayer(live.customer)) === JSON.stringify(ofPayer(customer))
        const hasTime = live.expires_at > addSeconds(now, LIMITS.timeToPaySeconds)
        return isTheirs && hasTime ? { session_id: live.session_id } : { outdated: live.session_id }
      }
      const [{ ipn_url }] = await sql.query<Urls>(
        "SELECT ipn_url FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2",
        [link.merchant_id, link.environment]
      )
      const page = linkUrl(publicUrl, link.token)
      const order_id = newLinkOrderId()
      const order = {
        order_id,
        order_number: orderNumberOf(order_id),
        currency: link.currency,
        amount: BigInt(link.amount_minor),
        description: link.description,
        success_url: page,
        fail_url: page,
        cancel_url: page,
        ipn_url,
        customer,
        customer_phone: customer_phone ?? "",
        shipping: null,
        items: null,
        payment_info: null,
        metadata: null,
      }
      const { session_id } = await this.checkouts.create(
        { merchant_id: link.merchant_id, environment: link.environment, now },
        order,
        { link_id: id, session_id: newSessionId() },
        sql
      )
      return { session_id }
    })
  }

  /** Whether the checkout has ended; false when somebody is paying it at this moment. */
  private async end(session_id: string): Promise<boolean> {
    try {
      await this.payments.expireNow(session_id)
      return true
    } catch (error) {
      if (GatewayError.is(error) && error.code === "INVALID_STATE_TRANSITION") {
        return false
      }
      throw error
    }
  }
}

/** The contract's customer without an address. */
function detailsOf({ name, email, phone }: Payer): CustomerDetails {
  return { name, email, address: "", city: "", postcode: "", country: "", phone }
}

function ofPayer({ name, email, phone }: CustomerDetails): readonly string[] {
  return [name, email.toLowerCase(), phone]
}
