import { definePolicies } from "@medusajs/framework/utils"
import { AREAS, OPERATIONS, type Resource } from "../api/admin-kit/areas"

/** What a policy of each resource is about, as a role's editor reads it. */
const CONTENTS: Readonly<Record<Resource, string>> = {
  gateway_overview: "the gateway's overview",
  gateway_setting: "the gateway's merchants, settings, payment services and acquirers",
  gateway_payment: "the gateway's payments, payment links, paid carts and cash orders",
  gateway_developer: "the gateway's API keys, webhooks, events, request log and clock",
  gateway_audit: "the gateway's audit log",
  gateway_emi: "the gateway's EMI configurations",
  gateway_subscription: "the gateway's plans, subscriptions and invoices",
  gateway_refund: "the gateway's refunds",
  gateway_refund_approval: "the approval of the gateway's refunds above the merchant's limits",
  gateway_dispute: "the gateway's disputes",
  gateway_settlement: "the gateway's settlement files and their matching",
  gateway_settlement_closing: "closing and reopening months of the gateway's settlements",
  gateway_payout: "the gateway's payouts, ledger and statements",
}

const pascal = (resource: string) =>
  resource
    .split("_")
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join("")

/** The policies that roles of a store with RBAC can be given for the gateway's pages. */
export const gatewayPolicies = definePolicies(
  [...new Set(Object.values(AREAS))].flatMap((resource) =>
    OPERATIONS.map(({ operation }) => ({
      name: `${pascal(operation)}${pascal(resource)}`,
      resource,
      operation,
      description: `${pascal(operation)} ${CONTENTS[resource]}`,
    }))
  )
)
