/**
 * JSX that makes real DOM nodes: `<p class="note">{text}</p>` is an HTMLParagraphElement.
 * Text always becomes a text node, never markup, so nothing a shop or a shopper typed can inject anything.
 */
export type View = HTMLElement | SVGElement
export type Children = Node | string | number | boolean | null | undefined | Children[]

type Props = Record<string, unknown> | null
type Component = (props: never) => View

const SVG_TAGS = new Set(["svg", "path", "circle"])

export function h(type: string | Component, props: Props, ...children: Children[]): View {
  if (typeof type === "function") {
    return type({ ...props, children } as never)
  }
  const element = SVG_TAGS.has(type)
    ? document.createElementNS("http://www.w3.org/2000/svg", type)
    : document.createElement(type)
  for (const [name, value] of Object.entries(props ?? {})) {
    setAttribute(element, name, value)
  }
  append(element, children)
  return element
}

/** Replaces everything inside `parent`. */
export function fill(parent: Element, ...children: Children[]): void {
  parent.replaceChildren()
  append(parent, children)
}

/**
 * The element with this id, which the caller has just rendered. Throws when it is missing, instead of failing later.
 */
export function byId<T extends HTMLElement>(root: ParentNode, id: string): T {
  const element = root.querySelector<T>(`#${CSS.escape(id)}`)
  if (!element) {
    throw new Error(`No element with the id ${id}`)
  }
  return element
}

function setAttribute(element: Element, name: string, value: unknown): void {
  if (typeof value === "function") {
    // onClick, onSubmit, ...: a listener, never an inline attribute, which a strict CSP forbids.
    element.addEventListener(name.slice(2).toLowerCase(), value as EventListener)
  } else if (value === true) {
    element.setAttribute(name, "")
  } else if (value !== false && value !== null && value !== undefined) {
    element.setAttribute(name, String(value))
  }
}

function append(parent: Element, children: Children): void {
  if (Array.isArray(children)) {
    children.forEach((child) => append(parent, child))
  } else if (children instanceof Node) {
    parent.append(children)
  } else if (typeof children === "string" || typeof children === "number") {
    parent.append(String(children))
  }
}
