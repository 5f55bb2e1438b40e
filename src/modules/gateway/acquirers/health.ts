import type { Logger } from "@medusajs/framework/types"
import { audit } from "../kernel/database/audit"
import type { Database, Sql } from "../kernel/database/database"
import { newId } from "../kernel/text/ids"
import type { Tenant } from "../kernel/types"
import type { Acquirer, Done, Redirect, Refused, Trouble, Unknown } from "./port"

/** Payments in a row that an acquirer could not begin, until it counts as down. */
const FAILURES = 5
/** How long an acquirer that is down gets no payment; then one payment tries it, and so on. Longer than any call. */
const PROBE_SECONDS = 60
/** An acquirer that needs longer to open its page has failed a shopper, who waits for it. */
export const SLOW_SECONDS = 10

/** Why an acquirer cannot begin payments. `unclear`: its answer could not be understood. `slow`: it came too late. */
export const OUTAGE_CAUSES = ["network", "maintenance", "rate_limited", "credentials", "unclear", "slow"] as const
export type OutageCause = (typeof OUTAGE_CAUSES)[number]
export type Outage = { since: Date; probe_at: Date; cause: OutageCause }

/** What a new payment says of its acquirer. */
export type Finding = OutageCause | "works" | "nothing"

/** What an answer to a new payment says of its acquirer. A request that is wrong in itself is about one payment. */
export function findingOf(
  flow: Acquirer["flow"],
  answer: (Done | Refused | Unknown | Redirect) & { trouble?: Trouble },
  seconds: number
): Finding {
  if (answer.trouble !== undefined) {
    return answer.trouble === "bad_request" ? "nothing" : answer.trouble
  }
  if (answer.result === "unknown") {
    return flow === "redirect" ? "unclear" : "nothing"
  }
  return answer.result === "redirect" && seconds > SLOW_SECONDS ? "slow" : "works"
}

type Dependencies = { database: Database; logger: Pick<Logger, "warn" | "error"> }

/**
 * Whether a merchant's acquirer can begin payments. One process finds that it cannot; a row says so to all of them, and
 * lets them try it with one payment at a time.
 */
export class AcquirerHealth {
  private failures = 0
  /** The payment that failed last: its further tries are no further payments. */
  private failed: string | null = null
  /** As read last, or as this process has found since. */
  outage: Outage | null = null

  constructor(
    private readonly dependencies: Dependencies,
    private readonly tenant: Tenant,
    private readonly acquirer: string
  ) {}

  /** What a new payment (its key) found. What fails here is logged: the payment goes on. */
  async note(found: Finding, key: string): Promise<void> {
    if (found === "nothing") {
      return
    }
    try {
      await (found === "works" ? this.works() : this.fails(found, key))
    } catch (error) {
      this.dependencies.logger.error(
        `gateway: whether ${this.acquirer} is down could not be written: ${(error as Error).message}`
      )
    }
  }

  /** Whether the payment of `sql` may try an acquirer that is down. Of all processes, one payment a minute may. */
  async claimProbe(sql: Sql): Promise<boolean> {
    if (this.outage === null || this.outage.probe_at.getTime() > Date.now()) {
      return false
    }
    const [row] = await sql.query<{ probe_at: Date }>(
      `UPDATE gateway_acquirer_outage SET probe_at = now() + $4 * interval '1 second', updated_at = now()
       WHERE id = (SELECT id FROM gateway_acquirer_outage
                   WHERE merchant_id = $1 AND environment = $2 AND acquirer = $3 AND probe_at <= now()
                   FOR UPDATE SKIP LOCKED)
       RETURNING probe_at`,
      [...this.key, PROBE_SECONDS]
    )
    if (row !== undefined) {
      this.outage = { ...this.outage, probe_at: row.probe_at }
    }
    return row !== undefined
  }

  private get key(): [string, string, string] {
    return [this.tenant.merchant_id, this.tenant.environment, this.acquirer]
  }

  private async works(): Promise<void> {
    this.failures = 0
    this.failed = null
    if (this.outage === null) {
      return
    }
    const { since } = this.outage
    this.outage = null
    await this.dependencies.database.transaction(async (sql) => {
      const gone = await sql.query(
        "DELETE FROM gateway_acquirer_outage WHERE merchant_id = $1 AND environment = $2 AND acquirer = $3 RETURNING id",
        this.key
      )
      if (gone.length > 0) {
        await this.record(sql, "acquirer.came_back", { down_since: since.toISOString() })
        this.dependencies.logger.warn(`gateway: ${this.acquirer} begins payments of ${this.tenant.merchant_id} again`)
      }
    })
  }

  private async fails(cause: OutageCause, key: string): Promise<void> {
    if (this.outage !== null) {
      return this.changes(this.outage, cause)
    }
    if (this.failed === key || ++this.failures < FAILURES) {
      this.failed = key
      return
    }
    this.failed = null
    this.failures = 0
    await this.dependencies.database.transaction(async (sql) => {
      const [outage] = await sql.query<Outage>(
        `INSERT INTO gateway_acquirer_outage (id, merchant_id, environment, acquirer, cause, since, probe_at)
         VALUES ($4, $1, $2, $3, $5, now(), now() + $6 * interval '1 second')
         ON CONFLICT (merchant_id, environment, acquirer) DO NOTHING RETURNING since, probe_at, cause`,
        [...this.key, newId("gao"), cause, PROBE_SECONDS]
      )
      if (outage !== undefined) {
        this.outage = outage
        await this.record(sql, "acquirer.went_down", { cause })
        this.dependencies.logger.error(
          `gateway: ${this.acquirer} cannot begin payments of ${this.tenant.merchant_id} (${cause}); others are asked in its place, and one payment a minute tries it`
        )
      }
    })
  }

  /** What began slow may be dead by now: nobody is sent there any more then. */
  private async changes(outage: Outage, cause: OutageCause): Promise<void> {
    if (outage.cause !== cause) {
      this.outage = { ...outage, cause }
      await this.dependencies.database.query(
        `UPDATE gateway_acquirer_outage SET cause = $4, updated_at = now()
         WHERE merchant_id = $1 AND environment = $2 AND acquirer = $3`,
        [...this.key, cause]
      )
    }
  }

  private record(sql: Sql, action: "acquirer.went_down" | "acquirer.came_back", after: Record<string, unknown>) {
    return audit(sql, { ...this.tenant, by: {}, action, resource_id: this.acquirer, after })
  }
}

/** A tenant's acquirers that are down, by their ids. */
export async function outagesOf(sql: Sql, { merchant_id, environment }: Tenant): Promise<Map<string, Outage>> {
  const rows = await sql.query<Outage & { acquirer: string }>(
    "SELECT acquirer, since, probe_at, cause FROM gateway_acquirer_outage WHERE merchant_id = $1 AND environment = $2",
    [merchant_id, environment]
  )
  return new Map(rows.map(({ acquirer, ...outage }) => [acquirer, outage]))
}

/** An account has other credentials: what was found with the old ones says nothing of it. */
export async function forgetOutage(sql: Sql, { merchant_id, environment }: Tenant, acquirer: string): Promise<void> {
  await sql.query("DELETE FROM gateway_acquirer_outage WHERE merchant_id = $1 AND environment = $2 AND acquirer = $3", [
    merchant_id,
    environment,
    acquirer,
  ])
}
