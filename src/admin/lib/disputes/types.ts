import { type Color } from "../ui/bits"

export const DISPUTE_STATUSES = ["inquiry", "needs_response", "under_review", "won", "lost", "closed"] as const

export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

export const DISPUTE_COLORS: Readonly<Record<DisputeStatus, Color>> = {
  inquiry: "orange",
  needs_response: "orange",
  under_review: "blue",
  won: "green",
  lost: "red",
  closed: "grey",
}

export const REASONS = [
  "fraudulent",
  "duplicate",
  "product_not_received",
  "product_unacceptable",
  "credit_not_processed",
  "subscription_canceled",
  "unrecognized",
  "general",
] as const

export type Reason = (typeof REASONS)[number]

export const FILE_KINDS = [
  "receipt",
  "customer_communication",
  "shipping_documentation",
  "service_documentation",
  "refund_policy",
  "cancellation_policy",
  "other",
] as const

export type FileKind = (typeof FILE_KINDS)[number]

/** What an admin may say of a dispute that no acquirer reports. */
export type Finding = "escalate" | "win" | "lose" | "end" | "reinstate"

/** Amounts as decimal text, times as ISO 8601. */
export type Dispute = {
  id: string
  transaction_id: string
  order_id: string
  order_number: string
  status: DisputeStatus
  source: "admin" | "acquirer"
  acquirer: string
  reason: Reason
  amount: string
  fee_amount: string
  fee_returned: boolean
  currency: string
  reference: string
  note: string | null
  evidence_due_by: string | null
  is_overdue: boolean
  accepted: boolean
  awaits_response: boolean
  submitted_at: string | null
  closed_at: string | null
  opened_at: string
  created_at: string
}

export type EvidenceFile = {
  id: string
  kind: FileKind
  file_name: string
  size_bytes: number
  uploaded_by_name: string
  uploaded_at: string
}

export type HistoryEntry = { at: string; action: `dispute.${string}`; actor_type: string; actor_name: string }

export type WholeDispute = Dispute & {
  recorded_by_name: string
  evidence_text: string | null
  files: EvidenceFile[]
  history: HistoryEntry[]
}
