import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { Database } from "../database"

type Sent = { text: string; values: unknown[]; name?: string }

/** Connections of a pool that record what they are sent. `answer` may act while a statement runs. */
function connections(answer: (sent: Sent) => unknown[] | Promise<unknown[]> = () => []) {
  const sent: (Sent & { on: number })[] = []
  let opened = 0
  const client = {
    acquireConnection: async () => {
      const on = (opened += 1)
      return {
        processID: 4_000 + on,
        query: async (statement: Sent) => {
          sent.push({ ...statement, on })
          return { rows: await answer(statement) }
        },
      }
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
