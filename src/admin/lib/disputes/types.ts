import type { presentAdminDispute, presentWhole } from "../../../api/admin/gateway/disputes/resource"
import type { Json } from "../http"
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
export type Dispute = Json<ReturnType<typeof presentAdminDispute>>

export type WholeDispute = Json<Awaited<ReturnType<typeof presentWhole>>["dispute"]>

export type EvidenceFile = WholeDispute["files"][number]

export type HistoryEntry = WholeDispute["history"][number]
