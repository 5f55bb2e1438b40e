import type { Pool, PoolClient } from "@medusajs/framework/pg"

/** What gateway_wake_worker(), a function in the database, notifies with every event that commits. */
const CHANNEL = "gateway_deliveries"
const AGAIN_MS = 1_000

/** Listens for what commits, on a connection of its own; one that is lost is replaced, and what it missed is looked for. */
export class WakeUp {
  private client: PoolClient | null = null
  private again: NodeJS.Timeout | null = null
  private stopped = false

  constructor(
    private readonly pool: Pool,
    private readonly wake: () => void
  ) {}

  async start(): Promise<void> {
    try {
      const client = await this.pool.connect()
      if (this.stopped) {
        client.release()
        return
      }
      this.client = client
      client.on("notification", () => this.wake())
      client.on("error", (error) => this.lost(client, error))
      client.on("end", () => this.lost(client, new Error("the connection has ended")))
      await client.query(`LISTEN ${CHANNEL}`)
      this.wake()
    } catch (error) {
      this.lost(this.client, error as Error)
    }
  }

  stop(): void {
    this.stopped = true
    if (this.again !== null) {
      clearTimeout(this.again)
    }
    this.client?.removeAllListeners()
    this.client?.release(true)
    this.client = null
  }

  private lost(client: PoolClient | null, error: Error): void {
    if (this.stopped || client !== this.client) {
      return
    }
    this.client = null
    client?.release(error)
    this.again = setTimeout(() => void this.start(), AGAIN_MS)
  }
}
