/*
 * Two pages of a shop abroad, whose merchant has its cards at Stripe: one opens a new checkout, to the other the shopper
 * returns. They use the public API alone.
 */
const { randomUUID } = require("node:crypto")

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const escape = (text) => String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const page = (title, text) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title></head><body><main><h1>${title}</h1><p>${escape(text)}</p>
<p><a href="/demo/stripe">Open another checkout</a></p></main></body></html>`

/** @returns `{ url }` of a new checkout, or `{ refusal }`, the reason why there is none */
async function openCheckout(origin, apiKey) {
  const { sampleOrder } = await import("./payment.mjs")
  const back = `${origin}/demo/returned`
  const order = {
    ...sampleOrder(`ABROAD-${randomUUID().slice(0, 18)}`),
    success_url: back,
    fail_url: back,
    cancel_url: back,
    payment_info: { allowed_payment_methods: ["card"] },
  }
  const answer = await fetch(`${origin}/api/v2/payments/checkout`, {
    method: "POST",
    headers: { "X-Merchant-API-Key": apiKey, "Content-Type": "application/json" },
    body: JSON.stringify(order),
  })
  const { data, error } = await answer.json()
  return answer.ok ? { url: data.checkout_url } : { refusal: error?.message ?? `the answer was ${answer.status}` }
}

exports.addStripePages = (app, { origin, apiKey }) => {
  app.use("/demo", (_request, response, next) => {
    response.set({ "Content-Security-Policy": POLICY, "Cache-Control": "no-store" })
    next()
  })
  app.get("/demo/stripe", (_request, response, next) => {
    openCheckout(origin, apiKey)
      .then(({ url, refusal }) =>
        url ? response.redirect(303, url) : response.status(502).send(page("No checkout", refusal))
      )
      .catch(next)
  })
  app.get("/demo/returned", ({ query }, response) => {
    response.send(page("Back in the shop abroad", `Status ${query.status}, transaction ${query.transaction_id}`))
  })
}
