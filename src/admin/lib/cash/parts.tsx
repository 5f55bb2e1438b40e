import { Button, Heading, Text } from "@medusajs/ui"
import type { ReactNode } from "react"
import type { presentCollection, presentSummary } from "../../../api/admin/gateway/cash-orders/resource"
import type { presentOnOrder, presentWhole } from "../../../api/admin/gateway/cash-orders/whole"
import { useAdminQuery } from "../data"
import { useFormats } from "../format"
import type { Json } from "../http"
import { decimalOf, minorOf } from "../refunds/draft"
import { momentsOf } from "../table/presets"
import { Who } from "../refunds/refund-drawer"
import { useMessage, useText, type Say } from "../text"
import { Badge, Moment, type Color } from "../ui/bits"
import { Link } from "../ui/page-links"
import { Facts, Section } from "../ui/section"

/** An order in the list; on its own page with what came, and with the store's rule of the advance. */
export type CashOrderInFull = Json<Awaited<ReturnType<typeof presentWhole>>["cash_order"]>
export type CashOrder = Omit<CashOrderInFull, "collections" | "refused_advance">
export type OrderCash = Json<Awaited<ReturnType<typeof presentOnOrder>>>
type Collection = Json<ReturnType<typeof presentCollection>>
type Status = CashOrder["status"]

/** What the address of a cash order's page has where its form is open, as from the page of Medusa's order. */
export const RECORD_FORM = "record"

const COLORS: Readonly<Record<Status, Color>> = {
  placing: "grey",
  due: "orange",
  part_collected: "purple",
  collected: "green",
  refused: "red",
  cancelled: "grey",
}

/** What a list can be narrowed to; `late`: due for longer than the store's days; `stuck`: Medusa does not show it. */
export const CASH_FILTERS = ["due", "late", "stuck", "collected", "refused", "cancelled"] as const

export function filterName(say: Say, filter: (typeof CASH_FILTERS)[number]): string {
  return filter === "late" || filter === "stuck" ? say(`cash.${filter}`) : say(`cash.statuses.${filter}`)
}

export const CashBadge = ({ status, is_late, stuck_since }: Pick<CashOrder, "status" | "is_late" | "stuck_since">) => {
  const say = useText()
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Badge color={COLORS[status]}>{say(`cash.statuses.${status}`)}</Badge>
      {is_late && <Badge color="red">{say("cash.late")}</Badge>}
      {stuck_since !== null && <Badge color="red">{say("cash.stuck")}</Badge>}
    </span>
  )
}

export function isOpen({ status }: Pick<CashOrder, "status">): boolean {
  return status === "due" || status === "part_collected"
}

/** `#12`, as Medusa's own pages name an order; without a number by its id. */
export function orderName({ order_number, id }: Pick<CashOrder, "order_number" | "id">): string {
  return order_number === null ? id : `#${order_number}`
}

type Money = { amount: string; currency: string }

/** Adds up amounts of the API exactly: a sum for each currency, joined. */
export function useSum(): (amounts: readonly Money[]) => string {
  const { money } = useFormats()
  return (amounts) => {
    const sums = new Map<string, bigint>()
    for (const { amount, currency } of amounts) {
      sums.set(currency, (sums.get(currency) ?? 0n) + (minorOf(amount) ?? 0n))
    }
    return [...sums].map(([currency, minor]) => money(decimalOf(minor), currency)).join(" + ")
  }
}

/** The cash that came for an order: how much, by whom, when, and what the courier kept. */
export const Collections = ({ order }: { order: CashOrderInFull }) => {
  const say = useText()
  const { collections, currency } = order
  return (
    <Section
      heading={say("cash.collections")}
      description={collections.length === 0 ? say("cash.collections_none") : undefined}
    >
      {collections.length > 0 && (
        <ul className="divide-y" aria-label={say("cash.collections")}>
          {collections.map((collection) => (
            <OneCollection key={collection.id} collection={collection} currency={currency} />
          ))}
        </ul>
      )}
    </Section>
  )
}

/** A courier's file has no notes: what is kept as one is the day of its line. */
const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/

const OneCollection = ({ collection, currency }: { collection: Collection; currency: string }) => {
  const say = useText()
  const { money, day } = useFormats()
  const { amount, charge, source, courier, note, recorded_by, recorded_by_name, collected_at } = collection
  const kept = Number(charge) > 0 ? say("cash.charge_of", { amount: money(charge, currency) }) : null
  return (
    <li className="flex flex-col gap-1 px-6 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <Text size="small" weight="plus" leading="compact">
          {money(amount, currency)}
        </Text>
        <Text size="small" className="text-ui-fg-subtle break-words">
          {[courier, kept].filter(Boolean).join(" · ")}
        </Text>
      </div>
      {note !== null && (
        <Text size="small" className="break-words">
          {source === "csv" && DAY.test(note) ? day(note) : note}
        </Text>
      )}
      <Text size="xsmall" className="text-ui-fg-subtle break-words">
        <Moment at={collected_at} />
        {` · ${say(`cash.sources.${source}`)} · `}
        <Who id={recorded_by} name={recorded_by_name} />
      </Text>
    </li>
  )
}

type Summary = Json<ReturnType<typeof presentSummary>>
type FiguresProps = { from: string; to: string; currency: string }

