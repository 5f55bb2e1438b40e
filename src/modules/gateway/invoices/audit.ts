import { audit, isAttributed, type AuditEntry, type By } from "../kernel/audit"
import type { AuditAction } from "../kernel/logged-actions"
import type { Sql } from "../kernel/database"
import type { InvoiceView } from "./records"
import type { Tenant } from "../kernel/types"

/** The fields of an invoice that audit entries show. */
export function factsOf({
  subscription_uuid,
  status,
  amount_minor,
  currency,
  due_date,
  period_start,
  period_end,
}: InvoiceView) {
  return { subscription: subscription_uuid, status, amount_minor, currency, due_date, period_start, period_end }
}

/** Audits what somebody did with an invoice (`isAttributed`). A shopper's payment is recorded by events instead. */
export async function auditInvoice(
  sql: Sql,
  by: Tenant & By,
  action: AuditAction,
  change: Pick<AuditEntry, "before" | "after">,
  { uuid }: InvoiceView
): Promise<void> {
  if (isAttributed(by)) {
    const { merchant_id, environment } = by
    await audit(sql, { merchant_id, environment, by, action, resource_id: uuid, ...change })
  }
}
