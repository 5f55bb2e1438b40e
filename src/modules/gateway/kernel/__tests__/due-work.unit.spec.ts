import { said } from "../../../../i18n/message"
import * as fc from "fast-check"
import {
  DUE_WORK,
  DueWork,
  RECORDED_WITHIN_SECONDS,
  type DueWorkRules,
  type Failure,
  type Lease,
} from "../database/due-work"
import { messageOf } from "../../../../i18n/message"
import { translate } from "../../../../i18n/translate"
import { GatewayError } from "../errors"
import { Schedule } from "../money/retry-schedule"

type Item = { id: string; failures: number; fails: boolean }

/** A table in memory: what is claimed is leased, and what fails is due again only when a test says so. */
class Table {
  readonly due: Item[]
  readonly leased = new Map<string, Lease>()
  readonly began: string[] = []
  readonly done: string[] = []
  readonly failed: (Failure & { id: string })[] = []
  readonly limits: number[] = []
  underWay = 0
  most = 0

  constructor(items: readonly Partial<Item>[]) {
    this.due = items.map((item, index) => ({ id: `item-${index}`, failures: 0, fails: false, ...item }))
  }

  async claim(limit: number, lease: Lease): Promise<Item[]> {
    this.limits.push(limit)
    await turn()
    const claimed = this.due.splice(0, limit)
    claimed.forEach(({ id }) => this.leased.set(id, lease))
    return claimed
  }

  async work(item: Item): Promise<void> {
    this.began.push(item.id)
    this.underWay += 1
    this.most = Math.max(this.most, this.underWay)
    await turn()
    this.underWay -= 1
    if (item.fails) {
      throw new Error(`${item.id} is broken`)
    }
    this.done.push(item.id)
  }

