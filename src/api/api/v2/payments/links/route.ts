import { endpoint } from "../../../../v2-kit/endpoint"
import { created, list } from "../../../../v2-kit/envelopes"
import { presentLink } from "./present"
import { readLink, readLinkList } from "./schemas"

/** Makes a payment link (docs/decisions/0055). A request whose answer was lost finds its link. */
export const POST = endpoint(async ({ gateway, caller, body, claim, publicUrl }) => {
  const link = await gateway.paymentLinks.create(caller, readLink(body, caller.now), claim?.id ?? null)
  return created("Payment link created", presentLink(link, caller.now, publicUrl))
})

/** A merchant's links, newest first; optionally those of one status. */
export const GET = endpoint(async ({ gateway, caller, query, publicUrl }) => {
  const { filter, page } = readLinkList(query)
  const { rows, total } = await gateway.linkList.page(caller, filter, page)
  return list(
    "Payment links",
    rows.map((link) => presentLink(link, caller.now, publicUrl)),
    total,
    page
  )
})
