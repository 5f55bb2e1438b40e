export const RECEIPT_KINDS = ["payment", "refund"] as const
export type ReceiptKind = (typeof RECEIPT_KINDS)[number]

/**
 * The states of a receipt's e-mail. `dropped`: the refund that it reports had failed after all before it was sent;
 * `failed`: it could not be sent.
 */
export const RECEIPT_STATES = ["pending", "sent", "dropped", "failed"] as const
export type ReceiptState = (typeof RECEIPT_STATES)[number]
