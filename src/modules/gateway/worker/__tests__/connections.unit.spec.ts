import type { ConfigModule, Logger } from "@medusajs/framework/types"
import { openPool } from "../connections"

describe("the worker's connections", () => {
  const config = { projectConfig: { databaseUrl: "postgres://store@pooler:6432/store" } } as ConfigModule

  it.each([
    ["the store's address", undefined, "postgres://store@pooler:6432/store"],
    ["PostgreSQL itself behind a pooler", "postgres://store@server:5432/store", "postgres://store@server:5432/store"],
  ])("go to %s", async (_name, direct, expected) => {
    const pool = openPool(config, {} as Logger, { max: 1, direct })
    expect((pool as unknown as { options: object }).options).toMatchObject({ connectionString: expected })
    await pool.end()
  })

  it("notice a server that falls silent: after a failover nobody else says that it is gone", async () => {
    const optionsOf = (pool: object) => (pool as { options: object }).options
    const [queue, dispatch] = [false, true].map((dispatch) => openPool(config, {} as Logger, { max: 1, dispatch }))
    const noticing = { keepAlive: true, keepAliveInitialDelayMillis: 10_000, connectionTimeoutMillis: 30_000 }
    expect(optionsOf(dispatch)).toMatchObject({ ...noticing, query_timeout: 30_000 })
    expect(optionsOf(queue)).toMatchObject(noticing)
    // The queue would put a connection whose statement was given up back among the idle ones.
    expect(optionsOf(queue)).not.toHaveProperty("query_timeout")
    await Promise.all([queue.end(), dispatch.end()])
  })
})
