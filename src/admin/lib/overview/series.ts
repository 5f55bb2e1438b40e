import type { Day } from "./types"

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
