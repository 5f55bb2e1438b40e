"use server"

import { sdk } from "@lib/config"
import type { HttpTypes } from "@medusajs/framework/types"
import { getAuthHeaders, getCartId } from "./cookies"

export async function retrieveCart(cartId?: string, fields?: string) {
  const id = cartId || (await getCartId())
  if (!id) {
    return null
  }
  const headers = { ...(await getAuthHeaders()) }
  return await sdk.client
    .fetch<HttpTypes.StoreCartResponse>(`/store/carts/${id}`, { method: "GET", query: { fields }, headers })
    .then(({ cart }: { cart: HttpTypes.StoreCart }) => cart)
    .catch(() => null)
}

export async function getOrSetCart(regionId: string) {
  const cart = await retrieveCart(undefined, "id,region_id")
  return cart ?? (await sdk.store.cart.create({ region_id: regionId })).cart
}

export async function placeOrder() {
  return sdk.store.cart.complete((await getCartId()) ?? "")
}
