import { useText } from "../text"
import { Badge } from "../ui/bits"
import { REFUND_COLORS, type Refund } from "./types"

type BadgeProps = Pick<Refund, "status"> & { held_for?: Refund["held_for"] }

/** A refund's status; a pending refund shows what it waits for. */
export const RefundBadge = ({ status, held_for = null }: BadgeProps) => {
  const say = useText()
  const text =
    status === "pending" && held_for !== null ? say(`refunds.held_${held_for}`) : say(`refunds.statuses.${status}`)
  return <Badge color={REFUND_COLORS[status]}>{text}</Badge>
}
