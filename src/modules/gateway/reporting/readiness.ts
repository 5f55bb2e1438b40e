import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Database } from "../kernel/database/database"
import { replacedKeys } from "../kernel/database/replaced-keys"
import type { Cradle } from "../kernel/types"

/** Why a process should be sent no requests. */
type NotReady = "database" | "migrations" | "encryption_key" | "stopping"

type Given = Pick<Cradle, "database" | "secretBox" | "logger">

const MIGRATIONS = join(__dirname, "../migrations")
/**
 * How long a probe waits for the database. Probes of orchestrators give up later than this, so the answer still says
 * that the database is away; if they gave up first, they would report that the process hangs.
 */
const PROBE_TIMEOUT_MS = 2_000
/** A check that takes longer than this many time-outs is abandoned, and the next probe starts a new one. */
const ABANDONED_AFTER_TIMEOUTS = 5

/**
 * Whether this process can answer requests: the database answers, has the gateway's migrations, and its secrets decrypt
 * with the keys of this process.
 */
export class ReadinessService {
  private readonly cradle: Given
  private readonly database: Database
  private readonly probeTimeoutMs: number
  /** Migrations are never taken back: once they are found, the database only has to answer. */
  private migrated = false
  /** A process keeps its keys, so this is asked until it is true once. */
  private decrypts = false
  private complained = false
  private underWay: { answer: Promise<NotReady | null>; since: number } | null = null

  constructor(cradle: Given, probeTimeoutMs = PROBE_TIMEOUT_MS) {
    this.cradle = cradle
    this.database = cradle.database
    this.probeTimeoutMs = probeTimeoutMs
  }

  /**
   * Never throws, and never takes longer than a probe waits. Probes share one check: while the database hangs, each of
   * them would otherwise hold or await another of its connections. A check that hangs for long is abandoned, because
   * its connection may be dead while new ones are answered: after a failover TCP notices that many minutes later.
   */
  async problem(): Promise<NotReady | null> {
    const { answer } = this.shared()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<NotReady>((done) => {
      timer = setTimeout(() => done("database"), this.probeTimeoutMs)
    })
    try {
      return await Promise.race([answer, late])
    } finally {
      clearTimeout(timer)
    }
  }

  private shared(): { answer: Promise<NotReady | null> } {
    const now = performance.now()
    if (this.underWay === null || now - this.underWay.since > ABANDONED_AFTER_TIMEOUTS * this.probeTimeoutMs) {
      const own = { answer: this.check(), since: now }
      this.underWay = own
      void own.answer.finally(() => {
        if (this.underWay === own) {
          this.underWay = null
        }
      })
    }
    return this.underWay
  }

  private async check(): Promise<NotReady | null> {
    try {
      await (this.migrated ? this.database.query("SELECT 1 AS reachable") : undefined)
      this.migrated ||= await this.isMigrated()
      if (!this.migrated) {
        return "migrations"
      }
      this.decrypts ||= await this.hasOwnKeys()
      return this.decrypts ? null : "encryption_key"
    } catch {
      return "database"
    }
  }

  /** The log says once which key is wrong: the answer to a probe is read by anybody, and names none. */
  private async hasOwnKeys(): Promise<boolean> {
    const { database, secretBox, logger } = this.cradle
    const ids = await replacedKeys(database, secretBox)
    if (ids.length > 0 && !this.complained) {
      this.complained = true
      logger.error(
        `gateway: the secrets in the database do not decrypt with the key "${ids.join('", "')}" of GATEWAY_ENCRYPTION_KEYS: another key had ` +
          "this id when they were encrypted. Put that key back. If it is lost, give the new key an id that no key has had " +
          "before, and see docs/operations.md, The encryption key"
      )
    }
    return ids.length === 0
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
