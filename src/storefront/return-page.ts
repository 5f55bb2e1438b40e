import { type Language, textsOf } from "./texts"
import type { Outcome } from "./types"

export type ReturnPageOptions = {
  language?: Language
  /** Where the shop shows an order. Like the others: a path of the shop, or an http(s) address. */
  orderUrl: (orderId: string) => string
  /** Where the shopper tries again after a decline, a cancellation or an expiry. */
  checkoutUrl: string
  /** Where the shopper goes when nothing is to be tried again. Default: `/`. */
  shopUrl?: string
  /** The address of this page: an open payment is asked about again there. Default: the page's own address. */
  selfUrl?: string
}

type Link = { url: string; label: string }

const ASK_AGAIN_SECONDS = 5

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  // It shows one shopper's payment, which changes.
  "Cache-Control": "no-store",
  // The page's address names the payment.
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

const STYLE =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto 0;padding:0 1.25rem;color:#18181b;background:#fff}" +
  "h1{font-size:1.375rem;line-height:1.3}a{display:inline-block;padding:.75rem 1.25rem;border-radius:.5rem;background:#18181b;color:#fff;text-decoration:none}" +
  "a:focus-visible{outline:3px solid #2563eb;outline-offset:2px}"

/**
 * The page on which a shopper lands after paying, as an answer of a route handler or a worker. It is a page and no
 * redirect on purpose: the shopper comes from the gateway's site, and browsers withhold cookies with SameSite=Strict from
 * such a navigation and from every redirect of it. A storefront that keeps its cart in such a cookie (Medusa's Next.js
 * starter) would find no cart. What this page links or forwards to gets the cookies again.
 *
 * A paid order is shown at once, an open payment asked about again after five seconds, both without a script.
 * Throws an Error when one of the addresses is neither a path nor an http(s) address.
 */
export function returnPage(outcome: Outcome, options: ReturnPageOptions): Response {
  const { language = "en" } = options
  const texts = textsOf(language)
  const { title, text } = texts.outcomes[outcome.state]
  const link = linkOf(outcome, options, texts)
  const refresh = refreshOf(outcome, link)
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">`,
    refresh === null ? "" : `<meta http-equiv="refresh" content="${refresh}">`,
    `<title>${escaped(title)}</title><style>${STYLE}</style></head>`,
    `<body><main data-outcome="${outcome.state}"><h1>${escaped(title)}</h1><p>${escaped(text)}</p>`,
    `<p><a href="${escaped(link.url)}">${escaped(link.label)}</a></p></main></body></html>`,
  ]
  return new Response(html.join(""), {
    status: outcome.state === "unknown" ? 404 : 200,
    headers: { ...HEADERS, "Content-Language": language },
  })
}

function linkOf(outcome: Outcome, options: ReturnPageOptions, texts: ReturnType<typeof textsOf>): Link {
  switch (outcome.state) {
    case "paid":
      return { url: address(options.orderUrl(outcome.orderId)), label: texts.toOrder }
    case "declined":
    case "cancelled":
    case "expired":
      return { url: address(options.checkoutUrl), label: texts.toCheckout }
    case "open":
      // An empty address is the page's own.
      return { url: options.selfUrl === undefined ? "" : address(options.selfUrl), label: texts.checkAgain }
    case "refunded":
    case "unknown":
      return { url: address(options.shopUrl ?? "/"), label: texts.toShop }
  }
}

function refreshOf({ state }: Outcome, { url }: Link): string | null {
  if (state === "paid") {
    return `0;url=${escaped(url)}`
  }
  return state === "open" ? `${ASK_AGAIN_SECONDS}${url === "" ? "" : `;url=${escaped(url)}`}` : null
}

const ANY_SITE = "https://shop.invalid"
/** Browsers drop tabs and line breaks inside an address, and then read `/<tab>/host` as `//host`. */
const DROPPED = /\p{Cc}/u

/** A path of this site, or an http(s) address: never a script, and never `//host`, which leads to another site. */
function address(url: string): string {
  if (!DROPPED.test(url) && (isPath(url) || /^https?:\/\//.test(url))) {
    return url
  }
  throw new Error(`A return page links to a path such as /checkout, or to an http(s) address, not to "${url}"`)
}

/** As a browser resolves it: `/\host`, for example, is another site's. */
function isPath(url: string): boolean {
  try {
    return url.startsWith("/") && new URL(url, ANY_SITE).origin === ANY_SITE
  } catch {
    return false
  }
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "")
