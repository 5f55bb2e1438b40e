type JsxAttribute = string | number | boolean | null | undefined | ((event: never) => unknown)

declare namespace JSX {
  type Element = import("./dom").View
  interface ElementChildrenAttribute {
    children: unknown
  }
  interface IntrinsicElements {
    [tag: string]: { [attribute: string]: JsxAttribute | import("./dom").Children }
  }
}
