import { defineRouteConfig } from "@medusajs/admin-sdk"
import { useMemo } from "react"
import { CashFigures } from "../../lib/cash/parts"
import { useAdminQuery } from "../../lib/data"
import { useFormats } from "../../lib/format"
import { Acquirers, FirstSteps } from "../../lib/overview/first-steps"
import { type Bar, BarChart, type Overview, type Series, barsOf } from "../../lib/overview/bar-chart"
import { Attention, BalanceChange, Figures, Methods } from "../../lib/overview/figures"
import { CurrencyPicker, PeriodPicker, useCurrency, usePeriod } from "../../lib/overview/period"
import { useText, zoneName } from "../../lib/text"
import { crumb } from "../../lib/ui/bits"
import { AdminPage } from "../../lib/ui/admin-page"
import { GatewayIcon, OverviewOrFirstPage } from "../../lib/ui/page-links"
import { ErrorState, Loading, Section } from "../../lib/ui/section"

const Charts = ({ overview: { days, currency } }: { overview: Overview }) => {
  const say = useText()
  const { money, number, day, month } = useFormats()
  const bars = useMemo(() => barsOf(days), [days])
  const isByDay = bars.length === days.length
  const named = ({ from }: Bar) => (isByDay ? day(from) : month(from))
  const inCurrency = (amount: string) => money(amount, currency)
  const volume: Series[] = [
    {
      name: say("overview.volume"),
      color: "var(--tag-blue-icon)",
      value: ({ amount }) => Number(amount),
      shown: ({ amount }) => inCurrency(amount),
    },
  ]
  const refunds: Series[] = [
    {
      name: say("overview.refunds"),
      color: "var(--tag-orange-icon)",
      value: ({ refunded }) => Number(refunded),
      shown: ({ refunded }) => inCurrency(refunded),
    },
  ]
  const outcomes: Series[] = [
    {
      name: say("overview.paid"),
      color: "var(--tag-green-icon)",
      value: ({ paid }) => paid,
      shown: ({ paid }) => number(paid),
    },
    {
      name: say("overview.failed"),
      color: "var(--tag-red-icon)",
      value: ({ failed }) => failed,
      shown: ({ failed }) => number(failed),
    },
  ]
  const amounts = { bars, named, highest: (value: number) => inCurrency(String(value)) }
  return (
    <Section
      heading={say("overview.chart.title")}
      description={say(isByDay ? "overview.chart.by_day" : "overview.chart.by_month")}
    >
      <BarChart {...amounts} label={say("overview.volume")} series={volume} />
      <BarChart bars={bars} named={named} highest={number} label={say("overview.payments")} series={outcomes} />
      <BarChart {...amounts} label={say("overview.refunds")} series={refunds} />
    </Section>
  )
}

const Page = () => {
  const say = useText()
  const { day } = useFormats()
  const period = usePeriod()
  const currency = useCurrency()
  const query = { ...period.query, currency: currency.chosen }
  const { data, error, refetch } = useAdminQuery<{ overview: Overview }>("/overview", query)
  const overview = data?.overview
  const shown = overview ?? { from: period.query.from ?? "", to: period.query.to ?? "" }
  return (
    <>
      <Section
        level="h1"
        heading={say("overview.title")}
        description={
          overview === undefined
            ? undefined
            : say("overview.description", {
                from: day(overview.from),
                to: day(overview.to),
                zone: zoneName(say, overview.time_zone),
              })
        }
        actions={
          <>
            {overview !== undefined && (
              <CurrencyPicker shown={overview.currency} all={overview.currencies} choose={currency.choose} />
            )}
            <PeriodPicker state={period} shown={shown} />
          </>
        }
      >
        {error !== null && <ErrorState error={error} retry={() => void refetch()} />}
        {overview === undefined && error === null && <Loading lines={6} />}
      </Section>
      {overview !== undefined && error === null && (
        <>
          <FirstSteps />
          <Figures overview={overview} />
          <Attention overview={overview} />
          <CashFigures from={overview.from} to={overview.to} currency={overview.currency} />
          <BalanceChange overview={overview} />
          <Charts overview={overview} />
          <Methods overview={overview} />
          <Acquirers overview={overview} />
        </>
      )}
    </>
  )
}

const OverviewPage = () => (
  <AdminPage>
    <OverviewOrFirstPage>
      <Page />
    </OverviewOrFirstPage>
  </AdminPage>
)

export const config = defineRouteConfig({ label: "menu.gateway", translationNs: "gateway", icon: GatewayIcon })
export const handle = crumb("menu.gateway")

export default OverviewPage
