import type { MedusaContainer } from "@medusajs/framework/types"
import { SYNC_TASK } from "../modules/gateway/refunds/orders/rules"
import type { StoreTaskName } from "../modules/gateway/worker/crontab"
import { completeDuePaidCarts } from "./cart/tasks"
import { notifyDuePaymentSessions } from "./cart/notify-payment-session"
import { runHooks } from "./hooks"
import { notifyDisabledEndpoints } from "./notify-disabled-endpoints"
import { notifyRefundedCustomers } from "./notify-refunded-customers"
import { sweepRefundRows } from "./refunds/sweep-rows"
import { syncDueRefunds } from "./refunds/tasks"
import { settleRemotePayments } from "./remote/tasks"
import { notifySkippedCustomers } from "./renewals/tasks"
import { processReturns } from "./returns/tasks"

/** The worker's tasks that need the store. Every line of the crontab that is the store's has one here. */
export const STORE_TASKS: Readonly<
  Record<StoreTaskName, (scope: MedusaContainer, stop?: AbortSignal) => Promise<void>>
> = {
  "complete-paid-carts": completeDuePaidCarts,
  "notify-disabled-endpoints": notifyDisabledEndpoints,
  "notify-payment-sessions": notifyDuePaymentSessions,
  "notify-refunded-customers": notifyRefundedCustomers,
  "notify-skipped-customers": notifySkippedCustomers,
  "process-returns": processReturns,
  "run-hooks": runHooks,
  "settle-remote-payments": settleRemotePayments,
  "sweep-refund-rows": sweepRefundRows,
  [SYNC_TASK]: syncDueRefunds,
}
