import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { isGatewayProvider } from "../../modules/gateway/kernel/text/provider-id"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import { refundable } from "../../modules/gateway/refunds/rules"
import { textOf } from "../../modules/gateway/kernel/text/text"
import type { LineComingBack } from "../../modules/gateway/refunds/proposals/rules"
import { minorOf } from "../../providers/gateway-payment/session"

const FIELDS = [
  "id",
  "status",
  "total",
  "items.*",
  "items.detail.*",
  "items.total",
  "items.return_received_total",
  "items.return_dismissed_total",
  "shipping_methods.*",
  "shipping_methods.total",
  "shipping_methods.detail.*",
  "payment_collections.payments.id",
  "payment_collections.payments.provider_id",
  "payment_collections.payments.data",
]

type OrderLine = {
  id: string
  title: string
  product_title: string | null
  variant_title: string | null
  raw_quantity: BigNumberInput
  raw_total: BigNumberInput
  raw_return_received_total: BigNumberInput
  raw_return_dismissed_total: BigNumberInput
  detail: {
    raw_return_requested_quantity: BigNumberInput
    raw_return_received_quantity: BigNumberInput
    raw_return_dismissed_quantity: BigNumberInput
  }
}

type ShippingMethod = {
  raw_total: BigNumberInput
  detail?: { return_id: string | null; claim_id: string | null; exchange_id: string | null }
}

export type ReturnedOrder = {
  id: string
  status: string
  items: OrderLine[]
  shipping_methods: ShippingMethod[]
  payment_collections: { payments: { provider_id: string; data: { session_id?: unknown } | null }[] }[]
}

export async function readOrder(container: MedusaContainer, order_id: string): Promise<ReturnedOrder | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "order", fields: FIELDS, filters: { id: order_id } })
  return (data[0] as unknown as ReturnedOrder | undefined) ?? null
}

/** The gateway's payment of the order: of several the one with most left. Null when the order was paid otherwise. */
export async function gatewayPaymentOf(
  container: MedusaContainer,
  order: ReturnedOrder
): Promise<PaymentRecord | null> {
  const left = (record: PaymentRecord) => Number(refundable(record))
  return (await gatewayPaymentsOf(container, order)).sort((one, other) => left(other) - left(one))[0] ?? null
}

/** All the gateway's payments that have paid the order, the newest first. */
export async function gatewayPaymentsOf(container: MedusaContainer, order: ReturnedOrder): Promise<PaymentRecord[]> {
  const { transactions } = gatewayIn(container)
  const sessions = order.payment_collections
    .flatMap(({ payments }) => payments)
    .filter(({ provider_id }) => isGatewayProvider(provider_id))
    .map(({ data }) => textOf(data?.session_id))
  const records: PaymentRecord[] = []
  for (const session_id of sessions) {
    try {
      records.push(await transactions.bySession(session_id))
    } catch (error) {
      // Sandbox data is forgotten after a week.
      if (!GatewayError.is(error) || error.code !== "SESSION_NOT_FOUND") {
        throw error
      }
    }
  }
  const paidAt = ({ verified_at }: PaymentRecord) => Number(verified_at)
  return records.filter(({ verified_at }) => verified_at !== null).sort((one, other) => paidAt(other) - paidAt(one))
}

/** What was paid for the whole line, discounts and tax included, also for units that are back by now. */
function paidFor({ raw_total, raw_return_received_total, raw_return_dismissed_total }: OrderLine): BigNumberInput {
  return MathBN.sum(raw_total, raw_return_received_total ?? 0, raw_return_dismissed_total ?? 0)
}

/** How much of each line comes back, and how much of that is damaged; by the line's id. */
export type Returned = Map<string, { quantity: BigNumberInput; damaged: BigNumberInput }>

/**
 * What delivery to the shopper cost, once everything that was ordered is back, `coming` included; zero before.
 */
export function deliveryOf({ items, shipping_methods }: ReturnedOrder, coming: Returned = new Map()): BigNumberInput {
  const isBack = items.every(({ id, raw_quantity, detail }) => {
    const received = MathBN.sum(detail.raw_return_received_quantity, detail.raw_return_dismissed_quantity)
    return MathBN.gte(MathBN.add(received, coming.get(id)?.quantity ?? 0), raw_quantity)
  })
  const outward = shipping_methods.filter(
    ({ detail }) => !detail?.return_id && !detail?.claim_id && !detail?.exchange_id
  )
  return isBack ? MathBN.sum(0, ...outward.map(({ raw_total }) => raw_total)) : MathBN.convert(0)
}

/** The lines of which something comes back, with what was paid for them. */
export function linesOf(order: ReturnedOrder, back: Returned): LineComingBack[] {
  return order.items.flatMap((item) => {
    const { quantity, damaged } = back.get(item.id) ?? { quantity: 0, damaged: 0 }
    if (MathBN.lte(quantity, 0)) {
      return []
    }
    // Medusa's own title of a line is its product's, unless somebody gave it another.
    const title = [...new Set([item.product_title, item.title, item.variant_title])].filter((part) => part).join(", ")
    return [
      {
        item_id: item.id,
        title,
        paid: minorOf(paidFor(item)),
        ordered: MathBN.convert(item.raw_quantity).toFixed(),
        quantity: MathBN.convert(quantity).toFixed(),
        damaged: MathBN.convert(damaged).toFixed(),
      },
    ]
  })
}

/** By what Medusa's total falls when these goods are back: unrounded, as Medusa counts what the store owes. */
export function exactValue({ items }: ReturnedOrder, back: Returned): BigNumberInput {
  return items.reduce<BigNumberInput>((sum, item) => {
    const quantity = back.get(item.id)?.quantity ?? 0
    return MathBN.add(sum, MathBN.div(MathBN.mult(paidFor(item), quantity), item.raw_quantity))
  }, 0)
}
