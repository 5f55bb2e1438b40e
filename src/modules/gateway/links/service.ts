import type { Language } from "../../../i18n/languages"
import { messageOf } from "../../../i18n/message"
import { actorOf, audit, doneBefore, type By } from "../kernel/database/audit"
import { addSeconds, clockNow } from "../kernel/money/clock"
import type { Database, Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { LINK_TOKEN, newLinkOrderId, newLinkToken, newOrderedId, newSessionId, orderNumberOf } from "../kernel/text/ids"
import { LIMITS } from "../kernel/limits"
import type { Minor } from "../kernel/money/money"
import type { Cradle, Scope, Tenant } from "../kernel/types"
import type { CheckoutService } from "../checkout/service"
import type { CheckoutOrder } from "../checkout/session-row"
import type { AcquirerRegistry, WithAcquirers } from "../acquirers/registry"
import type { CustomerDetails } from "../acquirers/order"
import { requireMayCharge } from "../saved-methods/permission-to-charge"
import type { PaymentService } from "../payments/service"
import { placesOfOrder } from "./order-links"
import {
  disableLink,
  findByToken,
  findLink,
  freePlace,
  insertLink,
  livePayment,
  openOfDisabled,
  unfinishedPayments,
  type LinkPayment,
  type LinkView,
  type PaymentLink,
} from "./records"
import {
  amountOf,
  auditedOf,
  detailsOf,
  linkUrl,
  requireOpen,
  rowOf,
  statusOf,
  type NewLink,
  type Payer,
} from "./rules"

/**
 * What whoever pays has entered; what the link knows itself counts before it. Of the balance of an order `amount` is
 * what is outstanding now.
 */
/** `language`: that of the page on which it was entered; the receipt is in it. */
type Entered = { payer: Payer | null; amount: Minor | null; language: Language }

type Urls = { ipn_url: string | null }
/** A checkout to pay, or one that must end first because it cannot be shown to this payer. */
type Found = { session_id: string } | { outdated: string }

/** Others who open the same link at the same moment make theirs. */
const TRIES = 3

/** Links that ask for an amount, once or of many (docs/decisions/10). */
export class PaymentLinkService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly checkouts: CheckoutService
  private readonly payments: PaymentService

  constructor(
    cradle: Cradle &
      WithAcquirers & {
        checkoutService: CheckoutService
        paymentService: PaymentService
      }
  ) {
    this.database = cradle.database
    this.acquirers = cradle.acquirerRegistry
    this.checkouts = cradle.checkoutService
    this.payments = cradle.paymentService
  }

  /** A repeated request with the same idempotency record finds its link. */
  async create(scope: Scope & By, wanted: NewLink, idempotency_id: string | null = null): Promise<PaymentLink> {
    const { merchant_id, environment } = scope
    return this.database.transaction(async (sql) => {
      const id = newOrderedId("lnk")
      const made = { merchant_id, environment, created_by: actorOf(scope).id, opened_at: scope.now }
      const link = { id, token: newLinkToken(), ...made, ...rowOf(wanted) }
      const known = await insertLink(sql, link, idempotency_id)
      if (known === id) {
        await audit(sql, {
          merchant_id,
          environment,
          by: scope,
          action: "payment_link.created",
          resource_id: id,
          after: auditedOf(wanted),
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

  /** A payment of the link that has taken money or still may; null: the link has none of this id. */
  async livePayment(link_id: string, transaction_id: string) {
    return livePayment(this.database, link_id, transaction_id)
  }

  /**
   * Nobody can pay it any more: its unpaid checkouts end behind it. A payment that is under way goes on, and counts.
   * Errors: LINK_NOT_FOUND, INVALID_STATE_TRANSITION (it is paid, or disabled already).
   */
  async disable(scope: Scope & By, id: string): Promise<PaymentLink> {
    // Who opens a checkout holds the link's lock and sees that it is open: once this has committed, none is added.
    const refused = await this.close(scope, id).catch((error: unknown) => error)
    if (refused === undefined || isCode(refused, "INVALID_STATE_TRANSITION")) {
      // Also of a link that is disabled already: the process that did it may have died before this.
      await this.endCheckouts(id)
    }
    if (refused !== undefined) {
      throw refused
    }
    return findLink(this.database, scope, id)
  }

  /**
   * Ends the unpaid checkouts of a disabled link, each in a transaction of its own, in the order of their ids; without an
   * id those of all disabled links. A task runs it too, because `disable` may break off. Returns their number.
   */
  async endCheckouts(link_id: string | null = null): Promise<number> {
    const left = await openOfDisabled(this.database, link_id)
    for (const { session_id } of left) {
      await this.end(session_id)
    }
    return left.length
  }

  private close(scope: Scope & By, id: string): Promise<void> {
    const { merchant_id, environment } = scope
    return this.database.transaction(async (sql) => {
      const link = await findLink(sql, scope, id, "FOR UPDATE OF l")
      if ((await doneBefore(sql, scope)) !== null) {
        return
      }
      if (statusOf(link, scope.now) === "paid") {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.link_not_open", { state: "paid" }))
      }
      await disableLink(sql, link, scope.now)
      const change = { before: { state: link.state }, after: { state: "disabled" } }
      await audit(sql, {
        merchant_id,
        environment,
        by: scope,
        action: "payment_link.disabled",
        resource_id: id,
        ...change,
      })
    })
  }

  /**
   * Returns a checkout that pays the link and leads back to its page. A payer's own is returned again while it is of the
   * same amount; otherwise it ends. A link that is paid once has one at a time: another payer's ends too, because it
   * shows who pays; so it is with the link of an order's balance. A link that takes so many payments has so many places, each taken by a checkout until it ends unpaid.
   * Errors: LINK_NOT_FOUND; INVALID_STATE_TRANSITION (the link cannot be paid, or as many are paying as may);
   * MERCHANT_SUSPENDED; SERVICE_NOT_ENABLED.
   */
  async pay(token: string, entered: Entered, publicUrl: string): Promise<{ session_id: string }> {
    const link = await this.byToken(token)
    const now = clockNow(new Date(), link.clock_offset_seconds)
    requireOpen(link, now)
    await requireMayCharge(this.database, link, "checkout")
    if (!(await this.acquirers.has(link))) {
      throw new GatewayError("SERVICE_NOT_ENABLED")
    }
    for (let tries = 1; ; tries += 1) {
      const found = await this.open({ ...link, now }, entered, publicUrl)
      if ("session_id" in found) {
        return found
      }
      // A payment that is under way keeps its place, and a link of many has another one for the same payer.
      const hasEnded = tries < TRIES && ((await this.end(found.outdated)) || link.reusable)
      if (!hasEnded) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.link_being_paid"))
      }
    }
  }

  /** The link is locked, so that concurrent requests find one checkout, and so that no place is given twice. */
  private open({ id, now, ...scope }: LinkView & { now: Date }, entered: Entered, publicUrl: string): Promise<Found> {
    return this.database.transaction(async (sql) => {
      const link = await findLink(sql, scope, id, "FOR UPDATE OF l")
      requireOpen(link, now)
      const { payer } = entered
      const customer = link.customer ?? (payer && detailsOf(payer))
      const amount = amountOf(link, entered.amount)
      if (customer === null || amount === null) {
        throw new Error(`of the payment link ${id} nobody says who pays, or how much`)
      }
      const unfinished = await unfinishedPayments(sql, id)
      const isTheirs = (of: CustomerDetails) => JSON.stringify(ofPayer(of)) === JSON.stringify(ofPayer(customer))
      const isOfMany = link.reusable && link.store_order_id === null
      const known = isOfMany
        ? unfinished.find((one) => one.state === "OPEN" && isTheirs(one.customer))
        : unfinished.find((one) => one.state === "OPEN")
      const isAgain = (one: LinkPayment) => isTheirs(one.customer) && BigInt(one.amount_minor) === amount
      const underWay = link.reusable && unfinished.find((one) => one.state !== "OPEN" && isAgain(one))
      if (underWay) {
        // Back from the acquirer, Pay pressed again: their payment's own page says how it stands.
        return { session_id: underWay.session_id }
      }
      if (known !== undefined) {
        const hasTime = known.expires_at > addSeconds(now, LIMITS.timeToPaySeconds)
        return isAgain(known) && hasTime ? { session_id: known.session_id } : { outdated: known.session_id }
      }
      const places = link.store_order_id === null ? link.max_payments : await placesOfOrder(sql, id)
      const place = places === null ? null : await freePlace(sql, id, places)
      const stale = place === null && unfinished.find((one) => one.state === "OPEN" && one.expires_at <= now)
      if (stale && places !== null) {
        return { outdated: stale.session_id }
      }
      if (place === null && places !== null) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.link_being_paid"))
      }
      const phone = link.customer === null ? payer?.phone_e164 : link.customer_phone
      const { language } = entered
      const order = await orderOf(sql, link, { amount, customer, customer_phone: phone ?? "", language }, publicUrl)
      const { session_id } = await this.checkouts.create(
        { merchant_id: link.merchant_id, environment: link.environment, now },
        order,
        { link: { id, place }, store_order_id: link.store_order_id ?? undefined, session_id: newSessionId() },
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
      if (isCode(error, "INVALID_STATE_TRANSITION")) {
        return false
      }
      throw error
    }
  }
}

function isCode(error: unknown, code: GatewayError["code"]): boolean {
  return GatewayError.is(error) && error.code === code
}

type Paying = Required<Pick<CheckoutOrder, "amount" | "customer" | "customer_phone" | "language">>

/** What a payment of the link is a checkout of. */
async function orderOf(sql: Sql, link: PaymentLink, paying: Paying, publicUrl: string): Promise<CheckoutOrder> {
  const [{ ipn_url }] = await sql.query<Urls>(
    "SELECT ipn_url FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2",
    [link.merchant_id, link.environment]
  )
  const page = linkUrl(publicUrl, link.token)
  const order_id = newLinkOrderId()
  return {
    order_id,
    order_number: orderNumberOf(order_id),
    currency: link.currency,
    description: link.description,
    success_url: page,
    fail_url: page,
    cancel_url: page,
    ipn_url,
    ...paying,
    shipping: null,
    items: null,
    // A link is paid or not: its money is taken at once.
    payment_info: { capture: "automatic" },
    metadata: null,
  }
}

function ofPayer({ name, email, phone }: CustomerDetails): readonly string[] {
  return [name, email.toLowerCase(), phone]
}
