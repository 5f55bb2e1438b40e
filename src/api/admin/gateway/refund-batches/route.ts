import { refuseFaults } from "../../../../modules/gateway/kernel/text/csv"
import { lineFault } from "../../../../modules/gateway/kernel/text/csv-records"
import type { FieldError } from "../../../../modules/gateway/kernel/errors"
import { tenantEndpoint, type TenantContext } from "../../../admin-kit/endpoint"
import { type BatchLine, presentBatch, presentPreview, readBatchFile, readBatchInput, withPayments } from "./resource"

/**
 * Requests up to a hundred refunds from a CSV file: all of its lines or, with any error, none; with `dry_run` only
 * shows what would be refunded. A repeated `request_key` returns the existing batch.
 */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant, actor, roles, body } = context
  const { csv, dry_run, request_key } = readBatchInput(body)
  const idempotency_id = request_key ? `admin:${tenant.merchant_id}:${tenant.environment}:${request_key}` : null
  const known = dry_run || idempotency_id === null ? null : await gateway.refundBatches.find(tenant, idempotency_id)
  if (known !== null) {
    return { refund_batch: presentBatch(known) }
  }
  const { lines, errors } = readBatchFile(csv)
  const { previewed, refused } = await preview(context, lines)
  refuseFaults([...errors, ...refused].sort((one, other) => lineOf(one) - lineOf(other)))
  if (dry_run) {
    const looked = presentPreview(lines, previewed)
    return { ...looked, lines: await withPayments(gateway, looked.lines) }
  }
  const items = lines.map(({ item }) => item)
  return {
    refund_batch: presentBatch(
      await gateway.refundBatches.create(tenant, { items, requested_by: actor.id, by: tenant, roles, idempotency_id })
    ),
  }
})

async function preview({ gateway, tenant, actor, roles }: TenantContext, lines: readonly BatchLine[]) {
  const items = lines.map(({ item }) => item)
  const previewed = await gateway.refundPreviews.batch(tenant, items, actor.id, roles)
  const refused = previewed.flatMap((item, index): FieldError[] =>
    "obstacle" in item ? [lineFault(lines[index].line, null, item.obstacle.reason)] : []
  )
  return { previewed, refused }
}

function lineOf({ field }: FieldError): number {
  return Number(/[0-9]+/.exec(field)?.[0])
}
