import { randomBytes } from "node:crypto"
import type { Acquirer, Done, Incoming, Minor, PaymentRequest, Refused, Unknown } from "../acquirers"
import { type Disturbance, type Line } from "./line"
import type { AcquirerStandIn, BroughtBack, Movement } from "./stand-in"

/** A promise that an adapter has not kept. */
export class Broken extends Error {}

/** The case is about something that this adapter or its acquirer does not have. */
export class NotApplicable extends Error {}

/** What a call may answer; each call allows some of them only. */
export type Answer = { result: string; message?: string } & Partial<Omit<Done, "result">> &
  Partial<Pick<Refused, "retry">> &
  Partial<Pick<Unknown, "awaiting_shopper" | "agreed" | "needs_operator">>

/** Calls that may be disturbed. */
export type Call =
  | "start"
  | "query"
  | "confirm"
  | "abandon"
  | "charge"
  | "refund"
  | "refundStatus"
  | "capture"
  | "captureStatus"
  | "release"

/** One request of one call goes wrong: the first call of that name, its `nth` request. */
export type Fault = { call: Call; nth: number; how: Disturbance }

/** The gateway gives a call up after this long. */
const CALL_MS = 30_000
const CLOSED = "http://127.0.0.1:9"

/** An adapter, its acquirer's stand-in, and the line between them, as the cases use them. */
export class Bench {
  /** Everything that the adapter has answered or thrown, as text. */
  readonly said: string[] = []
  private fault: Fault | null = null
  private hasMet = false
  private isDown = false

  constructor(
    readonly standIn: AcquirerStandIn,
    readonly line: Line
  ) {}

  /** The adapter, made anew: no call may depend on what an earlier one has left in memory. */
  get acquirer(): Acquirer {
    return this.standIn.open(this.isDown ? CLOSED : this.line.url)
  }

  /** Disturbs a request of the next such call. */
  plan(fault: Fault): void {
    this.fault = fault
    this.hasMet = false
  }

  /** Whether the fault has met a request; afterwards nothing is disturbed any more. */
  met(): boolean {
    this.fault = null
    return this.hasMet
  }

  /** During `act` nobody listens at the acquirer's address. */
  async down<T>(act: () => Promise<T>): Promise<T> {
    this.isDown = true
    try {
      return await act()
    } finally {
      this.isDown = false
    }
  }

  /** Makes a call as the gateway does: with a limit, and through the disturbed line if it is this call's turn. */
  async ask<T extends object>(call: Call, make: (acquirer: Acquirer) => Promise<T>): Promise<T & Answer> {
    const { fault, acquirer } = this
    if (fault?.call === call) {
      this.fault = null
      this.line.disturb(fault.nth, fault.how)
    }
    try {
      const answer = await inTime(call, make(acquirer))
      this.said.push(textOf(answer))
      return answer as T & Answer
    } catch (error) {
      this.said.push(errorText(error))
      throw error instanceof Broken ? error : new Broken(`${call} threw: ${errorText(error)}`)
    } finally {
      this.hasMet ||= this.line.calm()
    }
  }

  /** What has moved since now, when it is asked. Refunds of earlier cases end before. */
  async books(): Promise<() => Promise<readonly Movement[]>> {
    await this.standIn.finishRefunds?.()
    const before = (await this.standIn.movements()).map(textOf)
    return async () => {
      const known = [...before]
      return (await this.standIn.movements()).filter((movement) => {
        const at = known.indexOf(textOf(movement))
        return at === -1 || known.splice(at, 1).length === 0
      })
    }
  }

  /** A payment as the gateway asks for it, with a key of its own. */
  request(amount: Minor, changes: Partial<PaymentRequest> = {}): PaymentRequest {
    const now = new Date()
    const key = newKey()
    return {
      key,
      amount: this.fitting(amount),
      currency: "BDT",
      service: "CARD",
      expires_at: new Date(now.getTime() + 1_800_000),
      now,
      transaction_id: `txn${randomBytes(16).toString("hex")}`,
      order_id: `ORDER-${key.slice(-8)}`,
      instrument: { method: "card" },
      description: "Two tins of tea",
      customer: {
        name: "Rahim Uddin",
        email: "rahim@example.com",
        address: "12 Lake Road",
        city: "Dhaka",
        postcode: "1205",
        country: "Bangladesh",
        phone: "+8801711111111",
      },
      items: [],
      language: "en",
      return_url: `https://shop.example.com/gateway/acquirers/any/return/${key}`,
      notification_url: "https://shop.example.com/gateway/acquirers/any/notify/default",
      keep: false,
      ...this.standIn.request,
      ...changes,
    }
  }

  /** The nearest amount that the acquirer takes. */
  fitting(amount: Minor): Minor {
    const { smallest = 1n, largest = 99_999_999n } = this.standIn
    return amount < smallest ? smallest : amount > largest ? largest : amount
  }
}

/** 30 lower-case letters and digits. */
export function newKey(): string {
  return `t${randomBytes(15).toString("hex")}`.slice(0, 30)
}

/** Throws Broken. */
export function promise(isKept: boolean, otherwise: string): asserts isKept {
  if (!isKept) {
    throw new Broken(otherwise)
  }
}

/** What a browser brings back, as the gateway receives it. */
export function incoming(back: NonNullable<BroughtBack>): Incoming {
  const { pathname, search } = new URL(back.url)
  const body = Buffer.from(back.form === undefined ? "" : new URLSearchParams(back.form).toString())
  const headers = back.form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }
  return { method: back.form === undefined ? "GET" : "POST", target: pathname + search, headers, body }
}

/** An answer, for the message of a broken promise: amounts are bigint. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one)) ?? "nothing"
}

function errorText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

async function inTime<T>(call: Call, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Broken(`${call} did not answer within 30 seconds`)), CALL_MS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
