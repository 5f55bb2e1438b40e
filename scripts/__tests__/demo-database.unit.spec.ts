import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { Client } from "@medusajs/framework/pg"
import { load } from "./load.cjs"

type Server = { url(database: string): string; stop(): Promise<void> }
type Opened = { url: string; startedOver: boolean; stop(): Promise<void> }
type Scripts = {
  startPostgres(options: { home: string; name: string; throwaway: boolean }): Promise<Server>
  removePostgres(home: string): void
  openDatabase(options: { fresh: boolean; home: string }): Promise<Opened>
  writeMark(url: string, schema: string, migrations: string[]): Promise<void>
  migrationKeys(): string[]
}

jest.setTimeout(180_000)
const script = <T>(name: string) => load<T>(join(__dirname, "..", name))
let home: string
let scripts: Scripts

beforeEach(async () => {
  delete process.env.DATABASE_URL
  home = mkdtempSync(join(tmpdir(), "gateway-demo-"))
  // One after the other: jest cannot load two modules at a time that import the same one.
  const postgres = await script<Pick<Scripts, "startPostgres" | "removePostgres">>("lib/postgres.mjs")
  const database = await script<Pick<Scripts, "openDatabase" | "writeMark">>("demo/database.mjs")
  const files = await script<Pick<Scripts, "migrationKeys">>("lib/files.mjs")
  scripts = { ...postgres, ...database, ...files }
})
afterEach(() => {
  scripts.removePostgres(home)
  rmSync(home, { recursive: true, force: true })
})

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const fill = (url: string) => query(url, "CREATE TABLE IF NOT EXISTS kept (one int)")
const isFilled = async (url: string) =>
  (await query(url, "SELECT 1 FROM pg_tables WHERE tablename = 'kept'")).length === 1
const OLDEST = "demo of medusa-payment-gateway, schema 0123456789ab"

describe("data of the demo's earlier starts", () => {
  async function reopened(before: (url: string) => Promise<unknown>): Promise<[startedOver: boolean, filled: boolean]> {
    const first = await scripts.openDatabase({ fresh: false, home })
    await fill(first.url)
    await before(first.url)
    await first.stop()
    const second = await scripts.openDatabase({ fresh: false, home })
    try {
      return [second.startedOver, await isFilled(second.url)]
    } finally {
      await second.stop()
    }
  }

  it("stays when it was migrated with migrations that are all still there, and when its first start was cut off", async () => {
    expect(await reopened(async () => undefined)).toEqual([false, true])
    expect(
      await reopened((url) => scripts.writeMark(url, "0123456789ab", scripts.migrationKeys().slice(0, 1)))
    ).toEqual([false, true])
  })

  it("is replaced when one of its migrations has changed or is gone, or when they were not recorded", async () => {
    const changed = [...scripts.migrationKeys(), "ba9876543210"]
    expect(await reopened((url) => scripts.writeMark(url, "0123456789ab", changed))).toEqual([true, false])
    expect(await reopened((url) => query(url, `COMMENT ON DATABASE gateway_demo IS '${OLDEST}'`))).toEqual([
      true,
      false,
    ])
  })

  it("in the database of DATABASE_URL is refused with a message that names --fresh, which deletes it", async () => {
    const server = await scripts.startPostgres({ home, name: basename(home), throwaway: true })
    try {
      const url = server.url("shop")
      process.env.DATABASE_URL = url
      expect(await scripts.openDatabase({ fresh: false, home })).toMatchObject({ url, startedOver: false })
      await fill(url)
      await query(url, `COMMENT ON DATABASE shop IS '${OLDEST}'`)
      await expect(scripts.openDatabase({ fresh: false, home })).rejects.toThrow("--fresh")
      expect(await isFilled(url)).toBe(true)
      expect(await scripts.openDatabase({ fresh: true, home })).toMatchObject({ startedOver: true })
      expect(await isFilled(url)).toBe(false)
      await scripts.writeMark(url, "0123456789ab", scripts.migrationKeys())
      expect(await scripts.openDatabase({ fresh: false, home })).toMatchObject({ startedOver: false })
    } finally {
      await server.stop()
    }
  })
})
