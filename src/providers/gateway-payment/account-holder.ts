import type {
  CreateAccountHolderInput,
  CreateAccountHolderOutput,
  DeleteAccountHolderInput,
  DeletePaymentMethodInput,
  InitiatePaymentInput,
  ListPaymentMethodsInput,
  ListPaymentMethodsOutput,
} from "@medusajs/framework/types"
import { messageOf } from "../../i18n/message"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { newId } from "../../modules/gateway/kernel/text/ids"
import type { Holder, SavedMethod } from "../../modules/gateway/saved-methods/rules"
import type { ProviderCradle } from "./store"
import { textOf } from "../../modules/gateway/kernel/text/text"

type AnyHolder = { data?: Record<string, unknown> | null } | undefined

/**
 * Medusa's account holder of a signed-in customer. It is a reference to that customer and no more: what is saved belongs
 * to the customer's id in the store's own merchant. Each answer has an id of its own, because Medusa keeps them unique:
 * with the customer's id a row whose link was never written would refuse every later payment of that customer.
 */
export function accountHolder({ context }: CreateAccountHolderInput): CreateAccountHolderOutput {
  const customer_id = context.customer?.id
  if (!customer_id) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.account_holder_customer"))
  }
  return { id: newId("gah"), data: { customer_id } }
}

/**
 * The customer who may use saved methods on a new checkout: signed in, with an account holder that Medusa made for this
 * very customer. Both come from Medusa's workflow, never from a client's data.
 */
export function holderOf(context: InitiatePaymentInput["context"]): string | null {
  const signedIn = context?.customer?.id ?? null
  return signedIn !== null && customerOf(context?.account_holder) === signedIn ? signedIn : null
}

export async function listMethods(
  cradle: ProviderCradle,
  { context }: ListPaymentMethodsInput
): Promise<ListPaymentMethodsOutput> {
  const customer = customerOf(context?.account_holder)
  if (customer === null) {
    return []
  }
  const methods = await cradle.gateway.savedMethods.list(await holder(cradle, customer))
  return methods.map((method) => ({ id: method.id, data: presentMethod(method) }))
}

export async function removeMethod(cradle: ProviderCradle, { data, context }: DeletePaymentMethodInput): Promise<void> {
  const customer = customerOf(context?.account_holder)
  if (customer === null) {
    throw new GatewayError("PAYMENT_METHOD_NOT_FOUND")
  }
  await cradle.gateway.savedMethods.remove(await holder(cradle, customer), textOf(data?.id))
}

export async function removeAll(cradle: ProviderCradle, { context }: DeleteAccountHolderInput): Promise<void> {
  const customer = customerOf(context.account_holder)
  if (customer !== null) {
    await cradle.gateway.savedMethods.removeAll(await holder(cradle, customer))
  }
}

function presentMethod(saved: SavedMethod): Record<string, unknown> {
  const { method, service, brand, last_four, account, expiry_month, expiry_year, opened_at } = saved
  return { method, service, brand, last_four, account, expiry_month, expiry_year, created_at: opened_at }
}

function customerOf(accountHolder: AnyHolder): string | null {
  const id = accountHolder?.data?.customer_id
  return typeof id === "string" && id !== "" ? id : null
}

async function holder({ gateway }: ProviderCradle, store_customer_id: string): Promise<Holder> {
  const { environment, storeMerchantName } = gateway.options
  const { id: merchant_id } = await gateway.merchants.storeMerchant(storeMerchantName)
  return { merchant_id, environment, store_customer_id }
}
