/**
 * What the page runs in the browser. It is text because Medusa's builds compile TypeScript and copy nothing else.
 * - Nothing leaves the reader's browser but requests to this store: no fonts, statistics, proxy or assistants of the
 *   renderer's maker. The page's policy (page.ts) would block them too.
 * - The key is kept in memory, never in the browser's storage.
 * - The renderer's markup has faults that readers with a screen reader or a keyboard meet; FIXES corrects them.
 */
export const START_SCRIPT = `
"use strict"
const reference = document.getElementById("reference")
const base = reference.dataset.base
const FIXES = [
  ["button[aria-selected]:not([role])", (one) => one.removeAttribute("aria-selected")],
  ["button[role=search], button[data-search]", (one) => {
    one.removeAttribute("role")
    one.dataset.search = ""
    // On a narrow screen it is an icon; elsewhere its text is its name.
    one.textContent.trim() === "" ? one.setAttribute("aria-label", "Search") : one.removeAttribute("aria-label")
  }],
  ["button.show-more[aria-label]", (one) => one.removeAttribute("aria-label")],
  ["aside[role=navigation]", (one) => one.removeAttribute("role")],
  [".cm-content[role=textbox]:not([aria-label])", (one) => one.setAttribute("aria-label", labelBefore(one))],
  ["button.scalar-code-copy:not([aria-label])", (one) => one.setAttribute("aria-label", "Copy")],
  [".response-card[role=region]", (one) => one.removeAttribute("role")],
  ["ul.endpoints:not([tabindex])", (one) => one.setAttribute("tabindex", "0")],
]
/** The renderer writes "Name:" or "Value:" before a field, without tying it to the field. */
function labelBefore(field) {
  let around = field.parentElement
  for (let step = 0; around !== null && step < 8; step += 1) {
    const label = /^\\s*([A-Z][A-Za-z ]{0,30}):/.exec(around.textContent)
    if (label !== null) {
      return label[1]
    }
    around = around.parentElement
  }
  return "Value"
}
function fixMarkup() {
  for (const [selector, fix] of FIXES) {
    document.querySelectorAll(selector).forEach(fix)
  }
  for (const button of document.querySelectorAll("button:not([aria-label]):not([aria-labelledby])")) {
    if (button.textContent.trim() === "") {
      button.setAttribute("aria-label", button.className.includes("copy") ? "Copy" : "More")
    }
  }
}
new MutationObserver(fixMarkup).observe(document.documentElement, { childList: true, subtree: true })
const slug = (text) => text.toLowerCase().replaceAll(" ", "-")
/** The anchor of ?operation=POST /payments/checkout, or of ?event=payment.succeeded, for those who link to this page. */
function anchorOf({ paths, webhooks }) {
  const asked = new URLSearchParams(location.search)
  const event = asked.get("event")
  if (event in webhooks) {
    return "tag/" + slug(webhooks[event].post.tags[0]) + "/webhook/" + event
  }
  const [method, path] = (asked.get("operation") ?? "").split(" ")
  const operation = paths[path]?.[method.toLowerCase()]
  return operation && "tag/" + slug(operation.tags[0]) + "/" + operation.operationId
}
/** The guides are linked where they help: at the beginning, and beside the operations of a tag. */
function withGuides({ info, tags, ...rest }) {
  const links = JSON.parse(reference.dataset.guides)
  const beside = (tag) => {
    const guide = links.of_tags[tag.name]
    return guide === undefined ? tag : { ...tag, description: tag.description + "\\n\\n" + guide }
  }
  const description = info.description + "\\n\\n" + links.all
  return { ...rest, info: { ...info, description }, tags: tags.map(beside) }
}
async function start() {
  const content = await (await fetch(base + "/openapi.json")).json()
  const anchor = anchorOf(content)
  if (anchor !== undefined && location.hash === "") {
    history.replaceState(null, "", "#" + anchor)
  }
  Scalar.createApiReference("#reference", { ...SETTINGS, content: withGuides(content) })
}
const SETTINGS = {
  servers: [{ url: location.origin + base, description: reference.dataset.server }],
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: "json",
  theme: "none",
  hiddenClients: true,
  generateOperationSlug: (operation) => operation.operationId ?? operation.method + operation.path,
  generateWebhookSlug: (webhook) => webhook.name,
}
start()
`
