import type { Minor } from "../kernel/money/money"

/** A dispute as its acquirer reports it. Amounts are the acquirer's own; times are real. */
export type DisputeReport = {
  /** The acquirer's number of the dispute, and its reference of the payment, as `Done` named it. */
  reference: string
  payment: string
  /** In an `inquiry` no money has moved; `closed`: it ended as one. */
  state: "inquiry" | "needs_response" | "under_review" | "won" | "lost" | "closed"
  /** Evidence was submitted. */
  is_submitted: boolean
  /** In the acquirer's words. */
  reason: string
  amount: Minor
  currency: string
  /** What the acquirer charges for the dispute, in `currency`; zero while that is unknown. */
  fee: Minor
  fee_returned: boolean
  opened_at: Date
  due_by: Date | null
}

export type DisputeFound = { result: "found"; dispute: DisputeReport }

/** What the merchant submits to the bank; `kind` as in disputes/rules.ts. */
export type Evidence = {
  reference: string
  text: string | null
  files: readonly { kind: string; name: string; media_type: string; content: Uint8Array }[]
}

/** The acquirer has taken what it was sent. */
export type Accepted = { result: "accepted" }

/** What an acquirer can do about disputes, with the answers of port.ts. */
export interface DisputeCalls<Absent, Refused, Unknown> {
  /** A dispute by the acquirer's number. An acquirer that reports none omits this: an admin records them by hand. */
  dispute?(reference: string): Promise<DisputeFound | Absent | Unknown>
  /** Submits the evidence of a dispute to the bank; that can be done once. */
  submitEvidence?(evidence: Evidence): Promise<Accepted | Refused | Unknown>
  /** Gives a dispute up: it is lost. */
  acceptDispute?(reference: string): Promise<Accepted | Refused | Unknown>
}
