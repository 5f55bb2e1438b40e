import { useText } from "../text"
import { Badge } from "../ui/bits"
import type { Plan } from "./types"

export const PlanBadge = ({ is_active }: Pick<Plan, "is_active">) => {
  const say = useText()
  return <Badge color={is_active ? "green" : "grey"}>{say(is_active ? "plans.active" : "plans.archived")}</Badge>
}
