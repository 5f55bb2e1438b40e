import { sheetText } from "../../modules/gateway/kernel/text/csv"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import { localDay } from "../../modules/gateway/kernel/money/calendar"
import { once, type Page, type PageKey, type Totals, type Window } from "../../modules/gateway/kernel/database/paging"
import type { JsonObject } from "../v2-kit/body"
import { type CsvColumn, csvCells, csvHeaders, sendCsv } from "./csv"
import { guarded, tenantContext, type Handler, type TenantContext } from "./endpoint"
import type { ListFormat } from "./list"

/** What an admin's list is made of; all of it serves the page, its totals and its CSV file alike. */
type List<Filter extends Window & ListFormat, Row, Extra> = {
  /** The member of the answer that has the rows; the name of the file. */
  name: string
  /** Reads the query. Errors: VALIDATION_ERROR. */
  read: (query: JsonObject) => Filter
  page: (context: TenantContext, filter: Filter, window: Window) => Promise<Page<Row>>
  /** What Medusa knows of the rows of one page. */
  extra?: (context: TenantContext, rows: readonly Row[]) => Promise<Extra>
  present: (row: Row, context: TenantContext, extra: Extra) => object
  columns: readonly CsvColumn[]
}

/** Rows that are in memory at a time. */
const EXPORT_PAGE_ROWS = 500

/**
 * `GET` of a list: a page of it as JSON, and with `format=csv` all rows of the same filters as a file (docs/decisions/20).
 * `totals=true` adds the sums of its amounts by currency.
 */
export function listEndpoint<Filter extends Window & ListFormat, Row, Extra = undefined>(
  list: List<Filter, Row, Extra>
): Handler {
  return guarded(async (request, response) => {
    const context = await tenantContext(request)
    const filter = list.read(context.query)
    if (filter.format === "csv") {
      const { environment, now, time_zone } = context.tenant
      const file = `${list.name.replaceAll("_", "-")}-${environment}-${localDay(now, time_zone)}.csv`
      return sendCsv(request, response, file, (signal) => csvParts(list, context, filter, signal))
    }
    const { limit, offset, totals } = filter
    const { rows, count, count_is_exact, totals: sums } = await list.page(context, filter, { limit, offset, totals })
    response.json({
      [list.name]: await presented(list, context, rows),
      count,
      count_is_exact,
      limit,
      offset,
      ...(sums === undefined ? {} : { totals: sums.map(presentTotals) }),
    })
  })
}

async function presented<Filter extends Window & ListFormat, Row, Extra>(
  { extra, present }: List<Filter, Row, Extra>,
  context: TenantContext,
  rows: readonly Row[]
): Promise<object[]> {
  const known = (extra === undefined ? undefined : await extra(context, rows)) as Extra
  return rows.map((row) => present(row, context, known))
}

function presentTotals({ currency, sums }: Totals): object {
  const amounts = Object.entries(sums).map(([name, minor]) => [name, formatAmount(BigInt(minor))])
  return { currency, ...Object.fromEntries(amounts) }
}

async function* csvParts<Filter extends Window & ListFormat, Row, Extra>(
  list: List<Filter, Row, Extra>,
  context: TenantContext,
  filter: Filter,
  signal: AbortSignal
): AsyncGenerator<string> {
  const { time_zone } = context.tenant
  yield sheetText([csvHeaders(list.columns, context.language, time_zone)])
  for await (const rows of pagesOf(list, context, filter, signal)) {
    yield sheetText((await presented(list, context, rows)).map((row) => csvCells(list.columns, row, time_zone)))
  }
}

/** Every page of a list, by its key; a list of few rows, which has none, by number. */
async function* pagesOf<Filter extends Window & ListFormat, Row, Extra>(
  list: List<Filter, Row, Extra>,
  context: TenantContext,
  filter: Filter,
  signal: AbortSignal
): AsyncGenerator<readonly Row[]> {
  const limit = EXPORT_PAGE_ROWS
  const needed = once()
  let after: PageKey | null = null
  for (let offset = 0; ; offset += limit) {
    const window: Window = { limit, offset, reading: { after, signal, once: needed } }
    const { rows, next = null }: Page<Row> = await list.page(context, filter, window)
    yield rows
    if (rows.length < limit) {
      return
    }
    after = next
  }
}
