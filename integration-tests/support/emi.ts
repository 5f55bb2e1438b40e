import type { EmiFields } from "../../src/modules/gateway/emi/input"
import type { EmiPlan } from "../../src/modules/gateway/emi/plan"
import { gatewayOf, type Answer, type ApiMerchant } from "./api"
import type { Store } from "./store"

/** An option in the format of the API and the product page. */
export interface EmiOption {
  bank_name: string
  tenure: string
  interest_rate: string
  monthly_installment: string
  total_amount: string
  total_interest: string
  processing_fee: string
  uuid: string
  merchant_bleeding: boolean
}

export type Amounts = { order_amount: string; merchant_bleeding: boolean; emi_payment_options: EmiOption[] }
export const dataOf = <Data>({ body }: Answer): Data => body.data as unknown as Data
export const amounts = (merchant: ApiMerchant, body: Record<string, unknown>) =>
  merchant.call("POST", "/payments/emi-amounts", body)

export interface VerifiedEmi {
  emi_configuration_id: string
  bank: string
  tenure: string
  interest_rate: string
  monthly_installment: string
  total_amount: string
  interest: string
  fee: string
  merchant_bleeding: boolean
  schedule: { installment: number; due_month: string; amount: string }[]
}

export const emiOf = async (merchant: ApiMerchant, transactionId: string) =>
  (await merchant.verified(transactionId)) as unknown as { status: string; amount: string; emi?: VerifiedEmi }

/** Creates a configuration in a merchant's sandbox; returns its uuid. */
export async function addEmi(store: Store, merchantId: string, fields: EmiFields = {}): Promise<string> {
  const tenant = { merchant_id: merchantId, environment: "sandbox" as const }
  const wanted = { bank_name: "Shapla Bank", tenure: 12, interest_rate: "12", ...fields }
  return (await gatewayOf(store).emiConfigurations.create(tenant, wanted, {})).uuid
}

export async function changeEmi(store: Store, merchantId: string, uuid: string, fields: EmiFields): Promise<void> {
  await gatewayOf(store).emiConfigurations.change({ merchant_id: merchantId, environment: "sandbox" }, uuid, fields, {})
}

export async function archiveEmi(store: Store, merchantId: string, uuid: string): Promise<void> {
  await gatewayOf(store).emiConfigurations.archive({ merchant_id: merchantId, environment: "sandbox" }, uuid, {})
}

export function storedPlan(store: Store, transactionId: string): Promise<EmiPlan | undefined> {
  return store.db("gateway_emi_plan").where({ transaction_id: transactionId }).first()
}

/** The offers of the hosted page: the values of its choices, by configuration. */
export function offersOnPage(html: string): Map<string, string> {
  const values = [...html.matchAll(/name="emi" value="([^"]+)"/g)].map((match) => match[1])
  return new Map(values.map((value) => [value.split(".")[0], value]))
}

/** The amounts of an offer on the hosted page, in their order: per month, interest, fee, and everything that is paid. */
export function figuresOnPage(html: string, uuid: string): string[] {
  const start = html.indexOf(`value="${uuid}.`)
  const text = html.slice(html.indexOf(">", start), html.indexOf("</label>", start)).replace(/<[^>]+>/g, " ")
  return [...text.matchAll(/৳([\d,]+\.\d\d)/g)].map((match) => match[1].replace(/,/g, "")).slice(0, 4)
}
