/*
 * medusa-payment-gateway/storefront/next: the pieces for Next.js with the App Router. The buttons are modules of their own
 * ("use client"), so that a route handler does not become one.
 */
export { PayButton, type PayButtonProps } from "./pay-button"
export { CashButton, type CashButtonProps, type CashConfirmed, type CodeSent, type ShownCash } from "./cash-button"
export { gatewayReturn, type GatewayReturnOptions, type ShopperReturn } from "./gateway-return"
