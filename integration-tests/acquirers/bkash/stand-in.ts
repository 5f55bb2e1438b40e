import { join } from "node:path"
import type { AcquirerContext, KeptToken, References, TokenStore } from "../../../src/modules/gateway/acquirers/port"
import { importModule } from "../../support/import-module.cjs"

/** A payment in the stand-in's book; amounts in poisha. */
type BookedPayment = {
  paymentID: string
  mode: string
  amount: bigint
  invoice: string
  state: string
  shopper: "open" | "agreed" | "declined" | "cancelled"
  trxID: string | null
  executions: number
  callbackURL: string
}
type BookedRequest = {
  operation: string
  path: string
  headers: Record<string, string>
  body: string
  answer: { status: number; body: Record<string, unknown> | string } | null
}
type Movement = { type: "payment" | "refund"; id: string; key: string; amount: bigint }
/** See faults.mjs. */
type Fault = {
  on: string
  kind: string
  times?: number
  ms?: number
  status?: number
  code?: number | string
  shape?: "status" | "error" | "refund"
  message?: string
  fields?: Record<string, unknown>
}
type SnsMessage = { body: string; headers: Record<string, string> }

export interface StandIn {
  readonly url: string
  readonly book: {
    requests: BookedRequest[]
    payments: BookedPayment[]
    refunds: { refundTrxId: string; amount: bigint; sku: string; state: string }[]
    agreements: { agreementID: string; wallet: string; state: string }[]
    notifications: { url: string; body: string; status: number | string | null }[]
  }
  readonly faults: { add(fault: Fault): void; clear(): void }
  readonly tokens: { revoke(): void; readonly isLocked: boolean }
  readonly sns: {
    notification(payment: unknown, options?: { asObject?: boolean }): SnsMessage
    confirmation(options?: { topic?: string; subscribeUrl?: string; forged?: boolean }): SnsMessage
  }
  readonly isSubscribed: boolean
  calls(operation: string): BookedRequest[]
  movements(): Movement[]
  advance(seconds: number): void
  shop(bkashURL: string, action?: "pay" | "decline" | "cancel", wallet?: string): Promise<string>
  message(
    paymentID: string,
    options?: {
      fields?: Record<string, unknown>
      forged?: boolean
      badHost?: boolean
      topic?: string
      asObject?: boolean
    }
  ): SnsMessage
  /** After every notification so far has been answered. */
  delivered(): Promise<void>
  subscribe(url: string): Promise<number | string | null>
  close(): Promise<void>
}

type Module = {
  CREDENTIALS: Record<"app_key" | "app_secret" | "username" | "password", string>
  TOPIC: string
  startStandIn(options?: { unattended?: boolean; refundDays?: number; topic?: string }): Promise<StandIn>
}

export const loadStandIn = (): Promise<Module> => importModule<Module>(join(__dirname, "stand-in.mjs"))

/** Tokens in memory: what the gateway keeps in its database, under its lock, for one process. */
export class MemoryTokens implements TokenStore {
  kept: KeptToken | null = null
  private renewing: Promise<void> = Promise.resolve()

  async get(issue: (previous: KeptToken | null) => Promise<KeptToken>, refused?: string): Promise<string> {
    const renewed = this.renewing.then(async () => {
      if (this.kept === null || this.kept.expires_at.getTime() <= Date.now() || this.kept.token === refused) {
        this.kept = await issue(this.kept)
      }
      return this.kept.token
    })
    this.renewing = renewed.then(
      () => undefined,
      () => undefined
    )
    return renewed
  }
}

/** What the core keeps of an attempt or refund: references merged, and saved before money can move. */
export class Kept {
  references: References = {}

  readonly save = async (references: References): Promise<void> => {
    this.references = { ...this.references, ...references }
  }

  /** Keeps the references of an answer, as the core does for every answer. */
  async of<Answer extends object>(answer: Promise<Answer>): Promise<Answer> {
    const settled = await answer
    await this.save((settled as { references?: References }).references ?? {})
    return settled
  }
}

export function contextOf(
  standIn: Pick<StandIn, "url">,
  credentials: Readonly<Record<string, string>>,
  changes: Partial<AcquirerContext> = {}
): AcquirerContext {
  return {
    environment: "production",
    credentials,
    tokens: new MemoryTokens(),
    base_url: standIn.url,
    logger: { warn: silent, error: silent },
    ...changes,
  }
}

function silent(): void {}
