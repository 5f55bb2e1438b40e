import { ArrowDownTray } from "@medusajs/icons"
import { Button, type DataTableFilter, Text } from "@medusajs/ui"
import { type ReactNode, useEffect, useMemo, useState } from "react"
import { useTimeZone } from "../admin-api"
import { useAdminQuery, useDownload, useTenantState } from "../data"
import { type Formats, useFormats } from "../format"
import type { Query } from "../http"
import { type Say, useText } from "../text"
import { Loading } from "../ui/section"
import { localDay, presets } from "./presets"

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
export const Amount = ({ amount, currency }: { amount: string; currency: string }) => {
  const { money } = useFormats()
  return <span className="whitespace-nowrap tabular-nums">{money(amount, currency)}</span>
}

/** Of a text without an end, such as a name or an address: in lines, so that the columns beside it stay in sight. */
export const FITTED = "w-max max-w-48 2xl:max-w-72 whitespace-normal [overflow-wrap:anywhere]"

/** A name of up to 200 characters beside others: it leaves the amount in sight. */
export const NAMED = "w-max max-w-32 2xl:max-w-48 whitespace-normal [overflow-wrap:anywhere]"

/** Of a time in a table of many columns: its day and time take two lines on a laptop. */
export const WHEN =
  "whitespace-nowrap md:max-2xl:block md:max-2xl:w-max md:max-2xl:max-w-28 md:max-2xl:whitespace-normal text-end md:text-start"

/** Opens a row's drawer, as a click anywhere in the row does. */
export const Opener = ({ onOpen, children }: { onOpen: () => void; children: ReactNode }) => (
  <button type="button" data-opens-row className="text-ui-fg-interactive whitespace-nowrap" onClick={onOpen}>
    {children}
  </button>
)

type LinesProps = {
  first: ReactNode
  second: ReactNode
  /** How wide: `FITTED` or `NAMED`. */
  className?: string
}

/** A row's subject and, below it in small print, a detail that identifies it. */
export const TwoLines = ({ first, second, className = FITTED }: LinesProps) => (
  <div className={`${className} py-2`}>
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

/** Downloads all rows of the list as CSV, with the search, the filters and the order that are set. */
export const ExportButton = ({
  path,
  query: { limit: _limit, offset: _offset, ...query },
}: {
  path: string
  query: Query
}) => {
  const say = useText()
  const download = useDownload()
  return (
    <Button
      size="small"
      variant="secondary"
      isLoading={download.isPending}
      onClick={() => download.mutate({ path, query: { ...query, format: "csv" } })}
    >
      <ArrowDownTray />
      {say("table.export")}
    </Button>
  )
}

type Option = { label: string; value: string }

/** A filter with several values at once. */
export function anyOf(id: string, label: string, options: Option[]): DataTableFilter {
  return { id, type: "select", label, options }
}

export function oneOf(id: string, label: string, options: Option[]): DataTableFilter {
  return { id, type: "radio", label, options }
}

/** Today (`useToday`), yesterday, this month and the last one, the last days, or from and to: days of the merchant's time zone. */
export function byDate(say: Say, { day, zone }: Formats, now: Date): DataTableFilter {
  const { today, yesterday, month, lastMonth, last } = presets(now, zone)
  return {
    id: "date",
    type: "date",
    label: say("table.date"),
    format: "date",
    rangeOptionLabel: say("table.custom"),
    rangeOptionStartLabel: say("table.from"),
    rangeOptionEndLabel: say("table.to"),
    formatDateValue: (value) => day(localDay(value)),
    options: [
      { label: say("table.today"), value: today },
      { label: say("table.yesterday"), value: yesterday },
      { label: say("table.month"), value: month },
      { label: say("table.last_month"), value: lastMonth },
      { label: say("table.days", { count: 7 }), value: last(7) },
      { label: say("table.days", { count: 30 }), value: last(30) },
      { label: say("table.days", { count: 90 }), value: last(90) },
    ],
  }
}

type Props = { index: number; size: number; count: number; onChange: (index: number) => void }

/** Shows the range of rows and the paging buttons. Medusa's own shows English digits in every language. */
export const Pages = ({ index, size, count, onChange }: Props) => {
  const say = useText()
  const { number } = useFormats()
  if (count === 0) {
    return null
  }
  const pages = Math.ceil(count / size)
  const [from, to] = [Math.min(index * size + 1, count), Math.min((index + 1) * size, count)]
  return (
    <div className="text-ui-fg-subtle txt-compact-small-plus flex w-full flex-wrap items-center justify-between gap-2 px-3 py-4">
      <p className="px-3 py-[5px]">
        {say("table.rows", { count, from: number(from), to: number(to), all: number(count) })}
      </p>
      <div className="flex items-center gap-x-2">
        <p className="px-3 py-[5px]">
          {say("table.page", { count: pages, page: number(index + 1), pages: number(pages) })}
        </p>
        <Button type="button" variant="transparent" disabled={index === 0} onClick={() => onChange(index - 1)}>
          {say("table.previous")}
        </Button>
        <Button type="button" variant="transparent" disabled={index + 1 >= pages} onClick={() => onChange(index + 1)}>
          {say("table.next")}
        </Button>
      </div>
    </div>
  )
}

const LOOK_MS = 60_000

/**
 * The beginning of today in the merchant's time zone, by its clock, or by the real one for what is listed by real time. A
 * page that stays open goes over to the next day.
 */
export function useToday(clock: "merchant" | "real" = "merchant"): Date {
  const ahead = useTenantState()?.offset_seconds ?? 0
  const offset = clock === "real" ? 0 : ahead * 1_000
  const zone = useTimeZone()
  const beginning = () => presets(new Date(Date.now() + offset), zone).today.$gte
  const [, setSeen] = useState("")
  useEffect(() => {
    const timer = setInterval(() => setSeen(beginning()), LOOK_MS)
    return () => clearInterval(timer)
  })
  const today = beginning()
  return useMemo(() => new Date(today), [today])
}

/** The labels of the amounts that a list adds up, by the members of its answer's totals. */
export type TotalLabels = Readonly<Record<string, string>>

type Answer = { totals: ({ currency: string } & Record<string, string>)[] }

/** `of`: the list's name, where a page has several. */
type TotalsProps = { path: string; query: Query; labels: TotalLabels; of?: string }

/** The sums of all rows of a list, not only of its page; a line for each currency, never mixed. */
export const TableTotals = ({ path, query, labels, of }: TotalsProps) => {
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
    <section
      aria-label={[say("table.totals"), of].filter(Boolean).join(": ")}
      className="flex flex-col gap-1 border-t px-6 py-3"
    >
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
