import { Select, Text } from "@medusajs/ui"
import { useFormats } from "../format"
import { useText } from "../text"
import { everyText, type Plan } from "./types"

type Tied = { id: string; "aria-describedby"?: string; "aria-invalid"?: boolean }
type Props = { tied: Tied; plans: readonly Plan[] | undefined; value: string; onChange: (number: string) => void }

/** What is asked for when one is to be chosen: the newest active ones. */
export const CHOICE = { status: "active", limit: 100 } as const

/** One of the plans, by its number. */
export const ChoosePlan = ({ tied, plans, value, onChange }: Props) => {
  const say = useText()
  const { money } = useFormats()
  if (plans?.length === 0) {
    return (
      <Text size="small" className="text-ui-fg-subtle">
        {say("plans.widget.no_plans")}
      </Text>
    )
  }
  return (
    <Select value={value} onValueChange={onChange}>
      <Select.Trigger {...tied}>
        <Select.Value placeholder={say("plans.widget.choose")} />
      </Select.Trigger>
      <Select.Content>
        {(plans ?? []).map((plan) => (
          <Select.Item key={plan.id} value={String(plan.number)}>
            {`${plan.plan_name} · ${money(plan.amount, plan.currency)} ${everyText(say, plan)}`}
          </Select.Item>
        ))}
      </Select.Content>
    </Select>
  )
}
