/*
 * What a host's developer calls, puts into workflows of their own, or hooks into (docs/hosts.md):
 * `import { refundGatewayPaymentWorkflow } from "medusa-payment-gateway/workflows"`.
 */
export * from "./hook-points"
export * from "./refund-payment"
export * from "./refund-proposals"
export * from "./subscriptions"
