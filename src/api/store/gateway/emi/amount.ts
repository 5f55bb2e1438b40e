import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils"
import { parseAmount, type Minor } from "../../../../modules/gateway/kernel/money"
import { amountText } from "../../../../providers/gateway-payment/amount"
import { variantPrice, type Priced } from "./variant-price"
import { textOf } from "../../../../modules/gateway/kernel/text"

/** The amount for which a product page shows EMI offers, and its currency. */
export type EmiAmount = { minor: Minor; currency_code: string }

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
