/**
 * The RBAC resource of each part of `/admin/gateway`: the first segment of its paths, and the resource whose policies
 * an admin needs when the store has RBAC switched on. GET needs `read`, DELETE `delete`, all else `update`.
 */
const areas = {
  overview: "gateway_overview",
  merchants: "gateway_setting",
  settings: "gateway_setting",
  "payment-services": "gateway_setting",
  acquirers: "gateway_setting",
  payments: "gateway_payment",
  "payment-links": "gateway_payment",
  orders: "gateway_payment",
  "paid-carts": "gateway_payment",
  "cash-orders": "gateway_payment",
  "cash-settings": "gateway_setting",
  "api-keys": "gateway_developer",
  webhooks: "gateway_developer",
  "ipn-secret": "gateway_developer",
  "test-deliveries": "gateway_developer",
  events: "gateway_developer",
  deliveries: "gateway_developer",
  clock: "gateway_developer",
  requests: "gateway_developer",
  audit: "gateway_audit",
  emi: "gateway_emi",
  plans: "gateway_subscription",
  "variant-plans": "gateway_subscription",
  subscriptions: "gateway_subscription",
  invoices: "gateway_subscription",
  refunds: "gateway_refund",
  "refund-batches": "gateway_refund",
  "refund-proposals": "gateway_refund",
  "refund-approvals": "gateway_refund_approval",
  disputes: "gateway_dispute",
  settlements: "gateway_settlement",
  "settlement-closings": "gateway_settlement_closing",
  payouts: "gateway_payout",
  ledger: "gateway_payout",
  statements: "gateway_payout",
} as const

/**
 * What takes the policy of another area besides its own: to close and reopen a month is not to match its lines. No path
 * begins with `settlement-closings`: pages ask for it as for any area.
 */
export const OTHER_AREAS: readonly { path: string; method: "POST"; area: keyof typeof areas }[] = [
  { path: "settlements/months", method: "POST", area: "settlement-closings" },
]

export type Area = keyof typeof areas
export type Resource = (typeof areas)[Area]
export const AREAS: Readonly<Record<string, Resource>> = areas

/** Areas that show a secret: to read it takes what changing it takes, as in `/api/v2` (`webhooks:write`). */
export const SECRET_AREAS: readonly string[] = ["ipn-secret"]

export const OPERATIONS: readonly {
  methods: readonly ("GET" | "POST" | "DELETE")[]
  operation: "read" | "update" | "delete"
}[] = [
  { methods: ["GET"], operation: "read" },
  { methods: ["POST"], operation: "update" },
  { methods: ["DELETE"], operation: "delete" },
]

/** The operation of which a policy is needed. */
export function neededFor(area: string, operation: string): string {
  return operation === "read" && SECRET_AREAS.includes(area) ? "update" : operation
}
