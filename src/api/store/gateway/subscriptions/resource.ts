import { z } from "@medusajs/framework/zod"
import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { asciiDigits } from "../../../../i18n/typed"
import { gatewayIn } from "../../../../modules/gateway"
import type { OrderedInvoice } from "../../../../modules/gateway/invoices/list"
import { linesOf } from "../../../../modules/gateway/subscriptions/invoice-line-rules"
import { invoiceId, payUrl, presentLine } from "../../../../modules/gateway/invoices/rules"
import { LIMITS } from "../../../../modules/gateway/kernel/limits"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { Scope } from "../../../../modules/gateway/kernel/types"
import type GatewayModuleService from "../../../../modules/gateway/service"
import { offeredReasons, reasonText } from "../../../../modules/gateway/subscriptions/cancellation-rules"
import { nextTerms } from "../../../../modules/gateway/subscriptions/change-rules"
import type { NewTerms } from "../../../../modules/gateway/subscriptions/lifecycle"
import { chargedNext, endMembers } from "../../../../modules/gateway/subscriptions/end-rules"
import type { DeliveryAddress } from "../../../../modules/gateway/subscriptions/store/purchases"
import { wantedOf } from "../../../../modules/gateway/portal/rules"
import { planNames, type PlanNames } from "../../../../modules/gateway/plans/rules"
import type { WantedChange } from "../../../../modules/gateway/subscriptions/asked-terms"
import type { OfferedPlan, OwnSubscription, Owner } from "../../../../modules/gateway/subscriptions/store/subscriptions"
import { readCheckoutRequest, returnOrigins } from "../../../../providers/gateway-payment/checkout-request"
import { answering, guarded } from "../../../admin-kit/endpoint"
import { listSchema, readList } from "../../../admin-kit/list"
import { storeScope } from "../../../gateway/store-scope"
import { presentTerms } from "../../../api/v2/payments/subscriptions/terms"
import { type JsonObject, parsedBody } from "../../../v2-kit/body"
import { amount, parse, phone, rule, text, wholeNumber, withoutAbsent } from "../../../v2-kit/validate"

type ShopperContext = {
  request: AuthenticatedMedusaRequest
  gateway: GatewayModuleService
  /** The signed-in customer, in the store's own merchant at the current moment of its clock. */
  owner: Owner & Scope
  body: JsonObject
  query: JsonObject
}

type OwnContext = ShopperContext & { row: OwnSubscription }

/** An operation of a signed-in customer of the store. */
export function shopperEndpoint(operation: (context: ShopperContext) => Promise<object>) {
  return answering(async (request) => operation(await contextOf(request)))
}

/** Like `shopperEndpoint`, for the subscription in the path: the customer's own, else 404 SUBSCRIPTION_NOT_FOUND. */
export function ownSubscription(operation: (context: OwnContext) => Promise<object>) {
  return shopperEndpoint(async (context) => operation(await withOwn(context)))
}

/** Like `ownSubscription`, for downloads; a refusal is still JSON. */
export function ownFile(operation: (context: OwnContext) => Promise<{ name: string; type: string; bytes: Buffer }>) {
  return guarded(async (request, response) => {
    const { name, type, bytes } = await operation(await withOwn(await contextOf(request)))
    response.set("Content-Type", type).set("Content-Disposition", `attachment; filename="${name}"`).send(bytes)
  })
}

async function contextOf(request: AuthenticatedMedusaRequest): Promise<ShopperContext> {
  const gateway = gatewayIn(request.scope)
  const owner = { ...(await storeScope(gateway)), store_customer_id: request.auth_context.actor_id }
  return { request, gateway, owner, body: parsedBody(request.body), query: request.query as JsonObject }
}

async function withOwn(context: ShopperContext): Promise<OwnContext> {
  const row = await context.gateway.storeSubscriptions.retrieve(context.owner, context.request.params.id)
  return { ...context, row }
}

/** A subscription as its owner may see it; `id` is the uuid, `amount` the price of a renewal with its delivery. */
export function presentOwn(row: OwnSubscription): object {
  const terms = nextTerms(row)
  return {
    id: row.uuid,
    number: row.number,
    status: row.status,
    plan_name: row.plan_name,
    plan_name_bn: row.plan_name_bn,
    amount: formatAmount(row.amount_minor),
    delivery_amount: formatAmount(row.delivery_minor),
    currency: row.currency,
    interval_count: row.interval_count,
    interval_unit: row.interval_unit,
    quantity: row.quantity,
    variant_id: row.store_variant_id,
    order_id: row.store_order_id,
    trial_end_date: row.trial_end_date,
    current_period_start: row.current_period_start,
    current_period_end: row.current_period_end,
    next_billing_date: chargedNext(row),
    ...(terms === null ? {} : { scheduled_change: presentNext(terms, row.has_own_end) }),
    ...endMembers(row),
    retry_at: row.retry_at,
    time_zone: row.time_zone,
    cancel_at_period_end: row.cancel_at_period_end,
    cancelled_at: row.cancelled_at,
    cancellation_reason: row.cancellation_reason,
    cancellation_note: row.cancellation_note,
    instrument: row.instrument,
    delivery_address: row.delivery_address && { ...row.delivery_address, metadata: undefined },
    created_at: row.opened_at,
  }
}

