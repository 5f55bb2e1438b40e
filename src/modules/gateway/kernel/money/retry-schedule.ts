import { addSeconds } from "./clock"

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

/** Waits between the attempts of something that may fail, in seconds. */
export class Schedule<Seconds extends number | null = number | null> {
  private constructor(
    readonly seconds: readonly number[],
    /** The wait that repeats after the last one, or null for none. */
    private readonly then: Seconds
  ) {}

  /** The last wait repeats for ever. */
  static forever(...seconds: [number, ...number[]]): Schedule<number> {
    return new Schedule(seconds, seconds[seconds.length - 1])
  }

  /** After the last wait it is given up. */
  static givingUp(...seconds: [number, ...number[]]): Schedule {
    return new Schedule<number | null>(seconds, null)
  }

  /** Seconds until the next attempt after `failures` earlier failures and this one; null when it is given up. */
  after(failures: number): number | Seconds {
    return this.seconds[failures] ?? this.then
  }
}

/** Until an acquirer is asked again about an unknown outcome: 5 minutes, 1 hour, then daily. */
export const INQUIRY_SECONDS = Schedule.forever(5 * MINUTE, HOUR, DAY)

/** `asked` is how often it has been asked already (design: six rules, 2). */
export function nextInquiryAt(from: Date, asked: number): Date {
  return addSeconds(from, INQUIRY_SECONDS.after(asked))
}

/** Until a paid cart without an order is tried again; after the last the money is given back. */
export const COMPLETION_SECONDS = Schedule.givingUp(30, 2 * MINUTE, 10 * MINUTE, HOUR)

/** Until the store's order is brought in line with a refund, or a return is looked at, once more. Never given up. */
export const ORDER_SYNC_SECONDS = Schedule.forever(15, MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR)

/** Until an acquirer is asked again to forget a removed payment method; then only our token is erased. */
export const FORGET_SECONDS = Schedule.givingUp(MINUTE, 5 * MINUTE, HOUR, 6 * HOUR, DAY, DAY, DAY)

/** Until a verification whose money did not go back is given back once more; after the last an admin has to do it. */
export const RETURN_SECONDS = Schedule.givingUp(5 * MINUTE, HOUR, 6 * HOUR, DAY, DAY, DAY)

/** Until an invoice's e-mail that could not be sent is tried again. */
export const MAIL_SECONDS = Schedule.givingUp(MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR, DAY)

/** Until an e-mail with a portal link is tried again: its reader is waiting, and asks again rather than for hours. */
export const PORTAL_MAIL_SECONDS = Schedule.givingUp(10, MINUTE, 5 * MINUTE)

/**
 * Until a failed delivery, or a host's hook whose handler threw, is tried again: 1 min, 5 min, 30 min, 2 h, 5 h, 10 h,
 * 14 h, 20 h, 24 h (decisions: Webhooks).
 */
export const DELIVERY_SECONDS = Schedule.givingUp(
  MINUTE,
  ...[5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY]
)

/**
 * The states of an e-mail to a customer. `dropped`: it was not needed any more when it was due; `failed`: it could not be
 * sent.
 */
export const MAIL_STATES = ["pending", "sent", "dropped", "failed"] as const
export type MailState = (typeof MAIL_STATES)[number]
