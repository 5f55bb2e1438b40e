import { type Answer, brief, fields, order, type ApiMerchant } from "../support/api"
import { LIMITED, limitedMerchant } from "../support/limited"
import { useStore } from "../support/store"
import { Subscriber } from "../support/subscriptions"

useStore({
  production: true,
  env: LIMITED,
  prepare: async (booted) => {
    merchant = await limitedMerchant(booted, 0)
  },
})
let merchant: ApiMerchant

type Refunds = { pagination: { limit: number } }

describe("decisions: Requests — validation", () => {
  const OWN_LENGTH = { length: { toString: 1, valueOf: 1 } }

  it.each([
    ["/payments/refunds/batch", { refunds: OWN_LENGTH }],
    ["/payments/checkout", { ...order(), order_items: OWN_LENGTH }],
    ["/payments/checkout", { ...order(), order_description: OWN_LENGTH }],
    ["/payments/checkout", { ...order(), payment_info: { allowed_payment_methods: OWN_LENGTH } }],
    ["/payments/emi-amounts", { order_amount: "5000.00", emi_configuration_id: OWN_LENGTH }],
    ["/merchants/webhooks", { endpoint_url: "https://shop.example.com/hook", event_types: OWN_LENGTH }],
  ])("an object with a `length` of its own is no list and no text: %s %j", async (path, body) => {
    expect(brief(await merchant.call("POST", path, body))).toMatch(/^422 /)
  })

  it.each([
    ["/payments", "status=paid&q=a&q=b&from=today&to=2027-01-01", "status q from to page per_page"],
    ["/payments/subscription-plans", "include_inactive=perhaps", "include_inactive page per_page"],
    [
      "/payments/subscriptions",
      "customer_id=me&subscription_status=OPEN",
      "customer_id subscription_status page per_page",
    ],
    ["/payments/customers", "email=a&email=b", "email page per_page"],
    ["/payments/invoices", "subscription_id=a&subscription_id=b&status=OPEN", "subscription_id status page per_page"],
    ["/payments/links", "status=OPEN", "status page per_page"],
    ["/payments/disputes", "status=OPEN&transaction_id=a&transaction_id=b", "status transaction_id page per_page"],
    ["/payments/refunds", "status=OPEN&from_date=1.1.&to_date=today", "from_date to_date status page limit"],
    ["/payments/refunds", "status=OPEN&from_date=2027-01-02&to_date=2027-01-01", "status to_date page limit"],
    ["/payments/balance/entries", "account=mine", "account page limit"],
    ["/events", "event_type=paid&from=today&to=2027-01-01", "event_type from to page per_page"],
    [
      "/webhooks/deliveries",
      "endpoint_id=a&endpoint_id=b&event_id=a&event_id=b&event_type=a&event_type=b&status=OPEN",
      "endpoint_id event_id event_type status page per_page",
    ],
  ])("a list reports all that is wrong with its filter and its page: %s?%s", async (path, filter, expected) => {
    const answer = await merchant.call("GET", `${path}?${filter}&page=0&per_page=101&limit=101`)
    expect(brief(answer)).toBe(`422 VALIDATION_ERROR ${expected.split(" ")[0]}`)
    expect(fields(answer)).toEqual(expected.split(" "))
  })
})

describe("contract 8 — the size of a page: 20 unless it is asked for, at most 100", () => {
  it.each([
    ["/payments/subscription-plans", "per_page"],
    ["/payments/subscriptions", "per_page"],
    ["/payments/subscriptions/{id}/billing-history", "per_page"],
    ["/payments/refunds", "limit"],
  ])("GET %s: %s", async (template, name) => {
    const { uuid } = await Subscriber.create(merchant)
    const read = (query = "") => merchant.call("GET", `${template.replace("{id}", uuid)}${query}`)
    const sizeOf = ({ body }: Answer) =>
      name === "limit" ? (body.data as unknown as Refunds).pagination.limit : body.meta.per_page
    expect([sizeOf(await read()), sizeOf(await read(`?${name}=100`))]).toEqual([20, 100])
    for (const size of [0, 101]) {
      expect(brief(await read(`?${name}=${size}`))).toBe(`422 VALIDATION_ERROR ${name}`)
    }
  })
})
