import { randomUUID } from "node:crypto"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"
import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils"
import { StepResponse } from "@medusajs/framework/workflows-sdk"
import { gatewayIn } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { isGatewayProvider } from "../../modules/gateway/kernel/text/provider-id"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import { isMoneyKept, toMinor } from "../../providers/gateway-payment/session"
import { orderOfCart } from "../../providers/gateway-payment/cart"
import { type FreeRun, lockFreePlans } from "../../store/cart/free-plans"
import { readOrder } from "../../store/cart/order-state"
import { beginCashOrder, endCashRun, type CashRun } from "../../store/cash/complete"
import { runCartValidators } from "../hook-points"

const OPEN_STATUSES = ["pending", "requires_more", "authorized", "captured", "pending_authorization"]

type Session = { id: string; provider_id: string; status: string }

type CartToComplete = {
  id: string
  completed_at: Date | null
  raw_total: BigNumberInput
  currency_code: string
  items: { id: string; variant_id: string | null; quantity: BigNumberInput }[]
  payment_collection?: { payment_sessions?: Session[] }
}

type PaidRun = { transaction_id: string; token: string }
type Run = PaidRun | CashRun | FreeRun

/**
 * Medusa never compares what was paid with what the cart costs. No cart becomes an order here unless the gateway has
 * its money, exactly, and no other run is making the order at this moment, in whatever process.
 */
completeCartWorkflow.hooks.validate(
  async (given, context) => {
    // Before the lock: what a host refuses leaves nothing to undo.
    await runCartValidators(given, context)
    const cart = given.cart as CartToComplete
    const { container } = context
    const gateway = gatewayIn(container)
    const session = cart.payment_collection?.payment_sessions?.find(({ status }) => OPEN_STATUSES.includes(status))
    if (session === undefined || !isGatewayProvider(session.provider_id)) {
      const free = await lockFreePlans(container, cart).catch(asMedusaError)
      if (free === "taken") {
        throw beingCompleted()
      }
      return new StepResponse<void, Run | null>(undefined, free)
    }
    const cash = await gateway.cashOrders.ofPaymentSession(session.id)
    if (cash !== null && cash.advance_minor === 0) {
      return new StepResponse<void, Run | null>(undefined, await beginCashOrder(container, cart, cash))
    }
    const record = await gateway.transactions.ofPaymentSession(session.id)
    const completion = record === null ? null : await gateway.cartCompletions.find(record.transaction_id)
    if (completion?.locked !== true && (await isLookUp(container, cart, session))) {
      return new StepResponse<void, Run | null>(undefined, null)
    }
    if (record === null) {
      throw new MedusaError(MedusaError.Types.PAYMENT_AUTHORIZATION_ERROR, "The payment session has no checkout")
    }
    const total = await gateway.cashOrders.cartTotal(record)
    requireExactPayment(cart, record, total)
    const run = { transaction_id: record.transaction_id, token: randomUUID() }
    if (!(await gateway.cartCompletions.lock(run.transaction_id, run.token))) {
      throw beingCompleted()
    }
    await requireUnchanged(container, cart, run, total)
    return new StepResponse<void, Run | null>(undefined, run)
  },
  async (run, { container }) => {
    if (run && "cash_order_id" in run) {
      await endCashRun(container, run)
    } else if (run && "free_cart_id" in run) {
      await gatewayIn(container).freePurchases.unlock(run.free_cart_id, run.token)
    } else if (run) {
      const gateway = gatewayIn(container)
      await gateway.cartCompletions.unlock(run.transaction_id, run.token)
    }
  }
)

/** Medusa answers an error of its own with its sentence, and any other with 500. */
function asMedusaError(error: unknown): never {
  throw GatewayError.is(error) ? new MedusaError(MedusaError.Types.INVALID_DATA, error.message) : error
}

/** The cart has its order, and this run only looks it up. Without the order, it would make another one. */
async function isLookUp(container: MedusaContainer, cart: CartToComplete, session: Session): Promise<boolean> {
  const order_id = await orderOfCart(container.resolve(ContainerRegistrationKeys.QUERY), cart.id)
  if (order_id === null) {
    return false
  }
  const { state } = await readOrder(container, { payment_session_id: session.id }, order_id)
  if (state === "partial" || state === "cancelled") {
    // Medusa would answer it as placed.
    throw beingCompleted()
  }
  return cart.completed_at !== null && session.status === "authorized"
}

/**
 * Cart and payment were read before the lock: a run that has finished meanwhile has left its order behind, or a refund
 * has reserved the money. A step that throws is not rolled back itself, so the lock is released here.
 */
async function requireUnchanged(
  container: MedusaContainer,
  cart: CartToComplete,
  run: PaidRun,
  total: bigint
): Promise<void> {
  const gateway = gatewayIn(container)
  try {
    requireExactPayment(cart, await gateway.transactions.byId(run.transaction_id), total)
    if ((await orderOfCart(container.resolve(ContainerRegistrationKeys.QUERY), cart.id)) !== null) {
      throw beingCompleted()
    }
  } catch (error) {
    await gateway.cartCompletions.unlock(run.transaction_id, run.token)
    throw error
  }
}

function beingCompleted(): MedusaError {
  return new MedusaError(
    MedusaError.Types.NOT_ALLOWED,
    "The cart is being completed already, or its money is going back"
  )
}

/** `total`: what the cart must cost, which is more than the payment where that is an advance. */
function requireExactPayment(cart: CartToComplete, record: PaymentRecord, total: bigint): void {
  const { PAYMENT_AUTHORIZATION_ERROR, PAYMENT_REQUIRES_MORE_ERROR, NOT_ALLOWED } = MedusaError.Types
  if (record.state === "OPEN" || record.state === "PROCESSING" || record.state === "HELD") {
    throw new MedusaError(PAYMENT_REQUIRES_MORE_ERROR, "The cart is not paid yet: send the shopper to the checkout_url")
  }
  if (!isMoneyKept(record)) {
    throw new MedusaError(PAYMENT_AUTHORIZATION_ERROR, "The payment did not succeed; make a new payment session")
  }
  if (record.cart_id !== cart.id) {
    throw new MedusaError(PAYMENT_AUTHORIZATION_ERROR, "The payment belongs to another cart")
  }
  if (record.currency !== cart.currency_code.toUpperCase() || total !== toMinor(cart.raw_total)) {
    throw new MedusaError(NOT_ALLOWED, "The amount that was paid is not the cart's total")
  }
}
