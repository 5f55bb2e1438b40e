import { createHmac } from "node:crypto"
import { checkoutOrder, CUSTOMER, RECEIVER } from "./merchant.mjs"

const PERSON = { name: "Karim Uddin", email: "karim@example.com", phone: "01812345678" }
const PLAN = {
  plan_name: "Tea",
  plan_description: "Every month",
  amount: "500.00",
  currency: "BDT",
  interval_count: 1,
  interval_unit: "MONTH",
  trial_period_days: 7,
  trial_amount: "20.00",
  meta_data: { note: "a" },
}
const URLS = {
  success_url: "https://shop.example.com/a",
  cancel_url: "https://shop.example.com/b",
  fail_url: "https://shop.example.com/c",
  ipn_url: RECEIVER,
}

const EMPTY = () => ({})
const refund = ({ ids }) => ({
  transaction_id: ids.transaction,
  refund_amount: "10.00",
  refund_reason: "broken",
  refund_type: "partial",
  notify_customer: false,
  metadata: { note: "a" },
})
const subscription = ({ ids }) => ({
  subscription_plan_id: ids.plan,
  customer: PERSON,
  amount: "700.00",
  currency: "BDT",
  interval_count: 2,
  interval_unit: "WEEK",
  trial_period_days: 3,
  meta_data: { note: "a" },
})
const emi = (_merchant, random) => ({
  bank_name: `Bank ${random.hex(8)}`,
  tenure: 6,
  interest_rate: "4.5",
  interest_method: "flat",
  processing_fee_type: "percent",
  processing_fee: "1.5",
  minimum_amount: "3000.00",
  maximum_amount: "200000.00",
  is_active: true,
  merchant_bleeding: false,
  card_prefixes: ["424242"],
})

function order({ ids }, random) {
  return checkoutOrder(`F-${random.hex(20)}`, {
    order_amount: random.pick(["1250.50", "3000.00", 5000, "100.00", "200.00", "99999.00", "999.00"]),
    order_description: "Two scarves",
    ...(random.chance(0.05) ? { ipn_url: RECEIVER } : {}),
    customer: { ...CUSTOMER, metadata: { tier: 1 } },
    shipping: {
      name: "A",
      address: "B",
      city: "Dhaka",
      state: "Dhaka",
      postcode: "1205",
      country: "Bangladesh",
      metadata: {},
    },
    order_items: [
      {
        sku: "S-1",
        product_name: "Scarf",
        product_category: "Clothes",
        quantity: 2,
        unit_price: "617.25",
        vat: "1.00",
        convenience_fee: 0,
        discount_amount: "0.00",
        net_amount: "1234.50",
        metadata: {},
      },
    ],
    payment_info: {
      is_recurring: false,
      installments: 0,
      currency_conversion: false,
      allowed_payment_methods: ["card", "mobile_banking"],
      requires_emi: random.chance(0.3),
      emi_configuration_id: ids.emi,
      payment_service_id: 1,
    },
    metadata: { source: "web", session_id: "1", user_agent: "x" },
  })
}

