import { randomUUID } from "node:crypto"
import type { Logger } from "@medusajs/framework/types"
import { translate } from "../../../../i18n/translate"
import type { Message } from "../../../../i18n/message"
import { DeadlinePassed, withinDeadline } from "./deadline"
import { reasonOf, wordlessOf } from "../errors"
import {
  FORGET_SECONDS,
  DELIVERY_SECONDS,
  INQUIRY_SECONDS,
  MAIL_SECONDS,
  ORDER_SYNC_SECONDS,
  PORTAL_MAIL_SECONDS,
  RETURN_SECONDS,
  type Schedule,
} from "../money/retry-schedule"

/** How one kind of work that falls due is claimed and tried again. */
export type DueWorkRules = {
  /** What one item is, for the log. */
  item: string
  /**
   * How long a process waits for an item. Then it counts as failed and its place is free, whether or not it ever ends:
   * one merchant's item must not stop everyone's.
   */
  deadlineSeconds: number
  /** How long a claim on an item holds: longer than the deadline. The claim of a killed process runs out. */
  leaseSeconds: number
  /** Items that one process works on at the same time. */
  atOnce: number
  /** When a failed item is tried again. Without a schedule it is claimed again when its lease has run out. */
  schedule?: Schedule
  /** Of an error from outside the log has no words: who delivers a message may repeat its address and its link. */
  hidesWords?: true
}

/** Claiming an inquiry sets the time of the next one, so an unknown outcome needs no write of its own. */
const INQUIRY = {
  /** Several calls of an acquirer, each of which ends after half a minute. */
  deadlineSeconds: 180,
  leaseSeconds: INQUIRY_SECONDS.after(1),
  atOnce: 8,
  schedule: INQUIRY_SECONDS,
}
/** Most of what an item of the store waits for is Medusa, which may wait for Redis for minutes. */
const STORE = { deadlineSeconds: 105, leaseSeconds: 120 }
const MAIL = { deadlineSeconds: 60, leaseSeconds: 300, atOnce: 4, hidesWords: true as const }
/** How long a process waits until a failure is recorded: an item that never ends may hold its own row. */
export const RECORDED_WITHIN_SECONDS = 10

/** Every kind of due work on one page. */
export const DUE_WORK = {
  paymentInquiry: { item: "inquiry about payment", ...INQUIRY },
  refundInquiry: { item: "inquiry about refund", ...INQUIRY },
  captureInquiry: { item: "inquiry about capture", ...INQUIRY },
  release: { item: "release of reserved money", ...INQUIRY },
  surplusReturn: { item: "return of surplus payment", ...INQUIRY },
  forgetting: {
    item: "forgetting of payment method",
    deadlineSeconds: 90,
    leaseSeconds: 120,
    atOnce: 4,
    schedule: FORGET_SECONDS,
  },
  batchRefund: { item: "refund of a batch", deadlineSeconds: 45, leaseSeconds: 60, atOnce: 16 },
  paidCart: { item: "paid cart", ...STORE, atOnce: 2 },
  cashOrder: { item: "cash order", ...STORE, atOnce: 2, schedule: ORDER_SYNC_SECONDS },
  renewalOrder: { item: "renewal order", ...STORE, atOnce: 1 },
  paymentSession: { item: "outcome of checkout session", deadlineSeconds: 120, leaseSeconds: 300, atOnce: 4 },
  orderRefund: { item: "order's copy of refund", ...STORE, atOnce: 2, schedule: ORDER_SYNC_SECONDS },
  orderCapture: { item: "order's copy of captures", ...STORE, atOnce: 2 },
  returnNotice: { item: "return notice", ...STORE, atOnce: 2, schedule: ORDER_SYNC_SECONDS },
  /** One at a time, as a host's handlers expect; one that takes longer than the deadline may run twice. */
  hookCall: { item: "hook call", deadlineSeconds: 240, leaseSeconds: 300, atOnce: 1, schedule: DELIVERY_SECONDS },
  portalMail: { item: "e-mail with a portal link", ...MAIL, schedule: PORTAL_MAIL_SECONDS },
  /**
   * While a refund is under way the reconciler settles it. After a failed one, the next try requests another refund.
   */
  verificationReturn: {
    item: "return of a verification",
    deadlineSeconds: 180,
    leaseSeconds: 600,
    atOnce: 4,
    schedule: RETURN_SECONDS,
  },
  invoiceMail: { item: "invoice e-mail", ...MAIL, schedule: MAIL_SECONDS },
  receipt: { item: "receipt", ...MAIL, schedule: MAIL_SECONDS },
  cancellationMail: { item: "e-mail about a cancellation", ...MAIL, schedule: MAIL_SECONDS },
  disabledEndpointMail: { item: "e-mail about disabled webhook endpoint", ...MAIL },
  /** The claim moves an inquiry to the next day. */
  disputeInquiry: { item: "inquiry about dispute", deadlineSeconds: 180, leaseSeconds: 86_400, atOnce: 4 },
  disputeMail: { item: "e-mail about dispute", ...MAIL },
  endingAuthorizationMail: { item: "e-mail about reserved money", ...MAIL },
  skippedPeriodMail: { item: "e-mail about skipped period", ...MAIL },
} as const satisfies Record<string, DueWorkRules>

