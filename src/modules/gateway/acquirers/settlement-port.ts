import type { FieldError } from "../kernel/errors"
import type { Minor } from "../kernel/money/money"

/** When payouts arrived at the bank: not before `from`, and before `until`; real time. */
export type SettlementPeriod = { from: Date; until: Date }

/** One movement that a payout contains, as its acquirer reports it. Amounts are the acquirer's own, in hundredths. */
export type SettledMovement = {
  /** The acquirer's number of the movement: another one for each, and the same each time. */
  id: string
  kind: "payment" | "refund" | "dispute" | "dispute_reversal" | "fee" | "adjustment"
  /** The acquirer's number of the payment, refund or dispute, as its `Done` or `DisputeReport` named it; null: of none. */
  reference: string | null
  /** Signed: above 0 comes to the merchant, below 0 goes from it. Of a charge of the acquirer 0. */
  gross: Minor
  /** What the acquirer keeps, and the tax on it; below 0 when it is given back. */
  fee: Minor
  vat: Minor
  currency: string
  occurred_at: Date
  /** The payout. */
  batch: string
  /** In the acquirer's words. */
  description: string | null
}

/** The next part of what was paid out. `problems`: what could not be read, with the number of the payout or movement as `field`. */
export type SettlementPage = {
  result: "page"
  movements: readonly SettledMovement[]
  problems: readonly FieldError[]
}

/** How the numbers of movements begin, in the acquirer's API as in its files (`txn_`); absent: its API gives no settlements. */
export type MovementNumbers = { movement_prefix?: string }

/** What an acquirer offers that tells by its API what its payouts contain. */
export interface SettlementCalls<Refused, Unknown> {
  /**
   * The movements of the payouts of a period, page by page: one request for each at most. After another answer than a page
   * nothing follows. An acquirer that sends files alone omits this.
   */
  settlements?(period: SettlementPeriod): AsyncIterable<SettlementPage | Refused | Unknown>
}
