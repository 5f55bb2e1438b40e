import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { Language } from "../../i18n/languages"
import type { Message } from "../../i18n/message"
import { translate } from "../../i18n/translate"
import type { HistoryEntry } from "../../modules/gateway/kernel/database/audit"
import { gatewayIn } from "../../modules/gateway"
import { dashboardNumbers } from "../../modules/gateway/acquirers/dashboard-rules"
import type { References } from "../../modules/gateway/acquirers/port"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import type { ListedReceipt } from "../../modules/gateway/receipts/service"
import type GatewayModuleService from "../../modules/gateway/service"
import { readLanguage } from "../api/v2/payments/invoices/resource"
import type { AdminFile, TenantContext } from "./endpoint"

/**
 * A message as an admin's page gets it: the page says its kind in the admin's language, and shows `message` where it does
 * not know the kind.
 */
export function presentMessage(message: Message, language: Language = "en"): Message & { message: string } {
  return { ...message, message: translate(message, language) }
}

export function presentMessageOrNull(message: Message | null): ReturnType<typeof presentMessage> | null {
  return message && presentMessage(message)
}

export function presentHistory(history: readonly HistoryEntry[]) {
  return history.map(({ at, ...message }) => ({ ...presentMessage(message), at }))
}

export type Names = ReadonlyMap<string, string>

/** By the prefix of Medusa's ids. */
const ENTITIES: Readonly<
  Record<string, { entity: string; fields: string[]; name: (row: Record<string, string>) => string }>
> = {
  user_: { entity: "user", fields: ["id", "email"], name: ({ email }) => email },
  cus_: { entity: "customer", fields: ["id", "email"], name: ({ email }) => email },
  apk_: {
    entity: "api_key",
    fields: ["id", "title", "redacted"],
    name: ({ title, redacted }) => `${title} (${redacted})`,
  },
}

/** A merchant's API keys. */
const MERCHANT_KEY = "gak_"

/**
 * The current names of admins, of customers of the store, of Medusa's keys and of merchants' keys; deleted and other
 * actors appear by their id.
 */
export async function namesOf(container: MedusaContainer, who: readonly string[]): Promise<Names> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const names = new Map<string, string>()
  for (const [prefix, { entity, fields, name }] of Object.entries(ENTITIES)) {
    const ids = [...new Set(who.filter((id) => id.startsWith(prefix)))]
    if (ids.length > 0) {
      const { data } = await query.graph({ entity, fields, filters: { id: ids } })
      data.forEach((row: Record<string, string>) => names.set(row.id, name(row)))
    }
  }
  const keys = who.filter((id) => id.startsWith(MERCHANT_KEY))
  if (keys.length > 0) {
    const named = await gatewayIn(container).apiKeys.names(keys)
    named.forEach(([id, name]) => names.set(id, name))
  }
  return names
}

/** The numbers that Medusa's own pages show for these orders; orders of another store have none. */
export async function orderNumbers(
  container: MedusaContainer,
  ids: readonly (string | null)[]
): Promise<(id: string | null) => number | null> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } =
    known.length === 0
      ? { data: [] }
      : await query.graph({ entity: "order", fields: ["id", "display_id"], filters: { id: known } })
  const numbers = new Map(data.map(({ id, display_id }) => [id, Number(display_id)]))
  return (id) => (id === null ? null : (numbers.get(id) ?? null))
}

/**
 * What somebody looks up in the acquirer's dashboard: `numbers` under the names that stand there, `payment` the number of
 * the payment that it is about. `by_hand`: nobody has asked the acquirer, whose dashboard alone takes refunds.
 */
export function presentLookUp(acquirer: string | null, references: References, payment: string | null = null) {
  const { refund, ...others } = references
  const by_hand = refund === "by_hand"
  return { by_hand, numbers: dashboardNumbers(acquirer, by_hand ? others : references), payment }
}

type ReceiptOf = { transaction_id: string; refund_id: string | null }

/** An e-mail with a receipt. */
export function presentReceipt({ state, last_error, ...receipt }: ListedReceipt) {
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

/** Who paid, and what: for lists of what belongs to payments. */
type PaymentSummary = {
  customer: { name: string; email: string; phone: string }
  order_id: string
  order_number: string
  /** Which part of the gateway or of Medusa has asked for it; a verification is no order. */
  source: string
  /** Of the payment, as decimal text. */
  paid_amount: string
  currency: string
}

/** Reads the payments of a list's rows, all of them with one statement; null: it has been forgotten. */
export async function paymentSummaries(
  gateway: GatewayModuleService,
  rows: readonly { transaction_id: string }[]
): Promise<(transaction_id: string) => PaymentSummary | null> {
  const found = await gateway.paymentList.summaries(rows.map(({ transaction_id }) => transaction_id))
  const known = new Map(
    found.map((row): [string, PaymentSummary] => [
      row.transaction_id,
      {
        customer: { name: row.customer_name, email: row.customer_email, phone: row.customer_phone },
        order_id: row.order_id,
        order_number: row.order_number,
        source: row.source,
        paid_amount: formatAmount(row.amount_minor),
        currency: row.currency,
      },
    ])
  )
  return (transaction_id) => known.get(transaction_id) ?? null
}
