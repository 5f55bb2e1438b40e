import type { Logger } from "@medusajs/framework/types"
import type { Facade } from "../../container"
import { TaskRuns } from "../task-runs"
import { billSubscriptions } from "../tasks"

const logged: string[] = []
let runs: TaskRuns

beforeEach(() => {
  jest.useFakeTimers()
  logged.length = 0
  runs = new TaskRuns({ error: (text: string) => void logged.push(text) } as unknown as Logger, 10_000)
})
afterEach(() => jest.useRealTimers())

/** A task whose runs end when the test says so. */
function task() {
  const begun: { end: () => void; fail: (error: Error) => void; stop?: AbortSignal }[] = []
  const run = (stop?: AbortSignal) =>
    new Promise<void>((end, fail) => {
      begun.push({ end, fail, stop })
    })
  return { begun, run }
}

/** Starts a task as a job does; the answer is what has become of the job. */
function job(name: string, run: (stop?: AbortSignal) => Promise<void>, stop?: AbortSignal) {
  const state = { is: "waits" }
  void runs.start(name, run, stop).then(
    () => (state.is = "done"),
    (error: Error) => (state.is = error.message)
  )
  return state
}

const soon = () => jest.advanceTimersByTimeAsync(1)

describe("design: Background work — a long task leaves the queue to the others", () => {
  it("a job whose task runs already is done at once, and the run repeats once", async () => {
    const { begun, run } = task()
    const first = job("bill-subscriptions", run)
    const others = [job("bill-subscriptions", run), job("bill-subscriptions", run), job("bill-subscriptions", run)]
    await soon()
    expect([first.is, ...others.map(({ is }) => is), begun.length]).toEqual(["waits", "done", "done", "done", 1])
    begun[0].end()
    await soon()
    expect([first.is, begun.length]).toEqual(["waits", 2])
    begun[1].end()
    await soon()
    expect([first.is, begun.length]).toEqual(["done", 2])
  })

  it("a task that takes long gives its place back, and still runs once at a time", async () => {
    const { begun, run } = task()
    const first = job("reconcile-payments", run)
    await jest.advanceTimersByTimeAsync(10_000)
    expect(first.is).toBe("done")
    const next = job("reconcile-payments", run)
    await soon()
    expect([next.is, begun.length]).toEqual(["done", 1])
    begun[0].end()
    await soon()
    expect(begun).toHaveLength(2)
    begun[1].end()
    await soon()
    job("reconcile-payments", run)
    await soon()
    expect(begun).toHaveLength(3)
  })

  it("tasks of other names run beside it", async () => {
    const [long, short] = [task(), task()]
    job("reconcile-refunds", long.run)
    job("expire-sessions", short.run)
    await soon()
    expect([long.begun.length, short.begun.length]).toEqual([1, 1])
  })

  it("a run that fails fails its job; one that has given its place back is logged", async () => {
    const { begun, run } = task()
    const first = job("send-receipts", run)
    begun[0].fail(new Error("no database"))
    await soon()
    expect([first.is, logged]).toEqual(["no database", []])
    const second = job("send-receipts", run)
    await jest.advanceTimersByTimeAsync(10_000)
    begun[1].fail(new Error("still none"))
    await soon()
    expect([second.is, logged]).toEqual([
      "done",
      [expect.stringContaining("gateway: task send-receipts failed: Error: still none")],
    ])
    job("send-receipts", run)
    await soon()
    expect(begun).toHaveLength(3)
  })

  it("a process that ends waits for what runs, and repeats nothing", async () => {
    const stop = new AbortController()
    const { begun, run } = task()
    job("reconcile-payments", run, stop.signal)
    await jest.advanceTimersByTimeAsync(10_000)
    job("reconcile-payments", run, stop.signal)
    let ended = false
    void runs.ended().then(() => (ended = true))
    stop.abort()
    await soon()
    expect([ended, begun[0].stop?.aborted]).toEqual([false, true])
    begun[0].end()
    await soon()
    expect([ended, begun.length]).toEqual([true, 1])
  })

  it("docs/decisions/30: a daily job keeps its place to the end, so that the queue repeats it after a failure", async () => {
    const { begun, run } = task()
    const first = job("check-whole-ledger", run)
    await jest.advanceTimersByTimeAsync(3_600_000)
    expect(first.is).toBe("waits")
    begun[0].fail(new Error("no database"))
    await soon()
    expect([first.is, logged]).toEqual(["no database", []])
  })

  it("docs/decisions/30: a run that never ends is reported every ten minutes", async () => {
    const { begun, run } = task()
    job("run-hooks", run)
    for (let minute = 0; minute < 25; minute += 1) {
      await jest.advanceTimersByTimeAsync(60_000)
      job("run-hooks", run)
    }
    expect(logged).toEqual([
      expect.stringContaining("task run-hooks has run for 11 minutes"),
      expect.stringContaining("task run-hooks has run for 22 minutes"),
    ])
    begun[0].end()
    await soon()
    await jest.advanceTimersByTimeAsync(60_000)
    job("run-hooks", run)
    expect([begun.length, logged.length]).toEqual([2, 2])
  })

  it("a billing run that has failed ends when its other half has, so that the next one is alone", async () => {
    let release: (count: number) => void = () => undefined
    const answers = [Promise.reject(new Error("no database")), new Promise<number>((done) => (release = done))]
    const billing = { run: () => answers.shift() ?? Promise.resolve(0) }
    let ended = false
    const run = billSubscriptions({ billing } as unknown as Facade).finally(() => (ended = true))
    const failed = expect(run).rejects.toThrow("no database")
    await soon()
    expect(ended).toBe(false)
    release(0)
    await failed
  })
})
