import { sdk } from "@lib/config"
import { getCacheTag } from "@lib/data/cookies"
import { languageOf } from "medusa-payment-gateway/storefront"
import { gatewayReturn } from "medusa-payment-gateway/storefront/next"
import { revalidateTag } from "next/cache"

export const dynamic = "force-dynamic"

/** The country's part of the shop. The address is anybody's text: only two letters are taken from it. */
function shop(query: URLSearchParams): string {
  const [country] = /^[a-z]{2}$/.exec(query.get("country") ?? "") ?? [process.env.NEXT_PUBLIC_DEFAULT_REGION ?? "bd"]
  return `/${country}`
}

/** Where shoppers come back to from the payment page. */
export const GET = gatewayReturn({
  sdk,
  orderUrl: (id, { query }) => `${shop(query)}/order/${id}/confirmed`,
  checkoutUrl: ({ query }) => `${shop(query)}/checkout?step=payment`,
  shopUrl: ({ query }) => shop(query),
  language: ({ query }) => languageOf(query.get("lang")),
  // The starter caches carts: a paid one must not be shown as open.
  onOutcome: async () => revalidateTag(await getCacheTag("carts")),
  onError: console.error,
})
