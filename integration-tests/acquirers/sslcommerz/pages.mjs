import { waysOf } from "./rows.mjs"

/** What the sandbox says of the cards that it declines. */
export const DECLINED = "Suspicious Transaction"

const escape = (text) => String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const page = (title, body) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>body{font:16px sans-serif;max-width:26rem;margin:3rem auto;padding:0 1rem}label{display:block;margin:.5rem 0}
input:not([type=checkbox]),select,button{font:inherit;padding:.5rem;margin:.2rem 0;width:100%;box-sizing:border-box}</style>
</head><body><h1>${title}</h1>${body}</body></html>`

/** The page that the shopper pays on. */
export function paymentPage({ sessionkey, form }, message = "") {
  const ways = waysOf(form)
    .map((way) => `<option value="${escape(way)}">${escape(way)}</option>`)
    .join("")
  const emi = form.emi_option === "1" ? `<p>${escape(form.emi_selected_inst)} monthly instalments</p>` : ""
  return page(
    "SSLCommerz stand-in",
    `${message === "" ? "" : `<p role="alert">${escape(message)}</p>`}
<p>${escape(form.product_name)}: <strong>${escape(form.total_amount)} ${escape(form.currency)}</strong></p>${emi}
<form method="post" action="/gwprocess/v4/gw.php">
<input type="hidden" name="SESSIONKEY" value="${escape(sessionkey)}">
<label>Pay with <select name="way">${ways}</select></label>
<label>The bank's reason to decline <input name="error" value="${DECLINED}"></label>
<label><input type="checkbox" name="risk_level" value="1"> Risky</label>
<button name="action" value="pay" id="pay">Pay</button>
<button name="action" value="decline" id="decline">Decline</button>
<button name="action" value="cancel" id="cancel">Cancel</button>
</form>`
  )
}

export function endedPage() {
  return page("SSLCommerz stand-in", "<p>This session has ended.</p>")
}

/** Sends the browser back to the shop: a form that posts itself across sites. */
export function returnPage(url, fields) {
  const inputs = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
    .join("\n")
  return page(
    "Back to the shop",
    `<form method="post" action="${escape(url)}">
${inputs}
<button>Continue</button>
</form>
<script>document.forms[0].submit()</script>`
  )
}
