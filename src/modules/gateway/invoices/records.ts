import { type AuditEntry, type By, audit, isAttributed } from "../kernel/database/audit"
import type { Sql } from "../kernel/database/database"
import type { AuditAction } from "../kernel/database/logged-actions"
import { GatewayError } from "../kernel/errors"
import type { Interval } from "../kernel/money/calendar"
import { publicId } from "../kernel/text/ids"
import type { Tenant } from "../kernel/types"
import { mayCharge } from "../saved-methods/permission-to-charge"
import { type InvoiceFacts, type InvoiceSubject, invoiceNumber } from "./rules"

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

/** An invoice as the services write it; amount in poisha. */
export type Invoice = Tenant &
  Omit<InvoiceFacts, "subscription_number" | "subscription_uuid" | "customer_number"> &
  Interval & {
    id: string
    subscription_id: string
    customer_id: string
    period: number
    time_zone: string
  }

export const INVOICE_COLUMNS = `
  i.id, i.uuid, i.pay_token, i.number, i.merchant_id, i.environment, i.subscription_id, i.customer_id, i.invoice_type,
  i.status, i.period, i.period_start, i.period_end, i.amount_minor, i.currency, i.interval_count, i.interval_unit,
  i.time_zone, i.business_name, i.plan_name, i.plan_name_bn, i.lines, i.is_last, i.due_date, i.paid_at, i.voided_at, i.opened_at`

/** An invoice with everything that is shown of it. */
export type InvoiceView = Invoice & InvoiceSubject & { clock_offset_seconds: number }

/**
 * The tax of a paid period of a subscription that was bought in the store: that of the invoice's lines, or of the
 * renewal's order.
 */
const TAX = `
  COALESCE((SELECT sum((line ->> 'tax_minor')::int)::int FROM jsonb_array_elements(i.lines) line),
    (SELECT o.tax_minor FROM gateway_billing_record b
     JOIN gateway_transaction t ON t.id = b.transaction_id
     JOIN gateway_checkout_session o ON o.id = t.session_id
     WHERE b.subscription_id = i.subscription_id AND b.period = i.period AND i.status = 'PAID'))`

/** The payment of a paid invoice, and the numbers of the other invoices that it has paid. */
const TOGETHER = `
  (SELECT t.amount_minor FROM gateway_billing_record b JOIN gateway_transaction t ON t.id = b.transaction_id
   WHERE b.subscription_id = i.subscription_id AND b.period = i.period AND i.status = 'PAID') AS payment_minor,
  (SELECT COALESCE(array_agg(o.number ORDER BY o.number), '{}') FROM gateway_billing_record b
   JOIN gateway_billing_record other ON other.transaction_id = b.transaction_id AND other.id <> b.id
   JOIN gateway_invoice o ON o.subscription_id = other.subscription_id AND o.period = other.period AND o.status = 'PAID'
   WHERE b.subscription_id = i.subscription_id AND b.period = i.period AND i.status = 'PAID') AS paid_together`

/** Contacts, colour and logo are today's; names, address and BIN are those with which the invoice was issued. */
const PROFILE = `
  m.profile || jsonb_build_object('name_bn', i.business_name_bn, 'legal_name', i.business_legal_name,
    'address', i.business_address, 'bin', i.business_bin)`

export const INVOICE_VIEW_COLUMNS = `${INVOICE_COLUMNS},
  s.number AS subscription_number, s.uuid AS subscription_uuid, s.status AS subscription_status,
  c.number AS customer_number, i.customer_name, i.customer_email, i.customer_phone, c.email AS mail_to, ${PROFILE} AS profile,
  ${TAX} AS tax_minor, ${TOGETHER}, e.clock_offset_seconds, ${mayCharge("subscriptions")} AS may_be_paid,
  s.awaiting_transaction_id IS NOT NULL AS payment_under_way`

export const INVOICE_TABLES = `
  gateway_invoice i
  JOIN gateway_merchant m ON m.id = i.merchant_id
  JOIN gateway_merchant_environment e ON e.merchant_id = i.merchant_id AND e.environment = i.environment
  JOIN gateway_subscription s ON s.id = i.subscription_id
  JOIN gateway_customer c ON c.id = i.customer_id`

/** By its invoice_id or uuid; throws INVOICE_NOT_FOUND, for other merchants' too. */
export async function ownInvoice(sql: Sql, tenant: Tenant, id: string, lock = ""): Promise<InvoiceView> {
  const number = invoiceNumber(id)
  const named = number === null ? publicId(id) : ({ column: "number", value: number } as const)
  // A bare integer is not an invoice's id: the integer form is the invoice_id.
  if (named === null || (number === null && named.column === "number")) {
    throw new GatewayError("INVOICE_NOT_FOUND")
  }
  const where = `i.merchant_id = $1 AND i.environment = $2 AND i.${named.column} = $3 ${lock}`
  return findInvoice(sql, where, [tenant.merchant_id, tenant.environment, named.value])
}

/** Throws INVOICE_NOT_FOUND. */
export async function findInvoice(sql: Sql, where: string, values: readonly unknown[]): Promise<InvoiceView> {
  const [row] = await sql.query<InvoiceView>(
    `SELECT ${INVOICE_VIEW_COLUMNS} FROM ${INVOICE_TABLES} WHERE ${where}`,
    values
  )
  if (row === undefined) {
    throw new GatewayError("INVOICE_NOT_FOUND")
  }
  return row
}

/**
 * The language in which a subscription's customer has last read a payment page; null: none. `subscription`: the SQL of
 * its row's id.
 */
export const customerLanguage = (subscription: string) => `
  COALESCE(
    (SELECT earlier.language FROM gateway_checkout_session earlier
     WHERE earlier.subscription_id = ${subscription} AND earlier.language IS NOT NULL
     ORDER BY earlier.created_at DESC LIMIT 1),
    (SELECT bought.language FROM gateway_store_purchase g
     JOIN gateway_transaction gt ON gt.id = g.transaction_id
     JOIN gateway_checkout_session bought ON bought.id = gt.session_id
     WHERE g.subscription_id = ${subscription}))`
