import { SessionExpiryService } from "../../checkout/expiry"
import type { Facade } from "../../container"
import { DisputeDeadlineService } from "../../disputes/deadlines"
import { WebhookDispatchService } from "../../webhooks/dispatch"
import { StoreRenewalService } from "../../subscriptions/store/renewals"
import type { CoreTaskName } from "../crontab"
import { CORE_TASKS } from "../tasks"

const never = () => new Promise<never>(() => {})
const HOUR_MS = 3_600_000
const silent = { error: () => {}, warn: () => {} }

describe("decisions: Background work — loops of a shape of their own have deadlines too", () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ["setImmediate"] }))
  afterEach(() => jest.useRealTimers())

  it.each<[CoreTaskName, object]>([
    ["bill-subscriptions", { billing: { run: never } }],
    ["expire-sessions", { sessionExpiry: { run: never } }],
    ["fold-counters", { counters: { fold: never } }],
    ["number-events", { eventOrder: { numberBatch: never } }],
  ])("%s: a batch that never ends fails its run, and the next one begins", async (name, gateway) => {
    const run = CORE_TASKS[name](gateway as Facade)
    const ended = expect(run).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
    await jest.advanceTimersByTimeAsync(HOUR_MS)
    await ended
  })

  it.each<[CoreTaskName, (done: string[]) => object, string[]]>([
    [
      "follow-disputes",
      (done) => ({
        disputeDeadlines: { run: never, inquiries: { run: async () => done.push("inquiries") } },
      }),
      ["inquiries"],
    ],
    [
      "reconcile-payments",
      (done) => ({
        abandonedCharges: { leaveToReconciler: never },
        reconciliation: { due: { run: async () => done.push("inquiries") } },
        captures: { due: { run: async () => done.push("captures") } },
        releases: { expire: never, due: { run: async () => done.push("releases") } },
        surplus: { due: { run: async () => done.push("surplus") } },
      }),
      ["inquiries", "captures", "releases", "surplus"],
    ],
  ])("%s: what comes after a step that never ends is done all the same", async (name, gateway, expected) => {
    const done: string[] = []
    const ended = expect(CORE_TASKS[name](gateway(done) as Facade)).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    })
    await jest.advanceTimersByTimeAsync(HOUR_MS)
    await ended
    expect(done).toEqual(expected)
  })

  it("a delivery whose database does not answer gives its place back", async () => {
    const database = { query: never }
    const service = new WebhookDispatchService({ database, gatewayOptions: {}, logger: silent } as never)
    const ended = expect(service.deliver({ endpoint_active: false } as never)).rejects.toThrow("longer than 50 seconds")
    await jest.advanceTimersByTimeAsync(HOUR_MS)
    await ended
  })

  it("renewals whose stock nobody answers wait, and the billing run goes on", async () => {
    const sql = { query: async () => [] }
    const database = { ...sql, transaction: <Result>(work: (held: object) => Promise<Result>) => work(sql) }
    const storePort = { connected: { readStock: never } }
    const service = new StoreRenewalService({ database, logger: silent, storePort } as never)
    const due = [{ row: { id: "sub-1", paid_period: 0 } }]
    const admitted = service.admit(due as never, async () => [])
    await jest.advanceTimersByTimeAsync(HOUR_MS)
    expect(await admitted).toEqual({ taken: [], skipped: [], unclear: due })
  })
})

describe("decisions: Background work — an item that always fails holds up no other", () => {
  it("a session that cannot be ended leaves the others of its batch theirs", async () => {
    const open = new Set(["a", "broken", "c"])
    const rows = (only: unknown) =>
      [...open].filter((id) => only === null || id === only).map((id) => ({ id, transaction_id: id }))
    const sql = {
      query: async (text: string, values: unknown[]) =>
        text.includes("set_config") ? [] : rows(text.includes("FOR UPDATE") ? values[3] : null),
    }
    const transaction = async (work: (held: typeof sql) => Promise<unknown>) => {
      const before = [...open]
      try {
        return await work(sql)
      } catch (error) {
        before.forEach((id) => open.add(id))
        throw error
      }
    }
    const apply = async (_sql: unknown, { transaction_id }: { transaction_id: string }) => {
      if (transaction_id === "broken") {
        throw new Error("is broken")
      }
      open.delete(transaction_id)
    }
    const cradle = { database: { ...sql, transaction }, logger: silent, transactionService: { apply } }
    expect([await new SessionExpiryService(cradle as never).run(500), [...open]]).toEqual([2, ["broken"]])
  })

  it("a dispute whose missed date cannot be marked leaves the others theirs", async () => {
    const marked: string[] = []
    let tries = 0
    const database = {
      query: async (text: string) => (text.startsWith("SELECT") ? [{ id: "broken" }, { id: "b" }] : []),
      transaction: async () => {
        if ((tries += 1) === 1) {
          throw new Error("is locked")
        }
        marked.push("b")
      },
    }
    const service = new DisputeDeadlineService({ database, logger: silent } as never)
    expect([await service.run(100), marked]).toEqual([1, ["b"]])
  })
})
