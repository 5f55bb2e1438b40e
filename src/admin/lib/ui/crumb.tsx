import { useText, type TextKey } from "../text"

/** A page's name in the breadcrumbs; `handle = crumb("menu.payments")`. */
export function crumb(name: TextKey) {
  return { breadcrumb: () => <Crumb name={name} /> }
}

const Crumb = ({ name }: { name: TextKey }) => <>{useText()(name)}</>
