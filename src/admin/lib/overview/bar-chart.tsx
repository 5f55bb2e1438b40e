import type { presentOverview } from "../../../api/admin/gateway/overview/resource"
import type { Json } from "../http"
import { Table, Text } from "@medusajs/ui"
import { useText } from "../text"

export const WAITING = [
  "mismatched_payments",
  "mismatched_refunds",
  "unresolved_payments",
  "unresolved_refunds",
  "captures_ending",
  "captures_missed",
  "unresolved_captures",
  "unreleased_payments",
  "held_payments",
  "flagged_payments",
  "other_instalments",
  "paid_twice",
  "paid_without_order",
  "late_cash_orders",
  "stuck_cash_orders",
  "refunds_to_approve",
  "failed_refunds",
  "returns_to_confirm",
  "unreturned_verifications",
  "disputes_to_answer",
  "unsettled_payments",
  "past_due_subscriptions",
  "disabled_endpoints",
  "failing_endpoints",
  "failed_deliveries",
] as const

/** GET /admin/gateway/overview: amounts and percentages as text, days of the merchant's time zone. */
export type Overview = Json<ReturnType<typeof presentOverview>>

export type Acquirer = Overview["acquirers"][number]

export type Day = Overview["days"][number]

/** One bar: a day, or a month of a long period. `from` and `to` are days, both inclusive. */
export type Bar = { from: string; to: string; paid: number; failed: number; amount: string; refunded: string }

/** With more days, bars would be too thin for a finger, and on a phone thinner than a pixel. */
const DAYS_MAX = 92

/** The bars of a period: its days, or its months when there are too many days. Amounts are added up exactly. */
export function barsOf(days: readonly Day[]): Bar[] {
  const bars = days.map(({ date, paid, failed, amount, refunded }): Bar => ({
    from: date,
    to: date,
    paid,
    failed,
    amount,
    refunded,
  }))
  return days.length <= DAYS_MAX ? bars : bars.reduce<Bar[]>(joinMonth, [])
}

function joinMonth(months: Bar[], bar: Bar): Bar[] {
  const last = months[months.length - 1]
  if (last === undefined || last.from.slice(0, 7) !== bar.from.slice(0, 7)) {
    return [...months, bar]
  }
  const joined: Bar = {
    from: last.from,
    to: bar.to,
    paid: last.paid + bar.paid,
    failed: last.failed + bar.failed,
    amount: sum(last.amount, bar.amount),
    refunded: sum(last.refunded, bar.refunded),
  }
  return [...months.slice(0, -1), joined]
}

/** Adds two amounts with two decimals, as the API writes them. */
function sum(left: string, right: string): string {
  const total = (BigInt(left.replace(".", "")) + BigInt(right.replace(".", ""))).toString().padStart(3, "0")
  return `${total.slice(0, -2)}.${total.slice(-2)}`
}

/** A colour variable of Medusa's theme, which differs in dark mode. */
export type Series = {
  name: string
  color: `var(--${string})`
  value: (bar: Bar) => number
  shown: (bar: Bar) => string
}

type Props = {
  label: string
  bars: readonly Bar[]
  series: readonly Series[]
  named: (bar: Bar) => string
  highest: (value: number) => string
}

const HEIGHT = 100
/** The share of its slot that a bar fills. */
const WIDTH = 0.76

/**
 * A bar chart over time with stacked series. The picture has a text alternative, every bar shows its figures as a
 * tooltip, and a table has them all.
 */
export const BarChart = ({ label, bars, series, named, highest }: Props) => {
  const say = useText()
  const totals = bars.map((bar) => series.reduce((sum, { value }) => sum + value(bar), 0))
  const top = Math.max(...totals, 0)
  return (
    <figure className="flex flex-col gap-3 px-6 py-4">
      <figcaption className="flex flex-wrap items-center justify-between gap-2">
        <Text size="small" weight="plus">
          {label}
        </Text>
        <Legend series={series} />
      </figcaption>
      <div className="relative">
        <Text size="xsmall" className="text-ui-fg-subtle absolute left-0 top-0">
          {highest(top)}
        </Text>
        <svg
          role="img"
          aria-label={say("overview.chart.picture", {
            chart: label,
            from: named(bars[0]),
            to: named(bars[bars.length - 1]),
            highest: highest(top),
          })}
          viewBox={`0 0 ${bars.length} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-40 w-full pt-5"
        >
          {bars.map((bar, index) => (
            <g key={bar.from}>
              <title>{[named(bar), ...series.map(({ name, shown }) => `${name}: ${shown(bar)}`)].join(" · ")}</title>
              {/* The whole column reacts to the pointer, also where its bar is empty. */}
              <rect x={index} y={0} width={1} height={HEIGHT} fill="transparent" />
              {stacked(bar, series, top).map(({ color, y, height }) => (
                <rect
                  key={color}
                  x={index + (1 - WIDTH) / 2}
                  y={y}
                  width={WIDTH}
                  height={height}
                  style={{ fill: color }}
                />
              ))}
            </g>
          ))}
        </svg>
        <div className="border-ui-border-base flex justify-between border-t pt-1">
          <Text size="xsmall" className="text-ui-fg-subtle">
            {named(bars[0])}
          </Text>
          <Text size="xsmall" className="text-ui-fg-subtle">
            {named(bars[bars.length - 1])}
          </Text>
        </div>
      </div>
      <Figures label={label} bars={bars} series={series} named={named} />
    </figure>
  )
}

function stacked(bar: Bar, series: readonly Series[], top: number): { color: string; y: number; height: number }[] {
  let y = HEIGHT
  return series.flatMap(({ color, value }) => {
    const height = top === 0 ? 0 : (value(bar) / top) * HEIGHT
    y -= height
    return height === 0 ? [] : [{ color, y, height }]
  })
}

const Legend = ({ series }: { series: readonly Series[] }) => (
  <ul className="flex flex-wrap gap-4">
    {series.map(({ name, color }) => (
      <li key={name} className="flex items-center gap-2">
        <span aria-hidden className="inline-block h-2 w-2 rounded-sm" style={{ background: color }} />
        <Text size="xsmall" className="text-ui-fg-subtle">
          {name}
        </Text>
      </li>
    ))}
  </ul>
)

const Figures = ({ label, bars, series, named }: Omit<Props, "highest">) => {
  const say = useText()
  return (
    <details>
      <summary className="txt-compact-small text-ui-fg-interactive w-fit cursor-pointer">
        {say("overview.chart.table")}
      </summary>
      <div className="mt-2 max-h-72 overflow-auto" tabIndex={0} role="region" aria-label={label}>
        <Table>
          <Table.Header>
            <Table.Row>
              <Table.HeaderCell>{say("overview.chart.when")}</Table.HeaderCell>
              {series.map(({ name }) => (
                <Table.HeaderCell key={name} className="text-right">
                  {name}
                </Table.HeaderCell>
              ))}
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {bars.map((bar) => (
              <Table.Row key={bar.from}>
                <Table.Cell className="whitespace-nowrap">{named(bar)}</Table.Cell>
                {series.map(({ name, shown }) => (
                  <Table.Cell key={name} className="whitespace-nowrap text-right">
                    {shown(bar)}
                  </Table.Cell>
                ))}
              </Table.Row>
            ))}
          </Table.Body>
        </Table>
      </div>
    </details>
  )
}
