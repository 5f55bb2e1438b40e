import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../../../i18n/message"
import { dayText } from "../../../../../../i18n/days"
import { dayOfDate } from "../../../../../../modules/gateway/kernel/database/counter-rules"
import { fault, validationError } from "../../../../../../modules/gateway/kernel/errors"
import type { FetchedDays } from "../../../../../../modules/gateway/settlements/fetch"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import type { JsonObject } from "../../../../../v2-kit/body"
import { date, parse, withoutAbsent } from "../../../../../v2-kit/validate"
import { presentImport, source } from "../../resource"

/** A longer time is asked for in parts: one request has to last. */
const FETCH_DAYS_MAX = 100
const dayOf = date.transform(dayOfDate)
const fetchSchema = z.object({ source, from: dayOf, to: dayOf })

/** Whose payouts, of which days of the merchant's time zone; `to` is one of them. */
function readFetch(body: JsonObject): FetchedDays {
  const { source: of, from, to } = parse(fetchSchema, withoutAbsent(body, []))
  if (from > to) {
    throw validationError([fault("from", messageOf("rule.not_after", { field: "to" }))])
  }
  if (to - from >= FETCH_DAYS_MAX) {
    throw validationError([fault("to", messageOf("rule.days_from", { days: FETCH_DAYS_MAX, field: "from" }))])
  }
  return { source: of, from, to, text: `${dayText(from)} – ${dayText(to)}` }
}

/**
 * Imports by the API of a `source` the payouts that arrived from the day `from` to the day `to`. The answer comes when all is
 * read; meanwhile the list of imports says how far it is.
 */
export const POST = tenantEndpoint(async ({ gateway, tenant, body, language }) => ({
  import: presentImport(await gateway.settlementFetches.fetch(tenant, readFetch(body)), language),
}))
