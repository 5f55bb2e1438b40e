import { Complaint } from "../lib/console.mjs"

const CARD = "4242424242424242"
/** A card that is accepted, as the sandbox's payment helper takes it. */
export const TEST_CARD = { payment_method: "card", card_number: CARD }

/** Where carts that programs pay are delivered. */
export const ADDRESS = {
  first_name: "Ayesha",
  last_name: "Rahman",
  address_1: "House 5, Road 2",
  city: "Dhaka",
  postal_code: "1205",
  country_code: "bd",
  phone: "01712345678",
}

/** One request of the API: its `data`. Throws a Complaint for any other answer. */
export async function call(method, url, apiKey, body) {
  const headers = { "X-Merchant-API-Key": apiKey, "Content-Type": "application/json" }
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) })
  const answer = await response.text()
  if (!response.ok) {
    throw new Complaint(`${method} ${url} answered ${response.status}:\n${answer}`)
  }
  return JSON.parse(answer).data
}

/** The order of the demo's payment, which the printed curl commands use too. Order ids may have 30 characters. */
export function sampleOrder(orderId) {
  return {
    order_id: orderId,
    currency: "BDT",
    order_amount: "1250.00",
    order_description: "A cushion",
    success_url: "https://example.com/thank-you",
    fail_url: "https://example.com/sorry",
    cancel_url: "https://example.com/basket",
    customer: {
      name: "Ayesha Rahman",
      email: "ayesha@example.com",
      phone: "01712345678",
      address: "House 5, Road 2, Dhanmondi",
      city: "Dhaka",
      postcode: "1205",
      country: "Bangladesh",
    },
  }
}

/** Pays a checkout of the key's merchant by the sandbox's helper, instead of a shopper on the payment page. */
export function payWithTestCard(base_url, api_key, session_id) {
  const url = `${base_url}/sandbox/sessions/${session_id}/pay`
  return call("POST", url, api_key, TEST_CARD)
}

/**
 * Makes one payment as another system would, through the public API alone: checkout, the sandbox's payment helper
 * instead of the shopper, verification. Prints each step; throws when the money did not arrive.
 */
export async function payOnce({ base_url, api_key }, print) {
  const order = sampleOrder(`DEMO-${Date.now().toString(36).toUpperCase()}`)
  print(`POST ${base_url}/payments/checkout  (order ${order.order_id}, ${order.order_amount} BDT)`)
  const checkout = await call("POST", `${base_url}/payments/checkout`, api_key, order)
  print(`  → checkout_url ${checkout.checkout_url}`)
  print(`POST ${base_url}/sandbox/sessions/{session_id}/pay  (test card ${CARD.replace(/(\d{4})(?=\d)/g, "$1 ")})`)
  const payment = await payWithTestCard(base_url, api_key, checkout.session_id)
  print(`  → ${payment.status}, transaction ${payment.transaction_id}`)
  print(`GET ${base_url}/payments/verify/{transaction_id}`)
  const verified = await call("GET", `${base_url}/payments/verify/${payment.transaction_id}`, api_key)
  print(`  → status ${verified.status}, verified ${verified.verified}, amount ${verified.amount} ${verified.currency}`)
  const arrived = verified.status === "SUCCESS" && verified.verified === true && verified.order_id === order.order_id
  if (!arrived || Number(verified.amount) !== Number(order.order_amount)) {
    throw new Complaint(`The payment was not verified as expected:\n${JSON.stringify(verified, null, 2)}`)
  }
}