  async record({ id }: Item, failure: Failure): Promise<void> {
    await turn()
    this.failed.push({ id, ...failure })
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const RULES: DueWorkRules = { item: "parcel", deadlineSeconds: 40, leaseSeconds: 60, atOnce: 4 }

function workOf(table: Table, rules: Partial<DueWorkRules> = {}, changes: object = {}) {
  const log: string[] = []
  const logger = {
    warn: (line: string) => log.push(`warn ${line}`),
    error: (line: string) => log.push(`error ${line}`),
  }
  const work = new DueWork<Item, { id: string }>(
    logger as never,
    { ...RULES, ...rules },
    {
      id: ({ id }) => id,
      claim: (limit, lease) => table.claim(limit, lease),
      work: (item) => table.work(item),
      failures: ({ failures }) => failures,
      failed: (item, failure) => table.record(item, failure),
      ...changes,
    }
  )
  return { work, log }
}

describe("design: Background work — DueWork", () => {
  it("any items, processes and places: each item is worked once, a failure stops no other, never too many at once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ fails: fc.boolean(), failures: fc.nat(5) }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 4 }),
        async (items, atOnce, processes) => {
          const table = new Table(items)
          const all = table.due.map(({ id }) => id)
          const broken = table.due.filter(({ fails }) => fails)
          const works = Array.from({ length: processes }, () => workOf(table, { atOnce }).work)
          const counts = await Promise.all(works.map((work) => work.run()))
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all.length)
          expect([...table.began].sort()).toEqual([...all].sort())
          expect(table.failed.map(({ id }) => id).sort()).toEqual(broken.map(({ id }) => id).sort())
          expect(table.done).toHaveLength(all.length - broken.length)
          expect(table.most).toBeLessThanOrEqual(atOnce * processes)
          expect(Math.max(...table.limits)).toBeLessThanOrEqual(atOnce)
          expect(table.underWay).toBe(0)
        }
      ),
      { numRuns: 60 }
    )
  })

  it("a claim that returned more than was asked for is worked off before the next one: no limit is below one", async () => {
    const table = new Table(Array.from({ length: 30 }, () => ({})))
    const claim = (limit: number, lease: Lease) => table.claim(table.limits.length === 0 ? 12 : limit, lease)
    expect(await workOf(table, { atOnce: 2 }, { claim }).work.run()).toBe(30)
    expect(Math.min(...table.limits)).toBeGreaterThanOrEqual(1)
  })

  it("each claim has a token of its own and the kind's lease", async () => {
    const table = new Table([{}, {}, {}])
    await workOf(table, { atOnce: 1, leaseSeconds: 77 }).work.run()
    const leases = [...table.leased.values()]
    expect(leases.map(({ seconds }) => seconds)).toEqual([77, 77, 77])
    expect(new Set(leases.map(({ token }) => token)).size).toBe(3)
  })

  it("a failure is logged with the item's id, and its next attempt is moved by the schedule until it is given up", async () => {
    const table = new Table([0, 1, 2].map((failures) => ({ fails: true, failures })))
    const { work, log } = workOf(table, { schedule: Schedule.givingUp(15, 60) })
    expect(await work.run()).toBe(3)
    const byId = [...table.failed].sort((left, right) => left.id.localeCompare(right.id))
    expect(byId).toEqual([
      { id: "item-0", reason: said("item-0 is broken"), retry_seconds: 15 },
      { id: "item-1", reason: said("item-1 is broken"), retry_seconds: 60 },
      { id: "item-2", reason: said("item-2 is broken"), retry_seconds: null },
    ])
    expect([...log].sort()).toEqual([
      "error gateway: parcel item-2 failed and is given up: item-2 is broken",
      "warn gateway: parcel item-0 failed, next attempt in 15 s: item-0 is broken",
      "warn gateway: parcel item-1 failed, next attempt in 60 s: item-1 is broken",
    ])
  })

  it("of who delivers messages the log has an error's name and code, and no word; our own reasons are logged", async () => {
    const provider = Object.assign(new Error("no mailbox a@b.example for https://pay/?token=1"), { code: "EENVELOPE" })
    const errors = [provider, Object.assign(new Error("x"), { name: "to a@b.example" }), "a@b.example"]
    const table = new Table([{}, {}, {}, {}])
    const { work, log } = workOf(table, DUE_WORK.portalMail, {
      work: ({ id }: Item) => {
        throw errors[Number(id.slice(-1))] ?? new GatewayError("SERVICE_UNAVAILABLE", messageOf("mail.no_public_url"))
      },
    })
    await work.run()
    const said = [...log].sort().map((line) => line.replace(/^.* failed, next attempt in \d+ s: /, ""))
    expect(said).toEqual([
      "Error EENVELOPE",
      "unknown error",
      "unknown error",
      translate(messageOf("mail.no_public_url")),
    ])
    expect(table.failed.map(({ reason }) => reason)).toContainEqual(expect.objectContaining({ kind: "said" }))
  })

  it("a failure is logged with the request that caused the item, where that is known", async () => {
    const table = new Table([{ fails: true }, { fails: true }])
    const request = ({ id }: Item) => (id === "item-0" ? "req-12345678" : null)
    const { work, log } = workOf(table, {}, { request })
    await work.run()
    expect([...log].sort()).toEqual([
      "warn gateway: parcel item-0 (request req-12345678) failed, next attempt in 60 s: item-0 is broken",
      "warn gateway: parcel item-1 failed, next attempt in 60 s: item-1 is broken",
    ])
  })

  it("a schedule may go on for ever; without one the lease is the wait", async () => {
    const table = new Table([{ fails: true, failures: 9 }])
    await workOf(table, { schedule: Schedule.forever(15, 60) }).work.run()
    const unscheduled = new Table([{ fails: true, failures: 9 }])
    await workOf(unscheduled, { leaseSeconds: 300 }).work.run()
    expect([table.failed[0].retry_seconds, unscheduled.failed[0].retry_seconds]).toEqual([60, 300])
  })

  it("errors that are no Error are named, and long ones are cut for the column", async () => {
    const thrown: unknown[] = [{ message: "a workflow's step" }, "text", null, new Error("x".repeat(1_000))]
    const table = new Table(thrown.map(() => ({})))
    const work = async ({ id }: Item) => {
      throw thrown[Number(id.slice("item-".length))]
    }
    await workOf(table, { atOnce: 1 }, { work }).work.run()
    expect(table.failed.map(({ reason }) => reason)).toEqual(
      ["a workflow's step", "text", "unknown error", "x".repeat(300)].map(said)
    )
  })

  it("a failure that cannot be recorded is left to its lease, and the others go on", async () => {
    const table = new Table([{ fails: true }, {}])
    const failed = async () => {
      throw new Error("the database is away")
    }
    const { work, log } = workOf(table, {}, { failed })
    expect([await work.run(), table.done]).toEqual([2, ["item-1"]])
    expect(log.at(-1)).toBe(
      "error gateway: parcel item-0: its failure could not be recorded, its lease runs out: the database is away"
    )
  })

  it("what becomes due because another item ended is worked by the same run", async () => {
    const table = new Table([{}])
    const work = async (item: Item) => {
      await table.work(item)
      if (item.id === "item-0") {
        table.due.push({ id: "next of the same payment", failures: 0, fails: false })
      }
    }
    expect(await workOf(table, {}, { work }).work.run()).toBe(2)
    expect(table.done).toEqual(["item-0", "next of the same payment"])
  })

  it("one slow item does not hold up the others' places", async () => {
    const table = new Table(Array.from({ length: 9 }, () => ({})))
    let finish = () => {}
    const slow = new Promise<void>((resolve) => (finish = resolve))
    const work = async (item: Item) => {
      await table.work(item)
      if (item.id === "item-0") {
        await slow
      } else if (table.done.length === 9) {
        finish()
      }
    }
    expect(await workOf(table, { atOnce: 2 }, { work }).work.run()).toBe(9)
  })

  it("stop: nothing begins any more, and what has begun is finished", async () => {
    const table = new Table(Array.from({ length: 10 }, () => ({})))
    const stop = new AbortController()
    const work = async (item: Item) => {
      stop.abort()
      await table.work(item)
    }
    expect(await workOf(table, { atOnce: 3 }, { work }).work.run({ stop: stop.signal })).toBe(3)
    expect([table.done.length, table.due.length, table.underWay]).toEqual([3, 7, 0])
    expect(await workOf(table).work.run({ stop: stop.signal })).toBe(0)
  })

  it("a claim that fails ends the run with its error, after what has begun is finished", async () => {
    const table = new Table([{}, {}])
    const claim = async (limit: number, lease: Lease) => {
      if (table.limits.length > 0) {
        throw new Error("the database is away")
      }
      return table.claim(limit, lease)
    }
    await expect(workOf(table, { atOnce: 3 }, { claim }).work.run()).rejects.toThrow("the database is away")
    expect([table.done.length, table.underWay]).toEqual([2, 0])
  })

  it("at most so many, of those only, one after the other in their order", async () => {
    const table = new Table(Array.from({ length: 8 }, () => ({})))
    const asked: unknown[] = []
    const claim = (limit: number, lease: Lease, only: unknown) => {
      asked.push(only)
      return table.claim(limit, lease)
    }
    const { work } = workOf(table, {}, { claim })
    const only = { id: "x" }
    expect(await work.run({ most: 5, only, inOrder: true })).toBe(5)
    expect([table.began, table.most, asked]).toEqual([
      ["item-0", "item-1", "item-2", "item-3", "item-4"],
      1,
      Array(5).fill(only),
    ])
  })
})