const DISTRICTS_SHOWN = 5

/** On the overview: what is due, late, collected and refused. Nothing for a merchant that never had a cash order. */
export const CashFigures = ({ currency, ...days }: FiguresProps) => {
  const say = useText()
  const { money, number, percent, zone } = useFormats()
  const period = momentsOf(days, zone)
  const { data: any } = useAdminQuery<{ count: number }>("/cash-orders", { limit: 1 })
  const { data } = useAdminQuery<{ cash: Summary }>(
    "/cash-orders/summary",
    { ...period, currency },
    any !== undefined && any.count > 0
  )
  if (any === undefined || any.count === 0 || data === undefined) {
    return null
  }
  const { due, due_count, late, late_count, collected, districts } = data.cash
  const counted = (count: number) => say("cash.figures.orders", { count, number: number(count) })
  const refused = districts.filter((one) => one.refused > 0).slice(0, DISTRICTS_SHOWN)
  return (
    <Section heading={say("cash.figures.title")} description={say("cash.figures.description")}>
      <div className="grid grid-cols-1 gap-x-6 gap-y-4 px-6 py-4 sm:grid-cols-3">
        <Figure to="status=due" name={say("cash.due")} value={money(due, currency)} hint={counted(due_count)} />
        <Figure to="status=late" name={say("cash.late")} value={money(late, currency)} hint={counted(late_count)} />
        <Figure
          to="status=collected"
          name={say("cash.collected")}
          value={money(collected, currency)}
          hint={say("cash.figures.collected_hint")}
        />
      </div>
      {refused.length > 0 && (
        <div className="flex flex-col gap-2 px-6 py-4">
          <Text size="small" weight="plus">
            {say("cash.figures.refusals")}
          </Text>
          <ul className="flex flex-col gap-1">
            {refused.map(({ district, refused: count, ended }) => (
              <li key={district} className="txt-compact-small flex flex-wrap justify-between gap-x-4">
                <Link
                  to={`/gateway/cash?${new URLSearchParams({ status: "refused", district, ...period }).toString()}`}
                  className="text-ui-fg-interactive break-words"
                >
                  {district}
                </Link>
                <span className="tabular-nums">
                  {`${percent(String((count / ended) * 100))} · `}
                  <span className="text-ui-fg-subtle">
                    {say("cash.figures.refused_of", { refused: number(count), all: number(ended) })}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Section>
  )
}

const Figure = ({ to, name, value, hint }: { to: string; name: string; value: string; hint: string }) => (
  <Link to={`/gateway/cash?${to}`} className="hover:bg-ui-bg-base-hover -m-2 flex min-w-0 flex-col rounded-md p-2">
    <span className="txt-compact-small text-ui-fg-subtle">{name}</span>
    <span className="h1-core break-words">{value}</span>
    <span className="txt-small text-ui-fg-subtle">{hint}</span>
  </Link>
)

/** The sums of an order: what it costs, what came before and at the door, and what does not come. */
export function useCashSums(): (order: CashOrder) => [name: string, value: ReactNode][] {
  const say = useText()
  const { money } = useFormats()
  return ({ currency, total, advance, collected, due, given_up, returned }) => {
    const some = (name: string, amount: string): [string, ReactNode][] =>
      Number(amount) > 0 ? [[name, money(amount, currency)]] : []
    return [
      [say("cash.total"), money(total, currency)],
      ...some(say("cash.advance_paid"), advance),
      [say("cash.collected"), money(collected, currency)],
      [say("cash.due_at_door"), money(due, currency)],
      ...some(say("cash.given_up"), given_up),
      ...some(say("cash.returned"), returned),
    ]
  }
}

/** On the page of Medusa's order: its cash, and the ways to record it and to its own page. */
export const OrderCashState = ({ cash }: { cash: OrderCash }) => {
  const say = useText()
  const sums = useCashSums()
  const { id, merchant_id, environment } = cash
  const page = `/gateway/cash/${id}?merchant_id=${merchant_id}&environment=${environment}`
  return (
    <section aria-label={say("cash.widget.title")}>
      <div className="flex flex-wrap items-center justify-between gap-2 px-6 py-4">
        <div className="flex flex-wrap items-center gap-2">
          <Heading level="h3">{say("cash.widget.title")}</Heading>
          <CashBadge {...cash} />
        </div>
        <div className="flex flex-wrap gap-2">
          {isOpen(cash) && (
            <Button size="small" variant="secondary" asChild>
              <Link to={`${page}&opened=${RECORD_FORM}`}>{say("cash.record.title")}</Link>
            </Button>
          )}
          <Button size="small" variant="secondary" asChild>
            <Link to={page}>{say("cash.widget.open")}</Link>
          </Button>
        </div>
      </div>
      <Facts rows={sums(cash)} />
      <NotOnOrder order={cash} />
    </section>
  )
}

/** Why Medusa's order lacks some of the money, while the gateway tries again. */
export const NotOnOrder = ({ order: { last_error } }: { order: Pick<CashOrder, "last_error"> }) => {
  const say = useText()
  const words = useMessage()
  return last_error === null ? null : (
    <Text size="small" className="text-ui-fg-error break-words px-6 py-3">
      {say("cash.not_on_order", { reason: words(last_error) })}
    </Text>
  )
}
