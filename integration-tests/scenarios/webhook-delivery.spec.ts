import type { ServerResponse } from "node:http"
import { gatewayOf } from "../support/api"
import { Emitter, useDispatchers, type DispatcherProcess } from "../support/deliveries"
import { useReceiver } from "../support/receiver"
import { useStore } from "../support/store"
import { until } from "../support/until"

const store = useStore()
const receiver = useReceiver()
const workers = useDispatchers()

const LONG = 120_000
const KILLS = 12
/** Longer than any test: a worker that polls so rarely delivers only what wakes it. */
const HARDLY_EVER_MS = 3_600_000

const tenant = (emitter: Emitter) => ({ merchant_id: emitter.merchant_id, environment: "sandbox" as const })
const start = (pollMs?: number) => workers.start(store.databaseUrl, pollMs)

// Workers deliver whatever is due: deliveries of an earlier test must not reach this one's receiver.
beforeEach(() => store.db("gateway_webhook_delivery").where({ state: "pending" }).update({ state: "failed" }))

/** How often each event arrived. */
function arrivals(path?: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { url, body } of receiver.received) {
    if (path === undefined || url === path) {
      const id = `${url} ${String(body.event_id)}`
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
  }
  return counts
}

/** Waits until no delivery of a merchant is due or under way. */
const allEnd = (emitter: Emitter, everyMs?: number) =>
  until("no delivery is pending", async () => (await emitter.states()).pending === undefined, { everyMs })

it(
  "is woken at COMMIT: neither before, nor by looking now and then; and never for what was rolled back",
  async () => {
    const emitter = await Emitter.of(store.db, [`${receiver.url}/commit`])
    const other = await Emitter.of(store.db, [`${receiver.url}/other`])
    await start(HARDLY_EVER_MS)
    await emitter.transaction(async (sql) => {
      await emitter.emit(1, sql)
      await other.emit(20)
      await until("the other merchant's have come", () => arrivals("/other").size === 20)
      expect(arrivals("/commit").size).toBe(0)
    })
    await until("the committed event has come", () => arrivals("/commit").size === 1)
    const undone = emitter.transaction(async (sql) => {
      await emitter.emit(1, sql)
      throw new Error("undone")
    })
    await expect(undone).rejects.toThrow("undone")
    await emitter.emit(1)
    await until("the second event has come", () => arrivals("/commit").size === 2)
    expect(new Set(await emitter.eventIds()).size).toBe(2)
  },
  LONG
)

it(
  "receivers that hang do not hold the others back: all of theirs arrive before any of those ends",
  async () => {
    const hangs = Array.from({ length: 30 }, (_, index) => `${receiver.url}/hang-${index}`)
    // Two merchants: one has at most 16 endpoints.
    const hanging = [await Emitter.of(store.db, hangs.slice(0, 15)), await Emitter.of(store.db, hangs.slice(15))]
    const healthy = await Emitter.of(
      store.db,
      Array.from({ length: 10 }, (_, index) => `${receiver.url}/well-${index}`)
    )
    const waiting = new Set<ServerResponse>()
    let ended = 0
    receiver.answer = (response, { url }) => {
      if (url.startsWith("/hang")) {
        waiting.add(response)
        response.on("close", () => (ended += 1))
      } else {
        response.end()
      }
    }
    await Promise.all(hanging.map((emitter) => emitter.emit(100)))
    await start()
    await until("every hanging receiver was asked", () => waiting.size >= 30)
    await healthy.emit(50)
    const well = () => [...arrivals().keys()].filter((id) => id.startsWith("/well"))
    await until("all of the others have come", () => well().length === 500)
    expect(ended).toBe(0)
    for (let index = 0; index < 30; index++) {
      const sent = arrivals(`/hang-${index}`).size
      expect([index, sent >= 1 && sent <= 4]).toEqual([index, true])
    }
  },
  LONG
)

it(`kill -9, ${KILLS} times at random points: nothing is lost, at most 1 % is repeated, under the same event_id`, async () => {
  const emitter = await Emitter.of(store.db, [`${receiver.url}/killed`])
  const count = 20_000
  await emitter.emit(count)
  for (let kill = 0; kill < KILLS; kill++) {
    const before = receiver.received.length
    const process = await start()
    const point = before + Math.floor((Math.random() * count) / KILLS)
    const enough = Math.min(point, count - 1)
    await until(`${enough} have come`, () => receiver.received.length >= enough, { everyMs: 1 })
    await process.kill("SIGKILL")
    await emitter.endLeases()
  }
  await start()
  await allEnd(emitter, 200)
  const seen = arrivals()
  expect(seen.size).toBe(count)
  expect(new Set([...seen.keys()].map((id) => id.split(" ")[1]))).toEqual(new Set(await emitter.eventIds()))
  expect(receiver.received.length - count).toBeLessThanOrEqual(count / 100)
  expect(await emitter.states()).toEqual({ delivered: count })
}, 300_000)

