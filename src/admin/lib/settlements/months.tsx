import { Table } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { useAdminQuery } from "../data"
import { useFormats } from "../format"
import { useAddressFilter } from "../table/url-state"
import { useText } from "../text"
import { Badge } from "../ui/bits"
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

const MonthTable = ({ months }: { months: readonly Month[] }) => {
  const say = useText()
  const { money, month: monthName } = useFormats()
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={say("settlements.month.list")}>
      <Table>
        <Table.Header>
          <Table.Row>
            <Table.HeaderCell>{say("settlements.month.one")}</Table.HeaderCell>
            <Table.HeaderCell>{say("payments.status")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{say("settlements.figures_of.settled.net")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{say("settlements.figures_of.bank.deposited")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{say("settlements.month.still_held")}</Table.HeaderCell>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {months.flatMap((one) =>
            one.figures.map(({ currency, settled, bank, held }) => (
              <Table.Row key={`${one.month}/${currency}`}>
                <Table.Cell className="whitespace-nowrap">
                  <Link to={monthPage(one)} className="text-ui-fg-interactive">
                    {monthName(`${one.month}-01`)}
                  </Link>
                </Table.Cell>
                <Table.Cell>
                  <MonthBadge status={one.status} />
                </Table.Cell>
                {[settled.net, bank.deposited, held.closing].map(({ amount }, index) => (
                  <Table.Cell key={index} className="whitespace-nowrap text-right tabular-nums">
                    {money(amount, currency)}
                  </Table.Cell>
                ))}
              </Table.Row>
            ))
          )}
        </Table.Body>
      </Table>
    </div>
  )
}
