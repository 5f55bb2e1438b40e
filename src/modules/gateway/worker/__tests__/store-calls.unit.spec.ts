import { messageOf } from "../../../../i18n/message"
import { GatewayError } from "../../kernel/errors"
import type { ClaimedStoreCall, StoreAnswer } from "../../kernel/store-calls"
import { StoreCallWorker } from "../store-calls"

type Release = (result: unknown) => void

function workerWith(calls: Record<string, (input: unknown) => Promise<unknown>>, beatMs = 60_000) {
  const waiting: ClaimedStoreCall[] = []
  const answers = new Map<string, StoreAnswer>()
  const heartbeats: (readonly string[])[] = []
  const logged: string[] = []
  const log = { warn: (text: string) => void logged.push(text), error: (text: string) => void logged.push(text) }
  const service = {
    claim: (kinds: readonly string[], limit: number) => {
      const claimed = waiting.filter(({ kind }) => kinds.includes(kind)).slice(0, limit)
      claimed.forEach((call) => waiting.splice(waiting.indexOf(call), 1))
      return Promise.resolve(claimed)
    },
    answer: (id: string, answer: StoreAnswer) => Promise.resolve(void answers.set(id, answer)),
    heartbeat: (ids: readonly string[]) => Promise.resolve(void heartbeats.push(ids)),
  }
  const worker = new StoreCallWorker(service, () => ({ calls }) as never, log as never, 60_000, beatMs)
  const put = (id: string, kind: ClaimedStoreCall["kind"] = "pay") => {
    waiting.push({ id, kind, input: () => ({ session_id: id }), traceparent: null })
    worker.wake()
  }
  return { worker, waiting, answers, heartbeats, logged, put }
}

const soon = () => new Promise((done) => setImmediate(done))

describe("a store process takes the calls of API processes (docs/decisions/0069)", () => {
  it("answers the result, the refusal with all that its answer needs, and a fault without its stack", async () => {
    const refusal = new GatewayError("CART_CHANGED", messageOf("error.CART_CHANGED"), { field: "cart" })
    const { worker, answers, logged, put } = workerWith({
      pay: (input) => Promise.resolve({ paid: input }),
      cancel: () => Promise.reject(refusal),
      move_clock: () => Promise.reject(new Error("no such table")),
    })
    worker.start()
    put("one")
    put("two", "cancel")
    put("three", "move_clock")
    await soon()
    await worker.stop()
    expect(Object.fromEntries(answers)).toEqual({
      one: { result: { paid: { session_id: "one" } } },
      two: { refusal: { code: "CART_CHANGED", reason: refusal.reason, field: "cart", details: undefined } },
      three: { fault: "no such table" },
    })
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain("call three (move_clock) of an API process failed")
  })

  it("a call that cannot be decrypted is answered with a fault, and those taken with it are done", async () => {
    const { worker, waiting, answers, logged, put } = workerWith({ pay: () => Promise.resolve("paid") })
    const input = () => {
      throw new Error("no key")
    }
    waiting.push({ id: "unreadable", kind: "pay", input, traceparent: null })
    put("readable")
    await soon()
    await worker.stop()
    expect([answers.get("unreadable"), answers.get("readable")]).toEqual([{ fault: "no key" }, { result: "paid" }])
    expect(logged).toEqual([expect.stringContaining("call unreadable (pay) of an API process failed")])
  })

  it("a call that takes long keeps no other waiting, and stopping waits for it", async () => {
    let release: Release = () => undefined
    const { worker, answers, waiting, put } = workerWith({
      pay: () => Promise.resolve("paid"),
      move_clock: () => new Promise((done) => (release = done)),
    })
    worker.start()
    put("long", "move_clock")
    await soon()
    put("short")
    await soon()
    expect([...answers.keys()]).toEqual(["short"])

    const stopped = worker.stop()
    put("late")
    await soon()
    expect(waiting.map(({ id }) => id)).toEqual(["late"])
    release("moved")
    await stopped
    expect(answers.get("long")).toEqual({ result: "moved" })
    expect(answers.has("late")).toBe(false)
  })

  it("moves of clocks take none of the places of payments", async () => {
    const moves: Release[] = []
    const { worker, answers, waiting, put } = workerWith({
      pay: () => Promise.resolve("paid"),
      move_clock: () => new Promise((done) => moves.push(done)),
    })
    worker.start()
    Array.from({ length: 30 }, (_, index) => put(`move ${index}`, "move_clock"))
    await soon()
    expect([moves.length, waiting.length]).toEqual([4, 26])
    put("payment")
    await soon()
    expect([...answers.keys()]).toEqual(["payment"])
    moves[0]("moved")
    await soon()
    await soon()
    expect([moves.length, waiting.length]).toEqual([5, 25])
    waiting.splice(0)
    moves.forEach((release) => release("moved"))
    await worker.stop()
  })

  it("says that it works on a call as long as it does, also while it stops, and nothing without one", async () => {
    let release: Release = () => undefined
    const { worker, heartbeats, put } = workerWith({ move_clock: () => new Promise((done) => (release = done)) }, 1)
    const anotherBeat = async () => {
      const count = heartbeats.length
      while (heartbeats.length === count) {
        await new Promise((done) => setTimeout(done, 1))
      }
    }
    worker.start()
    await new Promise((done) => setTimeout(done, 20))
    expect(heartbeats).toEqual([])
    put("long", "move_clock")
    await anotherBeat()
    const stopped = worker.stop()
    await anotherBeat()
    expect(heartbeats.at(-1)).toEqual(["long"])
    release("moved")
    await stopped
    const after = heartbeats.length
    await new Promise((done) => setTimeout(done, 20))
    expect(heartbeats).toHaveLength(after)
  })

  it("takes no more than it can do at once, and the rest as places become free", async () => {
    const releases: Release[] = []
    const { worker, answers, waiting, put } = workerWith({ pay: () => new Promise((done) => releases.push(done)) })
    worker.start()
    Array.from({ length: 20 }, (_, index) => put(`call ${index}`))
    await soon()
    expect([releases.length, waiting.length]).toEqual([16, 4])
    releases.splice(0).forEach((release) => release("paid"))
    await soon()
    await soon()
    expect(releases).toHaveLength(4)
    releases.forEach((release) => release("paid"))
    await worker.stop()
    expect(answers.size).toBe(20)
  })
})
