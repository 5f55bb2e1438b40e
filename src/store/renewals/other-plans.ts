import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, ProductStatus } from "@medusajs/framework/utils"
import { VARIANT_PLAN_LINK, type PlanLink } from "../../providers/gateway-payment/plan-lines"
import { deliveryOf, findOriginal, isSent, type OriginalOrder } from "./original-order"

const VARIANT_FIELDS = [
  "id",
  "options.value",
  "options.option.title",
  "product.id",
  "product.status",
  "product.sales_channels.id",
  "product.shipping_profile.id",
  "inventory_items.inventory.requires_shipping",
]

/** Goods to choose from: what tells one variant from another. */
export type Choice = {
  id: string
  product: { id: string } | null
  options: { value: string; option: { title: string } | null }[]
}

type Variant = Choice & {
  product: {
    id: string
    status: string
    sales_channels: ({ id: string } | null)[] | null
    shipping_profile: { id: string } | null
  } | null
  inventory_items: { inventory: { requires_shipping: boolean } | null }[]
}

/**
 * The goods of a plan that are most like the subscription's own: these themselves, else of the same product, else of
 * another one; among them those with the most options alike, such as the grind of coffee. Undefined: there are none, or
 * two are equally alike, and nobody may choose for the customer.
 */
export function closest<One extends Choice>(own: Choice | undefined, choices: readonly One[]): One | undefined {
  const optionsOf = ({ options }: Choice) => options.map(({ value, option }) => `${option?.title ?? ""}: ${value}`)
  const wanted = own === undefined ? [] : optionsOf(own)
  const rank = (choice: One) =>
    choice.id === own?.id
      ? -1
      : wanted.filter((option) => !optionsOf(choice).includes(option)).length +
        (choice.product?.id === own?.product?.id ? 0 : OTHER_PRODUCT)
  const [first, second] = choices.map((choice) => ({ choice, rank: rank(choice) })).sort((a, b) => a.rank - b.rank)
  return first === undefined || first.rank === second?.rank ? undefined : first.choice
}

/** More than a variant has options. */
const OTHER_PRODUCT = 1_000

/**
 * What renewals of a subscription would send on other plans, by plan: the `closest` goods on each. Renewals have the first order's delivery: goods that need none where the
 * subscription's do, or the other way round, are left out, and so are those of another shipping profile, because Medusa
 * completes no cart with them.
 */
export async function variantsOn(
  container: MedusaContainer,
  plan_ids: readonly string[],
  { variant_id, order_id }: { variant_id: string; order_id: string }
): Promise<Map<string, string>> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: VARIANT_PLAN_LINK,
    fields: ["product_variant_id", "gateway_plan_id"],
    filters: { gateway_plan_id: [...plan_ids] },
  })
  const links = data as unknown as PlanLink[]
  if (links.length === 0) {
    return new Map()
  }
  const order = await findOriginal(container, order_id)
  if (order === undefined) {
    return new Map()
  }
  const variants = await variantsIn(container, [variant_id, ...links.map((link) => link.product_variant_id)])
  const profile = await profileOf(container, order)
  const own = variants.find(({ id }) => id === variant_id)
  const isOwnSent = own === undefined ? profile !== null : isSent(own)
  const fits = (variant: Variant) =>
    isSent(variant) === isOwnSent && (!isOwnSent || variant.product?.shipping_profile?.id === profile)
  const sold = variants.filter((variant) => isSold(variant, order) && fits(variant))
  return new Map(
    plan_ids.flatMap((plan) => {
      const on = links.filter((link) => link.gateway_plan_id === plan).map((link) => link.product_variant_id)
      const found = closest(
        own,
        sold.filter(({ id }) => on.includes(id))
      )
      return found === undefined ? [] : [[plan, found.id] as const]
    })
  )
}

async function variantsIn(container: MedusaContainer, ids: readonly string[]): Promise<Variant[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const filters = { id: [...new Set(ids)] }
  const { data } = await query.graph({ entity: "product_variant", fields: VARIANT_FIELDS, filters })
  return data as unknown as Variant[]
}

/** The shipping profile that the first order's delivery is for; null: nothing was sent. */
async function profileOf(container: MedusaContainer, order: OriginalOrder): Promise<string | null> {
  const option = deliveryOf(order, { delivery_minor: 0 })?.shipping_option_id
  if (option === undefined) {
    return null
  }
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const fields = ["id", "shipping_profile_id"]
  const { data } = await query.graph({ entity: "shipping_option", fields, filters: { id: option } })
  return data[0]?.shipping_profile_id ?? null
}

function isSold({ product }: Variant, { sales_channel_id }: OriginalOrder): boolean {
  const channels = product?.sales_channels ?? []
  return product?.status === ProductStatus.PUBLISHED && channels.some((channel) => channel?.id === sales_channel_id)
}
