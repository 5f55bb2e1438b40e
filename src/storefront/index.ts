/*
 * medusa-payment-gateway/storefront: what a storefront needs to be paid through the gateway, in a browser, in a worker
 * or on a server. It imports nothing of the store, of Node or of React (docs/storefronts.md).
 */
export { formatMoney } from "./texts"
export { languageOf, LANGUAGES, type Language } from "./texts"
export { PAYMENT_METHODS, type PaymentMethod } from "./texts"
export { awaitOutcome, readOutcome, transactionOf, type OutcomeOptions, type PaymentRef } from "./outcome"
export {
  placedBy,
  readOrderPayment,
  readReceipt,
  type OrderCash,
  type OrderPayment,
  type OrderPaymentOptions,
} from "./outcome"
export { CASH_PROVIDER, chooseCash, isCash, placeCashOrder, readCash, type CashOptions, type ChosenCash } from "./cash"
export { confirmCode, sendCode } from "./cash"
export { returnPage, type ReturnPageOptions } from "./return-page"
export { isFree, isSpent, missedMinimum } from "./start-payment"
export { GATEWAY_PROVIDER, isGateway, startPayment, type StartOptions } from "./start-payment"
export { textsOf, type StorefrontTexts } from "./texts"
export type {
  CartRef,
  ErrorCode,
  Outcome,
  OutcomeState,
  PaymentIds,
  PaymentSdk,
  PaymentSessionAnswer,
  PostSdk,
  SdkHeaders,
  ShopperError,
  StartedPayment,
  StatusSdk,
} from "./types"
