import type { Area } from "../../api/admin-kit/areas"

/**
 * The area that a page shows, in the order of the menu. A page below one of these belongs to the same area unless it
 * stands here itself.
 */
export const PAGE_AREAS: Readonly<Record<string, Area>> = {
  "/gateway": "overview",
  "/gateway/payments": "payments",
  "/gateway/links": "payment-links",
  "/gateway/cash": "cash-orders",
  "/gateway/refunds": "refunds",
  "/gateway/refunds/proposals": "refund-proposals",
  "/gateway/refunds/batch": "refund-batches",
  "/gateway/disputes": "disputes",
  "/gateway/paid-carts": "paid-carts",
  "/gateway/plans": "plans",
  "/gateway/subscriptions": "subscriptions",
  "/gateway/invoices": "invoices",
  "/gateway/emi": "emi",
  "/gateway/settlements": "settlements",
  "/gateway/payouts": "payouts",
  "/gateway/payouts/ledger": "ledger",
  "/gateway/developers": "api-keys",
  "/gateway/developers/webhooks": "webhooks",
  "/gateway/developers/events": "events",
  "/gateway/developers/deliveries": "deliveries",
  "/gateway/developers/requests": "requests",
  "/gateway/developers/clock": "clock",
  "/gateway/settings": "merchants",
  "/gateway/settings/acquirers": "acquirers",
  "/gateway/audit": "audit",
}

/** The area of a page, by its path in the admin with or without a query; undefined: it is no page of the gateway. */
export function areaOfPage(to: string): Area | undefined {
  let path = to.replace(/[?#].*$/, "").replace(/\/$/, "")
  while (path !== "" && PAGE_AREAS[path] === undefined) {
    path = path.slice(0, path.lastIndexOf("/"))
  }
  return PAGE_AREAS[path]
}

/** The pages that the menu may list, the overview first, of which an admin who may read these areas opens some. */
export function pagesFor(readable: readonly string[]): { open: string[]; hidden: string[] } {
  const open = Object.keys(PAGE_AREAS).filter((page) => readable.includes(PAGE_AREAS[page]))
  return { open, hidden: Object.keys(PAGE_AREAS).filter((page) => !open.includes(page)) }
}

/**
 * The style that takes pages out of Medusa's sidebar: their links, and the list items around them, which would leave
 * gaps. Without any page the gateway's entry goes, and its button on phones. `root` is where the admin is served.
 */
export function hidingStyle(hidden: readonly string[], root: string): string {
  const isEverything = hidden.length === Object.keys(PAGE_AREAS).length
  return hidden
    .filter((page) => isEverything || page !== "/gateway")
    .flatMap((page) => [`a[href="${root}${page}"]`, `a[href^="${root}${page}?"]`])
    .flatMap((link) => [link, `li:not(:has(li)):has(${link})`])
    .concat(isEverything ? ["button:has([data-gateway-menu])"] : [])
    .map((selector) => `aside nav ${selector} { display: none; }`)
    .join("\n")
}
