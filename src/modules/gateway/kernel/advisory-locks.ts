/**
 * What the gateway's advisory locks lock by, as SQL: two with one number would wait for each other. The migrations'
 * functions lock by `hashtext('gateway_ledger_checkpoint')`, too, and by `hashtext('gateway_partitions')` and
 * `hashtext('gateway_number_events')`; a tenant's EMI configurations by a hash of 64 bits. A process of an earlier
 * version locks by the same: they never change.
 */
export const ADVISORY_LOCKS = {
  /** The refunds of Medusa's orders are claimed one process after the other. */
  orderRefundClaims: "6012001",
  /** One process at a time allots the stock of renewals. */
  renewalStock: "6012002",
  /** Concurrent first starts make one merchant of the store. */
  storeMerchant: "hashtext('gateway_store_merchant')",
  /** One process at a time folds the counters. */
  counters: "hashtext('gateway_fold_counters')",
  /** One process at a time moves the ledger's checkpoint. */
  ledgerCheckpoint: "hashtext('gateway_ledger_checkpoint')",
} as const
