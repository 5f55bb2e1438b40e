import type { Query } from "@medusajs/framework/types"
import { messageOf } from "../../i18n/message"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { LIMITS } from "../../modules/gateway/kernel/limits"
import { formatAmount, type Minor } from "../../modules/gateway/kernel/money/money"
import { normalisePhone } from "../../modules/gateway/kernel/text/phone"
import type { Scope } from "../../modules/gateway/kernel/types"
import type GatewayModuleService from "../../modules/gateway/service"
import type { NewCashOrder } from "../../modules/gateway/cash/orders"
import type { CashOrder } from "../../modules/gateway/cash/records"
import { cartOfPaymentSession, type CartToPay } from "../gateway-payment/cart"
import { districtOf } from "./districts"
import { checkoutOrder, currencyOf } from "../gateway-payment/order"
import { planPurchaseOf } from "../gateway-payment/plan-lines"
import { minorOf } from "../gateway-payment/session"

type Cradle = { gateway: GatewayModuleService; query: Pick<Query, "graph"> }

/** The store's own merchant at the current moment of its clock. No acquirer is needed where nothing is paid online. */
export async function storeScope({ gateway }: Pick<Cradle, "gateway">): Promise<Scope> {
  const { environment, storeMerchantName } = gateway.options
  const merchant = await gateway.merchants.storeMerchant(storeMerchantName)
  if (merchant.status === "suspended") {
    throw new GatewayError("MERCHANT_SUSPENDED")
  }
  const tenant = { merchant_id: merchant.id, environment }
  return { ...tenant, now: (await gateway.clock.read(tenant)).now }
}

/**
 * What the cart of a payment session pays now and at the door, by the store's rules of this moment. Errors:
 * INVALID_REQUEST (no open cart, a plan, a sum that no order has), INVALID_CURRENCY, MERCHANT_SUSPENDED.
 */
export async function cashOrderOf(cradle: Cradle, payment_session_id: string, total: Minor): Promise<NewCashOrder> {
  const { gateway, query } = cradle
  const cart = await cartOfPaymentSession(query, payment_session_id)
  if (cart === null) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.cart_none"))
  }
  const scope = await storeScope(cradle)
  const { merchant_id, environment } = scope
  if ((await planPurchaseOf(query, gateway, scope, cart.id)) !== null) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.cash_plan"))
  }
  if (total > LIMITS.orderAmountMaxMinor) {
    const max = formatAmount(LIMITS.orderAmountMaxMinor)
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.cash_amount", { max }))
  }
  const currency = currencyOf(cart)
  const { name, phone, district } = shopperOf(cart, payment_session_id, total)
  const delivery = cart.shipping_methods.reduce((sum, { total: of }) => sum + minorOf(of), 0n)
  const advance = await gateway.cashOrders.advance(scope, phone, { total, delivery, currency, district })
  return {
    merchant_id,
    environment,
    currency,
    total,
    advance,
    cart_id: cart.id,
    payment_session_id,
    customer_name: name,
    phone,
    district,
  }
}

/** Whom the parcel and the courier's call reach; `phone` in E.164. */
export function shopperOf(
  cart: CartToPay,
  payment_session_id: string,
  amount: Minor
): { name: string | null; phone: string | null; district: string | null } {
  const { customer } = checkoutOrder({
    order_id: "",
    amount: amount < LIMITS.orderAmountMinMinor ? LIMITS.orderAmountMinMinor : amount,
    cart,
    payment_session_id,
    own_return_url: "",
    payment_info: null,
  })
  return {
    name: customer.name || null,
    phone: normalisePhone(customer.phone ?? ""),
    district: districtOf(cart.shipping_address?.city || customer.city, cart.shipping_address?.province),
  }
}

/**
 * What Medusa's payment session stores, for the storefront: both sums as decimal text, and whether the order is placed
 * only after a code has been entered that is sent to its phone.
 */
export async function cashData(
  { gateway }: Pick<Cradle, "gateway">,
  order: CashOrder
): Promise<Record<string, unknown>> {
  return {
    needs_code: order.state === "placing" && (await gateway.cashCodes.isNeeded(order)),
    cash_order_id: order.id,
    total: formatAmount(order.total_minor),
    due_now: formatAmount(order.advance_minor),
    due_in_cash: formatAmount(order.total_minor - order.advance_minor),
  }
}
