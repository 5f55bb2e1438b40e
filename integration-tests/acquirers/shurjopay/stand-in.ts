import { join } from "node:path"
import { importModule } from "../../support/import-module.cjs"

/** A payment in the stand-in's book; amounts in poisha. `state`: as stand-in.mjs names it, or a code of shurjoPay's. */
type BookedPayment = {
  sp_order_id: string
  order_id: string
  amount: bigint
  state: string
  bank_trx_id: string | null
  card_number: string | null
  fields: Record<string, string>
}
type BookedRequest = {
  operation: string
  path: string
  headers: Record<string, string>
  body: string
  answer: { status: number; body: unknown } | null
}
/** See stand-in.mjs. */
type Fault = {
  on: "token" | "create" | "verification" | "status"
  kind: string
  times?: number
  ms?: number
  status?: number
  code?: string
  message?: string
  fields?: Record<string, unknown>
}

export interface StandIn {
  readonly url: string
  ipn: string | null
  readonly book: {
    requests: BookedRequest[]
    payments: BookedPayment[]
    refunds: { sp_order_id: string; amount: bigint }[]
  }
  readonly faults: { add(fault: Fault): void; clear(): void }
  calls(operation: string): BookedRequest[]
  movements(): { type: "payment" | "refund"; id: string; key: string; amount: bigint }[]
  advance(seconds: number): void
  revoke(): void
  delivered(): Promise<void>
  refundInPanel(sp_order_id: string): void
  shop(checkout_url: string, action?: "pay" | "decline" | "cancel", method?: string): Promise<string>
  close(): Promise<void>
}

type Module = {
  CREDENTIALS: Record<"username" | "password" | "prefix", string>
  startStandIn(options?: { ipn?: string; needsBearerOnCreate?: boolean }): Promise<StandIn>
}

export const loadStandIn = (): Promise<Module> => importModule<Module>(join(__dirname, "stand-in.mjs"))
