import { messageOf } from "../../../i18n/message"
import { GatewayError } from "../kernel/errors"
import type { LinkState } from "./states"

/** The states that people and programs see. */
export const LINK_STATUSES = ["open", "paid", "expired", "disabled"] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

type LinkFacts = {
  state: LinkState
  expires_at: Date | null
  /** The payment that paid it. */
  transaction_id: string | null
}

/**
 * Money decides first: a paid link stays paid, even if it was disabled or has expired since. `now`: the merchant's
 * clock.
 */
export function statusOf({ state, expires_at, transaction_id }: LinkFacts, now: Date): LinkStatus {
  if (transaction_id !== null) {
    return "paid"
  }
  if (state === "disabled") {
    return "disabled"
  }
  return expires_at !== null && expires_at <= now ? "expired" : "open"
}

/** Throws INVALID_STATE_TRANSITION for a link that cannot be paid. */
export function requireOpen(link: LinkFacts, now: Date): void {
  const status = statusOf(link, now)
  if (status !== "open") {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.link_not_open", { state: status }))
  }
}

/** The public page of a link; whoever has its address may see it and pay. */
export function linkUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/pay/link/${token}`
}
