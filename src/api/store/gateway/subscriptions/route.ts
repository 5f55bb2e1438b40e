import { presentList } from "../../../admin-kit/list"
import { presentOwn, readPage, shopperEndpoint } from "./resource"

/** The signed-in customer's own subscriptions, newest first. */
export const GET = shopperEndpoint(async ({ gateway, owner, query }) => {
  const page = readPage(query)
  const { rows, count } = await gateway.storeSubscriptions.list(owner, page)
  return presentList("subscriptions", { rows, count, count_is_exact: true }, page, presentOwn)
})
