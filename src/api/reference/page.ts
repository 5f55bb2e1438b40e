import type { ReferenceFiles } from "./files"
import type { Guide } from "./generated/guides"

/**
 * Scripts, requests and images of this store alone. Inline styles are allowed because the renderer adds its own as
 * `style` elements; a style can load nothing from elsewhere either.
 */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ")

/** The guides beside the operations of each tag of the document. */
export const GUIDES_OF_TAGS: Readonly<Record<string, readonly string[]>> = {
  Checkout: ["first-payment", "from-woocommerce-or-whmcs"],
  Verification: ["first-payment"],
  Payments: ["first-payment"],
  Refunds: ["refunds-and-returns"],
  Captures: ["capture-when-you-ship"],
  Instalments: ["emi"],
  Plans: ["subscriptions"],
  Subscriptions: ["subscriptions"],
  Customers: ["subscriptions"],
  Invoices: ["subscriptions"],
  Webhooks: ["webhooks"],
  Events: ["webhooks"],
  Sandbox: ["first-payment", "going-live"],
  "This document": ["upgrading"],
}

const linkTo = ({ name, title }: Guide) => `[${title}](/api/v2/docs/guides/${name})`

/** Links to the guides as Markdown: to all of them for the page's beginning, and by tag. */
function guideLinks(guides: readonly Guide[]): string {
  const of_tags = Object.entries(GUIDES_OF_TAGS).map(([tag, names]) => [
    tag,
    `Guide: ${guides
      .filter(({ name }) => names.includes(name))
      .map(linkTo)
      .join(", ")}`,
  ])
  return JSON.stringify({ all: `**Guides.** ${guides.map(linkTo).join(", ")}`, of_tags: Object.fromEntries(of_tags) })
}

/** `base`: where the requests that a reader tries go; always a sandbox, because a key of production has no place here. */
export function referencePage(
  { renderer, start, styles }: ReferenceFiles,
  base: string,
  guides: readonly Guide[]
): string {
  const links = guideLinks(guides).replaceAll("&", "&amp;").replaceAll('"', "&quot;")
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${styles.url}">
</head>
<body>
<div id="reference" data-base="${base}" data-server="Sandbox" data-guides="${links}"></div>
<noscript><p>This page needs JavaScript. The same as a file: <a href="${base}/openapi.json">openapi.json</a></p></noscript>
<script src="${renderer.url}"></script>
<script src="${start.url}"></script>
</body>
</html>
`
}
