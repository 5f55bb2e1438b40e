import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { Database } from "../../kernel/database"
import { SEALED } from "../../kernel/sealed-columns"
import type { SecretBox } from "../../kernel/secret-box"
import type { KeptToken, TokenStore } from "./port"

/** Longer than a provider may take to answer: a process that dies while it renews holds the others up for so long. */
const LEASE_SECONDS = 40
const LOOK_MS = 250
/** A token that ends this soon is renewed before it is used. */
const SPARE_MS = 60_000

type Row = { token: string | null; refresh_token: string | null; expires_at: Date | null }

/**
 * The access token of one account, in the database: one process renews it under a lease while the others wait, because
 * providers count every token that they issue. No connection is held while the provider is asked.
 */
export class DatabaseTokens implements TokenStore {
  constructor(
    private readonly database: Database,
    private readonly secretBox: SecretBox,
    private readonly account: string
  ) {}

  /** Throws when no token came within the time of two leases, and whatever `issue` throws. */
  async get(issue: (previous: KeptToken | null) => Promise<KeptToken>, refused?: string): Promise<string> {
    const deadline = Date.now() + 2 * LEASE_SECONDS * 1_000
    while (Date.now() < deadline) {
      const kept = await this.read()
      if (kept !== null && kept.token !== refused && kept.expires_at.getTime() - SPARE_MS > Date.now()) {
        return kept.token
      }
      const lease = await this.lease()
      if (lease !== null) {
        return this.renew(lease, issue, kept)
      }
      await sleep(LOOK_MS)
    }
    throw new Error(`no access token for ${this.account}: the process that renews it does not end`)
  }

  private async renew(
    lease: string,
    issue: (previous: KeptToken | null) => Promise<KeptToken>,
    previous: KeptToken | null
  ): Promise<string> {
    try {
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
      await this.database.query(
        "UPDATE gateway_acquirer_token SET lock_token = NULL, locked_until = NULL WHERE id = $1 AND lock_token = $2",
        [this.account, lease]
      )
      throw error
    }
  }

  /** The lease to renew the token; null while another process has it. */
  private async lease(): Promise<string | null> {
    const lease = randomUUID()
    const rows = await this.database.query(
      `INSERT INTO gateway_acquirer_token AS kept (id, lock_token, locked_until)
       VALUES ($1, $2, now() + $3 * interval '1 second')
       ON CONFLICT (id) DO UPDATE SET lock_token = $2, locked_until = now() + $3 * interval '1 second', updated_at = now()
       WHERE kept.locked_until IS NULL OR kept.locked_until < now() RETURNING id`,
      [this.account, lease, LEASE_SECONDS]
    )
    return rows.length === 1 ? lease : null
  }

  private async read(): Promise<KeptToken | null> {
    const [row] = await this.database.query<Row>(
      "SELECT token, refresh_token, expires_at FROM gateway_acquirer_token WHERE id = $1",
      [this.account]
    )
    if (row === undefined || row.token === null || row.expires_at === null) {
      return null
    }
    return {
      token: this.secretBox.open(row.token, SEALED.acquirerToken, this.account),
      refresh_token:
        row.refresh_token === null
          ? null
          : this.secretBox.open(row.refresh_token, SEALED.acquirerRefreshToken, this.account),
      expires_at: row.expires_at,
    }
  }
}
