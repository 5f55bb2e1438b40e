import { ask, bearer, merchantKey, must } from "./client.mjs"

export const CUSTOMER = {
  name: "Rahima Khatun",
  email: "rahima@example.com",
  address: "House 7, Road 3",
  city: "Dhaka",
  postcode: "1205",
  country: "Bangladesh",
  phone: "01712-345678",
}
const PLAN = {
  plan_name: "Tea",
  plan_description: "Monthly",
  amount: "500.00",
  interval_count: 1,
  interval_unit: "MONTH",
  meta_data: { a: 1 },
}
/** Never answers: the name is reserved, so nothing leaves this machine but a question to its resolver. */
export const RECEIVER = "https://receiver.example/hooks"

/** A checkout order that is accepted. */
export const checkoutOrder = (order_id, changes = {}) => ({
  order_id,
  currency: "BDT",
  order_amount: "1250.50",
  success_url: "https://shop.example.com/paid",
  cancel_url: "https://shop.example.com/cancelled",
  fail_url: "https://shop.example.com/failed",
  customer: CUSTOMER,
  ...changes,
})

/** A merchant with a key and something of everything: what requests are about. */
export class Merchant {
  #orders = 0

  constructor({ url, token, id, key, name }) {
    Object.assign(this, { url, token, id, key, name, ids: {} })
  }

  /** @param name short, of letters and digits: its orders are called after it */
  static async create(url, token, name) {
    const { merchant } = await must(url, "POST", "/admin/gateway/merchants", {
      headers: bearer(token),
      json: { name: `Attacked ${name}` },
    })
    const path = `/admin/gateway/api-keys?merchant_id=${merchant.id}&environment=sandbox`
    const made = await must(url, "POST", path, { headers: bearer(token), json: { name: "attacks" } })
    const self = new Merchant({ url, token, id: merchant.id, key: made.key, name })
    self.ids.api_key = made.api_key.id
    return self
  }

  call(method, path, json) {
    return ask(this.url, method, `/api/v2${path}`, { headers: merchantKey(this.key), json })
  }

  must(method, path, json) {
    return must(this.url, method, `/api/v2${path}`, { headers: merchantKey(this.key), json })
  }

  admin(method, path, json) {
    return must(this.url, method, this.adminPath(path), { headers: bearer(this.token), json })
  }

  adminPath(path) {
    return `/admin/gateway${path}${path.includes("?") ? "&" : "?"}merchant_id=${this.id}&environment=sandbox`
  }

  async open(changes) {
    return (
      await this.must("POST", "/payments/checkout", checkoutOrder(`${this.name}-${(this.#orders += 1)}`, changes))
    ).data
  }

  async pay(session_id) {
    return (await this.must("POST", `/sandbox/sessions/${session_id}/pay`, { payment_method: "card" })).data
  }

  async paid(changes) {
    const session = await this.open(changes)
    await this.pay(session.session_id)
    return session
  }

  /** One of every resource there is; answers the merchant. */
  async createRows() {
    const { ids } = this
    ids.webhook = (
      await this.must("POST", "/merchants/webhooks", { endpoint_url: RECEIVER, event_types: ["*"] })
    ).data.id
    ids.session = (await this.open()).session_id
    const paid = await this.paid({ order_amount: "5000.00" })
    Object.assign(ids, { paid_session: paid.session_id, transaction: paid.transaction_id })
    ids.refund = (
      await this.must("POST", "/payments/refund", {
        transaction_id: paid.transaction_id,
        refund_amount: "10.00",
        refund_reason: "attacks",
      })
    ).data.refund_id
    const item = { transaction_id: paid.transaction_id, refund_amount: "10.00", refund_reason: "attacks" }
    ids.batch = (await this.must("POST", "/payments/refunds/batch", { refunds: [item] })).data.batch_id
    // The sandbox keeps a batch's refunds pending for five seconds: nothing of this merchant may change later.
    await this.must("POST", "/sandbox/clock", { advance_seconds: 10 })
    await this.#subscribe()
    const emi = { bank_name: "Padma", tenure: 6, interest_rate: "4.5", card_prefixes: ["424242"] }
    ids.emi = (await this.admin("POST", "/emi", emi)).emi_configuration.id
    ids.payout = (await this.admin("POST", "/payouts", { amount: "5.00", reference: `${this.name}-1` })).payout.id
    ids.payment_service = (await this.admin("GET", "/payment-services")).payment_services[0].service_id
    ids.event = (await this.must("GET", "/events")).data[0].event_id
    ids.delivery = (await this.must("GET", "/webhooks/deliveries")).data[0].id
    return this
  }

  async #subscribe() {
    const { ids } = this
    const plan = await this.must("POST", "/payments/subscription-plans", PLAN)
    const customer = { name: "Karim Uddin", email: `${this.name}@example.com`, phone: "01812345678" }
    const active = await this.must("POST", "/payments/subscriptions", { customer, subscription_plan_id: plan.id })
    const { session_id } = (await this.must("POST", `/payments/subscriptions/${active.uuid}/checkout`, {})).data
    await this.pay(session_id)
    const pending = await this.must("POST", "/payments/subscriptions", {
      customer_id: active.customer_id,
      subscription_plan_id: plan.id,
    })
    await this.must("POST", `/payments/subscriptions/${pending.uuid}/generate-invoice`)
    const [invoice] = (await this.must("GET", `/payments/invoices?subscription_id=${pending.uuid}`)).data
    const token = /inp_[0-9a-f]{32}/.exec(JSON.stringify(invoice))?.[0]
    Object.assign(ids, {
      plan: plan.id,
      plan_uuid: plan.uuid,
      subscription: active.uuid,
      pending: pending.uuid,
      customer: active.customer_id,
      invoice: invoice.uuid,
      invoice_token: token,
    })
  }

  /** What a route of `/api/v2` calls its ids, with this merchant's. */
  contractIds(path) {
    const { ids } = this
    const id = path.startsWith("/payments/invoices")
      ? ids.invoice
      : path.startsWith("/webhooks/deliveries")
        ? ids.delivery
        : ids.webhook
    return {
      id,
      session_id: ids.session,
      transaction_id: ids.transaction,
      plan_id: ids.plan,
      refund_id: ids.refund,
      batch_id: ids.batch,
      subscription_id: ids.subscription,
      customer_id: ids.customer,
      event_id: ids.event,
    }
  }

  /** The same for `/admin/gateway/<area>/{id}`. */
  adminIds(path) {
    const { ids } = this
    const byArea = {
      acquirers: "bkash",
      "api-keys": ids.api_key,
      deliveries: ids.delivery,
      emi: ids.emi,
      events: ids.event,
      invoices: ids.invoice,
      merchants: this.id,
      "payment-services": ids.payment_service,
      payments: ids.transaction,
      payouts: ids.payout,
      plans: ids.plan_uuid,
      "refund-batches": ids.batch,
      refunds: ids.refund,
      subscriptions: ids.subscription,
      webhooks: ids.webhook,
    }
    const area = path.split("/")[3]
    return { id: byArea[area] ?? `id-of-${area}`, variant_id: "variant_01ARZ3NDEKTSV4RRFFQ69G5FAV" }
  }
}
