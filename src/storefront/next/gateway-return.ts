import type { Language } from "../texts"
import { awaitOutcome } from "../outcome"
import { returnPage } from "../return-page"
import type { Outcome, SdkHeaders, StatusSdk } from "../types"

/** A shopper's way back: the query of the return address is anybody's text, the outcome is the store's. */
export type ShopperReturn = { request: Request; query: URLSearchParams; outcome: Outcome }

export type GatewayReturnOptions = {
  sdk: StatusSdk
  /** Where the shop shows an order, tries again, and begins: paths of the shop, or http(s) addresses. */
  orderUrl: (orderId: string, of: ShopperReturn) => string
  checkoutUrl: (of: ShopperReturn) => string
  shopUrl?: (of: ShopperReturn) => string
  language?: (of: ShopperReturn) => Language
  /** Sent with the question about the payment. */
  headers?: (request: Request) => SdkHeaders | Promise<SdkHeaders>
  /** Runs before the page is answered: the place to refresh a cached cart. The page is answered even when it throws. */
  onOutcome?: (of: ShopperReturn) => void | Promise<void>
  /** How long the shopper waits for an outcome before the page says that it is open; default eight seconds. */
  timeoutMs?: number
  /** Where errors go: `console.error`, or what the shop logs with. */
  onError: (error: unknown) => void
}

const TIMEOUT_MS = 8_000

/**
 * The route handler of the `returnUrl`: `export const GET = gatewayReturn({...})`. It takes `transaction_id` from the
 * address, asks the store, and answers `returnPage`. When the store refuses the question, the error is logged and the
 * page says that the payment is open, because nothing is known of it.
 */
export function gatewayReturn(options: GatewayReturnOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const query = new URL(request.url).searchParams
    const outcome = await outcomeOf(options, request, query.get("transaction_id")).catch((error: unknown) => {
      options.onError(error)
      return { state: "open" } as const
    })
    const back: ShopperReturn = { request, query, outcome }
    try {
      await options.onOutcome?.(back)
    } catch (error) {
      options.onError(error)
    }
    return returnPage(outcome, {
      language: options.language?.(back),
      orderUrl: (orderId) => options.orderUrl(orderId, back),
      checkoutUrl: options.checkoutUrl(back),
      shopUrl: options.shopUrl?.(back),
    })
  }
}

async function outcomeOf(options: GatewayReturnOptions, request: Request, id: string | null): Promise<Outcome> {
  if (id === null || id === "") {
    return { state: "unknown" }
  }
  const headers = await options.headers?.(request)
  return awaitOutcome(options.sdk, id, { headers, timeoutMs: options.timeoutMs ?? TIMEOUT_MS, signal: request.signal })
}
