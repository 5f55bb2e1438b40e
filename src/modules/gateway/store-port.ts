import type { Hint } from "./acquirers/port"
import type { Minor } from "./kernel/money/money"
import type { PaymentOutcome, PaymentRecord } from "./payments/records"
import type { PayWith } from "./payments/choosing"
import type { Stock, StockRequest } from "./subscriptions/store/stock"
import type { StoreTaskName } from "./worker/crontab"

/** An e-mail to be sent. `occasion` is the same for every try of it, so that it is sent once. */
export type OutgoingMail = {
  occasion: string
  template: string
  to: string
  subject: string
  html: string
  text: string
  attachment?: { filename: string; type: string; bytes: Buffer }
  /** For providers that render by a template of their own. */
  data: Record<string, unknown>
  resource: { id: string; type: string }
}

/** The customer pays a session, on its page or through the sandbox helper. */
export type PayCheckoutInput = PayWith & {
  session_id: string
  /** The key of a browser that may use the customer's saved methods; absent: none may be used or saved. */
  account_key?: string | null
  /** A decline ends the payment; absent: the shopper may try again. */
  final?: boolean
  /** The language of the acquirer's page; absent: English. */
  language?: "en" | "bn"
  /** Where this deployment is reached; absent: GATEWAY_PUBLIC_URL, or the page's own origin. */
  public_url?: string
  /** The shopper's address on the hosted page; absent: a decline is not counted. */
  visitor_address?: string
}

export type CancelCheckoutInput = { session_id: string; public_url?: string }

/** A claim about an attempt, which proves nothing. `back`: the shopper has come back from the acquirer's page. */
export type FollowHintInput = { attempt_id: string; hint: Hint | null; back?: boolean; public_url?: string }
export type FollowedHint = { state: PaymentRecord["state"]; outcome: PaymentOutcome }

/** What the core asks of the store. Products, orders and notifications are Medusa's: src/store implements this. */
export interface StorePort {
  /**
   * What the store has of some variants, and of those that need the same inventory items; changes nothing. Throws when
   * the stock cannot be read.
   */
  readStock(requests: readonly StockRequest[]): Promise<Stock>
  /**
   * The variants that renewals of a subscription would send on other plans, by plan: those that its order's sales
   * channel sells, and that can be sent as its own is. A plan without one is left out.
   */
  variantsOn(plans: readonly string[], own: { variant_id: string; order_id: string }): Promise<Map<string, string>>
  /**
   * What the order of a Medusa payment session costs now, without what was paid for it otherwise, in hundredths of its
   * currency: no capture takes more. Zero for a cancelled order; null while there is none.
   */
  orderOwes(payment_session_id: string): Promise<Minor | null>
  /** Makes the Medusa order of a paid renewal, or does what is needed without one. It does not throw because of that one. */
  makeRenewalOrder(transaction_id: string): Promise<void>
  /** Gives an e-mail to the store's notification provider; throws when none accepts it. */
  sendMail(mail: OutgoingMail): Promise<void>
  /** The worker's tasks that need the store, all of them (worker/crontab.ts). */
  readonly tasks: Readonly<Record<StoreTaskName, (stop?: AbortSignal) => Promise<void>>>
}

/**
 * The module's registration `storePort`. Medusa makes the module before it loads src/workflows, where the store is
 * connected, so the port is empty at first. Who asks it too early gets an error: answering "no stock" or "no mail" would
 * look like an answer.
 */
export class StoreConnection {
  private store: StorePort | null = null

  connect(store: StorePort): void {
    this.store = store
  }

  /** Throws while no store is connected. */
  assertConnected(): void {
    void this.connected
  }

  /** Throws while no store is connected. */
  get connected(): StorePort {
    if (this.store === null) {
      throw new Error(
        "the gateway is not connected to its store: Medusa has not loaded the workflows of medusa-payment-gateway"
      )
    }
    return this.store
  }
}

/** What the module's container gives, besides the kernel's, to services that need the store. */
export type WithStore = { storePort: StoreConnection }
