const frame = (content) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>shurjoPay (stand-in)</title>
<style>body{font:16px sans-serif;max-width:24rem;margin:3rem auto;padding:0 1rem}h1{color:#0b6b4f}
button,select{font:inherit;padding:.6rem 1rem;margin:.2rem 0;width:100%;box-sizing:border-box}</style></head>
<body><h1>shurjoPay (stand-in)</h1>${content}</body></html>`

/** Its values are the stand-in's own, or letters and digits of the gateway's. */
export const payPage = ({ shown, currency, order_id, sp_order_id }) =>
  frame(`<p>Pay ${shown} ${currency}</p><p>Order ${order_id.replace(/[^A-Za-z0-9_-]/g, "")}</p>
<form method="post" action="/spaycheckout/${sp_order_id}">
<label>Pay with <select name="method"><option>Visa</option><option>bKash</option><option>Nagad</option></select></label>
<button name="action" value="pay">Pay</button>
<button name="action" value="decline">Fail at the bank</button>
<button name="action" value="cancel">Cancel</button>
</form>`)

export const endedPage = () => frame("<p>This payment has ended.</p>")
