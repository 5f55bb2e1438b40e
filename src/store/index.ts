import type { MedusaContainer } from "@medusajs/framework/types"
import { gatewayIn } from "../modules/gateway"
import { SYNC_TASK } from "../modules/gateway/refunds/orders/rules"
import type { StoreTaskName } from "../modules/gateway/worker/crontab"
import type { StorePort } from "../modules/gateway/store-port"
import { completeDuePaidCarts, completePaidCart } from "./cart/complete-paid-cart"
import { notifyDuePaymentSessions } from "./cart/notify-payment-session"
import { warnOfEndingAuthorizations } from "./ending-authorizations"
import { followCashOrders } from "./cash/settle"
import { notifyDisabledEndpoints, notifyDisputedMerchants, notifySkippedCustomers, sendMail } from "./notifications"
import { runHooks } from "./hooks"
import { orderOwes } from "./captures/order-amounts"
import { syncDueCaptures } from "./captures/sync-order-captures"
import { sweepRefundRows } from "./refunds/sweep-rows"
import { syncDueRefunds } from "./refunds/sync-order-refund"
import { variantsOn } from "./renewals/other-plans"
import { readStock } from "./renewals/renewal-cart"
import { processReturns } from "./returns/propose"

/** The worker's tasks that need the store. Every line of the crontab that is the store's has one here. */
const STORE_TASKS: Readonly<Record<StoreTaskName, (scope: MedusaContainer, stop?: AbortSignal) => Promise<void>>> = {
  "complete-paid-carts": completeDuePaidCarts,
  "follow-cash-orders": followCashOrders,
  "notify-disabled-endpoints": notifyDisabledEndpoints,
  "notify-disputed-merchants": notifyDisputedMerchants,
  "notify-payment-sessions": notifyDuePaymentSessions,
  "notify-skipped-customers": notifySkippedCustomers,
  "process-returns": processReturns,
  "run-hooks": runHooks,
  "sweep-refund-rows": sweepRefundRows,
  "sync-order-captures": syncDueCaptures,
  "warn-of-ending-authorizations": warnOfEndingAuthorizations,
  [SYNC_TASK]: syncDueRefunds,
}

/** Gives the gateway its store. `container` is Medusa's own, with all modules in it. */
export function connectStore(container: MedusaContainer): void {
  gatewayIn(container).storePort.connect(storeOf(container))
}

function storeOf(container: MedusaContainer): StorePort {
  const tasks = Object.entries(STORE_TASKS).map(([name, task]) => [name, (stop?: AbortSignal) => task(container, stop)])
  return {
    readStock: (requests) => readStock(container, requests),
    variantsOn: (plans, own) => variantsOn(container, plans, own),
    orderOwes: (payment_session_id) => orderOwes(container, payment_session_id),
    makeRenewalOrder: async (transaction_id) => {
      await completePaidCart(container, transaction_id)
    },
    sendMail: (mail) => sendMail(container, mail),
    tasks: Object.fromEntries(tasks) as Record<StoreTaskName, () => Promise<void>>,
  }
}
