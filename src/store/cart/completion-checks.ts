import { confirmVariantInventoryWorkflow } from "@medusajs/medusa/core-flows"
import type {
  BigNumberInput,
  CampaignBudgetDTO,
  CampaignBudgetUsageDTO,
  ConfirmVariantInventoryWorkflowInputDTO,
  IPromotionModuleService,
  MedusaContainer,
  PromotionDTO,
} from "@medusajs/framework/types"
import { MathBN, Modules } from "@medusajs/framework/utils"
import { messageOf, type Message } from "../../i18n/message"
import { GatewayError } from "../../modules/gateway/kernel/errors"

/** Fields of a cart that these checks read; those of the stock are what Medusa's own stock check reads. */
export const CHECKED_FIELDS = [
  "email",
  "customer_id",
  "sales_channel_id",
  "region_id",
  "region.payment_providers.id",
  "payment_collection.payment_sessions.status",
  "payment_collection.payment_sessions.provider_id",
  "items.*",
  "items.adjustments.*",
  "items.variant.id",
  "items.variant.manage_inventory",
  "items.variant.allow_backorder",
  "items.variant.inventory_items.inventory_item_id",
  "items.variant.inventory_items.variant_id",
  "items.variant.inventory_items.required_quantity",
  "items.variant.inventory_items.inventory.location_levels.location_id",
  "items.variant.inventory_items.inventory.location_levels.raw_stocked_quantity",
  "items.variant.inventory_items.inventory.location_levels.raw_reserved_quantity",
  "items.variant.inventory_items.inventory.location_levels.stock_locations.id",
  "items.variant.inventory_items.inventory.location_levels.stock_locations.sales_channels.id",
  "items.variant.product.shipping_profile.id",
  "shipping_methods.id",
  "shipping_methods.adjustments.*",
  "shipping_methods.shipping_option.shipping_profile_id",
]

type Adjustment = { code?: string | null; amount: BigNumberInput }
type Level = { location_id: string; raw_stocked_quantity: BigNumberInput; raw_reserved_quantity: BigNumberInput }
type Variant = {
  id: string
  inventory_items?: { inventory_item_id: string; inventory?: { location_levels?: Level[] } | null }[]
  product?: { shipping_profile?: { id: string } | null } | null
}
export type CheckedCart = {
  email?: string | null
  customer_id?: string | null
  sales_channel_id: string
  region_id?: string | null
  region?: { payment_providers?: ({ id: string } | null)[] } | null
  payment_collection?: { payment_sessions?: { id: string; status: string; provider_id: string }[] }
  items: {
    quantity: BigNumberInput
    requires_shipping: boolean
    variant_id: string | null
    variant?: Variant | null
    adjustments?: Adjustment[]
  }[]
  shipping_methods: { shipping_option?: { shipping_profile_id?: string | null } | null; adjustments?: Adjustment[] }[]
}

/**
 * Refuses a cart of which Medusa's complete-cart would make no order however often it is tried: its money would be taken
 * for nothing, and go back with the last try only. Throws CART_CHANGED.
 */
export async function requireCompletable(container: MedusaContainer, cart: CheckedCart): Promise<void> {
  requireDelivery(cart)
  requireProviders(cart)
  await requireStock(container, cart)
  await requireDiscounts(container, cart)
}

/** A change of the address removes a delivery that is not offered there, and a free one changes no total. */
function requireDelivery({ items, shipping_methods }: CheckedCart): void {
  const offered = shipping_methods.map(({ shipping_option }) => shipping_option?.shipping_profile_id ?? null)
  const isSent = ({ variant }: CheckedCart["items"][number]) =>
    Boolean(variant) && offered.includes(variant?.product?.shipping_profile?.id ?? null)
  if (!items.every((item) => !item.requires_shipping || isSent(item))) {
    throw changed(messageOf("refusal.cart_without_delivery"))
  }
}

/** Payment sessions in these states make no order: Medusa passes them over. */
const UNPROCESSABLE: readonly string[] = ["canceled", "error"]

/**
 * An admin may have taken a provider out of the region, or deleted the region. Medusa refuses the cart for any of its
 * open sessions.
 */
function requireProviders({ region_id, region, payment_collection }: CheckedCart): void {
  if (!region_id) {
    return
  }
  const enabled = (region?.payment_providers ?? []).map((provider) => provider?.id)
  const open = (payment_collection?.payment_sessions ?? []).filter(({ status }) => !UNPROCESSABLE.includes(status))
  if (!open.every(({ provider_id }) => enabled.includes(provider_id))) {
    throw changed(messageOf("refusal.cart_provider_disabled"))
  }
}

/**
 * The check that Medusa makes when an item is put into a cart, and the one that it makes when it reserves the goods: the
 * first adds up the stock of all locations, the second takes an item from one location.
 */
