import type { ServerResponse } from "node:http"
import { resolve } from "node:path"
import { knex, type Knex } from "@medusajs/framework/mikro-orm/knex"
import { Emitter, useDispatchers } from "../support/deliveries"
import { importModule } from "../support/import-module.cjs"
import { noteLoggedError } from "../support/logged-errors"
import { connectionWarningsIn } from "../support/process-checks"
import { useReceiver } from "../support/receiver"
import { ROOT } from "../support/store"
import { until } from "../support/until"

/** PostgreSQL in a cluster of this file's own. */
interface OwnServer {
  url: string
  start(): Promise<void>
  stop(): Promise<void>
  remove(): Promise<void>
}

/** knex's warning about each pooled connection that the outage has ended. */
const ENDED = /^Connection Error: Connection ended unexpectedly$/

function warn(message: string): void {
  if (!ENDED.test(message)) {
    noteLoggedError(message)
  }
}

const receiver = useReceiver()
const workers = useDispatchers()
let server: OwnServer
let db: Knex

beforeAll(async () => {
  const { startOwnServer } = await importModule<{ startOwnServer(): Promise<OwnServer> }>(
    resolve(ROOT, "scripts/lib/test-server.mjs")
  )
  server = await startOwnServer()
  db = knex({ client: "pg", connection: server.url, pool: { min: 0, max: 4 }, log: { error: () => undefined, warn } })
})
afterAll(async () => {
  await db.destroy()
  await server.remove()
})

it("PostgreSQL is stopped and started again, twice: what was waiting is delivered by the same worker process", async () => {
  const emitter = await Emitter.of(db, [`${receiver.url}/outage`])
  const worker = await workers.start(server.url)
  for (const round of [1, 2]) {
    const inFlight: ServerResponse[] = []
    receiver.answer = (response) => void inFlight.push(response)
    await emitter.emit(100)
    await until("a delivery is in flight", () => inFlight.length > 0)
    await server.stop()
    receiver.answer = (response) => response.end()
    inFlight.forEach((response) => response.end())
    const failed = worker.output().length
    await until("the worker has failed to claim", () => worker.output().includes("could not be claimed", failed))
    const before = receiver.received.length
    await server.start()
    await until("deliveries come again", () => receiver.received.length > before)
    await until("all are delivered", async () => (await emitter.states()).delivered === round * 100)
    expect(new Set(receiver.received.map(({ body }) => body.event_id)).size).toBe(round * 100)
  }
  await until("the worker listens", () => emitter.isListening(worker.name))
  expect([worker.isRunning(), worker.output()]).toEqual([true, expect.not.stringMatching(/unhandled/i)])
  expect(connectionWarningsIn(worker.output())).toEqual([])
})
