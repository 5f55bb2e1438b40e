import type { ServiceName } from "../../modules/gateway/kernel/types"

/** The shape of errors (contract 7.1): subscription endpoints merge both shapes. */
export type ErrorShape = "main" | "merged"

export type ContractRoute = {
  method: "GET" | "POST" | "PATCH" | "DELETE"
  /** Below the base URL; `{name}` is one segment. */
  path: string
  /** The scope that a restricted key needs; null: any key. */
  scope: string | null
  /** The service a merchant must have enabled; null: none. */
  service: ServiceName | null
  body: "required" | "optional" | "none"
  /** 403 INVALID_ENVIRONMENT elsewhere. */
  sandboxOnly?: boolean
  /** Answered without a key. */
  open?: boolean
}

const SUBSCRIPTIONS = { scope: "subscriptions:write", service: "subscriptions", body: "none" } as const
const READ_SUBSCRIPTIONS = { ...SUBSCRIPTIONS, scope: "subscriptions:read" } as const

const PLAN_ROUTES: readonly ContractRoute[] = [
  { ...SUBSCRIPTIONS, method: "POST", path: "/payments/subscription-plans", body: "required" },
  { ...READ_SUBSCRIPTIONS, method: "GET", path: "/payments/subscription-plans" },
  { ...READ_SUBSCRIPTIONS, method: "GET", path: "/payments/subscription-plans/{plan_id}" },
  { ...SUBSCRIPTIONS, method: "PATCH", path: "/payments/subscription-plans/{plan_id}", body: "required" },
  { ...SUBSCRIPTIONS, method: "DELETE", path: "/payments/subscription-plans/{plan_id}" },
  { ...SUBSCRIPTIONS, method: "POST", path: "/payments/subscription-plans/{plan_id}/restore" },
]

const SUBSCRIPTION_ROUTES: readonly ContractRoute[] = [
  { ...SUBSCRIPTIONS, method: "POST", path: "/payments/subscriptions", body: "required" },
  { ...READ_SUBSCRIPTIONS, method: "GET", path: "/payments/subscriptions" },
  { ...READ_SUBSCRIPTIONS, method: "GET", path: "/payments/subscriptions/{subscription_id}" },
  { ...SUBSCRIPTIONS, method: "PATCH", path: "/payments/subscriptions/{subscription_id}", body: "required" },
  { ...SUBSCRIPTIONS, method: "POST", path: "/payments/subscriptions/{subscription_id}/pause" },
  { ...SUBSCRIPTIONS, method: "POST", path: "/payments/subscriptions/{subscription_id}/resume" },
  { ...SUBSCRIPTIONS, method: "POST", path: "/payments/subscriptions/{subscription_id}/cancel", body: "optional" },
  { ...READ_SUBSCRIPTIONS, method: "GET", path: "/payments/subscriptions/{subscription_id}/billing-history" },
  { ...SUBSCRIPTIONS, method: "POST", path: "/payments/subscriptions/{subscription_id}/checkout", body: "optional" },
  { ...READ_SUBSCRIPTIONS, method: "GET", path: "/payments/customers" },
  { ...READ_SUBSCRIPTIONS, method: "GET", path: "/payments/customers/{customer_id}" },
]

const PORTAL_ROUTES: readonly ContractRoute[] = [
  { ...SUBSCRIPTIONS, method: "POST", path: "/payments/portal-sessions", body: "required" },
]

const INVOICE_ROUTES: readonly ContractRoute[] = [
  { ...SUBSCRIPTIONS, method: "POST", path: "/payments/subscriptions/{subscription_id}/generate-invoice" },
  { ...READ_SUBSCRIPTIONS, method: "GET", path: "/payments/invoices" },
  { ...READ_SUBSCRIPTIONS, method: "GET", path: "/payments/invoices/{id}" },
  { ...READ_SUBSCRIPTIONS, method: "GET", path: "/payments/invoices/{id}/pdf" },
  { ...SUBSCRIPTIONS, method: "POST", path: "/payments/invoices/{id}/void" },
]

const LINK_ROUTES: readonly ContractRoute[] = [
  { method: "POST", path: "/payments/links", scope: "checkout:write", service: "checkout", body: "required" },
  { method: "GET", path: "/payments/links", scope: "payments:read", service: "checkout", body: "none" },
  { method: "GET", path: "/payments/links/{link_id}", scope: "payments:read", service: "checkout", body: "none" },
  {
    method: "POST",
    path: "/payments/links/{link_id}/disable",
    scope: "checkout:write",
    service: "checkout",
    body: "none",
  },
]

const DISPUTE_ROUTES: readonly ContractRoute[] = [
  { method: "GET", path: "/payments/disputes", scope: "payments:read", service: null, body: "none" },
  { method: "GET", path: "/payments/disputes/{dispute_id}", scope: "payments:read", service: null, body: "none" },
]

/**
 * The one table of `/api/v2`: all operations, and what each requires of a key. Other paths and methods answer 404 and
 * 405 as JSON, before Express could answer HTML.
 */
