import { profileOf } from "../../../modules/gateway/merchants/profile-rules"
import type { Visitor } from "../http/request"
import type { CheckoutPage } from "../../../modules/gateway/checkout/page"

export const SESSION = `ses_${"a".repeat(32)}`

export const NOW = new Date("2026-11-21T10:00:00.000Z")

/** A checkout of 1,234.56 that is open and allows every method. */
export function checkout(changes: Partial<CheckoutPage> = {}): CheckoutPage {
  return {
    session_id: SESSION,
    transaction_id: `txn${"0".repeat(32)}`,
    order_id: "ORD-1",
    order_number: "ORD-1",
    merchant_id: "mer_1",
    environment: "sandbox",
    status: "PENDING",
    processing: false,
    held: false,
    authorized: false,
    given_back: false,
    error_code: null,
    declined: null,
    acquirer_url: null,
    merchant_name: "Nakshi House",
    time_zone: "Asia/Dhaka",
    profile: profileOf({}),
    description: null,
    description_bn: null,
    currency: "BDT",
    amount_minor: 123456,
    items: [{ name: "Scarf", quantity: 2, unit_price_minor: 61728, total_minor: 123456, is_delivery: false }],
    paid: null,
    now: NOW,
    expires_at: new Date(NOW.getTime() + 30 * 60 * 1000),
    methods: [
      { kind: "card", services: [{ id: 1, code: "CARD", name: "Card", flow: "inline" }] },
      {
        kind: "mobile_banking",
        services: [
          { id: 2, code: "BKASH", name: "bKash", flow: "inline" },
          { id: 3, code: "NAGAD", name: "Nagad", flow: "inline" },
        ],
      },
      {
        kind: "internet_banking",
        services: [{ id: 6, code: "INTERNET_BANKING", name: "Internet banking", flow: "inline" }],
      },
      { kind: "wallet", services: [{ id: 7, code: "WALLET", name: "Wallet", flow: "inline" }] },
    ],
    emi: null,
    plan: null,
    preselected: null,
    goes_straight: false,
    in_cash_minor: null,
    account: null,
    verifies: false,
    renewal: null,
    left_behind: null,
    may_be_paid: true,
    paid_elsewhere: false,
    link_token: null,
    return_urls: {
      success: "https://shop.example/ok?a=1&transaction_id=t&status=SUCCESS&order_id=ORD-1",
      fail: "https://shop.example/fail?transaction_id=t&status=FAILED&order_id=ORD-1",
      cancel: "https://shop.example/cancel?transaction_id=t&status=CANCELLED&order_id=ORD-1",
    },
    ...changes,
  }
}

/** These methods of `checkout`, paid on the acquirer's own page. */
export function onItsOwnPage(...kinds: string[]): CheckoutPage["methods"] {
  return checkout()
    .methods.filter(({ kind }) => kinds.includes(kind))
    .map(({ kind, services }) => ({ kind, services: services.map((service) => ({ ...service, flow: "redirect" })) }))
}

/** A sandbox whose bKash payments go to bKash's own page, while Nagad is tried on ours. */
export function withBkashAway(): CheckoutPage["methods"] {
  return checkout().methods.map(({ kind, services }) => ({
    kind,
    services: services.map((one) => ({ ...one, flow: one.code === "BKASH" ? "redirect" : one.flow })),
  }))
}

export function visitor(changes: Partial<Visitor> = {}): Visitor {
  return {
    language: "en",
    isOwnLanguage: false,
    chosenLanguage: null,
    secret: "s".repeat(43),
    isNew: false,
    accountKey: null,
    receiptKey: null,
    secure: false,
    production: false,
    address: "203.0.113.7",
    root: "/pay",
    publicUrl: "http://localhost:9000",
    ...changes,
  }
}

export function fields(values: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(Object.entries(values))
}

export const GOOD_CARD = {
  method: "card",
  card_number: "4242 4242 4242 4242",
  card_expiry: "12 / 30",
  card_cvc: "123",
  card_name: "Rahim Uddin",
}
