// React's types for the server are a package of their own; the test needs this one function.
declare module "react-dom/server" {
  export function renderToStaticMarkup(element: import("react").ReactElement): string
}
