import type { IncomingMessage, ServerResponse } from "node:http"
import type { Logger } from "@medusajs/framework/types"
import type { Gateway } from "../modules/gateway/container"
import type { Minor } from "../modules/gateway/kernel/money/money"
import type { By } from "../modules/gateway/kernel/database/audit"
import type { Tenant } from "../modules/gateway/kernel/types"
import type { PaymentOutcome } from "../modules/gateway/payments/records"
import type {
  CancelCheckoutInput,
  FollowHintInput,
  FollowedHint,
  PayCheckoutInput,
} from "../modules/gateway/store-port"
import type { ClockMove, ClockReading } from "../modules/gateway/worker/sandbox-clock"

/**
 * What is outstanding of one of the store's orders, in hundredths of its currency: zero or less when nothing is; and the
 * number that the shop shows for it.
 */
export type ShownBalance = { due: Minor; number: string }

/** What needs the store's other modules: a paid cart gets its order, a customer the e-mails that fall due. */
export type StoreWork = {
  pay(input: PayCheckoutInput): Promise<PaymentOutcome>
  cancel(input: CancelCheckoutInput): Promise<PaymentOutcome>
  /** The shopper leaves the acquirer's page to pay in another way. */
  leave(input: CancelCheckoutInput): Promise<PaymentOutcome>
  /** The shopper is back from the acquirer's page. */
  confirm(input: CancelCheckoutInput): Promise<PaymentOutcome>
  /** A notification, or the browser that comes from the acquirer, has said something about an attempt. */
  followHint(input: FollowHintInput): Promise<FollowedHint>
  /** Null: nothing of the order can be collected any more. */
  balanceOf(order_id: string): Promise<ShownBalance | null>
  /** Makes the order of a paid cart for which nobody has tried yet. */
  completeCart(transaction_id: string): Promise<void>
  moveClock(tenant: Tenant & By, move: ClockMove): Promise<ClockReading & { processed: Record<string, number> }>
}

/** What a store gives to its operations and pages. */
export type ProcessServices = {
  gateway: Gateway
  logger: Pick<Logger, "error" | "warn">
  store: StoreWork
  /** Medusa's STORE_CORS: where the shop's own pages are. */
  storeCors: string
}

/** A request for the gateway, before anything of it is read. */
export type Arrival = {
  services: ProcessServices
  request: IncomingMessage
  response: ServerResponse
  /** The whole target, as sent. */
  target: string
  /** The id of the request in every log (v2-kit/exchange.ts, `requestIdOf`). */
  requestId: string
}
