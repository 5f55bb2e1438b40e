import type { BigNumberInput, ComputeActionContext, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, MedusaError, Modules, QueryContext } from "@medusajs/framework/utils"

export type Priced = { amount: BigNumberInput; currency_code: string }

type VariantWanted = { variant_id: string; region_id: string; sales_channel_ids: readonly string[] }

type Variant = {
  id: string
  calculated_price?: { calculated_amount: BigNumberInput | null; is_calculated_price_tax_inclusive?: boolean } | null
  product: { id: string; status: string; discountable: boolean; sales_channels: { id: string }[] } & Record<
    string,
    unknown
  >
} & Record<string, unknown>

/** The fields of an item that promotion rules may use: the same as Medusa loads for a cart. */
const FIELDS = [
  "id",
  "weight",
  "length",
  "height",
  "width",
  "material",
  "calculated_price.*",
  "product.id",
  "product.status",
  "product.discountable",
  "product.is_giftcard",
  "product.collection_id",
  "product.type_id",
  "product.weight",
  "product.categories.id",
  "product.tags.id",
  "product.sales_channels.id",
]

/** An unknown shopper: promotions limited per person have not been used up. */
const NOBODY = { customer_id: "nobody", email: "nobody" }

/**
 * The price of one piece of a variant for a guest in a region: its price there, sale prices included, minus the
 * automatic promotions. Tax and delivery come with the cart. Throws a Medusa NOT_FOUND for what cannot be bought there.
 */
export async function variantPrice(container: MedusaContainer, wanted: VariantWanted): Promise<Priced> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data: regions } = await query.graph({
    entity: "region",
    fields: ["id", "currency_code"],
    filters: { id: wanted.region_id },
  })
  if (regions.length === 0) {
    throw new MedusaError(MedusaError.Types.NOT_FOUND, "No region was found with this region_id")
  }
  const { id: region_id, currency_code } = regions[0]
  const { data: variants } = await query.graph({
    entity: "variant",
    fields: FIELDS,
    filters: { id: wanted.variant_id },
    context: { calculated_price: QueryContext({ region_id, currency_code }) },
  })
  const variant = variants[0] as unknown as Variant | undefined
  const price = variant?.calculated_price?.calculated_amount
  if (variant === undefined || price === undefined || price === null || !isSold(variant, wanted.sales_channel_ids)) {
    throw new MedusaError(
      MedusaError.Types.NOT_FOUND,
      "No variant that is sold in this region was found with this variant_id"
    )
  }
  const discount = await automaticDiscount(container, variant, price, {
    region_id,
    currency_code,
    sales_channel_id: wanted.sales_channel_ids[0],
  })
  return { amount: MathBN.max(MathBN.sub(price, discount), 0), currency_code }
}

/** Whether the storefront's key may see the product; otherwise it has no price. */
function isSold({ product }: Variant, channels: readonly string[]): boolean {
  return product.status === "published" && product.sales_channels.some(({ id }) => channels.includes(id))
}

type Place = { region_id: string; currency_code: string; sales_channel_id: string | undefined }

/** The discount of the automatic promotions on a cart with just this piece. */
async function automaticDiscount(
  container: MedusaContainer,
  variant: Variant,
  price: BigNumberInput,
  place: Place
): Promise<BigNumberInput> {
  const { product } = variant
  const item = {
    ...variant,
    quantity: 1,
    unit_price: price,
    subtotal: price,
    original_total: price,
    is_discountable: product.discountable,
    product_id: product.id,
    variant_id: variant.id,
    variant,
  }
  const context = { ...place, ...NOBODY, region: { id: place.region_id }, items: [item] }
  const promotions = container.resolve(Modules.PROMOTION)
  const actions = await promotions.computeActions([], context as unknown as ComputeActionContext)
  return actions.reduce<BigNumberInput>(
    (sum, action) => (action.action === "addItemAdjustment" ? MathBN.add(sum, action.amount) : sum),
    0
  )
}
