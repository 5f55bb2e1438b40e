import { LIMITS } from "../../../modules/gateway/kernel/limits"
import type { Gateway } from "../../../modules/gateway/container"
import type { Caller } from "../../../modules/gateway/kernel/types"
import type { WireAnswer } from "../envelopes"
import { runIdempotently } from "../idempotency"

const CLAIM = { id: "idem_1", lease_token: "token" }
const REQUEST = { method: "POST", path: "/sandbox/clock", key: "key", raw: Buffer.from("{}") }

/** A request that runs until its answer is given, and what it has done to its claim. */
function running(renew: () => Promise<void> = () => Promise.resolve()) {
  const done: string[] = []
  const note = (name: string) => () => {
    done.push(name)
    return name === "renew" ? renew() : Promise.resolve()
  }
  const idempotency = {
    begin: () => Promise.resolve(CLAIM),
    renew: note("renew"),
    finish: note("finish"),
    release: note("release"),
  }
  let answerWith: (answer: WireAnswer) => void = () => undefined
  const answered = new Promise<WireAnswer>((resolve) => (answerWith = resolve))
  const gateway = { idempotency } as unknown as Gateway
  const once = runIdempotently(gateway, {} as Caller, REQUEST, () => answered)
  return { done, once, answerWith }
}

describe("decisions: Requests — while the first still runs, its key is in use", () => {
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  it("the lease is renewed for as long as the request runs, and not after its answer", async () => {
    const { done, once, answerWith } = running()
    await jest.advanceTimersByTimeAsync(10 * LIMITS.idempotencyLeaseSeconds * 1_000)
    expect(done).toEqual(Array(30).fill("renew"))
    answerWith({ status: 200, body: "{}" })
    await once
    await jest.advanceTimersByTimeAsync(LIMITS.idempotencyLeaseSeconds * 1_000)
    expect(done.slice(30)).toEqual(["finish"])
  })

  it("a renewal that fails does not fail the request, and the release waits for one under way", async () => {
    let fail: (reason: Error) => void = () => undefined
    const { done, once, answerWith } = running(() => new Promise((_, reject) => (fail = reject)))
    await jest.advanceTimersByTimeAsync(LIMITS.idempotencyRenewSeconds * 1_000)
    answerWith({ status: 500, body: "{}" })
    await jest.advanceTimersByTimeAsync(0)
    expect(done).toEqual(["renew"])
    fail(new Error("no connection"))
    expect(await once).toEqual({ answer: { status: 500, body: "{}" }, replayed: false })
    expect(done).toEqual(["renew", "release"])
  })

  it("decisions: Lengths before contents — an answer that is too large is not stored: the request may run again", async () => {
    for (const [bytes, expected] of [
      [LIMITS.idempotentAnswerMaxBytes, "finish"],
      [LIMITS.idempotentAnswerMaxBytes + 1, "release"],
    ] as const) {
      const { done, once, answerWith } = running()
      answerWith({ status: 200, body: "x".repeat(bytes) })
      await once
      expect(done).toEqual([expected])
    }
  })

  it("a lease outlasts two renewals that fail", () => {
    expect(3 * LIMITS.idempotencyRenewSeconds).toBeLessThanOrEqual(LIMITS.idempotencyLeaseSeconds)
  })
})
