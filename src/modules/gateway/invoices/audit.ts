import { audit, isAttributed, type AuditEntry, type By } from "../kernel/audit"
import type { Sql } from "../kernel/database"
import type { InvoiceView } from "./records"
import type { Tenant } from "../kernel/types"

/** What an admin wants to see of an invoice's past. */
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

/** Writes down what an admin or a merchant's key did with an invoice; what a shopper's payment makes is told by events. */
export async function auditInvoice(
  sql: Sql,
  by: Tenant & By,
  action: string,
  change: Pick<AuditEntry, "before" | "after">,
  { uuid }: InvoiceView
): Promise<void> {
  if (isAttributed(by)) {
    const { merchant_id, environment } = by
    await audit(sql, { merchant_id, environment, by, action, resource_id: uuid, ...change })
  }
}
