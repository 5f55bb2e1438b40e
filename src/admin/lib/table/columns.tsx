import { Text } from "@medusajs/ui"
import type { ReactNode } from "react"
import { useFormats } from "../format"
import type { Say } from "../text"

/** The header of a time column by which the list can be sorted. */
export function byTime(say: Say, header: string) {
  return { header, enableSorting: true, sortAscLabel: say("table.oldest"), sortDescLabel: say("table.newest") }
}

/** The header of an amount column by which the list can be sorted. */
export function byAmount(say: Say, header: string) {
  return {
    header,
    align: "right",
    enableSorting: true,
    sortAscLabel: say("table.ascending"),
    sortDescLabel: say("table.descending"),
  } as const
}

/** Amounts with aligned digits. */
export const Amount = ({ amount, currency, after = "" }: { amount: string; currency: string; after?: string }) => {
  const { money } = useFormats()
  return <span className="whitespace-nowrap tabular-nums">{`${money(amount, currency)}${after}`}</span>
}

/** A row's subject and, below it in small print, a detail that identifies it. */
export const TwoLines = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <div className="py-2">
    <Text as="div" size="small" leading="compact">
      {first}
    </Text>
    {second !== null && (
      <Text as="div" size="xsmall" className="text-ui-fg-subtle">
        {second}
      </Text>
    )}
  </div>
)
