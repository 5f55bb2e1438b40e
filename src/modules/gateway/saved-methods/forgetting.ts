import { claimedBy, type Database } from "../kernel/database/database"
import { DUE_WORK, DueWork, type Lease, type RunOptions } from "../kernel/database/due-work"
import { SEALED } from "../kernel/database/sealed-columns"
import { UnreadableSecret, type SecretBox } from "../kernel/database/secret-box"
import type { Cradle, Tenant } from "../kernel/types"
import { inTime } from "../acquirers/in-time"
import type { AcquirerRegistry, WithAcquirers } from "../acquirers/registry"

/** `tries`: this one included. Only the latest claim has the row's number, so it is the fencing token. */
type Due = Tenant & { id: string; acquirer: string; token: string; tries: number }
type Forgotten = { result: "forgotten" }

/**
 * Makes acquirers forget removed payment methods, and erases their tokens. The token stays, encrypted, until the
 * acquirer has answered or the last try has failed: without it nobody could ask again.
 */
export class ForgettingService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly secretBox: SecretBox
  private readonly due: DueWork<Due, string>

  constructor({ database, logger, acquirerRegistry, secretBox }: Cradle & WithAcquirers) {
    this.database = database
    this.acquirers = acquirerRegistry
    this.secretBox = secretBox
    this.due = new DueWork(logger, DUE_WORK.forgetting, {
      id: ({ id }) => id,
      claim: (limit, lease, only) => this.claim(limit, lease, only),
      work: (row) => this.forget(row),
      failures: ({ tries }) => tries - 1,
      failed: (row, { retry_seconds }) => this.failed(row, retry_seconds),
    })
  }

  /** Forgets what is due, or only one instrument. Returns the number of instruments. */
  run(options: RunOptions<string> = {}): Promise<number> {
    return this.due.run(options)
  }

  private claim(limit: number, lease: Lease, only?: string): Promise<Due[]> {
    return this.database.query<Due>(
      `UPDATE gateway_instrument
       SET forget_count = forget_count + 1, forget_at = now() + $2 * interval '1 second', updated_at = now()
       WHERE id ${claimedBy(`SELECT id FROM gateway_instrument WHERE forget_at <= now() AND ($3::text IS NULL OR id = $3)
                    ORDER BY forget_at LIMIT $1 FOR UPDATE SKIP LOCKED`)}
         AND token IS NOT NULL
       RETURNING id, merchant_id, environment, acquirer, token, forget_count AS tries`,
      [limit, lease.seconds, only ?? null]
    )
  }

  private async forget(row: Due): Promise<void> {
    const acquirer = await this.acquirers.byId(row, row.acquirer)
    const token = this.secretBox.open(row.token, SEALED.instrumentToken, row.id)
    if (acquirer.forget !== undefined && !(await this.isShared(row, token))) {
      const answer = await inTime<Forgotten>(async () => {
        await acquirer.forget?.(token)
        return { result: "forgotten" }
      })
      if (answer.result === "unknown") {
        throw new Error(answer.message)
      }
    }
    await this.erase(row)
  }

  /**
   * Whether another instrument, of a subscription perhaps, is charged with the same token: some acquirers issue one for
   * each card. Encrypted texts cannot be compared, so those that look the same are decrypted.
   */
  private async isShared(row: Due, token: string): Promise<boolean> {
    const others = await this.database.query<{ id: string; token: string }>(
      `SELECT o.id, o.token FROM gateway_instrument o JOIN gateway_instrument i ON i.id = $1
       WHERE o.merchant_id = i.merchant_id AND o.environment = i.environment AND o.acquirer = i.acquirer AND o.id <> i.id
         AND o.token IS NOT NULL AND o.forget_at IS NULL
         AND o.last_four IS NOT DISTINCT FROM i.last_four AND o.account IS NOT DISTINCT FROM i.account`,
      [row.id]
    )
    return others.some((other) => this.tokenOf(other) === token)
  }

  private tokenOf({ id, token }: { id: string; token: string }): string | null {
    try {
      return this.secretBox.open(token, SEALED.instrumentToken, id)
    } catch (error) {
      if (error instanceof UnreadableSecret) {
        return null
      }
      throw error
    }
  }

  private async failed(row: Due, retry_seconds: number | null): Promise<void> {
    if (retry_seconds === null) {
      return this.erase(row)
    }
    await this.database.query(
      `UPDATE gateway_instrument SET forget_at = now() + $3 * interval '1 second', updated_at = now()
       WHERE id = $1 AND forget_count = $2 AND forget_at IS NOT NULL`,
      [row.id, row.tries, retry_seconds]
    )
  }

  private async erase({ id, tries }: Due): Promise<void> {
    await this.database.query(
      `UPDATE gateway_instrument SET token = NULL, forget_at = NULL, updated_at = now()
       WHERE id = $1 AND forget_count = $2 AND forget_at IS NOT NULL`,
      [id, tries]
    )
  }
}
