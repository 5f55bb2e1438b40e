import { completeCartWorkflow } from "@medusajs/medusa/core-flows"
import type { BigNumberInput } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"
import { StepResponse } from "@medusajs/framework/workflows-sdk"
import { GATEWAY_MODULE } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/domain/errors"
import type { PaymentRecord } from "../../modules/gateway/records"
import type GatewayModuleService from "../../modules/gateway/service"
import { toMinor } from "../../providers/gateway-payment/amount"
import { isMoneyKept } from "../../providers/gateway-payment/session"

/** Providers are known as `pp_<identifier>_<id>`; a host may have chosen another id than `default`. */
const OURS = "pp_gateway_"
const OPEN_STATUSES = ["pending", "requires_more", "authorized", "captured", "pending_authorization"]

type CartToComplete = {
  id: string
  raw_total: BigNumberInput
  currency_code: string
  payment_collection?: {
    payment_sessions?: { id: string; provider_id: string; status: string; data?: { session_id?: unknown } }[]
  }
}

type Held = { transaction_id: string; token: string }

/**
 * Medusa never compares what was paid with what the cart costs. No cart becomes an order here unless the gateway has
 * its money, exactly, and no other run is making the order at this moment, in whatever process.
 */
completeCartWorkflow.hooks.validate(
  async ({ cart }: { cart: CartToComplete }, { container }) => {
    const gateway = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
    const record = await paymentOf(gateway, cart)
    if (record === null) {
      return new StepResponse<void, Held | null>(undefined, null)
    }
    const completion = await gateway.cartCompletions.find(record.transaction_id)
    if (completion?.state === "ordered") {
      return new StepResponse<void, Held | null>(undefined, null)
    }
    requireExactPayment(cart, record)
    const token = await gateway.cartCompletions.lock(record.transaction_id)
    if (token === null) {
      throw new MedusaError(MedusaError.Types.NOT_ALLOWED, "The cart is being completed already, or its money is going back")
    }
    return new StepResponse<void, Held | null>(undefined, { transaction_id: record.transaction_id, token })
  },
  async (held, { container }) => {
    if (held) {
      const gateway = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
      await gateway.cartCompletions.unlock(held.transaction_id, held.token)
    }
  }
)

/** The payment that Medusa is about to authorise: the first session in an open status. Null when it is not ours. */
async function paymentOf(gateway: GatewayModuleService, cart: CartToComplete): Promise<PaymentRecord | null> {
  const session = cart.payment_collection?.payment_sessions?.find(({ status }) => OPEN_STATUSES.includes(status))
  if (!session?.provider_id.startsWith(OURS)) {
    return null
  }
  try {
    return await gateway.transactions.bySession(String(session.data?.session_id))
  } catch (error) {
    if (GatewayError.is(error) && error.code === "SESSION_NOT_FOUND") {
      throw new MedusaError(MedusaError.Types.PAYMENT_AUTHORIZATION_ERROR, "The payment session has no checkout")
    }
    throw error
  }
}

function requireExactPayment(cart: CartToComplete, record: PaymentRecord): void {
  const { PAYMENT_AUTHORIZATION_ERROR, PAYMENT_REQUIRES_MORE_ERROR, NOT_ALLOWED } = MedusaError.Types
  if (record.state === "OPEN" || record.state === "PROCESSING") {
    throw new MedusaError(PAYMENT_REQUIRES_MORE_ERROR, "The cart is not paid yet: send the shopper to the checkout_url")
  }
  if (!isMoneyKept(record)) {
    throw new MedusaError(PAYMENT_AUTHORIZATION_ERROR, "The payment did not succeed; make a new payment session")
  }
  if (record.cart_id !== cart.id) {
    throw new MedusaError(PAYMENT_AUTHORIZATION_ERROR, "The payment belongs to another cart")
  }
  if (record.currency !== cart.currency_code.toUpperCase() || BigInt(record.amount_minor) !== toMinor(cart.raw_total)) {
    throw new MedusaError(NOT_ALLOWED, "The amount that was paid is not the cart's total")
  }
}
