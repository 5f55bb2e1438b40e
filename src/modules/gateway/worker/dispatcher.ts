import type { Logger } from "@medusajs/framework/types"
import type { ClaimedDelivery } from "../webhooks/delivery/statements"
import { named } from "../webhooks/delivery/trace"
import type { WebhookDispatchService } from "../webhooks/dispatch"
import { ReceiverConcurrency, receiversWithMore } from "../webhooks/receiver-concurrency"

/** Deliveries in flight at once in this process; one that waits for an answer costs only a socket. */
const IN_FLIGHT = 512
/** Polls this often: for retries, for leases of dead processes, and for missed wake-ups. */
export const POLL_MS = 2_000
/**
 * A claim for each freed place would cost more than the deliveries. So the dispatcher claims again when one in this
 * many of the deliveries in flight has finished.
 */
const REFILL_SHARE = 4
/** It also claims again this many milliseconds after a delivery has finished, however few have. */
const REFILL_MS = 3
/** How long deliveries in flight may take to finish when the process is asked to stop. */
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
  /** Since the last claim: how many deliveries have finished, and for which receivers. */
  private finished = 0
  private readonly finishedReceivers = new Set<string>()
  /** Receivers with deliveries that the last claim left behind; null: any receiver may have some. */
  private more: ReadonlySet<string> | null = null

  constructor(
    private readonly service: Pick<WebhookDispatchService, "claim" | "deliver">,
    private readonly logger: Pick<Logger, "warn">,
    private readonly pollMs = POLL_MS
  ) {}

  /**
   * Wake-ups alone are not enough: another process may have received one while it was full, or the claim that followed
   * one may have failed with the database.
   */
  start(): void {
    this.poll = setInterval(() => {
      this.receivers.forgetIdle()
      this.wake()
    }, this.pollMs)
    this.wake()
  }

  /** Never waits: the caller continues at once. */
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
   * Stops claiming, then waits a while for deliveries in flight. A delivery that is not recorded is sent again after
   * its lease expires.
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
        const [limit, capacity] = [this.receivers.next, this.receivers.capacity()]
        this.finished = 0
        this.finishedReceivers.clear()
        const claimed = await this.service.claim(limit, capacity)
        full = claimed.length >= limit
        this.more = full ? null : receiversWithMore(capacity, claimed)
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
      this.finished += 1
      this.finishedReceivers.add(delivery.receiver_key)
      this.refillSoon()
    })
    this.inFlight.add(flight)
  }

  /** Claims again when places are free for receivers that may have more. */
  private refillSoon(): void {
    const useful =
      this.more === null
        ? this.finished > 0
        : [...this.finishedReceivers].some((receiver_key) => this.more?.has(receiver_key))
    if (!useful || this.running !== null || this.stopped) {
      return
    }
    if (this.finished * REFILL_SHARE >= this.inFlight.size) {
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
      this.logger.warn(`gateway: ${named(delivery)} was not recorded: ${(error as Error).message}`)
      return false
    }
  }
}
