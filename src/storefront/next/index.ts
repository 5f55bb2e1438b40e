/*
 * medusa-payment-gateway/storefront/next: the pieces for Next.js with the App Router. The button is a module of its own
 * ("use client"), so that a route handler does not become one.
 */
export { PayButton, type PayButtonProps } from "./pay-button"
export { gatewayReturn, type GatewayReturnOptions, type ShopperReturn } from "./gateway-return"
