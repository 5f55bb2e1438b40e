import { Text } from "@medusajs/ui"
import type { ReactNode } from "react"
import { useFormats } from "../format"
import type { Say } from "../text"

/** The head of a column of times that the list is sorted by. */
export function byTime(say: Say, header: string) {
  return { header, enableSorting: true, sortAscLabel: say("table.oldest"), sortDescLabel: say("table.newest") }
}

/** The head of a column of amounts that the list is sorted by. */
export function byAmount(say: Say, header: string) {
  return {
    header,
    align: "right",
    enableSorting: true,
    sortAscLabel: say("table.ascending"),
    sortDescLabel: say("table.descending"),
  } as const
}

/** Money below money: digits stand under digits. */
export const Amount = ({ amount, currency, after = "" }: { amount: string; currency: string; after?: string }) => {
  const { money } = useFormats()
  return <span className="whitespace-nowrap tabular-nums">{`${money(amount, currency)}${after}`}</span>
}

/** What a row is about, and below it, smaller, what tells it from others. */
export const TwoLines = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <div className="py-2">
    <Text as="div" size="small" leading="compact">
      {first}
    </Text>
    <Text as="div" size="xsmall" className="text-ui-fg-subtle">
      {second}
    </Text>
  </div>
)
