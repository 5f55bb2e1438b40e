const escape = (text) =>
  String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c])

const frame = (title, body) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title>
<style>body{font:16px sans-serif;max-width:26rem;margin:3rem auto;padding:0 1rem}input,button{font:inherit;padding:.5rem;
margin:.25rem 0;width:100%;box-sizing:border-box}.error{color:#b00}</style></head><body>${body}</body></html>`

/** What the shopper sees instead of checkout.stripe.com. Test cards only. */
export function payPage(session, description, error) {
  const amount = `${(session.amount_total / 100).toFixed(2)} ${session.currency.toUpperCase()}`
  return frame(
    "Stripe stand-in",
    `<h1>${escape(description ?? "Pay")}</h1><p id="amount">${escape(amount)}</p>
${error ? `<p class="error" role="alert">${escape(error)}</p>` : ""}
<form method="post" action="/c/pay/${session.id}">
<label>Card number <input name="card" inputmode="numeric" autocomplete="cc-number" value="4242424242424242"></label>
<button id="pay" name="action" value="pay">Pay</button>
<button id="decline" name="action" value="decline">Pay with a card that is declined</button></form>
<form method="post" action="/c/pay/${session.id}/cancel"><button id="cancel">Back to the shop</button></form>`
  )
}

export function authenticationPage(session) {
  return frame(
    "Authentication",
    `<h1>Your bank asks</h1><form method="post" action="/c/pay/${session.id}/authenticate">
<button id="complete" name="action" value="complete">Complete authentication</button>
<button id="fail" name="action" value="fail">Fail authentication</button></form>`
  )
}

export const endPage = (status) => frame("Stripe stand-in", `<p id="ended">This page is ${escape(status)}.</p>`)
