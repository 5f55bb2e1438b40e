import type { BigNumberInput, ComputeActionContext, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, MedusaError, Modules, QueryContext } from "@medusajs/framework/utils"
import {
  type EmiOffer,
  cheapestOffer,
  costOf,
  groupByBank,
  smallestInstalment,
} from "../../../../modules/gateway/emi/rules"
import { type Minor, formatAmount, parseAmount } from "../../../../modules/gateway/kernel/money/money"
import { textOf } from "../../../../modules/gateway/kernel/text/text"
import { amountText } from "../../../../providers/gateway-payment/session"
import { presentEmiOffer } from "../../../gateway/emi-offer"

/** The amount for which a product page shows EMI offers, and its currency. */
type EmiAmount = { minor: Minor; currency_code: string }

const WAYS = "give amount, or cart_id, or variant_id and region_id"

/**
 * Reads the amount from the query: as given, of a cart (its total, with everything in it), or of one piece of a variant
 * in a region. Throws a Medusa INVALID_DATA for an invalid query, NOT_FOUND for an unknown cart or variant.
 */
export async function readEmiAmount(
  container: MedusaContainer,
  query: Record<string, unknown>,
  sales_channel_ids: readonly string[]
): Promise<EmiAmount> {
  const given = ["amount", "cart_id", "variant_id", "region_id"].filter((name) => query[name] !== undefined)
  switch (given.join("+")) {
    case "amount":
      return { minor: readAmount(query.amount), currency_code: "bdt" }
    case "cart_id":
      return toEmiAmount(await cartTotal(container, textOf(query.cart_id)))
    case "variant_id+region_id":
      return toEmiAmount(
        await variantPrice(container, {
          variant_id: textOf(query.variant_id),
          region_id: textOf(query.region_id),
          sales_channel_ids,
        })
      )
    default:
      throw new MedusaError(
        MedusaError.Types.INVALID_DATA,
        `${given.join(" and ") || "The query"} is not enough, or too much: ${WAYS}`
      )
  }
}

function readAmount(value: unknown): Minor {
  const minor = parseAmount(value)
  if (minor === null) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      "amount must be an amount with at most two decimals, like 12500.00"
    )
  }
  return minor
}

/** Medusa's exact number, rounded to two decimals as when the cart is paid. */
function toEmiAmount({ amount, currency_code }: Priced): EmiAmount {
  return { minor: parseAmount(amountText(amount)) ?? 0n, currency_code }
}

async function cartTotal(container: MedusaContainer, cart_id: string): Promise<Priced> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "cart",
    fields: ["id", "total", "currency_code"],
    filters: { id: cart_id },
  })
  const cart = data[0] as unknown as { total: Priced["amount"]; currency_code: string } | undefined
  if (cart === undefined) {
    throw new MedusaError(MedusaError.Types.NOT_FOUND, "No cart was found with this cart_id")
  }
  return { amount: cart.total, currency_code: cart.currency_code }
}

/**
 * The EMI offers of a product page. `from` is the offer with the smallest instalments ("from ৳1,234 a month"), null
 * when there are none. Then every bank's offers in the API's format, with the last instalment and a mark on the
 * cheapest.
 */
export function presentProductOffers({ minor, currency_code }: EmiAmount, offers: readonly EmiOffer[]) {
  const from = smallestInstalment(offers)
  const cheapest = cheapestOffer(offers)
  const banks = groupByBank(offers, ({ configuration }) => configuration)
  return {
    amount: formatAmount(minor),
    currency_code,
    from: from === null ? null : presentProductOffer(from),
    banks: banks.map(({ bank_name, entries }) => ({
      bank_name,
      options: entries.map((offer) => ({
        ...presentProductOffer(offer),
        last_installment: formatAmount(offer.figures.last),
        lowest_cost: offer === cheapest,
      })),
    })),
  }
}

/** The contract lists the fee apart from the total; a shopper wants to know what is paid in all. */
function presentProductOffer(offer: EmiOffer) {
  return { ...presentEmiOffer(offer), total_with_fee: formatAmount(costOf(offer)) }
}

type Priced = { amount: BigNumberInput; currency_code: string }

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
async function variantPrice(container: MedusaContainer, wanted: VariantWanted): Promise<Priced> {
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
