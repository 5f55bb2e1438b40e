import { Input, Select } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"
import { useText } from "../text"

const LAST_DAYS = [7, 30, 90, 365] as const
const DEFAULT_DAYS = 30

type PeriodState = {
  /** A number of last days; null for a period with `from` and `to`. */
  days: number | null
  /** The API's query; today is the day on the merchant's clock. */
  query: { from?: string; to?: string; days?: number }
  choose(days: number): void
  between(from: string, to: string): void
}

/** The currency of the figures, in the address like the period; undefined: BDT. */
export function useCurrency(): { chosen: string | undefined; choose(currency: string): void } {
  const [params, setParams] = useSearchParams()
  const choose = (currency: string) =>
    setParams((before) => {
      const after = new URLSearchParams(before)
      after.set("currency", currency)
      return after
    })
  return { chosen: params.get("currency") ?? undefined, choose }
}

/** Nothing while there is nothing to choose. */
export const CurrencyPicker = ({
  shown,
  all,
  choose,
}: {
  shown: string
  all: string[]
  choose(code: string): void
}) => {
  const say = useText()
  return all.length < 2 ? null : (
    <Select size="small" value={shown} onValueChange={choose}>
      <Select.Trigger aria-label={say("payments.currency")} className="w-24">
        <Select.Value />
      </Select.Trigger>
      <Select.Content>
        {all.map((code) => (
          <Select.Item key={code} value={code}>
            {code}
          </Select.Item>
        ))}
      </Select.Content>
    </Select>
  )
}

/** The chosen period is in the address, so that a link shows the same figures. */
export function usePeriod(): PeriodState {
  const [params, setParams] = useSearchParams()
  const [from, to] = [params.get("from") ?? "", params.get("to") ?? ""]
  const given = Number(params.get("days"))
  const days = LAST_DAYS.find((one) => one === given) ?? DEFAULT_DAYS
  const write = (change: Record<string, string>) =>
    setParams((before) => {
      const after = new URLSearchParams(before)
      for (const name of ["days", "from", "to"]) {
        after.delete(name)
      }
      for (const [name, value] of Object.entries(change)) {
        after.set(name, value)
      }
      return after
    })
  const isCustom = from !== "" && to !== ""
  return {
    days: isCustom ? null : days,
    query: isCustom ? { from, to } : { days },
    choose: (chosen) => write({ days: String(chosen) }),
    between: (first, last) => write({ from: first, to: last }),
  }
}

type Props = { state: PeriodState; shown: { from: string; to: string } }

const CUSTOM = "custom"

export const PeriodPicker = ({ state: { days, query, choose, between }, shown }: Props) => {
  const say = useText()
  // The figures may still be those of the period before: with their days, the other field's new one would be lost.
  const { from = shown.from, to = shown.to } = query
  const pick = (value: string) => (value === CUSTOM ? between(from, to) : choose(Number(value)))
  // While somebody types, a date field is empty or has an implausible year: the value counts when the field loses the
  // focus.
  const left = (first: string, last: string) => {
    if (first !== "" && last !== "" && (first !== from || last !== to)) {
      between(first, last)
    }
  }
  return (
    <>
      <Select size="small" value={days === null ? CUSTOM : String(days)} onValueChange={pick}>
        <Select.Trigger aria-label={say("overview.period")} className="w-40">
          <Select.Value />
        </Select.Trigger>
        <Select.Content>
          {LAST_DAYS.map((one) => (
            <Select.Item key={one} value={String(one)}>
              {say("table.days", { count: one })}
            </Select.Item>
          ))}
          <Select.Item value={CUSTOM}>{say("table.custom")}</Select.Item>
        </Select.Content>
      </Select>
      {days === null && (
        <div className="flex items-center gap-2">
          <Input
            key={`from-${from}`}
            size="small"
            type="date"
            aria-label={say("table.from")}
            defaultValue={from}
            onBlur={({ target }) => left(target.value, to)}
          />
          <Input
            key={`to-${to}`}
            size="small"
            type="date"
            aria-label={say("table.to")}
            defaultValue={to}
            onBlur={({ target }) => left(from, target.value)}
          />
        </div>
      )}
    </>
  )
}
