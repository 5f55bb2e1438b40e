import { createHash, randomBytes, randomInt } from "node:crypto"
import { orderText, SHIPPING } from "./order.mjs"

const RUN = randomBytes(4).toString("hex")
let orders = 0

const post = (path, body, headers) => ({
  method: "POST",
  path,
  body,
  headers: { "Content-Type": "application/json", ...headers },
})

function anyMerchant({ merchants }) {
  return merchants[randomInt(merchants.length)]
}

function checkout(path, context) {
  const { id, key } = anyMerchant(context)
  return post(path, orderText(`${RUN}-${(orders += 1)}`), { "X-Merchant-API-Key": key, "X-Bench-Merchant": id })
}

/** Verifies a filled transaction, any unless `number` names one; fill.mjs determines its merchant. */
function verify(path, { merchants, filled, number = 1 + randomInt(filled) }) {
  const { id, key } = merchants[number % merchants.length]
  const transaction = `txn${createHash("md5").update(`t${number}`).digest("hex")}`
  return {
    method: "GET",
    path: `${path}/${transaction}`,
    headers: { "X-Merchant-API-Key": key, "X-Bench-Merchant": id },
  }
}

function cart({ cart: { publishable_key, region_id, variant_id } }, full) {
  const address = {
    first_name: "Rahima",
    last_name: "Khatun",
    address_1: SHIPPING.address,
    city: "Dhaka",
    country_code: "bd",
  }
  const contents = { items: [{ variant_id, quantity: 1 }], shipping_address: address }
  const body = JSON.stringify({ region_id, ...(full ? contents : {}) })
  return post("/store/carts", body, { "x-publishable-api-key": publishable_key })
}

/** The smallest possible refund, of the one hot transaction or of any. */
function refund(path, { paid }, hot) {
  const { id, key } = hot ? paid[0] : paid[randomInt(paid.length)]
  const body = JSON.stringify({ transaction_id: id, refund_amount: "0.01", refund_reason: "Load" })
  return post(path, body, { "X-Merchant-API-Key": key })
}

const API = "/api/v2/payments/refund"
const PLAIN = "/bench/keyed/refund"
const REFUNDS = [
  {
    name: "refund-hot",
    title: "POST /api/v2/payments/refund, one hot",
    request: (context) => refund(API, context, true),
  },
  {
    name: "raw-refund-hot",
    title: "POST, plain FOR UPDATE, one hot",
    request: (context) => refund(PLAIN, context, true),
  },
  {
    name: "refund-spread",
    title: "POST /api/v2/payments/refund, spread",
    request: (context) => refund(API, context, false),
  },
  {
    name: "raw-refund-spread",
    title: "POST, plain FOR UPDATE, spread",
    request: (context) => refund(PLAIN, context, false),
  },
]

const REQUESTS = [
  {
    name: "empty-post",
    title: "POST, empty Medusa route",
    request: () => post("/bench/empty", orderText(`${RUN}-0`), {}),
  },
  {
    name: "checkout",
    title: "POST /api/v2/payments/checkout",
    request: (context) => checkout("/api/v2/payments/checkout", context),
  },
  {
    name: "raw-keyed-checkout",
    title: "POST, raw pg, key looked up",
    request: (context) => checkout("/bench/keyed/checkout", context),
  },
  { name: "raw-checkout", title: "POST, raw pg, no key", request: (context) => checkout("/bench/checkout", context) },
  { name: "cart", title: "POST /store/carts, empty cart", request: (context) => cart(context, false) },
  { name: "full-cart", title: "POST /store/carts, item and address", request: (context) => cart(context, true) },
  { name: "empty-get", title: "GET, empty Medusa route", request: () => ({ method: "GET", path: "/bench/empty" }) },
  {
    name: "verify",
    title: "GET /api/v2/payments/verify/{id}",
    request: (context) => verify("/api/v2/payments/verify", context),
  },
  {
    name: "raw-keyed-verify",
    title: "GET, raw pg, key looked up",
    request: (context) => verify("/bench/keyed/verify", context),
  },
  { name: "raw-verify", title: "GET, raw pg, no key", request: (context) => verify("/bench/verify", context) },
]

/** What a bare route leaves out, in the words of the table; lab/bench/overhead.mjs has the code of each. */
const OVERHEAD = {
  none: "same statements, nothing else",
  pool: "the same by the gateway's Database",
  admission: "+ scopes, services, allow-list",
  limits: "+ rate limit and its headers",
  validation: "+ validation of the order",
  log: "+ request log and metric",
  access: "+ access log",
  headers: "+ X-Request-Id, Cache-Control, Vary",
  idempotency: "+ Idempotency-Key (two statements)",
}

/**
 * The scenarios, in the order of the table. `request(context)` makes the next request of a scenario. Those of `overhead`
 * are answered by a process of their own, the others by the store.
 */
export const SCENARIOS = [
  ...REQUESTS.map((scenario) => ({ ...scenario, section: "requests" })),
  ...REFUNDS.map((scenario) => ({ ...scenario, section: "refunds" })),
  ...Object.entries(OVERHEAD).map(([name, title]) => ({
    name: `overhead-${name}`,
    title,
    section: "overhead",
    request: (context) => checkout(`/bench/overhead/${name}/checkout`, context),
  })),
]

/**
 * The ratios below the table: `of` divided by `by`. Those with an aim, which is by processor time, are the ones that
 * docs/benchmarks.md promises to watch.
 */
export const RATIOS = [
  { of: "checkout", by: "raw-keyed-checkout", aim: 1.5 },
  { of: "checkout", by: "raw-checkout" },
  { of: "checkout", by: "cart", aim: 70 },
  { of: "checkout", by: "full-cart" },
  { of: "verify", by: "raw-keyed-verify", aim: 2.5 },
  { of: "verify", by: "raw-verify" },
  { of: "refund-hot", by: "raw-refund-hot" },
  { of: "refund-spread", by: "raw-refund-spread" },
]

/** How many requests a second a scenario is to answer, whatever its peer does. */
export const RATE_AIMS = { "refund-hot": 900 }
