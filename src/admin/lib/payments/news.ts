import type { Say } from "../text"

/** What the history of a paid cart says, by the beginning that the gateway writes; the rest is an id or a reason. */
const NEWS = [
  [/^paid$/, "paid"],
  [/^completed as order (?<told>.+)$/, "ordered"],
  [/^no order: (?<told>.*)$/s, "no_order"],
  [/^giving the money back: (?<told>.*)$/s, "giving_back"],
  [/^money given back by refund (?<told>.+)$/, "given_back"],
  [/^needs attention: (?<told>.*)$/s, "needs_attention"],
] as const

/** An entry of a paid cart's history in the admin's language; one of a later version stands as it was written. */
export function newsText(say: Say, what: string): string {
  for (const [pattern, name] of NEWS) {
    const match = pattern.exec(what)
    if (match !== null) {
      return say(`payments.carts.news.${name}`, { told: match.groups?.told ?? "" })
    }
  }
  return what
}
