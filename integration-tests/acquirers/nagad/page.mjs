/** A wallet's number: any of this form pays. */
export const WALLET = /^01\d{9}$/

const escape = (text) => String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const frame = (content) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Nagad (stand-in)</title>
<style>body{font:16px sans-serif;max-width:24rem;margin:3rem auto;padding:0 1rem}h1{color:#c8451a}
button,input{font:inherit;padding:.6rem 1rem;margin:.2rem 0;width:100%;box-sizing:border-box}</style></head>
<body><h1>Nagad (stand-in)</h1>${content}</body></html>`

export const payPage = (payment) =>
  frame(`<p>Pay ${escape(payment.shown)} BDT</p><p>Order ${escape(payment.orderId)}</p>
<form method="post" action="/check-out/${escape(encodeURIComponent(payment.paymentRefId))}">
<label>Wallet <input name="wallet" value="01711223344"></label>
<button name="action" value="pay">Confirm</button>
<button name="action" value="decline">Go over the limit</button>
<button name="action" value="cancel">Close</button>
</form>`)

export const endedPage = () => frame("<p>This payment has ended.</p>")
