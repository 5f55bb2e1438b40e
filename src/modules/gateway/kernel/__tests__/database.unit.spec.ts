import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { isDatabaseAway } from "../database/connection-loss"
import { columnar, Database } from "../database/database"

type Sent = { text: string; values: unknown[]; name?: string }

/** Connections of a pool that record what they are sent. `answer` may act while a statement runs. */
function connections(answer: (sent: Sent) => unknown[] | Promise<unknown[]> = () => []) {
  const sent: (Sent & { on: number })[] = []
  let opened = 0
  const client = {
    pool: {
      acquire() {
        const on = (opened += 1)
        const query = async (statement: Sent) => {
          sent.push({ ...statement, on })
          return { rows: await answer(statement) }
        }
        return { promise: Promise.resolve({ processID: 4_000 + on, query }), abort: () => undefined }
      },
    },
    releaseConnection: async () => undefined,
  }
  return { knex: { client } as unknown as Knex, sent, texts: () => sent.map(({ text }) => text) }
}

describe("a database behind a pooler in transaction mode", () => {
  it.each([
    [false, "hot"],
    [true, undefined],
  ])("pooled %s: a statement's name is %s, alone and in a transaction", async (isPooled, name) => {
    const { knex, sent } = connections()
    const database = new Database(knex, isPooled)
    await database.query("SELECT 1", [], "hot")
    await database.transaction((sql) => sql.query("SELECT 2", [], "hot"))
    expect(sent.filter(({ text }) => text.startsWith("SELECT")).map((one) => one.name)).toEqual([name, name])
  })

  it("cancels the process that works, not the one that the pooler has made up", async () => {
    const leave = new AbortController()
    const { knex, sent, texts } = connections(({ text }) => {
      if (text.includes("pg_backend_pid")) {
        return [{ pid: 77 }]
      }
      if (text === "SELECT slow") {
        leave.abort()
        throw new Error("canceling statement due to user request")
      }
      return []
    })
    const reading = new Database(knex, true).cancelledBy(leave.signal).query("SELECT slow", [], "hot")

    await expect(reading).rejects.toThrow("canceling statement")
    expect(texts()).toEqual([
      "BEGIN",
      "SELECT pg_backend_pid() AS pid",
      "SELECT slow",
      "SELECT pg_cancel_backend($1) AS done",
      "ROLLBACK",
    ])
    expect(sent[3]).toMatchObject({ values: [77], on: 2 })
    expect(sent.every(({ name }) => name === undefined)).toBe(true)
  })

  it("without a pooler cancels the connection's own process, outside of any transaction", async () => {
    const leave = new AbortController()
    const { knex, sent, texts } = connections(({ text }) => {
      if (text === "SELECT slow") {
        leave.abort()
      }
      return []
    })
    await new Database(knex).cancelledBy(leave.signal).query("SELECT slow", [], "hot")

    expect(texts()).toEqual(["SELECT slow", "SELECT pg_cancel_backend($1) AS done"])
    expect(sent.map(({ name, values }) => [name, values])).toEqual([
      ["hot", []],
      [undefined, [4_001]],
    ])
  })

  it("begins nothing for somebody who has left", async () => {
    const { knex, sent } = connections()
    const reading = new Database(knex, true).cancelledBy(AbortSignal.abort()).query("SELECT 1")
    await expect(reading).rejects.toThrow()
    expect(sent).toEqual([])
  })
})

