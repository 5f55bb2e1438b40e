import { Text } from "@medusajs/ui"
import { useAdminQuery } from "../data"
import { useFormats } from "../format"
import type { Query } from "../http"
import { useText } from "../text"
import { Loading } from "../ui/states"

/** The labels of the amounts that a list adds up, by the members of its answer's totals. */
export type TotalLabels = Readonly<Record<string, string>>

type Answer = { totals: ({ currency: string } & Record<string, string>)[] }

/** The sums of all rows of a list, not only of its page; a line for each currency, never mixed. */
export const TableTotals = ({ path, query, labels }: { path: string; query: Query; labels: TotalLabels }) => {
  const say = useText()
  const { money } = useFormats()
  const asked = { ...query, order: undefined, offset: 0, limit: 1, totals: "true" }
  const { data, error, isPlaceholderData } = useAdminQuery<Answer>(path, asked)
  if (error !== null) {
    return (
      <Text size="small" role="alert" className="text-ui-fg-subtle border-t px-6 py-3">
        {`${say("table.totals")}: ${say("common.not_loaded")}`}
      </Text>
    )
  }
  // Another filter's sums must not stand under the chosen one.
  if (isPlaceholderData) {
    return <Loading lines={1} />
  }
  if (data === undefined || data.totals.length === 0) {
    return null
  }
  return (
    <section aria-label={say("table.totals")} className="flex flex-col gap-1 border-t px-6 py-3">
      {data.totals.map(({ currency, ...sums }) => (
        <div key={currency} className="flex flex-wrap items-baseline gap-x-6 gap-y-1">
          <Text size="small" weight="plus">
            {say("table.totals_in", { currency })}
          </Text>
          {Object.entries(labels).map(([member, label]) => (
            <Text key={member} size="small" className="text-ui-fg-subtle">
              {label}: <span className="text-ui-fg-base tabular-nums">{money(sums[member], currency)}</span>
            </Text>
          ))}
        </div>
      ))}
    </section>
  )
}
