import type { Logger } from "@medusajs/framework/types"
import type { ClaimedDelivery, WebhookDispatchService } from "../services/webhook-dispatch"
import { Lanes } from "../domain/lanes"

/** Deliveries in flight at once in this process; waiting for an answer costs a socket and no more. */
const IN_FLIGHT = 512
/** Looks by itself this often: for retries, for leases of dead processes, and for what a wake-up missed. */
export const POLL_MS = 2_000
/** When the process is asked to end, what is in flight has this long to land. */
const DRAIN_MS = 10_000

/**
 * Keeps deliveries flowing: woken, it claims as many as it may have in flight, and claims again whenever one
 * lands. It holds no state that a crash could lose: what was claimed is claimed again when its lease runs out.
 */
export class Dispatcher {
  private readonly lanes = new Lanes(IN_FLIGHT)
  private readonly inFlight = new Set<Promise<void>>()
  private running: Promise<void> | null = null
  private wokenMeanwhile = false
  private stopped = false
  private poll: NodeJS.Timeout | null = null

  constructor(
    private readonly service: Pick<WebhookDispatchService, "claim" | "deliver">,
    private readonly logger: Pick<Logger, "warn">,
    private readonly pollMs = POLL_MS
  ) {}

  /**
   * A wake-up alone is not enough: another process may have taken it and be full, or the claim that followed it
   * may have failed with the database.
   */
  start(): void {
    this.poll = setInterval(() => {
      this.lanes.forgetIdle()
      this.wake()
    }, this.pollMs)
    this.wake()
  }

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

  /**
   * Claims no more, and waits a while for what is in flight: what the process does not record will be sent again.
   * A receiver that takes longer is left to its lease.
   */
  async stop(): Promise<void> {
    this.stopped = true
    if (this.poll !== null) {
      clearInterval(this.poll)
    }
    await this.running
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((done) => {
      timer = setTimeout(done, DRAIN_MS)
    })
    await Promise.race([Promise.all(this.inFlight), late])
    clearTimeout(timer)
  }

  private async pump(): Promise<void> {
    try {
      while (this.lanes.free > 0 && !this.stopped) {
        const claimed = await this.service.claim(this.lanes.next, this.lanes.room())
        if (claimed.length === 0) {
          return
        }
        claimed.forEach((delivery) => this.launch(delivery))
      }
    } catch (error) {
      this.logger.warn(`gateway: deliveries could not be claimed: ${(error as Error).message}`)
    }
  }

  private launch(delivery: ClaimedDelivery): void {
    this.lanes.begin(delivery.lane)
    const flight = this.deliver(delivery).then((acknowledged) => {
      this.lanes.end(delivery.lane, acknowledged)
      this.inFlight.delete(flight)
      this.wake()
    })
    this.inFlight.add(flight)
  }

  private async deliver(delivery: ClaimedDelivery): Promise<boolean> {
    try {
      return await this.service.deliver(delivery)
    } catch (error) {
      this.logger.warn(`gateway: delivery ${delivery.id} was not recorded: ${(error as Error).message}`)
      return false
    }
  }
}