/** A good body of every operation of `/api/v2` that takes one. A new operation without one here stops the run. */
export const CONTRACT_BODIES = {
  "POST /payments/checkout": order,
  "POST /payments/subscription-plans": () => ({ ...PLAN }),
  "PATCH /payments/subscription-plans/{plan_id}": () => ({
    plan_name: "Tea",
    amount: "510.00",
    plan_description: "x",
    meta_data: {},
  }),
  "POST /payments/refund": refund,
  "POST /payments/refunds/batch": (merchant) => ({ refunds: [refund(merchant), refund(merchant)] }),
  "POST /payments/subscriptions": subscription,
  "PATCH /payments/subscriptions/{subscription_id}": () => ({
    amount: "650.00",
    interval_count: 1,
    interval_unit: "MONTH",
    meta_data: { b: 2 },
  }),
  "POST /payments/subscriptions/{subscription_id}/cancel": () => ({
    cancellation_reason: "moved",
    cancellation_note: "to Chattogram",
    cancel_at_period_end: true,
  }),
  "POST /payments/subscriptions/{subscription_id}/checkout": () => ({ ...URLS, metadata: { a: 1 } }),
  "POST /payments/emi-amounts": ({ ids }) => ({ order_amount: "5000.00", emi_configuration_id: [ids.emi] }),
  "POST /merchants/webhooks": () => ({
    endpoint_url: RECEIVER,
    event_types: ["payment.succeeded"],
    signature_format: "hex",
  }),
  "PATCH /merchants/webhooks/{id}": () => ({
    endpoint_url: RECEIVER,
    event_types: ["*"],
    signature_format: "prefixed",
    is_active: true,
  }),
  "POST /webhooks/test": () => ({ event: "payment.succeeded", url: RECEIVER }),
  "POST /webhooks/deliveries/redeliver-failed": () => ({ since: "2026-01-01T00:00:00Z" }),
  "POST /sandbox/sessions/{session_id}/pay": (_merchant, random) => ({
    payment_method: random.pick(["card", "mobile_banking", "internet_banking", "wallet"]),
    card_number: "4000000000000002",
    payment_service: "CARD",
    final: false,
  }),
  "POST /sandbox/clock": (_merchant, random) => ({ advance_seconds: random.int(600) }),
}

const outcome = (_merchant, random) => ({
  moved: random.chance(0.5),
  reference: random.hex(10),
  amount: "1250.50",
  note: "as bKash's dashboard shows it",
})

