import { setImmediate as nextTurn } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { Database } from "../database"

type Connection = { on: number; query: () => Promise<{ rows: unknown[] }>; __knex__disposed?: string }

/** A pool that says what it has given and got back. `waiting`: how many others wait for one of its connections. */
function poolOf({ waiting = 0, afterQuery = (_connection: Connection) => {} } = {}) {
  const given: number[] = []
  const back: number[] = []
  const client = {
    pool: { numPendingAcquires: () => waiting },
    acquireConnection: async () => {
      const connection: Connection = {
        on: given.length + 1,
        query: async () => {
          afterQuery(connection)
          return { rows: [{ on: connection.on }] }
        },
      }
      given.push(connection.on)
      return connection
    },
    releaseConnection: async ({ on }: Connection) => void back.push(on),
  }
  return { database: new Database({ client } as unknown as Knex), given, back }
}

const ask = async (database: Database) => (await database.query<{ on: number }>("SELECT 1"))[0].on

describe("connections that are released stay at hand for a turn of the event loop", () => {
  it("statements of one turn share a connection, and it goes back after the turn", async () => {
    const { database, given, back } = poolOf()
    expect([await ask(database), await ask(database)]).toEqual([1, 1])
    await database.transaction((sql) => sql.query("SELECT 2"))
    expect([given, back]).toEqual([[1], []])
    await nextTurn()
    expect(back).toEqual([1])
    expect(await ask(database)).toBe(2)
  })

  it("statements that run at the same time do not share one", async () => {
    const { database, given, back } = poolOf()
    expect(await Promise.all([ask(database), ask(database)])).toEqual([1, 2])
    await nextTurn()
    expect([given, back]).toEqual([
      [1, 2],
      [1, 2],
    ])
  })

  it("goes back at once when somebody waits at the pool", async () => {
    const { database, back } = poolOf({ waiting: 1 })
    await ask(database)
    expect(back).toEqual([1])
    expect(await ask(database)).toBe(2)
  })

  it("one that has broken meanwhile is handed to nobody but the pool", async () => {
    const { database, back } = poolOf({ afterQuery: (connection) => (connection.__knex__disposed = "broken") })
    expect([await ask(database), await ask(database)]).toEqual([1, 2])
    expect(back).toEqual([1])
  })

  it("a statement that fails gives its connection back too", async () => {
    const fail = () => {
      throw new Error("no")
    }
    const { database, back } = poolOf({ afterQuery: fail })
    await expect(ask(database)).rejects.toThrow("no")
    await nextTurn()
    expect(back).toEqual([1])
  })
})
