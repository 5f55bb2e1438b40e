import type { Logger } from "@medusajs/framework/types"
import type { ClaimedDelivery, WebhookDispatchService } from "../services/webhook-dispatch"

/** Deliveries in flight at once in this process; the service limits those to one receiver. */
const IN_FLIGHT = 128

/**
 * Keeps deliveries flowing: woken, it claims as many as it may have in flight, and claims again whenever one
 * lands. It holds no state that a crash could lose: what was claimed is claimed again when its lease runs out.
 */
export class Dispatcher {
  private readonly inFlight = new Map<string, number>()
  private running: Promise<void> | null = null
  private wokenMeanwhile = false
  private stopped = false

  constructor(
    private readonly service: WebhookDispatchService,
    private readonly logger: Logger
  ) {}

  /** Never waits: the job that wakes it is done at once, the sending goes on. */
  wake(): void {
    if (this.running !== null) {
      this.wokenMeanwhile = true
      return
    }
    if (!this.stopped) {
      this.running = this.pump().finally(() => {
        this.running = null
        if (this.wokenMeanwhile) {
          this.wokenMeanwhile = false
          this.wake()
        }
      })
    }
  }

  /** Claims no more; what is in flight is left to finish or, with the process, to its lease. */
  async stop(): Promise<void> {
    this.stopped = true
    await this.running
  }

  private async pump(): Promise<void> {
    try {
      for (let free = IN_FLIGHT - this.total(); free > 0 && !this.stopped; free = IN_FLIGHT - this.total()) {
        const claimed = await this.service.claim(free, Object.fromEntries(this.inFlight))
        if (claimed.length === 0) {
          return
        }
        claimed.forEach((delivery) => void this.deliver(delivery))
      }
    } catch (error) {
      this.logger.warn(`gateway: deliveries could not be claimed: ${(error as Error).message}`)
    }
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const { lane } = delivery
    this.inFlight.set(lane, (this.inFlight.get(lane) ?? 0) + 1)
    try {
      await this.service.deliver(delivery)
    } catch (error) {
      this.logger.warn(`gateway: delivery ${delivery.id} was not recorded: ${(error as Error).message}`)
    } finally {
      const left = (this.inFlight.get(lane) ?? 1) - 1
      if (left === 0) {
        this.inFlight.delete(lane)
      } else {
        this.inFlight.set(lane, left)
      }
      this.wake()
    }
  }

  private total(): number {
    let total = 0
    for (const count of this.inFlight.values()) {
      total += count
    }
    return total
  }
}