describe("decisions: Background work — an item that never ends delays nobody else by more than its deadline", () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ["setImmediate"] }))
  afterEach(() => jest.useRealTimers())

  /** Lets what is ready happen, as often as any of the loops below needs. */
  const settle = async () => {
    for (let turns = 0; turns < 50; turns++) {
      await turn()
    }
  }
  const never = () => new Promise<never>(() => {})

  it.each(Object.entries<DueWorkRules>(DUE_WORK))("%s", async (_kind, rules) => {
    const { deadlineSeconds, leaseSeconds, atOnce, schedule } = rules
    expect(deadlineSeconds + RECORDED_WITHIN_SECONDS).toBeLessThanOrEqual(leaseSeconds)
    const table = new Table(Array.from({ length: 2 * atOnce }, () => ({})))
    const endless = (item: Item) => Number(item.id.slice("item-".length)) < atOnce
    const work = (item: Item) => (endless(item) ? never() : table.work(item))
    const { work: due, log } = workOf(table, rules, { work })
    const run = due.run()
    await settle()
    expect(table.done).toEqual([])
    await jest.advanceTimersByTimeAsync(deadlineSeconds * 1_000)
    await settle()
    expect(table.done).toHaveLength(atOnce)
    expect(await run).toBe(2 * atOnce)
    const retry_seconds = Math.max(schedule?.after(0) ?? leaseSeconds, leaseSeconds - deadlineSeconds)
    const reason = messageOf("work.deadline", { seconds: deadlineSeconds })
    expect(table.failed).toEqual(
      Array.from({ length: atOnce }, (_, index) => ({ id: `item-${index}`, reason, retry_seconds }))
    )
    expect(log).toHaveLength(atOnce)
  })

  it("one after the other, as when a sandbox's clock moves: the next follows at the deadline", async () => {
    const table = new Table([{}, {}])
    const work = (item: Item) => (item.id === "item-0" ? never() : table.work(item))
    const run = workOf(table, {}, { work }).work.run({ inOrder: true })
    await settle()
    await jest.advanceTimersByTimeAsync(40_000)
    await settle()
    expect([await run, table.done]).toEqual([2, ["item-1"]])
  })

  it("nobody begins it again before its lease would have run out, and what comes of it later is nobody's", async () => {
    const unhandled: unknown[] = []
    const listener = (reason: unknown) => unhandled.push(reason)
    process.on("unhandledRejection", listener)
    const table = new Table([{}])
    let fail = (_error: Error) => {}
    const work = () => new Promise<void>((_, reject) => (fail = reject))
    const run = workOf(table, { leaseSeconds: 600, schedule: Schedule.forever(15) }, { work }).work.run()
    await settle()
    await jest.advanceTimersByTimeAsync(40_000)
    await run
    fail(new Error("too late"))
    await settle()
    process.off("unhandledRejection", listener)
    expect([table.failed.map(({ retry_seconds }) => retry_seconds), unhandled]).toEqual([[560], []])
  })

  it("the item itself holds its row: that its failure cannot be recorded delays nobody either", async () => {
    const table = new Table([{}, {}])
    const work = (item: Item) => (item.id === "item-0" ? never() : table.work(item))
    const { work: due, log } = workOf(table, { atOnce: 1 }, { work, failed: never })
    const run = due.run()
    await settle()
    await jest.advanceTimersByTimeAsync(40_000)
    await settle()
    await jest.advanceTimersByTimeAsync(RECORDED_WITHIN_SECONDS * 1_000)
    await settle()
    expect([await run, table.done]).toEqual([2, ["item-1"]])
    expect(log.at(-1)).toContain("its failure could not be recorded, its lease runs out: This took longer than")
  })
})
