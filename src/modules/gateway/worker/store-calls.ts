import type { Logger } from "@medusajs/framework/types"
import { GatewayError } from "../kernel/errors"
import { inSpan, telemetry } from "../kernel/tracing"
import {
  HEARTBEAT_MS,
  STORE_CALLS,
  type ClaimedStoreCall,
  type StoreAnswer,
  type StoreCallKind,
  type StoreCallService,
} from "../kernel/store-calls"
import type { StorePort } from "../store-port"
import { POLL_MS } from "./dispatcher"

/**
 * Calls at work at once in this process. Payments of carts wait for each other in Medusa anyway. A move of a sandbox
 * clock may take minutes, and merchants may ask for many: moves have places of their own, so that no payment waits.
 */
const PLACES: readonly { kinds: readonly StoreCallKind[]; atOnce: number }[] = [
  { kinds: STORE_CALLS.filter((kind) => kind !== "move_clock"), atOnce: 16 },
  { kinds: ["move_clock"], atOnce: 4 },
]

/**
 * Does in this store process what API processes ask. Each call wakes it; it also polls, for wake-ups that were missed. It
 * is no DueWork of the kernel: a caller waits for each call.
 */
export class StoreCallWorker {
  private readonly atWork = new Map<string, { kind: StoreCallKind; done: Promise<void> }>()
  private taking: Promise<void> | null = null
  private wokenMeanwhile = false
  private stopped = false
  private poll: NodeJS.Timeout | null = null
  private heartbeats: NodeJS.Timeout | null = null

  constructor(
    private readonly calls: Pick<StoreCallService, "claim" | "answer" | "heartbeat">,
    private readonly store: () => Pick<StorePort, "calls">,
    private readonly logger: Pick<Logger, "warn" | "error">,
    private readonly pollMs = POLL_MS,
    private readonly heartbeatMs = HEARTBEAT_MS
  ) {}

  start(): void {
    this.stopped = false
    this.poll = setInterval(() => this.wake(), this.pollMs)
    this.heartbeats ??= setInterval(() => void this.heartbeat(), this.heartbeatMs)
    this.wake()
  }

  /** Never waits: the caller continues at once. */
  wake(): void {
    if (this.taking !== null) {
      this.wokenMeanwhile = true
    } else if (!this.stopped) {
      this.taking = this.take().finally(() => {
        this.taking = null
        if (this.wokenMeanwhile) {
          this.wokenMeanwhile = false
          this.wake()
        }
      })
    }
  }

  /** Takes no further call, and waits for those that it has taken. */
  async stop(): Promise<void> {
    this.stopped = true
    if (this.poll !== null) {
      clearInterval(this.poll)
    }
    await this.taking
    await Promise.all([...this.atWork.values()].map(({ done }) => done))
    if (this.heartbeats !== null) {
      clearInterval(this.heartbeats)
      this.heartbeats = null
    }
  }

  /** Until the last call is answered, also while this process stops: a silent process counts as gone. */
  private async heartbeat(): Promise<void> {
    try {
      if (this.atWork.size > 0) {
        await this.calls.heartbeat([...this.atWork.keys()])
      }
    } catch (error) {
      this.logger.warn(`gateway: work on calls of API processes could not be reported: ${(error as Error).message}`)
    }
  }

  private async take(): Promise<void> {
    try {
      for (const { kinds, atOnce } of PLACES) {
        await this.takeOf(kinds, atOnce)
      }
    } catch (error) {
      this.logger.warn(`gateway: calls of API processes could not be taken: ${(error as Error).message}`)
    }
  }

  private async takeOf(kinds: readonly StoreCallKind[], atOnce: number): Promise<void> {
    const free = () => atOnce - [...this.atWork.values()].filter(({ kind }) => kinds.includes(kind)).length
    for (let more = true; more && !this.stopped && free() > 0;) {
      const places = free()
      const claimed = await this.calls.claim(kinds, places)
      claimed.forEach((call) => this.begin(call))
      more = claimed.length === places
    }
  }

  private begin(call: ClaimedStoreCall): void {
    const done = this.work(call).then(() => {
      this.atWork.delete(call.id)
      this.wake()
    })
    this.atWork.set(call.id, { kind: call.kind, done })
  }

  /** Never throws. */
  private async work(call: ClaimedStoreCall): Promise<void> {
    try {
      await this.calls.answer(call.id, await this.tracedAnswerTo(call))
    } catch (error) {
      this.logger.error(`gateway: the answer to call ${call.id} could not be recorded: ${(error as Error).message}`)
    }
  }

  /** In the trace of the request that asks, so that what the call causes belongs to that request too. */
  private tracedAnswerTo(call: ClaimedStoreCall): Promise<StoreAnswer> {
    const api = telemetry()
    const { kind, traceparent: cause } = call
    const attributes = { "gateway.store_call": kind }
    return api === undefined
      ? this.answerTo(call)
      : inSpan(api, { name: `store call ${kind}`, kind: "CONSUMER", attributes, cause }, () => this.answerTo(call))
  }

  private async answerTo({ id, kind, input }: ClaimedStoreCall): Promise<StoreAnswer> {
    try {
      return { result: await this.store().calls[kind](input() as never) }
    } catch (error) {
      if (GatewayError.is(error)) {
        const { code, reason, field, details } = error
        return { refusal: { code, reason, field, details } }
      }
      const { stack, message } = error as Error
      this.logger.error(`gateway: call ${id} (${kind}) of an API process failed: ${stack ?? message}`)
      return { fault: message }
    }
  }
}
