import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { markAway } from "./connection-loss"

export type PgClient = {
  /** The process of the server that works for this connection. */
  processID?: number
  query(config: { text: string; values: unknown[]; name?: string }): Promise<{ rows: unknown[] }>
  /** Set by knex once the connection has broken or ended. */
  __knex__disposed?: unknown
}

type Pool = { numPendingAcquires(): number }

/**
 * Connections of the pool that Medusa holds. One that is released stays at hand for the rest of this turn of the event
 * loop, and whatever asks next gets it: taking one from the pool costs a dozen promises and two timers, about as much as
 * sending a statement. It goes back at once when somebody waits at the pool, so that nobody is made to wait by it.
 */
export class Connections {
  private readonly atHand: PgClient[] = []

  constructor(private readonly knex: Knex) {}

  /** One that was released in this turn, if there is one. */
  kept(): PgClient | undefined {
    for (let client = this.atHand.pop(); client !== undefined; client = this.atHand.pop()) {
      if (client.__knex__disposed === undefined) {
        return client
      }
      // The pool finds out and replaces it.
      this.giveBack(client)
    }
    return undefined
  }

  async fromPool(): Promise<PgClient> {
    try {
      return (await this.knex.client.acquireConnection()) as PgClient
    } catch (error) {
      throw markAway(error)
    }
  }

  release(client: PgClient): void {
    const pool = this.knex.client.pool as Pool | undefined
    if (pool === undefined || pool.numPendingAcquires() > 0) {
      this.giveBack(client)
      return
    }
    if (this.atHand.push(client) === 1) {
      setImmediate(() => this.atHand.splice(0).forEach((one) => this.giveBack(one)))
    }
  }

  /** The pool takes it at once; its promise only says so. */
  private giveBack(client: PgClient): void {
    void this.knex.client.releaseConnection(client)
  }
}
