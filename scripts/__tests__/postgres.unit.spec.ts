import { spawn, type ChildProcess } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { Client } from "@medusajs/framework/pg"
import { until } from "../../integration-tests/support/until"
import { load } from "./load.cjs"

type Running = { url(database: string): string; port: number; where: string; stop(): Promise<void> }
type Scripts = {
  startPostgres(options: {
    home: string
    name: string
    throwaway?: boolean
    copyOf?: string
    port?: number
    settings?: string[]
  }): Promise<Running>
  copyPostgres(options: { home: string; name: string; copyOf: string }): { add(file: string, text: string): void }
  removePostgres(home: string): void
}

jest.setTimeout(180_000)
let home: string
let scripts: Scripts
let owners: ChildProcess[]

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "gateway-postgres-"))
  scripts = await load<Scripts>(join(__dirname, "../lib/postgres.mjs"))
  owners = []
})
afterEach(() => {
  owners.forEach((owner) => owner.kill("SIGKILL"))
  scripts.removePostgres(home)
  rmSync(home, { recursive: true, force: true })
})

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on("error", () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** A process of its own that holds a server, so that it can be killed. */
async function startOwner(
  kind: "throwaway" | "kept"
): Promise<{ owner: ChildProcess; url: string; where: string; pid: number }> {
  const owner = spawn(process.execPath, [join(__dirname, "postgres-owner.mjs"), home, kind], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  owners.push(owner)
  const line = await new Promise<string>((resolve, reject) => {
    let output = ""
    owner.once("exit", () => reject(new Error("the owner ended before its server was up")))
    owner.stdout?.on("data", (chunk) => {
      output += chunk
      const [, found] = output.match(/^(\{.*\})$/m) ?? []
      return found && resolve(found)
    })
  })
  const { url, where } = JSON.parse(line)
  return { owner, url, where, pid: serverPid(where) }
}

const serverPid = (where: string) => Number(readFileSync(join(where, "data/postmaster.pid"), "utf8").split("\n")[0])

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe("the embedded PostgreSQL", () => {
  it("keeps its data from one start to the next, in UTF-8, on the loopback alone, with a password that only the owner reads", async () => {
    const first = await scripts.startPostgres({ home, name: basename(home) })
    await query(first.url("postgres"), "CREATE TABLE kept AS SELECT 'বাংলা' AS word")
    await first.stop()
    const second = await scripts.startPostgres({ home, name: basename(home) })
    expect(
      await query(second.url("postgres"), "SELECT word, current_setting('server_encoding') AS encoding FROM kept")
    ).toEqual([{ word: "বাংলা", encoding: "UTF8" }])
    expect(await query(second.url("postgres"), "SHOW listen_addresses")).toEqual([{ listen_addresses: "localhost" }])
    const wrong = new URL(second.url("postgres"))
    wrong.password = "wrong"
    await expect(query(wrong.toString(), "SELECT 1")).rejects.toThrow(/password authentication failed/)
    await second.stop()
  })

  it("begins with a copy of another cluster and leaves that one alone", async () => {
    const original = await scripts.startPostgres({ home: join(home, "one"), name: `${basename(home)}-1` })
    await query(original.url("postgres"), "CREATE TABLE copied AS SELECT 1 AS number")
    await original.stop()
    const copy = await scripts.startPostgres({
      home: join(home, "two"),
      name: `${basename(home)}-2`,
      throwaway: true,
      copyOf: join(home, "one"),
    })
    expect(await query(copy.url("postgres"), "SELECT number FROM copied")).toEqual([{ number: 1 }])
    await copy.stop()
    expect(existsSync(copy.where)).toBe(false)
    expect(existsSync(join(original.where, "data/PG_VERSION"))).toBe(true)
    scripts.removePostgres(join(home, "one"))
    expect(existsSync(original.where)).toBe(false)
  })

  it("a copy of a stopped cluster becomes a replica that follows it", async () => {
    const { standbySettings } = await load<{ standbySettings(url: string): string }>(
      join(__dirname, "../../lab/cluster/postgres.mjs")
    )
    const [one, two] = ["one", "two"].map((name) => ({ home: join(home, name), name: `${basename(home)}-${name}` }))
    const first = await scripts.startPostgres(one)
    await first.stop()
    const { port } = first
    const { add } = scripts.copyPostgres({ ...two, copyOf: one.home })
    add("postgresql.auto.conf", standbySettings(first.url("postgres")))
    add("standby.signal", "")
    const primary = await scripts.startPostgres({ ...one, port, settings: ["wal_keep_size=64MB"] })
    const replica = await scripts.startPostgres(two)
    try {
      expect(await query(primary.url("postgres"), "SHOW wal_keep_size")).toEqual([{ wal_keep_size: "64MB" }])
      await query(primary.url("postgres"), "CREATE TABLE followed AS SELECT 1 AS number")
      const isThere = "SELECT to_regclass('followed') IS NOT NULL AS there, pg_is_in_recovery() AS follows"
      const follows = async () => JSON.stringify(await query(replica.url("postgres"), isThere))
      await until("the replica has the table", async () => (await follows()) === '[{"there":true,"follows":true}]')
    } finally {
      await replica.stop()
      await primary.stop()
      scripts.removePostgres(two.home)
      scripts.removePostgres(one.home)
    }
  })

  it("ends when its owner is killed the hard way, and takes throwaway data along", async () => {
    const { owner, where, pid } = await startOwner("throwaway")
    expect(isAlive(pid)).toBe(true)
    owner.kill("SIGKILL")
    await until("the server and its data are gone", () => !isAlive(pid) && !existsSync(where))
  })

  it("stops a server that was left behind, and starts over a pid file that names a stranger", async () => {
    const { owner, url, where } = await startOwner("kept")
    const { guard } = JSON.parse(readFileSync(join(home, "postgres.json"), "utf8"))
    process.kill(guard, "SIGKILL")
    owner.kill("SIGKILL")
    expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }])
    const second = await scripts.startPostgres({ home, name: basename(home) })
    await expect(query(url, "SELECT 1")).rejects.toThrow(/ECONNREFUSED/)
    await second.stop()
    writeFileSync(join(where, "data/postmaster.pid"), `${process.pid}\n${join(where, "data")}\n0\n1\n\n\n\n\n`)
    const third = await scripts.startPostgres({ home, name: basename(home) })
    expect(await query(third.url("postgres"), "SELECT 1 AS one")).toEqual([{ one: 1 }])
    await third.stop()
  })
})
