import type { Pool, PoolClient } from "@medusajs/framework/pg"

/** The channel of gateway_wake_worker(), a database function that notifies with every commit of events. */
export const DELIVERY_CHANNEL = "gateway_deliveries"
const AGAIN_MS = 1_000

/**
 * Listens for commits on a connection of its own. A lost connection is replaced, followed by a poll for what was
 * missed.
 */
export class WakeUp {
  private client: PoolClient | null = null
  private again: NodeJS.Timeout | null = null
  private stopped = false

  constructor(
    private readonly pool: Pool,
    /** What each channel wakes. */
    private readonly wakes: Readonly<Record<string, () => void>>
  ) {}

  async start(): Promise<void> {
    let client: PoolClient | null = null
    try {
      client = await this.pool.connect()
      if (this.stopped) {
        client.release()
        return
      }
      await this.listen(client)
      Object.values(this.wakes).forEach((wake) => wake())
    } catch (error) {
      // The connection may have been reported lost already, by its event: `this.client` would be null then, or the next.
      this.lost(client, error as Error)
    }
  }

  private async listen(client: PoolClient): Promise<void> {
    this.client = client
    client.on("notification", ({ channel }) => this.wakes[channel]?.())
    client.on("error", (error) => this.lost(client, error))
    client.on("end", () => this.lost(client, new Error("the connection has ended")))
    await client.query(
      Object.keys(this.wakes)
        .map((channel) => `LISTEN ${channel}`)
        .join("; ")
    )
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