export const ROUTES: readonly ContractRoute[] = [
  { method: "GET", path: "/payments", scope: "payments:read", service: null, body: "none" },
  { method: "POST", path: "/payments/checkout", scope: "checkout:write", service: "checkout", body: "required" },
  {
    method: "POST",
    path: "/payments/checkout/{session_id}/expire",
    scope: "checkout:write",
    service: null,
    body: "none",
  },
  { method: "GET", path: "/payments/verify/{transaction_id}", scope: "payments:read", service: null, body: "none" },
  ...LINK_ROUTES,
  ...DISPUTE_ROUTES,
  ...PLAN_ROUTES,
  { method: "POST", path: "/payments/refund", scope: "refunds:write", service: "refunds", body: "required" },
  { method: "GET", path: "/payments/refund/{refund_id}", scope: "refunds:read", service: "refunds", body: "none" },
  {
    method: "POST",
    path: "/payments/refund/{refund_id}/cancel",
    scope: "refunds:write",
    service: "refunds",
    body: "none",
  },
  { method: "GET", path: "/payments/refunds", scope: "refunds:read", service: "refunds", body: "none" },
  { method: "POST", path: "/payments/refunds/batch", scope: "refunds:write", service: "refunds", body: "required" },
  {
    method: "GET",
    path: "/payments/refunds/batch/{batch_id}",
    scope: "refunds:read",
    service: "refunds",
    body: "none",
  },
  ...SUBSCRIPTION_ROUTES,
  ...PORTAL_ROUTES,
  { method: "GET", path: "/payments/emi-options", scope: "payments:read", service: "emi", body: "none" },
  { method: "POST", path: "/payments/emi-amounts", scope: "payments:read", service: "emi", body: "required" },
  { method: "GET", path: "/payments/balance", scope: "payments:read", service: null, body: "none" },
  { method: "GET", path: "/payments/balance/entries", scope: "payments:read", service: null, body: "none" },
  { method: "GET", path: "/payments/balance/statement", scope: "payments:read", service: null, body: "none" },
  ...INVOICE_ROUTES,
  { method: "POST", path: "/merchants/webhooks", scope: "webhooks:write", service: null, body: "required" },
  { method: "GET", path: "/merchants/webhooks", scope: "webhooks:read", service: null, body: "none" },
  { method: "GET", path: "/merchants/webhooks/{id}", scope: "webhooks:read", service: null, body: "none" },
  { method: "PATCH", path: "/merchants/webhooks/{id}", scope: "webhooks:write", service: null, body: "required" },
  { method: "DELETE", path: "/merchants/webhooks/{id}", scope: "webhooks:write", service: null, body: "none" },
  {
    method: "POST",
    path: "/merchants/webhooks/{id}/rotate-secret",
    scope: "webhooks:write",
    service: null,
    body: "none",
  },
  { method: "GET", path: "/merchants/ipn-secret", scope: "webhooks:write", service: null, body: "none" },
  { method: "POST", path: "/merchants/ipn-secret/rotate", scope: "webhooks:write", service: null, body: "none" },
  { ...sandbox("POST", "/webhooks/test", "required"), scope: "webhooks:write" },
  { method: "GET", path: "/webhooks/deliveries", scope: "webhooks:read", service: null, body: "none" },
  { method: "POST", path: "/webhooks/deliveries/{id}/redeliver", scope: "webhooks:write", service: null, body: "none" },
  {
    method: "POST",
    path: "/webhooks/deliveries/redeliver-failed",
    scope: "webhooks:write",
    service: null,
    body: "required",
  },
  { method: "GET", path: "/events", scope: "webhooks:read", service: null, body: "none" },
  { method: "GET", path: "/events/{event_id}", scope: "webhooks:read", service: null, body: "none" },
  { method: "GET", path: "/sandbox", scope: null, service: null, body: "none", open: true },
  sandbox("POST", "/sandbox/sessions/{session_id}/pay", "required"),
  sandbox("POST", "/sandbox/sessions/{session_id}/cancel", "none"),
  sandbox("GET", "/sandbox/clock", "none"),
  sandbox("POST", "/sandbox/clock", "required"),
  { method: "GET", path: "/openapi.json", scope: null, service: null, body: "none", open: true },
]

function sandbox(method: "GET" | "POST", path: string, body: ContractRoute["body"]): ContractRoute {
  return { method, path, scope: null, service: null, body, sandboxOnly: true }
}

type Node = { segments: string[]; routes: ContractRoute[] }

const NODES = new Map<string, Node>(
  ROUTES.map(({ path }) => [path, { segments: path.split("/"), routes: ROUTES.filter((route) => route.path === path) }])
)
const WITH_PARAMETERS: readonly Node[] = [...NODES.values()].filter(({ segments }) =>
  segments.some((part) => part.startsWith("{"))
)

/** The routes at a path, by method; null when there is no such path. Segments are compared undecoded. */
export function routesAt(path: string): readonly ContractRoute[] | null {
  const plain = path.replace(/(.)\/$/, "$1")
  const exact = plain.includes("{") ? undefined : NODES.get(plain)
  return exact?.routes ?? withParameters(plain.split("/"))?.routes ?? null
}

function withParameters(segments: readonly string[]): Node | undefined {
  return WITH_PARAMETERS.find(
    (candidate) =>
      candidate.segments.length === segments.length &&
      candidate.segments.every((part, index) =>
        part.startsWith("{") ? segments[index] !== "" : part === segments[index]
      )
  )
}

/** The parameters in a path of this route, decoded. */
export function paramsOf({ path: template }: ContractRoute, path: string): Record<string, string> {
  const segments = path.split("/")
  const params: Record<string, string> = {}
  for (const [index, part] of template.split("/").entries()) {
    if (part.startsWith("{")) {
      params[part.slice(1, -1)] = decodeURIComponent(segments[index])
    }
  }
  return params
}

export function errorShapeOf(path: string): ErrorShape {
  return /^\/payments\/subscription(s|-plans)(\/|$)/.test(path) ? "merged" : "main"
}