/** A temporary right to the items of one claim. `token` is the fencing token: a late write of a lost claim must fail. */
export type Lease = { token: string; seconds: number }

/** `reason`: what an admin reads. `retry_seconds`: null when the item is given up. */
export type Failure = { reason: Message; retry_seconds: number | null }

/** What a slice knows of its work. */
type DueItems<Item, Only> = {
  id(item: Item): string
  /** The id of the request that caused the item, for the log; null when none did. */
  request?(item: Item): string | null
  /** Leases at most `limit` due items in one short statement; an item that is leased is not due. */
  claim(limit: number, lease: Lease, only?: Only): Promise<Item[]>
  /**
   * Outside every transaction. It may be repeated: a process can die before it writes down what it did. One past its
   * deadline may still be running then, so what it writes must be fenced by its claim, or be true whoever writes it.
   */
  work(item: Item): Promise<void>
  /** How often this item has failed before; for kinds with a schedule. */
  failures?(item: Item): number
  /** Writes down that `work` threw and moves the next attempt. Without it the item is due when its lease runs out. */
  failed?(item: Item, failure: Failure): Promise<void>
}

export type RunOptions<Only> = {
  /** Limits the run to some of what is due: one merchant's sandbox, one item. */
  only?: Only
  /** At most this many items; without it the run ends when nothing is due. */
  most?: number
  /** One item after the other, as they were claimed: the past that a sandbox's clock makes up for has an order. */
  inOrder?: boolean
  /** Raised when the process is about to end: no item begins any more, those that have begun are finished. */
  stop?: AbortSignal
}

/**
 * The loop of everything that falls due in a table and is worked outside a transaction: claim, work, record (design:
 * Background work). Any number of processes may run it, and killing one loses nothing: claims are leases. It claims no
 * more than it can begin at once, so that no lease runs out while its item waits for another one. An item that never ends
 * keeps its place until its deadline.
 */
export class DueWork<Item, Only = never> {
  constructor(
    private readonly logger: Pick<Logger, "warn" | "error">,
    private readonly rules: DueWorkRules,
    private readonly items: DueItems<Item, Only>
  ) {}

  /**
   * Works on what is due. Returns the number of items, failed ones included. It throws when a claim fails, after
   * what was under way has ended; an item's failure is logged and stops no other.
   */
  async run({ only, most = Infinity, inOrder = false, stop }: RunOptions<Only> = {}): Promise<number> {
    const places = inOrder ? 1 : this.rules.atOnce
    const underWay = new Set<Promise<void>>()
    let taken = 0
    try {
      while (stop?.aborted !== true && taken < most) {
        const lease = { token: randomUUID(), seconds: this.rules.leaseSeconds }
        const claimed = await this.items.claim(Math.min(places - underWay.size, most - taken), lease, only)
        taken += claimed.length
        for (const item of claimed) {
          const one = this.process(item).then(() => void underWay.delete(one))
          underWay.add(one)
        }
        if (claimed.length === 0 && underWay.size === 0) {
          return taken
        }
        // An item that ends may make another one due, so the run ends only after a claim that finds nothing while
        // nothing is under way.
        await (claimed.length === 0 ? Promise.all(underWay) : this.placeIn(underWay, places))
      }
    } finally {
      await Promise.all(underWay)
    }
    return taken
  }

  /** Also when a claim has returned more than it was asked for: the next one has no limit below one. */
  private async placeIn(underWay: ReadonlySet<Promise<void>>, places: number): Promise<void> {
    while (underWay.size >= places) {
      await Promise.race(underWay)
    }
  }

  /** Never throws. */
  private async process(item: Item): Promise<void> {
    try {
      await withinDeadline(this.rules.deadlineSeconds, () => this.items.work(item))
    } catch (error) {
      await this.fail(item, error, this.retryAfter(item, error instanceof DeadlinePassed))
    }
  }

  /** One that may still be running is not begun again before its lease would have run out. */
  private retryAfter(item: Item, isOverdue: boolean): number | null {
    const { deadlineSeconds, leaseSeconds, schedule } = this.rules
    const seconds = schedule === undefined ? leaseSeconds : schedule.after(this.items.failures?.(item) ?? 0)
    return isOverdue && seconds !== null ? Math.max(seconds, leaseSeconds - deadlineSeconds) : seconds
  }

  private async fail(item: Item, error: unknown, retry_seconds: number | null): Promise<void> {
    const { item: what, hidesWords } = this.rules
    const reason = reasonOf(error)
    const why = hidesWords && reason.kind === "said" ? wordlessOf(error) : translate(reason)
    const request = this.items.request?.(item) ?? null
    const name = `gateway: ${what} ${this.items.id(item)}${request === null ? "" : ` (request ${request})`}`
    if (retry_seconds === null) {
      this.logger.error(`${name} failed and is given up: ${why}`)
    } else {
      this.logger.warn(`${name} failed, next attempt in ${retry_seconds} s: ${why}`)
    }
    try {
      await withinDeadline(RECORDED_WITHIN_SECONDS, async () => this.items.failed?.(item, { reason, retry_seconds }))
    } catch (unrecorded) {
      const fault = translate(reasonOf(unrecorded))
      this.logger.error(`${name}: its failure could not be recorded, its lease runs out: ${fault}`)
    }
  }
}
