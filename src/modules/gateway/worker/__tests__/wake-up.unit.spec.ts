import { EventEmitter } from "node:events"
import type { Pool } from "@medusajs/framework/pg"
import { WakeUp } from "../wake-up"

describe("design: Background work — a lost wake-up connection is replaced", () => {
  /** As pg: a connection that breaks emits its error before it rejects what it was asked. */
  class Connection extends EventEmitter {
    released: unknown[] = []
    fail: (error: Error) => void = () => undefined

    query(): Promise<void> {
      return new Promise((_done, fail) => (this.fail = fail))
    }

    release(error?: unknown): void {
      this.released.push(error)
    }
  }

  it("once, when the network breaks while it begins to listen", async () => {
    jest.useFakeTimers()
    const made: Connection[] = []
    const pool = { connect: async () => made[made.push(new Connection()) - 1] } as unknown as Pool
    const wakeUp = new WakeUp(pool, { channel: () => undefined })
    void wakeUp.start()
    await jest.advanceTimersByTimeAsync(1)
    const lost = new Error("read ECONNRESET")
    made[0].emit("error", lost)
    made[0].fail(lost)
    await jest.advanceTimersByTimeAsync(5_000)
    expect(made.map(({ released }) => released.length)).toEqual([1, 0])
    wakeUp.stop()
    expect(made.map(({ released }) => released.length)).toEqual([1, 1])
    jest.useRealTimers()
  })
})
