import { placedBy } from "medusa-payment-gateway/storefront"
import { isNotFound } from "../lib/errors"
import * as storage from "../lib/storage"
import { hasToken, openStore } from "./sdk"
import { locale } from "../text"
import type { Cart, ShippingOption } from "./types"

const CART_ID = "shop.cart_id"
const FIELDS = "+items.total,+items.subtotal,+shipping_methods.name,+shipping_methods.shipping_option_id"
const query = { fields: FIELDS }

const BROWSER_KEY = "shop.browser_key"

/** This browser's secret: who has it owns the orders that were placed here. */
export function browserKey(): string {
  const known = storage.read(BROWSER_KEY)
  if (known) {
    return known
  }
  const made = Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0"))
  storage.write(BROWSER_KEY, made.join(""))
  return made.join("")
}

/** The next person at this computer does not own the orders. */
export function forgetBrowserKey(): void {
  storage.remove(BROWSER_KEY)
}

type CartListener = (cart: Cart | null) => void
const listeners = new Set<CartListener>()

/** Calls `listener` whenever the cart was loaded or changed (the header shows its count). */
export function onCart(listener: CartListener): void {
  listeners.add(listener)
}

function announce(cart: Cart | null): Cart | null {
  listeners.forEach((listener) => listener(cart))
  return cart
}

export const cartId = (): string | null => storage.read(CART_ID)

/** Makes this the shopper's cart. Never one that a stranger's link names: it has the stranger's address. */
export const adoptCart = (id: string): void => storage.write(CART_ID, id)

/** Forgets the cart; with an id only that cart, since the shopper may have started another one meanwhile. */
export function forgetCart(id?: string): void {
  if (!id || id === cartId()) {
    storage.remove(CART_ID)
    announce(null)
  }
}

/** The shopper's cart as the store has it now. Null when there is none, it is gone, or it has become an order. */
export async function loadCart(): Promise<Cart | null> {
  const id = cartId()
  if (!id) {
    return announce(null)
  }
  try {
    const cart = await readCart(id)
    if (!cart.completed_at) {
      return announce(cart)
    }
  } catch (error) {
    if (!isNotFound(error)) {
      throw error
    }
  }
  forgetCart(id)
  return null
}

/** The last renaming of a cart's items. */
let renaming: Promise<Cart> | null = null

/**
 * The cart in the shop's language: the shopper may have switched it since, and Medusa then renames the items. It writes
 * the language before the names, so a cart that is read in between has the new language and the old names: whoever reads
 * one while it is being renamed gets it renamed.
 */
async function readCart(id: string): Promise<Cart> {
  const { sdk } = await openStore()
  await renaming
  const before = renaming
  const { cart } = await sdk.store.cart.retrieve(id, query)
  if (renaming !== before && renaming !== null) {
    const renamed = await renaming
    return renamed.id === id ? renamed : cart
  }
  return inLanguage(cart)
}

/** A store that refuses, because the cart is being paid in another tab, leaves the old language: only words differ. */
export async function inLanguage(cart: Cart): Promise<Cart> {
  if (cart.locale !== locale) {
    renaming = rename(cart)
    return renaming
  }
  return cart
}

async function rename(cart: Cart): Promise<Cart> {
  const { sdk } = await openStore()
  return sdk.store.cart.update(cart.id, { locale }, query).then(
    (answer) => answer.cart,
    () => cart
  )
}

/** Adds to the cart, and creates one when there is none. Rejects when the stock does not suffice. */
export async function addToCart(variantId: string, quantity: number): Promise<void> {
  const { sdk, regionId } = await openStore()
  let cart = await loadCart()
  if (!cart) {
    const metadata = await placedBy(browserKey())
    cart = (await sdk.store.cart.create({ region_id: regionId, locale, metadata })).cart
    adoptCart(cart.id)
  }
  announce((await sdk.store.cart.createLineItem(cart.id, { variant_id: variantId, quantity }, query)).cart)
}

/** Sets the quantity of an item; 0 removes it. */
export async function setQuantity(cart: Cart, itemId: string, quantity: number): Promise<void> {
  const { sdk } = await openStore()
  if (quantity < 1) {
    await sdk.store.cart.deleteLineItem(cart.id, itemId)
  } else {
    await sdk.store.cart.updateLineItem(cart.id, itemId, { quantity })
  }
}

/** Who receives a parcel, and where. `city` is the district, `province` its division: they decide the delivery. */
export type Place = {
  first_name: string
  last_name: string
  phone: string
  address_1: string
  address_2: string
  city: string
  province: string
  postal_code: string
}
export type Address = Place & { email: string | null }

/** Saves where the order goes and who pays for it; here both are the same person. */
export async function saveAddress(cart: Cart, { email, ...address }: Address): Promise<void> {
  const { sdk } = await openStore()
  const withCountry = { ...address, country_code: "bd" }
  // Without one an account's address stays, and a guest's is removed.
  const contact = email === null && hasToken() ? {} : { email }
  await sdk.store.cart.update(cart.id, { ...contact, shipping_address: withCountry, billing_address: withCountry })
}

/** The ways to deliver this cart to its address, with flat prices in `amount`. */
export async function listShippingOptions(cart: Cart): Promise<ShippingOption[]> {
  const { sdk } = await openStore()
  return (await sdk.store.fulfillment.listCartOptions({ cart_id: cart.id })).shipping_options
}

export async function chooseShipping(cart: Cart, optionId: string): Promise<void> {
  const { sdk } = await openStore()
  await sdk.store.cart.addShippingMethod(cart.id, { option_id: optionId })
}

export const itemCount = (cart: Cart | null): number =>
  (cart?.items ?? []).reduce((sum, item) => sum + item.quantity, 0)

/** What the cart is called until it is an order: the payment page and the bank show the same (docs/decisions/16). */
export const cartReference = ({ id }: Cart): string => id.slice(-8).toUpperCase()

/** The step that a cart still lacks; null when it is ready to be paid. */
export function missingStep(cart: Cart): "address" | "delivery" | null {
  if (!cart.shipping_address?.address_1 || !cart.shipping_address.phone) {
    return "address"
  }
  return cart.shipping_methods?.length ? null : "delivery"
}
