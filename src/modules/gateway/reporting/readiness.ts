import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Database } from "../kernel/database"
import type { Cradle } from "../kernel/types"

/** Why a process should be sent no requests. */
export type NotReady = "database" | "migrations" | "stopping"

const MIGRATIONS = join(__dirname, "../migrations")
/** Shorter than a probe's own timeout, which would report a process that hangs instead of a database that is away. */
const PATIENCE_MS = 2_000

/** Whether this process can answer requests: the database answers, and has the gateway's migrations. */
export class ReadinessService {
  private readonly database: Database
  private readonly patienceMs: number
  /** Migrations are never taken back: once they are found, the database only has to answer. */
  private migrated = false
  private underWay: Promise<NotReady | null> | null = null

  constructor({ database }: Pick<Cradle, "database">, patienceMs = PATIENCE_MS) {
    this.database = database
    this.patienceMs = patienceMs
  }

  /**
   * Never throws, and never takes longer than a probe waits. Probes share one check: while the database hangs, each of
   * them would otherwise hold or await another of its connections.
   */
  async problem(): Promise<NotReady | null> {
    this.underWay ??= this.check().finally(() => {
      this.underWay = null
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<NotReady>((done) => {
      timer = setTimeout(() => done("database"), this.patienceMs)
    })
    try {
      return await Promise.race([this.underWay, late])
    } finally {
      clearTimeout(timer)
    }
  }

  private async check(): Promise<NotReady | null> {
    try {
      await (this.migrated ? this.database.query("SELECT 1 AS reachable") : undefined)
      this.migrated ||= await this.isMigrated()
      return this.migrated ? null : "migrations"
    } catch {
      return "database"
    }
  }

  private async isMigrated(): Promise<boolean> {
    const [table] = await this.database.query<{ has: boolean }>(
      "SELECT to_regclass('mikro_orm_migrations') IS NOT NULL AS has"
    )
    const done = table.has ? await this.database.query<{ name: string }>("SELECT name FROM mikro_orm_migrations") : []
    const names = new Set(done.map(({ name }) => name.replace(/\.(js|ts)$/, "")))
    return ownMigrations().every((name) => names.has(name))
  }
}

function ownMigrations(): string[] {
  return readdirSync(MIGRATIONS).flatMap((file) => /^(Migration[0-9]+)\.(js|ts)$/.exec(file)?.[1] ?? [])
}
