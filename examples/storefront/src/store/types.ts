import type Medusa from "@medusajs/js-sdk"

type StoreApi = Medusa["store"]
type Answer<Call extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<Call>>

// The Store API also sends the discount without tax; the SDK's types omit it.
type WithDiscount = { discount_subtotal?: number }
/** It also sends the cart's locale, which the SDK's types know only as input. */
type WithLocale = { locale?: string | null }

// Derived from the SDK's own types, so they cannot disagree with it.
export type Product = Answer<StoreApi["product"]["retrieve"]>["product"]
export type Variant = NonNullable<Product["variants"]>[number]
export type Cart = Answer<StoreApi["cart"]["retrieve"]>["cart"] & WithDiscount & WithLocale
export type CartItem = NonNullable<Cart["items"]>[number]
export type Order = Answer<StoreApi["order"]["retrieve"]>["order"] & WithDiscount
export type ShippingOption = Answer<StoreApi["fulfillment"]["listCartOptions"]>["shipping_options"][number]
export type OrderLine = Answer<StoreApi["order"]["list"]>["orders"][number]
export type SavedAddress = Answer<StoreApi["customer"]["listAddress"]>["addresses"][number]
export type Customer = Answer<StoreApi["customer"]["retrieve"]>["customer"]
