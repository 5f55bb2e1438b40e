import { setTimeout as sleep } from "node:timers/promises"
import { GatewayError } from "../errors"
import { withinDeadline } from "../database/deadline"

describe("design: Background work — a deadline", () => {
  it("work in time: its answer or its error", async () => {
    expect(await withinDeadline(60, async () => 7)).toBe(7)
    await expect(withinDeadline(60, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken")
  })

  it("work that never ends: 503, with the deadline in the reason", async () => {
    const error: unknown = await withinDeadline(0.001, () => new Promise(() => {})).catch((caught: unknown) => caught)
    expect(GatewayError.is(error) && [error.code, error.message]).toEqual([
      "SERVICE_UNAVAILABLE",
      "This took longer than 0.001 seconds",
    ])
  })

  it("an error that comes too late ends no process", async () => {
    const unhandled: unknown[] = []
    const listener = (reason: unknown) => unhandled.push(reason)
    process.on("unhandledRejection", listener)
    let fail = (_reason: Error) => {}
    const late = withinDeadline(0.001, () => new Promise((_, reject) => (fail = reject)))
    await expect(late).rejects.toThrow("longer")
    fail(new Error("too late"))
    await sleep(1)
    process.off("unhandledRejection", listener)
    expect(unhandled).toEqual([])
  })
})
