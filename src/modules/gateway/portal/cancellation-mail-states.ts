/**
 * The states of the e-mail about a cancellation. `dropped`: the cancellation was undone before it was sent; `failed`: it
 * could not be sent.
 */
export const CANCELLATION_MAIL_STATES = ["pending", "sent", "dropped", "failed"] as const
export type CancellationMailState = (typeof CANCELLATION_MAIL_STATES)[number]
