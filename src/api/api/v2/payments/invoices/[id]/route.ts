import { invoiceData } from "../../../../../../modules/gateway/invoices/rules"
import { operation } from "../../../../../v2-kit/operation"
import { EXAMPLE_INVOICE, invoice, parameters } from "../resource"
import { bare } from "../../../../../v2-kit/answers"

/** By its invoice_id or uuid. */
export const GET = operation({
  id: "getInvoice",
  tag: "Invoices",
  summary: "Get an invoice",
  scope: "subscriptions:read",
  service: "subscriptions",
  parameters,
  answer: bare({ data: invoice, description: "The invoice as it is now.", example: EXAMPLE_INVOICE }),
  codes: ["INVOICE_NOT_FOUND"],
  run: async ({ gateway, caller, params, publicUrl }) =>
    invoiceData(await gateway.invoices.retrieve(caller, params.id), publicUrl),
})
