import { useAdminQuery } from "../data"
import { useFormats } from "../format"
import { SmallTable } from "../table/small-table"
import { useAddressFilter } from "../table/url-state"
import { useText } from "../text"
import { Badge } from "../ui/bits"
import { Link } from "../ui/page-links"
import { ErrorState, Loading, Section } from "../ui/section"
import { Quiet, SourceChoice, useSources } from "./parts"
import { settles, type Month } from "./types"

export function monthPage({ source, month }: Pick<Month, "source" | "month">): string {
  return `/gateway/settlements/months/${encodeURIComponent(source)}/${month}`
}

export const MonthBadge = ({ status }: Pick<Month, "status">) => {
  const say = useText()
  return <Badge color={status === "closed" ? "green" : "orange"}>{say(`settlements.month.statuses.${status}`)}</Badge>
}

/** The months of one source, the newest first. */
export const MonthList = () => {
  const say = useText()
  const [chosen, choose] = useAddressFilter("source")
  const [first] = useSources().filter(({ source }) => settles(source))
  const source = chosen ?? first?.source
  const asked = useAdminQuery<{ months: Month[] }>("/settlements/months", { source }, source !== undefined)
  const months = asked.isPlaceholderData ? undefined : asked.data?.months
  return (
    <Section level="h1" heading={say("settlements.month.title")} description={say("settlements.month.description")}>
      {source !== undefined && (
        <div className="px-6 py-4">
          <div className="sm:max-w-xs">
            <SourceChoice value={source} onChange={choose} fits={settles} />
          </div>
        </div>
      )}
      {months === undefined &&
        (asked.error === null ? (
          <Loading lines={3} />
        ) : (
          <ErrorState error={asked.error} retry={() => void asked.refetch()} />
        ))}
      {months?.length === 0 && (
        <div className="px-6 py-4">
          <Quiet>{say("settlements.month.none")}</Quiet>
        </div>
      )}
      {months !== undefined && months.length > 0 && <MonthTable months={months} />}
    </Section>
  )
}

type Row = Month["figures"][number] & Pick<Month, "month" | "source" | "status">

const MonthTable = ({ months }: { months: readonly Month[] }) => {
  const say = useText()
  const { money, month: monthName } = useFormats()
  const figure = (name: string, of: (one: Row) => { amount: string }) => ({
    name,
    isNumber: true,
    cell: (one: Row) => money(of(one).amount, one.currency),
  })
  return (
    <SmallTable
      label={say("settlements.month.list")}
      rows={months.flatMap(({ month, source, status, figures }) =>
        figures.map((one): Row => ({ ...one, month, source, status }))
      )}
      keyOf={({ month, currency }) => `${month}/${currency}`}
      columns={[
        {
          name: say("settlements.month.one"),
          cell: (one) => (
            <Link to={monthPage(one)} className="text-ui-fg-interactive whitespace-nowrap">
              {monthName(`${one.month}-01`)}
            </Link>
          ),
        },
        { name: say("payments.status"), cell: (one) => <MonthBadge status={one.status} /> },
        figure(say("settlements.figures_of.settled.net"), ({ settled }) => settled.net),
        figure(say("settlements.figures_of.bank.deposited"), ({ bank }) => bank.deposited),
        figure(say("settlements.month.still_held"), ({ held }) => held.closing),
      ]}
    />
  )
}
