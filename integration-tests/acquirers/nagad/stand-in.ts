import { join } from "node:path"
import { importModule } from "../../support/import-module.cjs"

/** A payment in the stand-in's book; amounts in poisha. */
type BookedPayment = {
  paymentRefId: string
  orderId: string
  amount: bigint | null
  status: string
  callbackURL: string | null
  paidAt: Date | null
  issuerPaymentRefNo: string | null
}
type BookedRequest = {
  operation: string
  path: string
  headers: Record<string, string>
  body: string
  answer: { status: number; body: Record<string, unknown> | string | null } | null
}
/** See faults.mjs. */
type Fault = {
  on: string
  kind: string
  times?: number
  ms?: number
  status?: number
  reason?: string
  message?: string
  fields?: Record<string, unknown>
}

export interface StandIn {
  readonly url: string
  readonly book: {
    requests: BookedRequest[]
    payments: BookedPayment[]
    refunds: { cancelTrxId: string; amount: bigint; referenceNo: string; referenceMessage: string }[]
  }
  readonly faults: { add(fault: Fault): void; clear(): void }
  calls(operation: string): BookedRequest[]
  movements(): { type: "payment" | "refund"; id: string; key: string; amount: bigint }[]
  advance(seconds: number): void
  shop(callBackUrl: string, action?: "pay" | "decline" | "cancel", wallet?: string): Promise<string>
  close(): Promise<void>
}

type Field = "merchant_id" | "merchant_number" | "public_key" | "private_key" | "server_ip"
type Module = {
  CREDENTIALS: Record<Field, string>
  startStandIn(options?: { needsMerchantHeader?: boolean }): Promise<StandIn>
}

export const loadStandIn = (): Promise<Module> => importModule<Module>(join(__dirname, "stand-in.mjs"))
