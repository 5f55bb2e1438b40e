/** Events of payments (decisions: Webhooks); the wire shape is that of contract 6.1. */
export const PAYMENT_EVENTS = [
  "payment.succeeded",
  "payment.failed",
  "payment.cancelled",
  "payment.expired",
] as const

export type EventType = (typeof PAYMENT_EVENTS)[number]
