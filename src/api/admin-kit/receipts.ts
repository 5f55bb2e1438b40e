import type { ListedReceipt } from "../../modules/gateway/receipts/service"
import { readLanguage } from "../api/v2/payments/invoices/resource"
import type { AdminFile, TenantContext } from "./endpoint"
import { presentMessageOrNull } from "./message"

type ReceiptOf = { transaction_id: string; refund_id: string | null }

/** An e-mail with a receipt. */
export function presentReceipt({ state, last_error, ...receipt }: ListedReceipt): object {
  return { ...receipt, status: state, last_error: presentMessageOrNull(last_error) }
}

/** Sends a receipt again, and answers the e-mails with it; a repeated request before it was sent sends it once. */
export async function sendReceipt({ gateway, tenant }: TenantContext, of: ReceiptOf): Promise<object> {
  await gateway.receipts.sendAgain(tenant, of)
  return { receipts: (await gateway.receipts.sentFor(of.refund_id ?? of.transaction_id)).map(presentReceipt) }
}

/** The receipt as PDF, in the shopper's language; `lang` chooses another. */
export async function receiptFile({ gateway, tenant, query }: TenantContext, of: ReceiptOf): Promise<AdminFile> {
  const { lang } = query
  const language = lang === undefined ? null : readLanguage({ lang })
  const { name, bytes } = await gateway.receipts.pdf(tenant, of, language)
  return { content: bytes, type: "application/pdf", file: name }
}
