import { Complaint } from "../lib/console.mjs"
import { call, sampleOrder } from "./payment.mjs"
import { Shopper } from "./shopper.mjs"

/**
 * By acquirer: what the shopper chooses on the payment page, and what is sent from the acquirer's page. Stripe keeps a
 * declined shopper on its page; the others send the browser back.
 */
const WAYS = {
  bkash: {
    name: "bKash",
    choice: { method: "mobile_banking", mobile_banking_service: "BKASH" },
    decline: { action: "decline" },
    pay: { action: "pay" },
  },
  nagad: {
    name: "Nagad",
    choice: { method: "mobile_banking", mobile_banking_service: "NAGAD" },
    decline: { action: "decline" },
    pay: { action: "pay" },
  },
  shurjopay: {
    name: "shurjoPay",
    choice: { method: "mobile_banking", mobile_banking_service: "ROCKET" },
    decline: { action: "decline" },
    pay: { action: "pay" },
  },
  sslcommerz: {
    name: "SSLCommerz",
    choice: { method: "card" },
    decline: { action: "decline", error: "Insufficient Funds" },
    pay: { action: "pay" },
  },
  stripe: {
    name: "Stripe",
    choice: { method: "card" },
    decline: { action: "pay", card: "4000000000009995" },
    pay: { action: "pay", card: "4242424242424242" },
  },
}

/**
 * Makes a payment at every acquirer, each declined once before it is paid: checkout through the API, the pages as a
 * browser would use them, verification. Prints each step; throws when a step is not as expected.
 * @param options.keys the API key by acquirer
 * @param options.acquirers as startAcquirers returns them
 */
export async function payAtAcquirers({ base_url, store_url, keys, acquirers }, print) {
  for (const [id, way] of Object.entries(WAYS)) {
    await payAt(way, { base_url, store_url, api_key: keys[id], url: acquirers.urls[id] }, print)
    const booked = acquirers.movements()[id]
    expectThat(booked.length === 1 && booked[0] === 125_000n, `${way.name} has booked ${booked.join(", ")}`)
    print(`  → ${way.name} has booked one payment`)
  }
}

async function payAt(way, { base_url, store_url, api_key, url }, print) {
  const back = `${store_url}/demo/returned`
  const urls = { success_url: back, fail_url: back, cancel_url: back }
  const order = { ...sampleOrder(`${way.name.toUpperCase()}-${Date.now().toString(36).toUpperCase()}`), ...urls }
  print(`POST ${base_url}/payments/checkout  (order ${order.order_id}, ${order.order_amount} BDT)`)
  const { checkout_url, transaction_id } = await call("POST", `${base_url}/payments/checkout`, api_key, order)
  const shopper = new Shopper()
  await shopper.open(checkout_url)
  await goTo(way, { shopper, checkout_url, url }, print)
  await use(way.decline, { shopper, url })
  const isBack = shopper.url.startsWith(checkout_url)
  expectThat(shopper.html.includes('role="alert"'), `no reason is shown at ${shopper.url}`)
  print(`  → declined, and the reason shown on ${isBack ? "our" : `${way.name}'s`} page`)
  if (isBack) {
    await goTo(way, { shopper, checkout_url, url }, print)
  }
  await use(way.pay, { shopper, url })
  // A notification that came just before the browser is still being worked on.
  await shopper.waitForOutcome()
  const status = new URL(shopper.url).searchParams.get("status")
  expectThat(shopper.url.startsWith(back) && status === "SUCCESS", `the shopper ended at ${shopper.url}`)
  print("  → paid, and the shopper is back in the shop")
  print(`GET ${base_url}/payments/verify/{transaction_id}`)
  const verified = await call("GET", `${base_url}/payments/verify/${transaction_id}`, api_key)
  const isPaid = verified.status === "SUCCESS" && verified.verified === true && verified.order_id === order.order_id
  expectThat(isPaid && Number(verified.amount) === Number(order.order_amount), JSON.stringify(verified, null, 2))
  print(`  → status ${verified.status}, verified ${verified.verified}, amount ${verified.amount} ${verified.currency}`)
}

/** From our payment page to the acquirer's. */
async function goTo({ name, choice }, { shopper, checkout_url, url }, print) {
  print(`POST ${checkout_url.replace(/[^/]+$/, "{session_id}")}  (${Object.values(choice).join(", ")})`)
  await shopper.submit(choice)
  expectThat(shopper.url.startsWith(url), `the shopper was not sent to ${name}, and is at ${shopper.url}`)
  print(`  → the page of ${name} at ${url}`)
}

/** Submits the acquirer's form. SSLCommerz answers with another one, which a script submits in a real browser. */
async function use(fields, { shopper, url }) {
  await shopper.submit(fields)
  if (shopper.url.startsWith(url) && shopper.html.includes("document.forms[0].submit()")) {
    await shopper.submit()
  }
}

function expectThat(isRight, found) {
  if (!isRight) {
    throw new Complaint(`The payment did not go as expected: ${found}`)
  }
}
