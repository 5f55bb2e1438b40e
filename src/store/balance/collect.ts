import type { MedusaContainer } from "@medusajs/framework/types"
import { languageOfTag } from "../../i18n/languages"
import { messageOf, type Message } from "../../i18n/message"
import { textsOf } from "../../i18n/translate"
import { asciiDigits } from "../../i18n/typed"
import { gatewayIn } from "../../modules/gateway"
import type { By } from "../../modules/gateway/kernel/database/audit"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { normalisePhone } from "../../modules/gateway/kernel/text/phone"
import type { Scope } from "../../modules/gateway/kernel/types"
import type { PaymentLink } from "../../modules/gateway/links/records"
import type { Payer } from "../../modules/gateway/links/rules"
import { currencyOf, requirePayable } from "../../providers/gateway-payment/order"
import { numberOf, type OrderBalance, type OrderWithBalance, readBalance } from "./outstanding"

/** What an admin sees of an order's balance. `due`: in hundredths of `currency`; zero or less when nothing is to pay. */
export type BalanceToCollect = {
  due: bigint
  currency: string
  email: string | null
  /** A payment of it is under way, or is not on the order yet. */
  isSettling: boolean
  /** Why it cannot be collected; null: it can. */
  obstacle: Message | null
  /** The open link that asks for it; null: none has been made. */
  link: PaymentLink | null
}

/** The store's own merchant in the environment of this deployment: who collects what orders owe. */
async function storeScope(container: MedusaContainer): Promise<Scope> {
  const { merchants, options } = gatewayIn(container)
  const merchant = await merchants.storeMerchant(options.storeMerchantName)
  return merchants.scope(merchant.id, options.environment)
}

/** Throws NOT_FOUND. */
export async function balanceToCollect(container: MedusaContainer, order_id: string): Promise<BalanceToCollect> {
  const { orderBalances, orderLinks } = gatewayIn(container)
  const isSettling = await orderBalances.isSettling(order_id)
  const { order, due, isCancelled } = await existing(container, order_id)
  const scope = await storeScope(container)
  return {
    due,
    currency: order.currency_code.toUpperCase(),
    email: order.email,
    isSettling,
    obstacle: due > 0n ? obstacleOf(order, due, isCancelled) : null,
    link: await orderLinks.find(scope, order_id),
  }
}

/**
 * Makes the one open link of the order, or has the one that is there ask for what is outstanding now. Errors: NOT_FOUND,
 * INVALID_STATE_TRANSITION (nothing is outstanding, the order is cancelled, a payment of it is under way),
 * INVALID_REQUEST (a sum that no checkout takes), INVALID_CURRENCY.
 */
export async function collectBalance(container: MedusaContainer, order_id: string, by: By): Promise<PaymentLink> {
  const { orderBalances, orderLinks } = gatewayIn(container)
  if (await orderBalances.isSettling(order_id)) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.balance_settling"))
  }
  const { order, due, isCancelled } = await existing(container, order_id)
  requireCollectable(order, due, isCancelled)
  return orderLinks.collect(
    { ...(await storeScope(container)), ...by },
    {
      store_order_id: order_id,
      amount: due,
      currency: currencyOf(order),
      description: textsOf("link", languageOf(container, order))("order", { number: numberOf(order) }),
      customer: payerOf(order),
    }
  )
}

/** The shop's language with this shopper; the language of e-mails where the order has none. */
export function languageOf(container: MedusaContainer, { locale }: OrderWithBalance) {
  return languageOfTag(locale ?? "") ?? gatewayIn(container).options.mailLanguage
}

async function existing(container: MedusaContainer, order_id: string): Promise<OrderBalance> {
  const found = await readBalance(container, order_id)
  if (found === null) {
    throw new GatewayError("NOT_FOUND", messageOf("balance.order_gone"))
  }
  return found
}

function requireCollectable(order: OrderWithBalance, due: bigint, isCancelled: boolean): void {
  if (isCancelled) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.balance_cancelled"))
  }
  if (due <= 0n) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.balance_none"))
  }
  requirePayable(due, currencyOf(order))
}

function obstacleOf(...of: Parameters<typeof requireCollectable>): Message | null {
  try {
    requireCollectable(...of)
    return null
  } catch (error) {
    if (GatewayError.is(error)) {
      return error.reason
    }
    throw error
  }
}

/** Null when the order does not say enough of who pays: the page asks then. */
function payerOf({ email, customer, shipping_address, billing_address }: OrderWithBalance): Payer | null {
  const people = [billing_address, shipping_address, customer].filter((person) => person !== null)
  const named = people.map(({ first_name, last_name }) => [first_name, last_name].filter(Boolean).join(" ").trim())
  const name = named.find((one) => one !== "") ?? ""
  const phones = people.map((person) => asciiDigits(person.phone ?? ""))
  const phone = phones.find((one) => normalisePhone(one) !== null) ?? ""
  const phone_e164 = normalisePhone(phone)
  return email === null || name === "" || phone_e164 === null ? null : { name, email, phone, phone_e164 }
}
