import type { MedusaContainer } from "@medusajs/framework/types"
import { GATEWAY_MODULE } from "../modules/gateway"
import type GatewayModuleService from "../modules/gateway/service"
import type { StoreTaskName } from "../modules/gateway/worker/crontab"
import type { StorePort } from "../modules/gateway/store-port"
import { completePaidCart } from "./cart/complete-paid-cart"
import { readStock } from "./renewals/read-stock"
import { sendMail } from "./send-invoice-mails"
import { STORE_TASKS } from "./tasks"

/** Gives the gateway its store. `container` is Medusa's own, with all modules in it. */
export function connectStore(container: MedusaContainer): void {
  container.resolve<GatewayModuleService>(GATEWAY_MODULE).storePort.connect(storeOf(container))
}

function storeOf(container: MedusaContainer): StorePort {
  const tasks = Object.entries(STORE_TASKS).map(([name, task]) => [name, (stop?: AbortSignal) => task(container, stop)])
  return {
    readStock: (requests) => readStock(container, requests),
    makeRenewalOrder: async (transaction_id) => {
      await completePaidCart(container, transaction_id)
    },
    sendMail: (mail) => sendMail(container, mail),
    tasks: Object.fromEntries(tasks) as Record<StoreTaskName, () => Promise<void>>,
  }
}
