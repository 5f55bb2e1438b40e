import type { MouseEvent as ClickIn } from "react"

/** What a click is for itself. */
const OWN_CLICKS = "a, button, input, label, select, textarea, summary, [role='menuitem']"

/**
 * A click anywhere in a row of a list is one on its first link to a page of the gateway. Keyboards and screen readers
 * use the link. Not: the click that ends a selection of text, and clicks in a dialog, which reach the row that contains
 * it in React though it is elsewhere on the page.
 */
export function openRow({ currentTarget: row, target, ctrlKey, metaKey, shiftKey }: ClickIn<HTMLElement>): void {
  const isOfRow = target instanceof Element && row.contains(target) && target.closest(OWN_CLICKS) === null
  if (isOfRow && window.getSelection()?.isCollapsed !== false) {
    const click = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }
    row.querySelector("a[href*='/gateway/']")?.dispatchEvent(new MouseEvent("click", click))
  }
}
