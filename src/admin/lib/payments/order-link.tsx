import { Link } from "react-router-dom"
import type { PresentedMessage } from "../message"
import { useText, type Say } from "../text"

/** `Open order #12`: by the number that Medusa's own list shows; an order of another store has none here. */
export function orderText(say: Say, number: number | null): string {
  return number === null ? say("payments.open_order") : say("payments.open_order_number", { number: String(number) })
}

type Words = (message: PresentedMessage) => string

/** What happened to a cart; its order is named by the number that Medusa's own list shows, where there is one. */
export function cartText(say: Say, words: Words, entry: PresentedMessage, order_number: number | null): string {
  return entry.kind === "cart.ordered" && order_number !== null
    ? say("payments.timeline.ordered", { number: String(order_number) })
    : words(entry)
}

/** The way to an order of the store; a dash where there is none. */
export const OrderLink = ({ id, number }: { id: string | null; number: number | null }) => {
  const say = useText()
  return id === null ? (
    "–"
  ) : (
    <Link to={`/orders/${id}`} className="text-ui-fg-interactive whitespace-nowrap">
      {orderText(say, number)}
    </Link>
  )
}
