import type { CheckoutPage } from "../../../modules/gateway/checkout/page"
import { gatewayOf, type PageRequest } from "../../page-kit/request"

/** Reads one checkout. Errors: SESSION_NOT_FOUND. */
export type LoadPage = (sessionId: string) => Promise<CheckoutPage>

/** Reads checkouts through the gateway module; nothing under /pay touches its tables. `accountKey`: the browser's. */
export function pageLoader(request: PageRequest, accountKey: string | null = null): LoadPage {
  const { checkoutPages } = gatewayOf(request)
  return (sessionId) => checkoutPages.page(sessionId, accountKey)
}