it(
  "SIGTERM: what is in flight is recorded before the process ends, so nothing is repeated",
  async () => {
    const emitter = await Emitter.of(
      store.db,
      Array.from({ length: 5 }, (_, index) => `${receiver.url}/slow-${index}`)
    )
    const waiting: ServerResponse[] = []
    receiver.answer = (response) => void waiting.push(response)
    await emitter.emit(40)
    const first = await start()
    await until("15 are in flight", () => waiting.length >= 15)
    const ended = first.kill("SIGTERM")
    await until("the worker stops", () => first.output().includes("stopping"))
    receiver.answer = (response) => response.end()
    waiting.forEach((response) => response.end())
    await ended
    const sent = receiver.received.length
    expect(sent).toBeLessThan(200)
    expect((await emitter.states()).delivered).toBe(sent)
    await start()
    await allEnd(emitter)
    expect(receiver.received).toHaveLength(200)
  },
  LONG
)

describe("the database goes away", () => {
  async function stillWorks(process: DispatcherProcess): Promise<void> {
    const emitter = await Emitter.of(store.db, [`${receiver.url}/still`])
    await emitter.emit(20)
    await until("all have come", () => arrivals("/still").size === 20)
    // The listening connection is restored too.
    await until("the worker listens", () => emitter.isListening(process.name))
    expect([process.isRunning(), process.output()]).toEqual([true, expect.not.stringMatching(/unhandled/i)])
  }

  it("all connections of a worker are ended, busy and idle: it recovers, loses nothing, repeats next to nothing", async () => {
    const emitter = await Emitter.of(
      store.db,
      Array.from({ length: 4 }, (_, index) => `${receiver.url}/cut-${index}`)
    )
    const process = await start()
    for (let cut = 0; cut < 8; cut++) {
      const before = arrivals().size
      await emitter.emit(100)
      const some = before + 50 + cut * 30
      await until(`${some} have come`, () => arrivals().size >= some, { everyMs: 1 })
      expect(await emitter.endConnections(process.name)).toBeGreaterThan(0)
      await until("almost all have come", () => receiver.received.length >= before + 380)
    }
    await allEnd(emitter)
    const repeats = receiver.received.length - arrivals().size
    expect(arrivals().size).toBe(8 * 100 * 4)
    expect(repeats).toBeLessThanOrEqual(arrivals().size / 100)
    await emitter.endConnections(process.name)
    await stillWorks(process)
  }, 180_000)

  it(
    "the connection is lost in the very moment a job is marked as done: the process lives, and its queue comes back",
    async () => {
      const process = await start()
      await store.db.raw(`
      CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); RETURN OLD; END $$;
      CREATE TRIGGER die BEFORE DELETE ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION die()`)
      await store.db.raw("SELECT graphile_worker.add_job('purge-events') FROM generate_series(1, 3)")
      await until("the worker has started again", () => process.output().includes("started again"))
      await store.db.raw("DROP FUNCTION die CASCADE")
      await stillWorks(process)
    },
    LONG
  )
})

