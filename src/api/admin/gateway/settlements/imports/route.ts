import { readSettlement } from "../../../../../modules/gateway/settlements/files/lines"
import { readSheet } from "../../../../../modules/gateway/settlements/files/sheet"
import { IMPORT_STATES } from "../../../../../modules/gateway/settlements/states"
import { csvColumns } from "../../../../admin-kit/csv"
import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { listSchema, one, readList } from "../../../../admin-kit/list"
import { listEndpoint } from "../../../../admin-kit/list-endpoint"
import { namesOf } from "../../../../admin-kit/present"
import { text } from "../../../../v2-kit/validate"
import { bytesOf, presentImport, readFileQuery } from "../resource"

const query = listSchema({ status: one(IMPORT_STATES).optional(), source: text(64).optional() }, ["imported_at"])

/** Settlement files, the last imported first. */
export const GET = listEndpoint({
  name: "imports",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, { status: state, ...filter }, window) =>
    gateway.settlementImports.list(tenant, { ...filter, state }, window),
  extra: ({ request }, rows) =>
    namesOf(
      request.scope,
      rows.map(({ created_by }) => created_by)
    ),
  present: (row, { language }, names) => presentImport(row, language, names),
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
