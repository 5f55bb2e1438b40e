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
})
