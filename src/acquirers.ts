/**
 * For who writes an acquirer of their own (docs/acquirers.md):
 * `import type { Acquirer, PaymentRequest } from "medusa-payment-gateway/acquirers"`. An adapter's `check` throws
 * `new GatewayError("VALIDATION_ERROR", said("why"), { field: "which" })`. What it promises is tried by
 * `medusa-payment-gateway/acquirer-tests`.
 */
export type * from "./modules/gateway/acquirers/port"
export type * from "./modules/gateway/acquirers/dispute-port"
export type * from "./modules/gateway/acquirers/authorization-port"
export type * from "./modules/gateway/acquirers/settlement-port"
export type { CustomerDetails, InstalmentTerms, OrderItem, OrderNames } from "./modules/gateway/acquirers/order"
export type { PaymentMethod } from "./modules/gateway/merchants/payment-services"
export type { Environment } from "./modules/gateway/kernel/money/clock"
export type { Minor } from "./modules/gateway/kernel/money/money"
export type { AcquirerSetting } from "./modules/gateway/acquirers/registry"
export { GatewayError } from "./modules/gateway/kernel/errors"
export { said, type Message } from "./i18n/message"
