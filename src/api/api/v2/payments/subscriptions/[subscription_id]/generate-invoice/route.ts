import { invoiceData } from "../../../../../../../modules/gateway/invoices/rules"
import { operation } from "../../../../../../v2-kit/operation"
import { EXAMPLE_INVOICE, invoice } from "../../../invoices/resource"
import { bare } from "../../../../../../v2-kit/answers"
import { REFUSED } from "../../resource"

/** The invoice of the open period (contract 4.6); its e-mail with the payment link is sent automatically. */
export const POST = operation({
  id: "generateInvoice",
  tag: "Subscriptions",
  summary: "Create the invoice of the open period",
  description: "A period has one open invoice: asked again, that one answers. The customer gets it by e-mail.",
  scope: "subscriptions:write",
  service: "subscriptions",
  answer: bare({ data: invoice, description: "The invoice.", example: EXAMPLE_INVOICE }),
  codes: REFUSED,
  run: async ({ gateway, caller, params, publicUrl }) =>
    invoiceData(await gateway.invoices.generate(caller, params.subscription_id), publicUrl),
})
