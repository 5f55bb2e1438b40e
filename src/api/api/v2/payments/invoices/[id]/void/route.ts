import { invoiceData } from "../../../../../../../modules/gateway/invoices/rules"
import { operation } from "../../../../../../v2-kit/operation"
import { repeatable } from "../../../../../../v2-kit/idempotency"
import { EXAMPLE_INVOICE, invoice, parameters } from "../../resource"
import { bare } from "../../../../../../v2-kit/answers"

/** Voids an open invoice; its number is not used again. */
export const POST = operation({
  id: "voidInvoice",
  tag: "Invoices",
  summary: "Void an open invoice",
  description: "It can no longer be paid, and its number is not used again. The subscription goes on.",
  scope: "subscriptions:write",
  service: "subscriptions",
  parameters,
  answer: bare({
    data: invoice,
    description: "The void invoice.",
    example: { ...EXAMPLE_INVOICE, invoice_status: "VOID", voided_at: "2027-03-02T08:00:00.000Z" },
  }),
  codes: ["INVOICE_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  run: async (context) => {
    const { gateway, params, publicUrl } = context
    return invoiceData(await gateway.invoices.void(repeatable(context), params.id), publicUrl)
  },
})
