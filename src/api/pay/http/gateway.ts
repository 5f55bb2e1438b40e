import { gatewayOf, type PageRequest } from "../../page-kit/request"
import type { LoadPage } from "../view/checkout-page"

/** Reads checkouts through the gateway module; nothing under /pay touches its tables. `accountKey`: the browser's. */
export function pageLoader(request: PageRequest, accountKey: string | null = null): LoadPage {
  const { checkoutPages } = gatewayOf(request)
  return (sessionId) => checkoutPages.page(sessionId, accountKey)
}
