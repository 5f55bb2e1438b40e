import { StoreCallWorker } from "../../src/modules/gateway/worker/store-calls"
import { gatewayOf } from "./api"
import { LOGGER } from "./gateway-fixtures"
import type { Store } from "./store"

const LOOK_MS = 50

/** Runs with a store process that takes what API processes ask: otherwise the store in this process takes nothing. */
export async function whileTaking<Result>(store: Store, work: () => Promise<Result>): Promise<Result> {
  const { storeCalls, storePort } = gatewayOf(store)
  const worker = new StoreCallWorker(storeCalls, () => storePort.connected, LOGGER, LOOK_MS)
  worker.start()
  try {
    return await work()
  } finally {
    await worker.stop()
  }
}