describe("whether PostgreSQL is away", () => {
  const state = (code: string) => Object.assign(new Error("of the server"), { code, severity: "ERROR" })
  const failing = (error: unknown, at: "acquire" | "query") => {
    const { knex } = connections(() => Promise.reject(error))
    if (at === "acquire") {
      const acquire = () => ({ promise: Promise.reject(error), abort: () => undefined })
      Object.assign(knex.client, { pool: { acquire } })
    }
    return new Database(knex).query("SELECT 1").catch((caught: unknown) => caught)
  }

  it("a pool that is closed: yes, as for the last requests of a process that ends", async () => {
    const query = new Database({ client: {} } as Knex).query("SELECT 1")
    expect(isDatabaseAway(await query.catch((error: unknown) => error))).toBe(true)
  })

  it("docs/decisions/29: a connection is waited for ten seconds, and then it is", async () => {
    jest.useFakeTimers()
    try {
      let abort = () => undefined as void
      const promise = new Promise((_, reject) => (abort = () => reject(new Error("aborted"))))
      const knex = { client: { pool: { acquire: () => ({ promise, abort: () => abort() }) } } } as unknown as Knex
      let caught: unknown
      const query = new Database(knex).query("SELECT 1").catch((error: unknown) => (caught = error))
      await jest.advanceTimersByTimeAsync(9_999)
      expect(caught).toBeUndefined()
      await jest.advanceTimersByTimeAsync(1)
      await query
      expect(isDatabaseAway(caught)).toBe(true)
    } finally {
      jest.useRealTimers()
    }
  })

  it.each(["08000", "08006", "08P01", "57P01", "57P02", "57P03", "53300", "25006"])(
    "SQLSTATE %s: yes",
    async (code) => {
      expect(isDatabaseAway(await failing(state(code), "query"))).toBe(true)
    }
  )

  it.each(["23505", "42P01", "57014", "57P04", "40001", "0800", "253000"])("SQLSTATE %s: no", async (code) => {
    expect(isDatabaseAway(await failing(state(code), "query"))).toBe(false)
  })

  it.each([
    ["no connection in time", new Error("Timeout acquiring a connection"), "acquire"],
    ["nobody listens", Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }), "acquire"],
    ["the connection broke", new Error("Connection terminated unexpectedly"), "query"],
    ["the pipe broke", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }), "query"],
  ] as const)("%s: yes, and the error stays the same", async (_name, error, at) => {
    const caught = await failing(error, at)
    expect(caught).toBe(error)
    expect(isDatabaseAway(caught)).toBe(true)
    expect(isDatabaseAway(new Error("the work failed", { cause: caught }))).toBe(true)
  })

  it("a value that cannot be sent, an error of the work in a transaction, another program's connection: no", async () => {
    expect(isDatabaseAway(await failing(new TypeError("circular"), "query"))).toBe(false)
    const work = new Database(connections().knex).transaction(() => Promise.reject(new Error("of the work")))
    expect(isDatabaseAway(await work.catch((caught: unknown) => caught))).toBe(false)
    expect(isDatabaseAway(Object.assign(new Error("the acquirer's"), { code: "ECONNREFUSED" }))).toBe(false)
  })

  it.each([[undefined], [null], ["text"], [7]])("%s: no", (thrown) => {
    expect(isDatabaseAway(thrown)).toBe(false)
  })

  it("an error that is its own cause: no, and it ends", () => {
    const error = new Error("ring")
    error.cause = error
    expect(isDatabaseAway(error)).toBe(false)
  })
})

describe("rows as one array for each column", () => {
  it("keeps every value as PostgreSQL reads it", () => {
    const rows = [
      { text: 'a "b" \\ {c}, \n', count: 3, at: new Date("2026-01-31T23:59:59.123Z"), is_on: true },
      { text: "", count: null, at: new Date("+012026-01-31T00:00:00.000Z"), is_on: undefined },
      { text: "NULL", count: 0, at: null, is_on: false },
    ]
    const { source, values } = columnar({ text: "text", count: "int", at: "timestamptz", is_on: "boolean" }, rows, 2)

    expect(source).toBe(
      "unnest($2::text[], $3::int[], $4::timestamptz[], $5::boolean[]) AS input (text, count, at, is_on)"
    )
    expect(values).toEqual([
      '{"a \\"b\\" \\\\ {c}, \n","","NULL"}',
      "{3,NULL,0}",
      '{"2026-01-31T23:59:59.123Z","12026-01-31T00:00:00.000Z",NULL}',
      "{true,NULL,false}",
    ])
  })

  it("no rows are empty arrays", () => {
    expect(columnar({ id: "text" }, []).values).toEqual(["{}"])
  })
})

describe("claims of due rows", () => {
  const module = join(__dirname, "../..")
  const texts = readdirSync(module, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.includes("__tests__"))
    .map((name) => [name, readFileSync(join(module, name), "utf8")])
    .filter(([, text]) => text.includes("SKIP LOCKED"))

  it.each(texts)("%s chooses its rows once: with claimedBy, or in a CTE", (_name, text) => {
    expect(text).not.toMatch(
      /\b(?:IN|FROM) \(\s*SELECT\b(?:(?!\bSELECT\b)[\s\S])*?LIMIT [^)]*? SKIP LOCKED\)(?! picked)/
    )
  })
})
