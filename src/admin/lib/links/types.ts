import type { Color } from "../ui/bits"

export const LINK_STATUSES = ["open", "paid", "expired", "disabled"] as const
type LinkStatus = (typeof LINK_STATUSES)[number]

export const LINK_COLORS: Readonly<Record<LinkStatus, Color>> = {
  open: "blue",
  paid: "green",
  expired: "orange",
  disabled: "grey",
}

/** Amounts as decimal text, times as ISO 8601. */
export type PaymentLink = {
  id: string
  url: string
  status: LinkStatus
  amount: string
  currency: string
  description: string
  customer: { name: string; email: string; phone: string } | null
  transaction_id: string | null
  expires_at: string | null
  paid_at: string | null
  disabled_at: string | null
  created_at: string
}
