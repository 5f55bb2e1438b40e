export { escapeHtml, html, Markup, type Renderable } from "../../../modules/gateway/domain/html"