function presentNext(terms: NewTerms, hasOwnEnd: boolean): object {
  return { ...presentTerms(terms, hasOwnEnd), ...namesOf(terms), variant_id: terms.store_variant_id }
}

const namesOf = ({ plan_name, plan_name_bn }: PlanNames) => ({ plan_name, plan_name_bn })

/** A plan to choose; `id` is what to send, `amount` what a renewal costs with its delivery. */
export function presentOffer({
  number,
  quantity,
  currency,
  interval_count,
  interval_unit,
  ...plan
}: OfferedPlan): object {
  return {
    id: number,
    ...namesOf(planNames(plan)),
    amount: formatAmount(plan.amount_minor),
    quantity,
    currency,
    interval_count,
    interval_unit,
    variant_id: plan.store_variant_id,
    ...(plan.billing_cycles === null ? {} : { billing_cycles: plan.billing_cycles }),
  }
}

const otherPlanSchema = z.object({
  subscription_plan_id: wholeNumber.min(1, rule("positive")),
  amount: amount.optional(),
})

/** The one change that goods allow; `amount` is what was shown, and another price is refused. */
export function readOtherPlan(body: JsonObject): WantedChange {
  const { subscription_plan_id, amount: price } = parse(otherPlanSchema, withoutAbsent(body, []))
  return wantedOf({ plan: String(subscription_plan_id), when: "period_end", price })
}

/** `payment_url` is the page to pay an open invoice; null when nothing is to be paid. */
export function presentOwnInvoice(invoice: OrderedInvoice, publicUrl: string): object {
  const { uuid, status, currency, period_start, period_end, due_date, paid_at, order_id } = invoice
  return {
    id: uuid,
    invoice_id: invoiceId(invoice.number),
    status,
    amount: formatAmount(invoice.amount_minor),
    lines: linesOf(invoice).map((line) => presentLine(line, invoice.plan_name)),
    currency,
    period_start,
    period_end,
    ...(invoice.is_last ? { is_last: true } : {}),
    due_date,
    paid_at,
    payment_url: status === "PENDING" ? payUrl(publicUrl, invoice.pay_token) : null,
    order_id,
    created_at: invoice.opened_at,
  }
}

const line = text(LIMITS.customerFieldMaxChars)
const needed = line.refine((value) => value.trim() !== "", rule("not_blank"))

const addressSchema = z.object({
  first_name: needed,
  last_name: line.optional(),
  company: line.optional(),
  address_1: needed,
  address_2: line.optional(),
  city: needed,
  province: line.optional(),
  postal_code: line.transform(asciiDigits).optional(),
  country_code: needed,
  phone: phone.optional(),
})

/** What is absent is empty: an address is sent as a whole. */
export function readAddress(body: JsonObject): DeliveryAddress {
  const sent = parse(addressSchema, withoutAbsent(body, []))
  return {
    first_name: sent.first_name,
    last_name: sent.last_name ?? null,
    company: sent.company ?? null,
    address_1: sent.address_1,
    address_2: sent.address_2 ?? null,
    city: sent.city,
    province: sent.province ?? null,
    postal_code: sent.postal_code ?? null,
    country_code: sent.country_code.toLowerCase(),
    phone: sent.phone?.sent ?? null,
    metadata: null,
  }
}

const pageSchema = listSchema({}, ["created_at"])

export function readPage(query: JsonObject): { limit: number; offset: number } {
  const { limit, offset } = readList(pageSchema, query)
  return { limit, offset }
}

/** The reasons that a page asks for when it cancels: what to send, and its words in both languages. */
export async function presentReasons({ gateway, owner }: ShopperContext): Promise<object[]> {
  const { cancellation_reasons } = await gateway.merchants.environment(owner)
  return offeredReasons(cancellation_reasons).map((reason) => ({
    reason,
    text: reasonText(reason, "en"),
    text_bn: reasonText(reason, "bn"),
  }))
}

/** Where the shopper returns to: on an origin of STORE_CORS, the store's own, or of `returnOrigins`. */
export function readReturnUrl({ body, gateway, request }: ShopperContext): string | null {
  const { storeCors } = request.scope.resolve(ContainerRegistrationKeys.CONFIG_MODULE).projectConfig.http
  const { publicUrl, returnOrigins: extra } = gateway.options
  return readCheckoutRequest({ return_url: body.return_url }, returnOrigins({ storeCors, publicUrl, extra })).return_url
}
