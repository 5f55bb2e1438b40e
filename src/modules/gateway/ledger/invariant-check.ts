import type { Logger } from "@medusajs/framework/types"
import type { Database } from "../kernel/database/database"
import { INVARIANTS } from "./invariants"
import { invariantAlerts } from "../kernel/http/metrics"
import type { Cradle } from "../kernel/types"

/** How many of the rows that break an invariant are named; the count gives the total. */
const NAMED = 10

INVARIANTS.forEach(({ name }) => invariantAlerts.inc({ name }, 0))

export type Broken = { name: string; holds: string; count: number; examples: { subject: string; detail: string }[] }

/** Checks the money invariants in the database. */
export class InvariantService {
  private readonly database: Database
  private readonly logger: Logger

  constructor({ database, logger }: Cradle) {
    this.database = database
    this.logger = logger
  }

  /** The broken invariants, among what the ledger has moved since a moment; without one, among everything. */
  async check(since: Date | null = null): Promise<Broken[]> {
    const broken: Broken[] = []
    for (const { name, holds, broken: query } of INVARIANTS) {
      const rows = await this.database.query<{ subject: string; detail: string; count: number }>(
        `SELECT subject, detail, count(*) OVER ()::int AS count FROM (${query}) AS rows LIMIT ${NAMED}`,
        [since?.toISOString() ?? "-infinity"]
      )
      if (rows.length > 0) {
        const examples = rows.map(({ subject, detail }) => ({ subject, detail }))
        broken.push({ name, holds, count: rows[0].count, examples })
      }
    }
    return broken
  }

  /** Checks, then logs an error and counts a metric for each broken invariant: alerts use both. */
  async watch(since: Date | null): Promise<Broken[]> {
    const broken = await this.check(since)
    for (const { name, count, examples } of broken) {
      const named = examples.map(({ subject, detail }) => `${subject} (${detail})`).join(", ")
      invariantAlerts.inc({ name })
      this.logger.error(`gateway: invariant broken: ${name}, ${count} times: ${named}`)
    }
    return broken
  }
}
