import type { ConfigModule, Logger } from "@medusajs/framework/types"
import type { Facade } from "../../container"
import type { Tasks } from "../tasks"
import { GatewayWorker } from "../worker"

const soon = () => new Promise((done) => setImmediate(done))

describe("design: Background work — the end of a worker", () => {
  it("the queue and the deliveries stop while a call of an API process goes on", async () => {
    const stopped: string[] = []
    let release = () => undefined as void
    const storeCalls = {
      start: () => undefined,
      wake: () => undefined,
      stop: () => new Promise<void>((done) => (release = done)),
    }
    const webhookDispatch = { useConnections: () => void stopped.push("connections") }
    const gateway = { webhookDispatch } as unknown as Facade
    const worker = new GatewayWorker(gateway, () => ({}) as Tasks, storeCalls, {} as ConfigModule, {} as Logger)
    const stops = (name: string) => async () => void stopped.push(name)
    Object.assign(worker, { dispatcher: { stop: stops("dispatcher") }, runner: { stop: stops("queue") } })

    const ended = worker.stop()
    await soon()
    expect(stopped.sort()).toEqual(["dispatcher", "queue"])
    release()
    await ended
    expect(stopped).toContain("connections")
  })
})
