/*
 * The guides of docs/guides as HTML for the reference pages. prettier parses them: its tree is mdast, as remark makes it.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { parsers } from "prettier/plugins/markdown"
import { ROOT } from "./console.mjs"

const GUIDES = join(ROOT, "docs/guides")
const REFERENCE = "/api/v2/docs"

/**
 * Every guide by name, the first payment first: `{ name, title, html }`.
 * @param {any} document the OpenAPI document, whose operations and events are linked
 */
export async function guides(document) {
  const names = readdirSync(GUIDES)
    .filter((file) => file.endsWith(".md"))
    .map((file) => file.slice(0, -".md".length))
  const made = await Promise.all(
    names.sort(byPlace).map(async (name) => guideOf(name, readFileSync(join(GUIDES, `${name}.md`), "utf8"), document))
  )
  return made
}

/** In the order in which somebody needs them. */
const ORDER = [
  "first-payment",
  "webhooks",
  "refunds-and-returns",
  "capture-when-you-ship",
  "cash-on-delivery",
  "subscriptions",
  "emi",
  "errors",
  "going-live",
]
const placeOf = (name) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)
const byPlace = (one, other) => placeOf(one) - placeOf(other) || one.localeCompare(other)

/** @returns {Promise<{ name: string, title: string, html: string }>} without the heading, which is the title */
export async function guideOf(name, text, document) {
  const { children } = await parsers.markdown.parse(text, {})
  const [heading, ...rest] = children
  const title = heading?.depth === 1 ? wordsOf(heading) : ""
  // It is shown in HTML and in Markdown: plain words need no escaping in either.
  if (!/^[\w ,.-]+$/.test(title)) {
    throw new Error(`the guide ${name} does not begin with a heading of plain words`)
  }
  return { name, title, html: rest.map((node) => htmlOf(node, document)).join("\n") }
}

const escaped = (text) =>
  text.replace(/[&<>"]/g, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[one])
const wordsOf = ({ value, children = [] }) => value ?? children.map(wordsOf).join("")
const slugOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\w -]/g, "")
    .trim()
    .replaceAll(" ", "-")

/** By the type of the node. A type that no guide has yet is an error, so that nothing gets lost. */
const NODES = {
  text: ({ value }) => escaped(value),
  paragraph: (node, inner) => `<p>${inner(node)}</p>`,
  heading: (node, inner) => `<h${node.depth} id="${slugOf(wordsOf(node))}">${inner(node)}</h${node.depth}>`,
  strong: (node, inner) => `<strong>${inner(node)}</strong>`,
  emphasis: (node, inner) => `<em>${inner(node)}</em>`,
  list: (node, inner) => (node.ordered ? `<ol>${inner(node)}</ol>` : `<ul>${inner(node)}</ul>`),
  // The items of the guides are single paragraphs.
  listItem: (node, inner) => `<li>${node.children.map(inner).join("")}</li>`,
  inlineCode: ({ value }, _inner, document) => linked(value, `<code>${escaped(value)}</code>`, document),
  code: ({ value, lang }) =>
    `<pre tabindex="0"${lang === "text" ? ' class="output"' : ""}><code>${escaped(value)}</code></pre>`,
  link: (node, inner) => linkOf(node.url, inner(node)),
  table: ({ children: [head, ...rows] }, inner) =>
    // A phone shows cells below each other, by a style that takes the meaning from the elements: roles give it back.
    `<table role="table"><thead role="rowgroup">${rowOf(head, inner, "th", "columnheader")}</thead>` +
    `<tbody role="rowgroup">${rows.map((row) => rowOf(row, inner, "td", "cell")).join("")}</tbody></table>`,
}

function htmlOf(node, document) {
  const inner = ({ children }) => children.map((child) => htmlOf(child, document)).join("")
  if (!(node.type in NODES)) {
    throw new Error(`the guides have no "${node.type}" yet: add it to guide-html.mjs`)
  }
  return NODES[node.type](node, inner, document)
}

/** A row about a code has the code as its anchor. */
function rowOf({ children }, inner, element, role) {
  const [first] = children
  const code = element === "td" && /^[A-Z]+(_[A-Z]+)*$/.test(wordsOf(first)) ? ` id="${wordsOf(first)}"` : ""
  const cells = children.map((cell) =>
    // A header without words is none.
    wordsOf(cell) === "" ? `<td role="cell"></td>` : `<${element} role="${role}">${inner(cell)}</${element}>`
  )
  return `<tr role="row"${code}>${cells.join("")}</tr>`
}

/** Other documents are in the package and the repository, and not among these pages. */
function linkOf(url, text) {
  if (/^https?:/.test(url)) {
    return `<a href="${escaped(url)}">${text}</a>`
  }
  const [path, anchor] = url.split("#")
  const file = posix.join("docs/guides", path)
  const [, name] = /^docs\/guides\/([a-z-]+)\.md$/.exec(file) ?? []
  return name === undefined
    ? `${text} (<code>${file}</code>)`
    : `<a href="${REFERENCE}/guides/${name}${anchor === undefined ? "" : `#${anchor}`}">${text}</a>`
}

/** Code that names an operation or an event leads to it. */
function linked(value, html, { paths, webhooks }) {
  const [, method, path] = /^(GET|POST|PATCH|DELETE) (?:\/api\/v2)?(\/\S+)$/.exec(value) ?? []
  const asked =
    paths[path]?.[method?.toLowerCase()] !== undefined
      ? { operation: `${method} ${path}` }
      : value in webhooks
        ? { event: value }
        : null
  return asked === null ? html : `<a href="${REFERENCE}?${new URLSearchParams(asked)}">${html}</a>`
}
