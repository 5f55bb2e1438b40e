import type { Logger } from "@medusajs/framework/types"
import type { ClaimedDelivery } from "../webhooks/delivery/statements"
import type { WebhookDispatchService } from "../webhooks/dispatch"
import { ReceiverConcurrency, receiversWithMore } from "../webhooks/receiver-concurrency"

/** Deliveries in flight at once in this process; waiting for an answer costs a socket and no more. */
const IN_FLIGHT = 512
/** Looks by itself this often: for retries, for leases of dead processes, and for what a wake-up missed. */
export const POLL_MS = 2_000
/** A claim for each place that comes free would cost more than the deliveries: so many of those in flight land first, */
const REFILL_SHARE = 4
/** or so long passes. */
const REFILL_MS = 3
/** When the process is asked to end, what is in flight has this long to land. */
const DRAIN_MS = 10_000

/**
 * Keeps deliveries flowing: woken, it claims as many as it may have in flight, and claims again when some have landed
 * and their receivers may have more. It holds no state that a crash could lose: what was claimed is claimed again when
 * its lease runs out. It is no DueWork of the kernel: claims are fair between receivers, and results are recorded in
 * batches.
 */
export class Dispatcher {
  private readonly receivers = new ReceiverConcurrency(IN_FLIGHT)
  private readonly inFlight = new Set<Promise<void>>()
  private running: Promise<void> | null = null
  private wokenMeanwhile = false
  private stopped = false
  private poll: NodeJS.Timeout | null = null
  private refill: NodeJS.Timeout | null = null
  /** Since the last claim: what has landed, and of which receivers. */
  private landed = 0
  private readonly landedLanes = new Set<string>()
  /** Receivers that the last claim left something of; null: perhaps every one. */
  private more: ReadonlySet<string> | null = null

  constructor(
    private readonly service: Pick<WebhookDispatchService, "claim" | "deliver">,
    private readonly logger: Pick<Logger, "warn">,
    private readonly pollMs = POLL_MS
  ) {}

  /**
   * A wake-up alone is not enough: another process may have taken it and be full, or the claim that followed it may
   * have failed with the database.
   */
  start(): void {
    this.poll = setInterval(() => {
      this.receivers.forgetIdle()
      this.wake()
    }, this.pollMs)
    this.wake()
  }

  /** Never waits: whoever wakes it goes on at once. */
  wake(): void {
    this.clearRefill()
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
        } else {
          this.refillSoon()
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
    this.clearRefill()
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
      for (let full = true; full && this.receivers.free > 0 && !this.stopped;) {
        const [limit, room] = [this.receivers.next, this.receivers.room()]
        this.landed = 0
        this.landedLanes.clear()
        const claimed = await this.service.claim(limit, room)
        full = claimed.length >= limit
        this.more = full ? null : receiversWithMore(room, claimed)
        claimed.forEach((delivery) => this.launch(delivery))
      }
    } catch (error) {
      this.more = null
      this.logger.warn(`gateway: deliveries could not be claimed: ${(error as Error).message}`)
    }
  }

  private launch(delivery: ClaimedDelivery): void {
    this.receivers.begin(delivery.receiver_key)
    const flight = this.deliver(delivery).then((acknowledged) => {
      this.receivers.end(delivery.receiver_key, acknowledged)
      this.inFlight.delete(flight)
      this.landed += 1
      this.landedLanes.add(delivery.receiver_key)
      this.refillSoon()
    })
    this.inFlight.add(flight)
  }

  /** Claims again when places have come free for receivers that may have more. */
  private refillSoon(): void {
    const useful =
      this.more === null ? this.landed > 0 : [...this.landedLanes].some((receiver_key) => this.more?.has(receiver_key))
    if (!useful || this.running !== null || this.stopped) {
      return
    }
    if (this.landed * REFILL_SHARE >= this.inFlight.size) {
      this.wake()
    } else {
      this.refill ??= setTimeout(() => this.wake(), REFILL_MS)
    }
  }

  private clearRefill(): void {
    if (this.refill !== null) {
      clearTimeout(this.refill)
      this.refill = null
    }
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