describe("what is given up while it is under way", () => {
  /** Claims the one delivery of an emitter, and runs `meanwhile` before the receiver answers 500. */
  async function failWhile(emitter: Emitter, meanwhile: () => Promise<unknown>): Promise<void> {
    const { webhookDispatch } = gatewayOf(store)
    let answer: ServerResponse | undefined
    receiver.answer = (response) => void (answer = response)
    const [claimed] = await webhookDispatch.claim(10, { receivers: {}, others: 10 }, emitter.merchant_id)
    const delivering = webhookDispatch.deliver(claimed)
    await until("the delivery is in flight", () => answer !== undefined)
    await meanwhile()
    answer?.writeHead(500).end()
    expect(await delivering).toBe(false)
  }

  it.each(["deleted", "switched off"])(
    "an endpoint that is %s: the attempt is in the log, and there is no other",
    async (how) => {
      const emitter = await Emitter.of(store.db, [`${receiver.url}/gone`])
      const { webhookEndpoints } = gatewayOf(store)
      const { rows } = await webhookEndpoints.list(tenant(emitter), { per_page: 1, offset: 0 })
      await emitter.emit(1)
      await failWhile(emitter, () =>
        how === "deleted"
          ? webhookEndpoints.remove(tenant(emitter), rows[0].uuid)
          : webhookEndpoints.update(tenant(emitter), rows[0].uuid, { is_active: false })
      )
      const log = await gatewayOf(store).webhookDeliveries.list(tenant(emitter), {}, { per_page: 10, offset: 0 })
      expect(log.rows).toMatchObject([{ state: "failed", attempts: 1, log: [{ status_code: 500 }] }])
      const { webhookDeliveries } = gatewayOf(store)
      const refusal = how === "deleted" ? "NOT_FOUND" : "INVALID_STATE_TRANSITION"
      await expect(webhookDeliveries.redeliver(tenant(emitter), log.rows[0].id)).rejects.toMatchObject({
        code: refusal,
      })
      expect(await webhookDeliveries.redeliverFailed(tenant(emitter), new Date(0))).toBe(0)
    }
  )

  it("docs/decisions/25: an event written while its endpoint is being switched off is not sent; switched on, it can be sent again", async () => {
    const emitter = await Emitter.of(store.db, [`${receiver.url}/off`])
    const { webhookDeliveries, webhookDispatch, webhookEndpoints } = gatewayOf(store)
    const { rows } = await webhookEndpoints.list(tenant(emitter), { per_page: 1, offset: 0 })
    await emitter.transaction(async (sql) => {
      await emitter.emit(1, sql)
      await webhookEndpoints.update(tenant(emitter), rows[0].uuid, { is_active: false })
    })
    expect(await emitter.states()).toEqual({ pending: 1 })
    await webhookDispatch.drain(emitter.merchant_id)
    expect(await emitter.states()).toEqual({ failed: 1 })
    expect(receiver.received).toHaveLength(0)
    const log = await webhookDeliveries.list(tenant(emitter), {}, { per_page: 10, offset: 0 })
    expect(log.rows).toMatchObject([{ attempts: 0, last_error: { kind: "delivery.endpoint_off" }, log: [] }])
    await emitter.emit(1)
    await webhookEndpoints.update(tenant(emitter), rows[0].uuid, { is_active: true })
    expect(await webhookDeliveries.redeliverFailed(tenant(emitter), new Date(0))).toBe(1)
    await webhookDispatch.drain(emitter.merchant_id)
    expect(arrivals("/off").size).toBe(1)
  })

  it("a lease that has run out: the late attempt writes nothing over the newer claim", async () => {
    const emitter = await Emitter.of(store.db, [`${receiver.url}/late`])
    const { webhookDispatch } = gatewayOf(store)
    await emitter.emit(1)
    await failWhile(emitter, async () => {
      await emitter.endLeases()
      const [newer] = await webhookDispatch.claim(10, { receivers: {}, others: 10 }, emitter.merchant_id)
      receiver.answer = (response) => response.end()
      expect(await webhookDispatch.deliver(newer)).toBe(true)
    })
    const log = await gatewayOf(store).webhookDeliveries.list(tenant(emitter), {}, { per_page: 10, offset: 0 })
    expect(log.rows).toMatchObject([{ state: "delivered", attempts: 1, log: [{ status_code: 200 }] }])
    expect(arrivals("/late").size).toBe(1)
  })
})

it("two real workers of the store deliver each event once between them, and go on when their connections are ended", async () => {
  const emitter = await Emitter.of(
    store.db,
    Array.from({ length: 8 }, (_, index) => `${receiver.url}/two-${index}`)
  )
  const env = (name: string) => ({ env: { PGAPPNAME: name } })
  const first = await store.startServerProcess({ env: { ...env("first-worker").env, MEDUSA_WORKER_MODE: "worker" } })
  const second = await store.startServerProcess(env("second-worker"))
  await emitter.emit(400)
  await until("all have come", () => arrivals().size === 3_200)
  await allEnd(emitter)
  expect(receiver.received).toHaveLength(3_200)
  for (const name of ["first-worker", "second-worker"]) {
    expect(await emitter.endConnections(name)).toBeGreaterThan(1)
  }
  await emitter.emit(10)
  await until("the last have come", () => arrivals().size === 3_280)
  const health = await Promise.all([first, second].map(({ url }) => fetch(`${url}/health`)))
  expect(health.map(({ status }) => status)).toEqual([200, 200])
}, 240_000)
