import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { ROOT } from "./console.mjs"

/** In the environment of a store (NODE_OPTIONS) whose heap is to be measured. */
export const WITH_HEAP_PROBE = `--expose-gc --require ${join(ROOT, "scripts/lib/heap-probe.cjs")}`

const readings = (store) =>
  store
    .output()
    .split("\n")
    .filter((line) => line.startsWith('{"reading"') && line.endsWith("}"))

/**
 * What a store of startProductionStore keeps in memory after a garbage collection.
 * @returns `{ heap_used, rss }` in bytes
 */
export async function heapOf(store) {
  const before = readings(store).at(-1)
  process.kill(store.pid, "SIGUSR2")
  for (;;) {
    const newest = readings(store).at(-1)
    if (newest !== undefined && newest !== before) {
      return JSON.parse(newest)
    }
    if (!store.alive()) {
      throw new Error("the store has ended")
    }
    await sleep(50)
  }
}
