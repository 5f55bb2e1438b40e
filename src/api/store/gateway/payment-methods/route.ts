import { shopperEndpoint } from "../subscriptions/resource"
import { presentMethod } from "./present"

/** What the signed-in customer has saved to pay with, newest first. */
export const GET = shopperEndpoint(async ({ gateway, owner }) => {
  const methods = await gateway.savedMethods.list(owner)
  return { payment_methods: methods.map(presentMethod), count: methods.length }
})
