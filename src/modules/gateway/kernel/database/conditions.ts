import type { Tenant } from "../types"

const AHEAD = `(SELECT clock_offset_seconds * interval '1 second' FROM gateway_merchant_environment WHERE merchant_id = ? AND environment = ?)`

/** Collects conditions and their values: `filter.add("v.event_type = ?", type)`. */
export class Conditions {
  private readonly parts: string[] = []
  readonly values: unknown[] = []

  constructor(part: string, ...values: unknown[]) {
    this.add(part, ...values)
  }

  /** Each `?` in `part` takes one of `values`. */
  add(part: string, ...values: unknown[]): this {
    let index = 0
    this.parts.push(part.replace(/\?/g, () => `$${this.values.length + ++index}`))
    this.values.push(...values)
    return this
  }

  /** Like `add`, but only when the value is given. */
  when(value: unknown, part: string): this {
    return value === undefined ? this : this.add(part, value)
  }

  /**
   * Restricts `column`, a time on the merchant's clock, to `from` (inclusive) until `to` (exclusive). Only the real
   * time `written` is indexed, so the range is translated to real time: the clock only moves forward, was never further
   * ahead than now, and rows are written at most `late` after the fact. `written` is the beginning of the transaction
   * by the database's clock, and so often before the fact: an hour is more than transactions take and clocks differ.
   */
  during(
    { from, to }: { from?: Date; to?: Date },
    column: string,
    written: string,
    { merchant_id, environment }: Tenant,
    late = "1 hour"
  ): this {
    if (from !== undefined) {
      const earliest = `?::timestamptz - interval '1 hour' - ${AHEAD}`
      this.add(`${column} >= ? AND ${written} >= ${earliest}`, from, from, merchant_id, environment)
    }
    return to === undefined
      ? this
      : this.add(`${column} < ? AND ${written} < ?::timestamptz + ?::interval`, to, to, late)
  }

  /** Only when values are given. A single value is compared by `=`: an index then returns the rows in its own order. */
  oneOf(column: string, values: readonly unknown[] | undefined): this {
    if (values === undefined) {
      return this
    }
    return values.length === 1 ? this.add(`${column} = ?`, values[0]) : this.add(`${column} = ANY(?)`, values)
  }

  get where(): string {
    return this.parts.join(" AND ")
  }
}

/** A LIKE pattern for values that begin with the text. */
export function startingWith(text: string): string {
  return `${text.replace(/[\\%_]/g, "\\$&")}%`
}
