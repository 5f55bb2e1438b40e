import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Database } from "../../kernel/database"
import { ReadinessService } from "../readiness"

const MIGRATIONS = readdirSync(join(__dirname, "../../migrations"))
  .filter((file) => /^Migration[0-9]+\.ts$/.test(file))
  .map((name) => ({ name }))

const REACHABLE = [{ reachable: 1 }]
const TABLE = [{ has: true }]

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
    const { database, asked } = databaseWith(TABLE, MIGRATIONS, REACHABLE, new Error("away"), REACHABLE)
    const readiness = new ReadinessService({ database })
    expect(await readiness.problem()).toBeNull()
    expect(await readiness.problem()).toBeNull()
    expect(await readiness.problem()).toBe("database")
    expect(await readiness.problem()).toBeNull()
    expect(asked.slice(2)).toEqual(Array(3).fill("SELECT 1 AS reachable"))
  })

  it.each([
    ["no table of migrations", [[{ has: false }]]],
    ["none of the gateway's", [TABLE, [{ name: "Migration20200101000000" }]]],
    ["one is missing", [TABLE, MIGRATIONS.slice(1)]],
  ])("migrations: %s", async (_what, answers) => {
    const { database } = databaseWith(...answers, TABLE, MIGRATIONS)
    const readiness = new ReadinessService({ database })
    expect(await readiness.problem()).toBe("migrations")
    expect(await readiness.problem()).toBeNull()
  })

  /** What a probe is answered when its patience ends. */
  async function patient(problem: Promise<unknown>): Promise<unknown> {
    await jest.advanceTimersByTimeAsync(2_000)
    return problem
  }

  it("a database that hangs is as good as away, and holds one connection, however often it is asked", async () => {
    jest.useFakeTimers()
    const { database, asked } = databaseWith(null, null)
    const readiness = new ReadinessService({ database }, 2_000)
    const problems = [await patient(Promise.all([readiness.problem(), readiness.problem()]))]
    expect([...problems, await patient(readiness.problem())]).toEqual([["database", "database"], "database"])
    expect(asked).toHaveLength(1)
  })

  it("a check on a dead connection is left alone after a while: another connection may be answered", async () => {
    jest.useFakeTimers()
    const { database, asked } = databaseWith(TABLE, MIGRATIONS, null, REACHABLE)
    const readiness = new ReadinessService({ database }, 2_000)
    expect(await readiness.problem()).toBeNull()
    for (let probe = 1; probe <= 5; probe++) {
      expect(await patient(readiness.problem())).toBe("database")
    }
    await jest.advanceTimersByTimeAsync(1)
    expect(await readiness.problem()).toBeNull()
    expect(asked).toHaveLength(4)
  })
})
