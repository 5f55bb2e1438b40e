import { listOf } from "../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../v2-kit/openapi/operation"
import { invoice } from "./answers"
import { EXAMPLE_INVOICE } from "./example"
import { filterSchema, languageSchema } from "./schemas"

const tag = "Invoices"
const parameters = {
  id: { description: "The invoice, by its `invoice_id` or its `uuid`.", example: "INV-000001" },
}

export const operations: readonly Documented[] = [
  {
    method: "GET",
    path: "/payments/invoices",
    id: "listInvoices",
    tag,
    summary: "List invoices",
    description: "Newest first.",
    query: {
      schema: filterSchema,
      notes: {
        subscription_id: "Only those of this subscription, by its `id` or its `uuid`.",
        status: "Only those of this status.",
      },
      paging: "per_page",
    },
    answer: {
      description: "A page of invoices.",
      schema: () => listOf(invoice()),
      example: {
        success: true,
        message: "Invoices",
        data: [EXAMPLE_INVOICE],
        meta: { total: 1, page: 1, per_page: 20 },
      },
    },
  },
  {
    method: "GET",
    path: "/payments/invoices/{id}",
    id: "getInvoice",
    tag,
    summary: "Get an invoice",
    parameters,
    answer: { description: "The invoice as it is now.", schema: invoice, example: EXAMPLE_INVOICE },
    codes: ["INVOICE_NOT_FOUND"],
  },
  {
    method: "GET",
    path: "/payments/invoices/{id}/pdf",
    id: "downloadInvoice",
    tag,
    summary: "Download an invoice as PDF",
    description:
      "A merchant may have 60 drawn per minute; an unchanged one that was drawn lately does not count. Beyond that: 429 with `Retry-After`.",
    parameters,
    query: { schema: languageSchema, notes: { lang: "The language of the page." } },
    answer: { description: "The file.", file: "application/pdf" },
    codes: ["INVOICE_NOT_FOUND"],
  },
  {
    method: "POST",
    path: "/payments/invoices/{id}/void",
    id: "voidInvoice",
    tag,
    summary: "Void an open invoice",
    description: "It can no longer be paid, and its number is not used again. The subscription goes on.",
    parameters,
    answer: {
      description: "The void invoice.",
      schema: invoice,
      example: { ...EXAMPLE_INVOICE, invoice_status: "VOID", voided_at: "2027-03-02T08:00:00.000Z" },
    },
    codes: ["INVOICE_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  },
]
