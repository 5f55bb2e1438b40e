export { escapeHtml, html, Markup, type Renderable } from "../../../modules/gateway/kernel/html"
