import { gatewayOf, type PageRequest } from "../../page-kit/request"
import { returnOrigins } from "../../../providers/gateway-payment/checkout-request"

/**
 * Whether a form was posted from a page of one of this store's storefronts. Otherwise somebody could make a stranger's
 * browser use, and save a card to, an account that is not the stranger's. A page that hides its origin (`Origin: null`)
 * does not count.
 */
export function isStorefront(req: PageRequest): boolean {
  const { storeCors } = req.gatewayPage.services
  const { publicUrl, returnOrigins: extra } = gatewayOf(req).options
  const origin = req.headers.origin
  return (
    origin !== undefined &&
    returnOrigins({ storeCors, publicUrl, extra }).some((allowed) =>
      typeof allowed === "string" ? allowed === origin : allowed.test(origin)
    )
  )
}
