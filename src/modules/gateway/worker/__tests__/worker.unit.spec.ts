import { EventEmitter } from "node:events"
import type { ConfigModule, Logger } from "@medusajs/framework/types"
import type { Facade } from "../../container"
import type { Tasks } from "../tasks"
import { DELIVERY_CHANNEL, WakeUp } from "../wake-up"
import { GatewayWorker } from "../worker"

/** The runs of the queue: what each is answered when it starts. */
const starts: (Error | { end: () => void })[] = []
const ran: Runner[] = []

type Runner = { stop: jest.Mock; kill: jest.Mock; addJob: jest.Mock; promise: Promise<void>; events: EventEmitter }

jest.mock("graphile-worker", () => ({
  Logger: class {},
  parseCronItems: () => [],
  run: () => {
    const answer = starts.shift()
    if (answer === undefined || answer instanceof Error) {
      return Promise.reject(answer ?? new Error("no answer"))
    }
    const quiet = () => jest.fn(() => Promise.resolve())
    const promise = new Promise<void>((end) => (answer.end = end))
    const runner = { stop: quiet(), kill: quiet(), addJob: quiet(), promise, events: new EventEmitter() }
    ran.push(runner)
    return Promise.resolve(runner)
  },
}))

const soon = () => new Promise((done) => setImmediate(done))

describe("design: Background work — the end of a worker", () => {
  it("the queue stops while a delivery goes on; the connections close after both", async () => {
    const stopped: string[] = []
    let release = () => undefined as void
    const webhookDispatch = { useConnections: () => void stopped.push("connections") }
    const worker = new GatewayWorker(
      { webhookDispatch } as unknown as Facade,
      () => ({}) as Tasks,
      {} as ConfigModule,
      {} as Logger
    )
    const dispatcher = { stop: () => new Promise<void>((done) => (release = done)) }
    Object.assign(worker, { dispatcher, runner: { stop: async () => void stopped.push("queue") } })

    const ended = worker.stop()
    await soon()
    expect(stopped).toEqual(["queue"])
    release()
    await ended
    expect(stopped).toContain("connections")
  })
})

describe("docs/decisions/12: the e-mails of a worker that is woken do not wait for the next minute", () => {
  it("one run two seconds after the first of several wake-ups, none for a worker that is stopped", async () => {
    jest.useFakeTimers()
    const started = jest.spyOn(WakeUp.prototype, "start").mockResolvedValue()
    const sent = jest.fn(async () => undefined)
    const failing = jest.fn(() => Promise.reject(new Error("no mail server")))
    const tasks = { "send-receipts": sent, "send-invoice-mails": failing } as unknown as Tasks
    const webhookDispatch = { useConnections: () => undefined, claim: () => Promise.resolve([]) }
    const warn = jest.fn()
    const logger = { warn, error: warn, debug: () => undefined } as unknown as Logger
    const config = { projectConfig: { databaseUrl: "postgres://nobody@localhost:1/none" } } as ConfigModule
    const worker = new GatewayWorker({ webhookDispatch } as unknown as Facade, () => tasks, config, logger)
    starts.push({ end: () => undefined })
    await worker.start()
    const [{ wakes }] = started.mock.contexts as unknown as { wakes: Record<string, () => void> }[]
    const event = () => wakes[DELIVERY_CHANNEL]()

    event()
    await jest.advanceTimersByTimeAsync(1_500)
    event()
    expect(sent).not.toHaveBeenCalled()
    await jest.advanceTimersByTimeAsync(600)
    expect([sent.mock.calls.length, failing.mock.calls.length]).toEqual([1, 1])
    expect(warn).toHaveBeenCalledWith("gateway worker: send-invoice-mails: no mail server")
    event()
    await worker.stop()
    await jest.advanceTimersByTimeAsync(10_000)
    expect(sent).toHaveBeenCalledTimes(1)
    jest.useRealTimers()
    jest.restoreAllMocks()
  })
})

describe("design: Background work — a queue whose database does not answer", () => {
  const config = { projectConfig: { databaseUrl: "postgres://nobody@localhost:1/none" } } as ConfigModule
  const logged: string[] = []
  const logger = {
    error: (text: string) => void logged.push(`error ${text}`),
    warn: (text: string) => void logged.push(`warn ${text}`),
    debug: () => undefined,
  } as unknown as Logger
  const webhookDispatch = { useConnections: () => undefined, claim: () => Promise.resolve([]) }
  let worker: GatewayWorker
  let wakeUps: jest.SpyInstance

  beforeEach(() => {
    jest.useFakeTimers()
    starts.length = ran.length = logged.length = 0
    worker = new GatewayWorker({ webhookDispatch } as unknown as Facade, () => ({}) as Tasks, config, logger)
    // It would connect.
    wakeUps = jest.spyOn(WakeUp.prototype, "start").mockResolvedValue()
  })
  afterEach(async () => {
    await worker.stop()
    jest.useRealTimers()
    jest.restoreAllMocks()
  })

  it("is tried until it does, and the log says so; everything else begins without it", async () => {
    starts.push(new Error("timeout exceeded"), new Error("timeout exceeded"), { end: () => undefined })
    await worker.start()
    const line = "error gateway worker: the queue could not be started: timeout exceeded; it is started again"
    expect([logged, wakeUps.mock.calls.length]).toEqual([[line], 1])
    await jest.advanceTimersByTimeAsync(60_000)
    expect([ran.length, logged]).toEqual([1, [line, line]])
    expect(ran[0].addJob).toHaveBeenCalledTimes(2)
  })

  it("is not tried any more once the worker has stopped", async () => {
    starts.push(new Error("timeout exceeded"), { end: () => undefined })
    await worker.start()
    await worker.stop()
    await jest.advanceTimersByTimeAsync(60_000)
    expect([ran, starts.length]).toEqual([[], 1])
  })

  it("a worker that is stopped while it starts begins nothing", async () => {
    starts.push({ end: () => undefined })
    const started = worker.start()
    await worker.stop()
    await started
    expect([wakeUps.mock.calls.length, ran[0].stop.mock.calls.length]).toEqual([0, 1])
  })

  it("that cannot add the first jobs is ended and started again", async () => {
    starts.push({ end: () => undefined }, { end: () => undefined })
    const started = worker.start()
    ran[0].addJob.mockRejectedValueOnce(new Error("the connection has ended"))
    await started
    expect(ran[0].kill).toHaveBeenCalledTimes(1)
    expect(logged).toEqual([
      expect.stringContaining("could not be added: the connection has ended; it is started again"),
    ])
    await jest.advanceTimersByTimeAsync(60_000)
    expect(ran).toHaveLength(2)
  })

  it("that has ended is started again, once", async () => {
    const [first, second] = [{ end: () => undefined }, { end: () => undefined }]
    starts.push(first, second)
    await worker.start()
    ran[0].events.emit("pool:fatalError")
    first.end()
    await jest.advanceTimersByTimeAsync(60_000)
    expect([ran.length, logged]).toEqual([2, ["warn gateway worker: the queue has ended; it is started again"]])
  })
})
