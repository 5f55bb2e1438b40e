import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { partsOf } from "../../i18n/days"
import type { csv } from "../../i18n/en/csv"
import { HOME_TIME_ZONE } from "../../i18n/formats"
import type { Language } from "../../i18n/languages"
import { textGroup, textsOf } from "../../i18n/translate"
import { textOf } from "../../modules/gateway/kernel/text/text"

type Header = keyof typeof csv.columns

/**
 * A column of an exported list: its header, and the path of its member in a row of the list's answer. `isZoned`: a time
 * as a spreadsheet reads one, by the clocks of the merchant's time zone.
 */
export type CsvColumn = { header: Header; path: readonly string[]; isZoned: boolean }

const TIME = /(_at|_date|_since)$|^(capture_before|due_by|period_start|period_end|last_period_end)$/

/**
 * `"amount"` is the member of that name; `["customer_name", "customer.name"]` has a header of its own. A time has two
 * columns: as the API has it, and in the merchant's time zone.
 */
export function csvColumns(...columns: readonly (Header | readonly [Header, string])[]): readonly CsvColumn[] {
  return columns.flatMap((column) => {
    const [header, name] = typeof column === "string" ? [column, column] : column
    const path = name.split(".")
    const own = { header, path, isZoned: false }
    return TIME.test(header) ? [own, { ...own, isZoned: true }] : [own]
  })
}

/** `zone`: the merchant's time zone (IANA). */
export function csvHeaders(columns: readonly CsvColumn[], language: Language, zone: string): string[] {
  const texts = textGroup("csv", "columns", language)
  const say = textsOf("csv", language)
  const zoned = (name: string) => (zone === HOME_TIME_ZONE ? say("in_dhaka", { name }) : say("in_zone", { name, zone }))
  return columns.map(({ header, isZoned }) => (isZoned ? zoned(texts[header]) : texts[header]))
}

/**
 * A row of the list's answer as cells: amounts as they are, times in ISO 8601 and UTC and in the merchant's time
 * zone, lists and objects as text.
 */
export function csvCells(columns: readonly CsvColumn[], row: object, zone: string): string[] {
  return columns.map(({ path, isZoned }) => {
    const text = cell(path.reduce<unknown>(member, row))
    return isZoned ? zonedTime(text, zone) : text
  })
}

/** An instant in ISO 8601 as a spreadsheet reads a time of a zone: `2026-11-22 12:00:00`. Nothing stays nothing. */
export function zonedTime(instant: string, zone: string): string {
  if (instant === "") {
    return ""
  }
  const { year, month, day, hour, minute, second } = partsOf(new Date(instant), zone)
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function cell(value: unknown): string {
  if (value === null || value === undefined) {
    return ""
  }
  if (value instanceof Date) {
    return value.toISOString()
  }
  if (Array.isArray(value)) {
    return value.map(cell).join(" ")
  }
  return typeof value === "object" ? JSON.stringify(value) : textOf(value)
}

/** Excel takes a file without it for one in the code page of the machine, and shows Bangla as signs. */
export const BYTE_ORDER_MARK = "\ufeff"
const TYPE = "text/csv; charset=utf-8"

/** Reads the parts of a file, one after the other; what is under way ends when `signal` is aborted. */
export type Parts = (signal: AbortSignal) => AsyncGenerator<string>

/**
 * Sends a file of any length as it is read: no more than one part is in memory, and the next is read once the client has
 * taken what came before. When the client leaves, the statement under way is cancelled. An error before the first part
 * is thrown; later the connection is cut, so that nobody takes a part of the list for all of it.
 */
export async function sendCsv(
  request: MedusaRequest,
  response: MedusaResponse,
  file: string,
  parts: Parts
): Promise<void> {
  const left = new AbortController()
  response.once("close", () => left.abort())
  const reading = parts(left.signal)
  try {
    const first = await reading.next()
    response.set("Content-Type", TYPE).set("Content-Disposition", `attachment; filename="${file}"`)
    await pipeline(Readable.from(whole(first, reading)), response)
  } catch (error) {
    if (left.signal.aborted && response.errored === null) {
      return
    }
    if (!response.headersSent) {
      throw error
    }
    request.scope
      .resolve(ContainerRegistrationKeys.LOGGER)
      .error(`gateway: the export ${file} broke off: ${(error as Error).message}`)
  }
}

async function* whole(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK
  if (first.done !== true) {
    yield first.value
    yield* rest
  }
}
