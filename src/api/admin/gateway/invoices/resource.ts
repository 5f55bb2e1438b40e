import { z } from "@medusajs/framework/zod"
import type { InvoiceListFilter } from "../../../../modules/gateway/invoices/list"
import type { ListedMail } from "../../../../modules/gateway/invoices/mails"
import type { InvoiceView } from "../../../../modules/gateway/invoices/records"
import { linesOf } from "../../../../modules/gateway/subscriptions/invoice-line-rules"
import { invoiceId, payUrl, presentLine } from "../../../../modules/gateway/invoices/rules"
import { INVOICE_STATES } from "../../../../modules/gateway/invoices/states"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { Window } from "../../../../modules/gateway/kernel/database/paging"
import { type ListFormat, listSchema, readList, several } from "../../../admin-kit/list"
import { presentMessageOrNull } from "../../../admin-kit/present"
import type { JsonObject } from "../../../v2-kit/body"
import { parse, required, rule, text, withoutAbsent } from "../../../v2-kit/validate"

/** `id` is the uuid, `invoice_id` the printed number; anybody with `payment_url` may see the invoice and pay it. */
export function presentInvoice(invoice: InvoiceView, publicUrl: string) {
  return {
    id: invoice.uuid,
    invoice_id: invoiceId(invoice.number),
    status: invoice.status,
    amount: formatAmount(invoice.amount_minor),
    currency: invoice.currency,
    customer: {
      number: invoice.customer_number,
      name: invoice.customer_name,
      email: invoice.customer_email,
      phone: invoice.customer_phone,
    },
    plan_name: invoice.plan_name,
    subscription: {
      id: invoice.subscription_uuid,
      number: invoice.subscription_number,
      status: invoice.subscription_status,
    },
    period_start: invoice.period_start,
    period_end: invoice.period_end,
    due_date: invoice.due_date,
    paid_at: invoice.paid_at,
    voided_at: invoice.voided_at,
    payment_under_way: invoice.payment_under_way,
    payment_url: payUrl(publicUrl, invoice.pay_token),
    created_at: invoice.opened_at,
  }
}

/** An invoice's page, with what it consists of and its e-mails. */
export function presentInvoicePage(invoice: InvoiceView, mails: readonly ListedMail[], publicUrl: string) {
  return {
    ...presentInvoice(invoice, publicUrl),
    lines: linesOf(invoice).map((line) => presentLine(line, invoice.plan_name)),
    tax_amount: invoice.tax_minor === null ? null : formatAmount(invoice.tax_minor),
    payment_amount: invoice.payment_minor === null ? null : formatAmount(invoice.payment_minor),
    paid_together: invoice.paid_together.map(invoiceId),
    mails: mails.map(({ state, last_error, ...mail }) => ({
      ...mail,
      last_error: presentMessageOrNull(last_error),
      status: state,
    })),
  }
}

const query = listSchema({ status: several(INVOICE_STATES).optional(), subscription_id: text(64).optional() }, [
  "created_at",
])

export function readFilter(sent: JsonObject): InvoiceListFilter & Window & ListFormat {
  return readList(query, sent)
}

const generateSchema = z.object({
  subscription_id: z.union([z.int(), z.string()], required(rule("subscription_id"))).transform(String),
})

export function readSubscriptionId(body: JsonObject): string {
  return parse(generateSchema, withoutAbsent(body, [])).subscription_id
}
