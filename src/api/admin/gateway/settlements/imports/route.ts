import { PassThrough } from "node:stream"
import { messageOf } from "../../../../../i18n/message"
import { GatewayError } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { readSettlement } from "../../../../../modules/gateway/settlements/files/lines"
import { readSheet } from "../../../../../modules/gateway/settlements/files/sheet"
import { IMPORT_STATES } from "../../../../../modules/gateway/settlements/states"
import { csvColumns } from "../../../../admin-kit/csv"
import { tenantEndpoint, type AdminContext } from "../../../../admin-kit/endpoint"
import { listSchema, one, readList } from "../../../../admin-kit/list"
import { listEndpoint } from "../../../../admin-kit/list-endpoint"
import { text } from "../../../../v2-kit/validate"
import { presentImport, readFileQuery } from "../resource"

const query = listSchema({ status: one(IMPORT_STATES).optional(), source: text(64).optional() }, ["imported_at"])

/** Settlement files, the last imported first. */
export const GET = listEndpoint({
  name: "imports",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, { status: state, ...filter }, window) =>
    gateway.settlementImports.list(tenant, { ...filter, state }, window),
  present: (row, { language }) => presentImport(row, language),
  columns: csvColumns(
    "id",
    "status",
    "source",
    "file_name",
    ["read_lines", "read"],
    ["new_lines", "new"],
    ["known_lines", "known"],
    ["skipped_lines", "skipped"],
    "imported_by",
    "imported_at"
  ),
})

/**
 * Imports a settlement file: the body is the file (`application/octet-stream`), `template_id` and `file_name` are in the
 * query. The answer comes when it is read; meanwhile the list of imports says how far it is.
 */
export const POST = tenantEndpoint(async ({ gateway, tenant, query: sent, request, language }) => {
  const { template_id, file_name } = readFileQuery(sent)
  const template = await gateway.settlementTerms.template(tenant, template_id)
  const rows = readSheet(bytesOf(request), file_name, template.definition.sheet)
  const batches = readSettlement(rows, template.definition)
  const made = await gateway.settlementImports.run(tenant, { template, file_name }, batches)
  return { import: presentImport(made, language) }
})

/**
 * The file as it comes. Not the request itself: leaving a loop over it early would detach its socket, and the access log
 * reads its address afterwards. It is taken as fast as it is sent: a request has to arrive in time, and may not wait for
 * its lines to be written.
 */
function bytesOf(request: AdminContext["request"]): AsyncIterable<Buffer> {
  if (request.readableEnded || request.destroyed) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.settlement_file"))
  }
  const bytes = new PassThrough({ highWaterMark: LIMITS.settlementFileMaxBytes })
  request.on("close", () => {
    if (!request.complete) {
      bytes.destroy(new GatewayError("INVALID_REQUEST", messageOf("refusal.settlement_file")))
    }
  })
  bytes.on("close", () => request.unpipe(bytes).resume())
  return request.pipe(bytes)
}
