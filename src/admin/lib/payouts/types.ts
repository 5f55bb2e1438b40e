type PayoutStatus = "recorded" | "reversed"

export type Payout = {
  id: string
  status: PayoutStatus
  amount: string
  currency: string
  reference: string
  note: string | null
  recorded_by: string
  recorded_at: string
}

export const ACCOUNTS = [
  "merchant_balance",
  "acquirer_clearing",
  "fees",
  "refunds",
  "payouts",
  "disputes",
  "dispute_claims",
] as const
type Account = (typeof ACCOUNTS)[number]

export type Balance = {
  currency: string
  available: string
  refunds_in_progress: string
  disputed: string
  accounts: Record<Account, string>
}

type PostingKind =
  | "payment"
  | "refund_reserved"
  | "refund_completed"
  | "refund_released"
  | "refund_bounced"
  | "surplus_received"
  | "surplus_returned"
  | "payout"
  | "payout_reversed"
  | "dispute_opened"
  | "dispute_fee"
  | "dispute_won"
  | "dispute_lost"
  | "dispute_reinstated"
  | "dispute_fee_returned"

export type Entry = {
  id: string
  type: PostingKind
  account: Account
  amount: string
  currency: string
  transaction_id: string | null
  refund_id: string | null
  payout_id: string | null
  dispute_id: string | null
  created_at: string
}
