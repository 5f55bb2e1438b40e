import { createSecretKey, randomBytes } from "node:crypto"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Logger } from "@medusajs/framework/types"
import type { Database } from "../../kernel/database/database"
import { developmentKey } from "../../kernel/database/encryption-keys"
import { SEALED } from "../../kernel/database/sealed-columns"
import { SecretBox } from "../../kernel/database/secret-box"
import { ReadinessService } from "../readiness"

const MIGRATIONS = readdirSync(join(__dirname, "../../migrations"))
  .filter((file) => /^Migration[0-9]+\.ts$/.test(file))
  .map((name) => ({ name }))

const REACHABLE = [{ reachable: 1 }]
const TABLE = [{ has: true }]
const NO_SECRETS: object[] = []
const BOX = new SecretBox([developmentKey()])
const logged: string[] = []
const logger = { error: (text: string) => void logged.push(text) } as unknown as Logger

const readinessOf = (database: Database, timeout?: number) =>
  new ReadinessService({ database, secretBox: BOX, logger }, timeout)

/** Answers one statement after the other; an Error is thrown, null never answers. */
function databaseWith(...answers: (object[] | Error | null)[]) {
  const asked: string[] = []
  const query = (text: string) => {
    asked.push(text)
    const answer = answers.shift()
    if (answer === null) {
      return new Promise(() => undefined)
    }
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
  }
  return { database: { query } as unknown as Database, asked }
}

describe("whether a process is ready", () => {
  afterEach(() => jest.useRealTimers())

  it("a process is ready once the database has its migrations; from then on the database only has to answer", async () => {
    const { database, asked } = databaseWith(TABLE, MIGRATIONS, NO_SECRETS, REACHABLE, new Error("away"), REACHABLE)
    const readiness = readinessOf(database)
    expect(await readiness.problem()).toBeNull()
    expect(await readiness.problem()).toBeNull()
    expect(await readiness.problem()).toBe("database")
    expect(await readiness.problem()).toBeNull()
    expect(asked.slice(3)).toEqual(Array(3).fill("SELECT 1 AS reachable"))
  })

  it.each([
    ["no table of migrations", [[{ has: false }]]],
    ["none of the gateway's", [TABLE, [{ name: "Migration20200101000000" }]]],
    ["one is missing", [TABLE, MIGRATIONS.slice(1)]],
  ])("migrations: %s", async (_what, answers) => {
    const { database } = databaseWith(...answers, TABLE, MIGRATIONS, NO_SECRETS)
    const readiness = readinessOf(database)
    expect(await readiness.problem()).toBe("migrations")
    expect(await readiness.problem()).toBeNull()
  })

  describe("docs/decisions/26 — a key with other bytes under the id of an earlier one", () => {
    const other = new SecretBox([{ id: "development", key: createSecretKey(randomBytes(32)) }])
    const sampleOf = (box: SecretBox, id: string) => ({
      key_id: "development",
      place: Object.values(SEALED).indexOf(SEALED.ipnSecret),
      id,
      stored: box.seal("whsec_a", SEALED.ipnSecret, id),
    })
    beforeEach(() => void logged.splice(0))

    it("is not ready, and the log names the key and the way out, once", async () => {
      const { database } = databaseWith(TABLE, MIGRATIONS, [sampleOf(other, "menv_1")], REACHABLE, [
        sampleOf(other, "menv_1"),
      ])
      const readiness = readinessOf(database)
      expect([await readiness.problem(), await readiness.problem()]).toEqual(["encryption_key", "encryption_key"])
      expect(logged).toEqual([expect.stringMatching(/key "development" .*Put that key back.*docs\/operations\.md/)])
    })

    it("one secret that decrypts is enough: a text that somebody changed does not stop a store", async () => {
      const samples = [sampleOf(other, "menv_1"), sampleOf(BOX, "menv_2")]
      expect(await readinessOf(databaseWith(TABLE, MIGRATIONS, samples).database).problem()).toBeNull()
      expect(logged).toEqual([])
    })
  })

  /** What a probe is answered when its patience ends. */
  async function patient(problem: Promise<unknown>): Promise<unknown> {
    await jest.advanceTimersByTimeAsync(2_000)
    return problem
  }

  it("a database that hangs is as good as away, and holds one connection, however often it is asked", async () => {
    jest.useFakeTimers()
    const { database, asked } = databaseWith(null, null)
    const readiness = readinessOf(database, 2_000)
    const problems = [await patient(Promise.all([readiness.problem(), readiness.problem()]))]
    expect([...problems, await patient(readiness.problem())]).toEqual([["database", "database"], "database"])
    expect(asked).toHaveLength(1)
  })

  it("a check on a dead connection is left alone after a while: another connection may be answered", async () => {
    jest.useFakeTimers()
    const { database, asked } = databaseWith(TABLE, MIGRATIONS, NO_SECRETS, null, REACHABLE)
    const readiness = readinessOf(database, 2_000)
    expect(await readiness.problem()).toBeNull()
    for (let probe = 1; probe <= 5; probe++) {
      expect(await patient(readiness.problem())).toBe("database")
    }
    await jest.advanceTimersByTimeAsync(1)
    expect(await readiness.problem()).toBeNull()
    expect(asked).toHaveLength(5)
  })
})
