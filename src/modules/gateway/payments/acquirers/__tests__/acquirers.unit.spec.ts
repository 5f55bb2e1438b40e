import type { Acquirer } from "../port"
import { inTime } from "../in-time"
import { AcquirerRegistry } from "../registry"

describe("design: unknown is not failed — an acquirer's call", () => {
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  it("its answer is passed on, and no timer stays behind", async () => {
    expect(await inTime(async () => "answer")).toBe("answer")
    expect(jest.getTimerCount()).toBe(0)
  })

  it.each<[string, () => Promise<never>]>([
    ["a rejection", () => Promise.reject(new Error("ECONNRESET"))],
    ["a rejection that is no error", () => Promise.reject("gone")],
    [
      "an exception",
      () => {
        throw new Error("broken")
      },
    ],
  ])("%s is unknown, not a refusal", async (_name, call) => {
    expect(await inTime(call)).toEqual({ result: "unknown", message: expect.stringMatching(/.+/) })
    expect(jest.getTimerCount()).toBe(0)
  })

  it("no answer within 30 seconds is unknown", async () => {
    const settled = jest.fn()
    const waiting = inTime(() => new Promise(() => undefined)).then(settled)
    await jest.advanceTimersByTimeAsync(29_999)
    expect(settled).not.toHaveBeenCalled()
    await jest.advanceTimersByTimeAsync(1)
    await waiting
    expect(settled).toHaveBeenCalledWith(expect.objectContaining({ result: "unknown" }))
  })
})

describe("design: an acquirer is chosen per environment and payment service", () => {
  const named = (id: string) => ({ id }) as Acquirer
  const registry = new AcquirerRegistry([
    { environment: "production", services: ["BKASH", "NAGAD"], create: () => named("wallets") },
    { environment: "production", services: ["CARD", "BKASH"], create: () => named("bank") },
    { environment: "sandbox", create: () => named("sandbox") },
  ])

  it("the first setting that fits wins, and one without services fits all", () => {
    expect(registry.forService("production", "BKASH").id).toBe("wallets")
    expect(registry.forService("production", "CARD").id).toBe("bank")
    expect(registry.forService("sandbox", "ANYTHING").id).toBe("sandbox")
  })

  it("decisions: Environments — where none is configured: SERVICE_NOT_ENABLED", () => {
    expect(() => registry.forService("production", "ROCKET")).toThrow(
      expect.objectContaining({ code: "SERVICE_NOT_ENABLED", status: 403 })
    )
    const empty = new AcquirerRegistry([{ environment: "sandbox", create: () => named("sandbox") }])
    expect([empty.has("production"), empty.has("sandbox")]).toEqual([false, true])
  })

  it("a running payment finds its own acquirer, in its own environment only", () => {
    expect(registry.byId("production", "bank").id).toBe("bank")
    expect(() => registry.byId("sandbox", "bank")).toThrow(
      expect.objectContaining({ code: "SERVICE_UNAVAILABLE", status: 503 })
    )
  })
})
