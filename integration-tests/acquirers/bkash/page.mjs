import { formatAmount } from "./checks.mjs"

/** A wallet's number. Those that are not in `WALLETS` pay, too. */
export const WALLET = /^01\d{9}$/
/**
 * bKash's published test wallets. The first three pay. The others fail on bKash's page: it shows the reason to the shopper
 * and sends them back with `status=failure` and no code. A charge without the shopper is refused with the code.
 */
export const WALLETS = {
  "01770618575": {},
  "01929918378": {},
  "01877722345": {},
  "01823074817": { refusal: 2023 },
  "01823074818": { refusal: 2037 },
}

const escape = (text) => String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const frame = (content) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>bKash (stand-in)</title>
<style>body{font:16px sans-serif;max-width:24rem;margin:3rem auto;padding:0 1rem}h1{color:#c2185b}
button,select{font:inherit;padding:.6rem 1rem;margin:.2rem 0;width:100%}</style></head>
<body><h1>bKash (stand-in)</h1>${content}</body></html>`

export function payPage(payment) {
  const wallets = Object.keys(WALLETS).map((number) => `<option>${number}</option>`)
  const what = payment.mode === "0000" ? "Let the shop charge your account" : `Pay ${formatAmount(payment.amount)} BDT`
  return frame(`<p>${escape(what)}</p><p>Invoice ${escape(payment.invoice)}</p>
<form method="post" action="/redirect/tokenized/">
<input type="hidden" name="paymentID" value="${escape(payment.paymentID)}">
<input type="hidden" name="hash" value="${escape(payment.hash)}">
<label>Wallet <select name="wallet">${wallets.join("")}</select></label>
<button name="action" value="pay">Confirm</button>
<button name="action" value="decline">Enter a wrong PIN</button>
<button name="action" value="cancel">Close</button>
</form>`)
}

export const endedPage = () => frame("<p>This payment has ended.</p>")
