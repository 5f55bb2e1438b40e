import { shopperEndpoint } from "../../subscriptions/resource"

/**
 * Removes a saved method: 404 PAYMENT_METHOD_NOT_FOUND, for other customers' too; 409 PAYMENT_METHOD_IN_USE while a
 * subscription is charged with it.
 */
export const DELETE = shopperEndpoint(async ({ gateway, owner, request }) => {
  const { id } = request.params
  await gateway.savedMethods.remove(owner, id)
  return { id, object: "payment_method", deleted: true }
})