async function requireStock(container: MedusaContainer, cart: CheckedCart): Promise<void> {
  const items = cart.items.filter(({ variant_id }) => variant_id !== null)
  const variants = new Map(items.flatMap(({ variant }) => (variant ? [[variant.id, variant] as const] : [])))
  const { errors, result } = await confirmVariantInventoryWorkflow(container).run({
    input: {
      sales_channel_id: cart.sales_channel_id,
      variants: [...variants.values()],
      items: items.map(({ variant_id, quantity }) => ({ variant_id, quantity })),
    } as ConfirmVariantInventoryWorkflowInputDTO,
    throwOnError: false,
  })
  if (errors.length > 0 || !result.items.every((item) => isReservable([...variants.values()], item))) {
    throw changed(messageOf("refusal.cart_out_of_stock"))
  }
}

type Reserved = {
  inventory_item_id: string
  required_quantity: BigNumberInput
  quantity: BigNumberInput
  allow_backorder: boolean
  location_ids: string[]
}

function isReservable(variants: readonly Variant[], item: Reserved): boolean {
  const levels = variants
    .flatMap(({ inventory_items }) => inventory_items ?? [])
    .filter(({ inventory_item_id }) => inventory_item_id === item.inventory_item_id)
    .flatMap(({ inventory }) => inventory?.location_levels ?? [])
  const level = levels.find(({ location_id }) => location_id === item.location_ids[0])
  if (level === undefined || item.allow_backorder) {
    return level !== undefined
  }
  const free = MathBN.sub(level.raw_stocked_quantity, level.raw_reserved_quantity)
  return MathBN.gte(free, MathBN.mult(item.required_quantity, item.quantity))
}

/** Methods of the promotion module that Medusa's types lack. */
type Promotions = IPromotionModuleService & {
  listActivePromotions: IPromotionModuleService["listPromotions"]
  listCampaignBudgetUsages(filters: { budget_id: string; attribute_value: string }): Promise<CampaignBudgetUsageDTO[]>
}

/**
 * Another cart may have used a limited discount up, and Medusa leaves it in this one. The rules are those by which
 * Medusa counts the uses of an order's discounts.
 */
async function requireDiscounts(container: MedusaContainer, cart: CheckedCart): Promise<void> {
  const discounts = [...cart.items, ...cart.shipping_methods].flatMap(({ adjustments }) => adjustments ?? [])
  const codes = [...new Set(discounts.flatMap(({ code }) => code ?? []))]
  if (codes.length === 0) {
    return
  }
  const promotions = container.resolve<Promotions>(Modules.PROMOTION)
  const active = await promotions.listActivePromotions({ code: codes }, { relations: ["campaign", "campaign.budget"] })
  for (const promotion of active) {
    const { code, campaign } = promotion
    const sharing = discounts.filter((discount) => sharesBudget(active, discount, promotion))
    if (isUsedUp(promotion) || (campaign?.budget && (await isSpent(promotions, cart, campaign.budget, sharing)))) {
      throw changed(messageOf("refusal.cart_discount_used_up", { code: code ?? "" }))
    }
  }
}

function isUsedUp({ limit, used }: PromotionDTO): boolean {
  return typeof limit === "number" && (used ?? 0) + 1 > limit
}

/** Whether the discount counts against the budget of the promotion: promotions of one campaign share it. */
function sharesBudget(active: readonly PromotionDTO[], { code }: Adjustment, { campaign }: PromotionDTO): boolean {
  const its = active.find((promotion) => promotion.code === code)
  return its?.campaign?.budget !== undefined && its.campaign.budget?.id === campaign?.budget?.id
}

async function isSpent(
  promotions: Promotions,
  cart: CheckedCart,
  { id, type, limit, used, attribute }: CampaignBudgetDTO,
  sharing: readonly Adjustment[]
): Promise<boolean> {
  if (!limit) {
    return false
  }
  if (type === "spend") {
    return MathBN.gt(MathBN.add(used ?? 0, ...sharing.map(({ amount }) => amount)), limit)
  }
  if (type === "usage") {
    return MathBN.gt(MathBN.add(used ?? 0, 1), limit)
  }
  const whose: Readonly<Record<string, string | null | undefined>> = {
    customer_id: cart.customer_id,
    customer_email: cart.email,
  }
  const attribute_value = whose[attribute ?? ""]
  if (type !== "use_by_attribute" || !attribute_value) {
    return false
  }
  const [usage] = await promotions.listCampaignBudgetUsages({ budget_id: id, attribute_value })
  // Medusa counts one use for each code here, and for all codes together of a budget of type "usage".
  const uses = new Set(sharing.map(({ code }) => code)).size
  return MathBN.gt(MathBN.add(usage?.used ?? 0, uses), limit)
}

export function changed(how: Message): GatewayError {
  return new GatewayError("CART_CHANGED", how)
}
