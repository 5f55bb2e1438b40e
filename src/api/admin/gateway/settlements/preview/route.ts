import { fitsTemplate, previewSheet } from "../../../../../modules/gateway/settlements/files/preview"
import { readSheet } from "../../../../../modules/gateway/settlements/files/sheet"
import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { bytesOf, readDefinition } from "../resource"
import { presentPreview, readPreview } from "./resource"

/**
 * What a settlement file says, before it is imported; nothing is written. The body is the file; the query has `file_name`
 * and, of `template_id` and `definition` (a template as JSON, with its `source`), what it is read by. The answer has the file's first rows,
 * the template that its column names suggest (those of `header_line`, if that is given), which stored templates fit it,
 * and, with a template, its first 20 lines as they are read and what is wrong with others.
 */
export const POST = tenantEndpoint(async ({ gateway, tenant, query, request, language }) => {
  const sent = readPreview(query)
  const { time_zone: zone } = tenant
  const { file_name, template_id, sheet = null, header_line = null } = sent
  const template = template_id === undefined ? null : await gateway.settlementTerms.template(tenant, template_id)
  const definition =
    template?.definition ?? (sent.definition === undefined ? null : readDefinition(sent.definition, zone))
  const numbers = gateway.settlementTerms.numbers(template?.source ?? sent.source ?? "")
  const rows = readSheet(bytesOf(request), file_name, definition?.sheet ?? sheet)
  const preview = await previewSheet(rows, definition, { headerLine: header_line, numbers, zone })
  const fitting = (await gateway.settlementTerms.templates(tenant)).filter((one) =>
    fitsTemplate(preview.rows, one.definition)
  )
  return {
    preview: presentPreview(
      preview,
      fitting.map(({ id }) => id),
      language
    ),
  }
})
