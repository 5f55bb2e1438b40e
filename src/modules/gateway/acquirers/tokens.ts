import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { Database } from "../kernel/database/database"
import { SEALED } from "../kernel/database/sealed-columns"
import { UnreadableSecret, type SecretBox } from "../kernel/database/secret-box"
import type { KeptToken, TokenStore } from "./port"

/** Longer than an acquirer may take to answer: a process that dies while it renews holds the others up for so long. */
const LEASE_SECONDS = 40
const LOOK_MS = 250
/** A token that ends this soon is renewed before it is used. */
const SPARE_MS = 60_000

type Row = { token: string | null; refresh_token: string | null; expires_at: Date | null }

/**
 * The access token of one account, in the database: one process renews it under a lease while the others wait, because
 * acquirers count every token that they issue. No connection is held while the acquirer is asked.
 */
export class DatabaseTokens implements TokenStore {
  constructor(
    private readonly database: Database,
    private readonly secretBox: SecretBox,
    private readonly account: string
  ) {}

  /** Throws when no token came within the time of two leases, and rethrows the errors of `issue`. */
  async get(issue: (previous: KeptToken | null) => Promise<KeptToken>, refused?: string): Promise<string> {
    const deadline = Date.now() + 2 * LEASE_SECONDS * 1_000
    while (Date.now() < deadline) {
      const kept = await this.read()
      if (isUsable(kept, refused)) {
        return kept.token
      }
      const lease = randomUUID()
      const leased = await this.lease(lease)
      if (leased !== null) {
        return this.renew(lease, issue, leased.kept, refused)
      }
      await sleep(LOOK_MS)
    }
    throw new Error(`no access token for ${this.account}: the process that renews it does not end`)
  }

  private async renew(
    lease: string,
    issue: (previous: KeptToken | null) => Promise<KeptToken>,
    previous: KeptToken | null,
    refused?: string
  ): Promise<string> {
    try {
      // Another process may have renewed it between the look and the lease.
      if (isUsable(previous, refused)) {
        await this.release(lease)
        return previous.token
      }
      const fresh = await issue(previous)
      await this.database.query(
        `UPDATE gateway_acquirer_token SET token = $3, refresh_token = $4, expires_at = $5, lock_token = NULL, locked_until = NULL,
           updated_at = now() WHERE id = $1 AND lock_token = $2`,
        [
          this.account,
          lease,
          this.secretBox.seal(fresh.token, SEALED.acquirerToken, this.account),
          fresh.refresh_token === null
            ? null
            : this.secretBox.seal(fresh.refresh_token, SEALED.acquirerRefreshToken, this.account),
          fresh.expires_at,
        ]
      )
      return fresh.token
    } catch (error) {
      await this.release(lease)
      throw error
    }
  }

  private async release(lease: string): Promise<void> {
    await this.database.query(
      "UPDATE gateway_acquirer_token SET lock_token = NULL, locked_until = NULL WHERE id = $1 AND lock_token = $2",
      [this.account, lease]
    )
  }

  /** Leases the renewal, with the token as it is then; null while another process has the lease. */
  private async lease(lease: string): Promise<{ kept: KeptToken | null } | null> {
    const [row] = await this.database.query<Row>(
      `INSERT INTO gateway_acquirer_token AS kept (id, lock_token, locked_until)
       VALUES ($1, $2, now() + $3 * interval '1 second')
       ON CONFLICT (id) DO UPDATE SET lock_token = $2, locked_until = now() + $3 * interval '1 second', updated_at = now()
       WHERE kept.locked_until IS NULL OR kept.locked_until < now() RETURNING token, refresh_token, expires_at`,
      [this.account, lease, LEASE_SECONDS]
    )
    return row === undefined ? null : { kept: this.open(row) }
  }

  private async read(): Promise<KeptToken | null> {
    const [row] = await this.database.query<Row>(
      "SELECT token, refresh_token, expires_at FROM gateway_acquirer_token WHERE id = $1",
      [this.account]
    )
    return row === undefined ? null : this.open(row)
  }

  /** A token whose key is lost is replaced by a new one. */
  private open(row: Row): KeptToken | null {
    if (row.token === null || row.expires_at === null) {
      return null
    }
    try {
      const token = this.secretBox.open(row.token, SEALED.acquirerToken, this.account)
      const refresh_token =
        row.refresh_token && this.secretBox.open(row.refresh_token, SEALED.acquirerRefreshToken, this.account)
      return { token, refresh_token, expires_at: row.expires_at }
    } catch (error) {
      if (error instanceof UnreadableSecret) {
        return null
      }
      throw error
    }
  }
}

/** Not turned down by the acquirer, and good for a while. */
function isUsable(kept: KeptToken | null, refused: string | undefined): kept is KeptToken {
  return kept !== null && kept.token !== refused && kept.expires_at.getTime() - SPARE_MS > Date.now()
}