/** The same for `/admin/gateway`; what is not here is sent an empty body, which is mutated like any other. */
export const ADMIN_BODIES = {
  "POST /admin/gateway/merchants": (_merchant, random) => ({
    name: `Fuzzed ${random.hex(6)}`,
    email: "owner@example.com",
  }),
  "POST /admin/gateway/merchants/{id}": () => ({
    name: "Fuzzed",
    email: "owner@example.com",
    status: "active",
    verification_status: "approved",
  }),
  "POST /admin/gateway/settings": () => ({
    services: ["checkout", "emi", "subscriptions", "refunds"],
    service_changes: { emi: true },
    ip_allow_list: ["127.0.0.0/8", "::1"],
    ...URLS,
    rate_limit_requests: 0,
    hold_risky: false,
    shop_modules: false,
    refund_approval_threshold: "100.00",
    refund_daily_limit: "100000.00",
    refund_daily_key_limit: "50000.00",
    retry_days: [1, 3],
    after_last_retry: "cancel",
    may_overdraw: true,
    returns_automatic: false,
    returns_refund_shipping: false,
  }),
  "POST /admin/gateway/payment-services/{id}": () => ({
    fee_percent: "2.5",
    fee_fixed: "1.00",
    supports_refunds: true,
    is_active: true,
    routes: [{ acquirer: "stripe", share: null, from: "10.00", to: "5000.00" }],
  }),
  "POST /admin/gateway/acquirers/{id}": () => ({
    credentials: { app_key: "x" },
    services: ["BKASH"],
    is_active: false,
    position: 1,
  }),
  // Restricted keys are for production alone.
  "POST /admin/gateway/api-keys": (_merchant, random) => ({
    name: "A key",
    ...(random.chance(0.5) ? { scopes: ["payments:read"] } : {}),
    expires_at: "2099-01-01T00:00:00Z",
  }),
  "POST /admin/gateway/webhooks": () => ({
    endpoint_url: RECEIVER,
    event_types: ["payment.failed"],
    signature_format: "hex",
  }),
  "POST /admin/gateway/webhooks/{id}": () => ({ endpoint_url: RECEIVER, event_types: ["*"], is_active: true }),
  "POST /admin/gateway/test-deliveries": ({ ids }) => ({ event: "payment.succeeded", webhook_id: String(ids.webhook) }),
  "POST /admin/gateway/deliveries/redeliver-failed": () => ({ since: "2026-01-01T00:00:00Z" }),
  "POST /admin/gateway/clock": (_merchant, random) => ({ advance_seconds: random.int(600) }),
  "POST /admin/gateway/emi": emi,
  "POST /admin/gateway/emi/{id}": emi,
  "POST /admin/gateway/emi/import": () => ({
    csv: "bank_name,tenure,interest_rate\nPadma,6,4.5\n",
    dry_run: true,
    archive_missing: false,
  }),
  "POST /admin/gateway/plans": () => ({ ...PLAN }),
  "POST /admin/gateway/plans/{id}": () => ({ plan_name: "Tea", amount: "500.00", trial_amount: "" }),
  "POST /admin/gateway/variant-plans": ({ ids }) => ({
    variant_id: "variant_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    plan_id: ids.plan,
  }),
  "POST /admin/gateway/subscriptions": subscription,
  "POST /admin/gateway/subscriptions/{id}": () => ({ amount: "650.00", interval_count: 1, interval_unit: "MONTH" }),
  "POST /admin/gateway/subscriptions/{id}/cancel": () => ({ cancellation_reason: "moved", cancel_at_period_end: true }),
  "POST /admin/gateway/subscriptions/{id}/retry": () => ({ attempts: 0 }),
  "POST /admin/gateway/invoices": ({ ids }) => ({ subscription_id: ids.subscription }),
  "POST /admin/gateway/payments/{id}/accept": () => ({ note: "known customer" }),
  "POST /admin/gateway/payments/{id}/give-back": () => ({ note: "stolen card" }),
  "POST /admin/gateway/payments/{id}/outcome": outcome,
  "POST /admin/gateway/refunds/{id}/outcome": outcome,
  "POST /admin/gateway/payments/{id}/seen": () => ({ note: "fine" }),
  "POST /admin/gateway/refunds": (merchant, random) => ({ ...refund(merchant), request_key: random.hex(16) }),
  "POST /admin/gateway/refund-approvals/{id}/approve": () => ({ note: "fine" }),
  "POST /admin/gateway/refund-approvals/{id}/reject": () => ({ note: "no" }),
  "POST /admin/gateway/refund-batches": ({ ids }, random) => ({
    csv: `transaction_id,refund_amount,refund_reason\n${ids.transaction},1.00,broken\n`,
    dry_run: random.chance(0.5),
    request_key: random.hex(16),
  }),
  "POST /admin/gateway/refund-proposals/{id}/confirm": () => ({ amount: "1.00", note: "x" }),
  "POST /admin/gateway/refund-proposals/{id}/dismiss": () => ({ note: "x" }),
  "POST /admin/gateway/disputes": ({ ids }, random) => ({
    transaction_id: ids.transaction,
    reference: random.hex(12),
    amount: "0.01",
    reason: "general",
  }),
  "POST /admin/gateway/disputes/{id}/decide": (_merchant, random) => ({ on: random.chance(0.5) ? "win" : "lose" }),
  "POST /admin/gateway/disputes/{id}/evidence": () => ({ evidence_text: "It was delivered." }),
  "POST /admin/gateway/payouts": (_merchant, random) => ({ amount: "1.00", reference: random.hex(12), note: "x" }),
}

/** What a payment page's form posts. */
export const FORM = {
  method: "card",
  service: "CARD",
  emi: "",
  card_number: "4000000000000002",
  card_expiry: "12/40",
  card_cvc: "123",
  card_name: "RAHIM UDDIN",
  mobile_number: "01712345678",
  otp: "123456",
  pin: "12345",
  bank: "",
  csrf: "x",
}

/**
 * The token of a page's form, in the browser whose cookie holds `secret` (src/api/pay/http/csrf.ts). Pages mask it with
 * random bytes; zeros are a mask like any other.
 */
export function csrfTokenOf(secret, subject) {
  const proof = createHmac("sha256", secret).update(`pay:${subject}`).digest()
  return Buffer.concat([Buffer.alloc(proof.length), proof]).toString("base64url")
}

export const bodyFor = (route, merchant, random) =>
  (CONTRACT_BODIES[`${route.method} ${route.path}`] ?? ADMIN_BODIES[`${route.method} ${route.path}`] ?? EMPTY)(
    merchant,
    random
  )
