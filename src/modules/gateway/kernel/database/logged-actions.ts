/** Who may be named in the audit log (kernel/database/audit.ts). */
export const ACTOR_TYPES = ["user", "admin_key", "merchant_key", "customer", "system"] as const
export type ActorType = (typeof ACTOR_TYPES)[number]

/** Every action of the audit log: what was changed, and what was done to it. The admin filters by them. */
export const AUDIT_ACTIONS = {
  refund: [
    "requested",
    "approved",
    "rejected",
    "cancelled",
    "completed",
    "failed",
    "bounced",
    "amount_mismatched",
    "decided_by_operator",
    "dealt_with",
    "receipt_sent_again",
  ],
  refund_proposal: ["confirmed", "dismissed"],
  payment: [
    "held",
    "accepted",
    "given_back",
    "reviewed",
    "surplus_received",
    "surplus_returned",
    "amount_mismatched",
    "decided_by_operator",
    "receipt_sent_again",
    "noted",
    "captured",
    "capture_failed",
    "voided",
    "authorization_expired",
  ],
  payment_link: ["created", "disabled"],
  payout: ["recorded", "reversed"],
  settlement: [
    "imported",
    "stopped",
    "undone",
    "line_matched",
    "line_explained",
    "line_undone",
    "deposit_matched",
    "deposit_undone",
    "rematched",
    "template_created",
    "fee_agreed",
    "month_closed",
    "month_reopened",
    "account_numbered",
  ],
  cash_order: ["collected", "given_up", "changed", "cancelled", "left"],
  dispute: [
    "opened",
    "escalated",
    "updated",
    "evidence_written",
    "file_added",
    "file_removed",
    "submitted",
    "missed",
    "acceptance_sent",
    "acceptance_refused",
    "accepted",
    "won",
    "lost",
    "ended",
    "reinstated",
  ],
  plan: ["created", "updated", "archived", "restored"],
  variant_plan: ["set", "removed"],
  subscription: ["created", "updated", "paused", "resumed", "cancelled", "payment_retried", "payment_method_changed"],
  payment_method: ["removed"],
  portal_session: ["created"],
  invoice: ["generated", "voided", "sent_again"],
  emi_configuration: ["created", "updated", "archived", "restored"],
  merchant: ["created", "updated"],
  settings: ["updated"],
  payment_service: ["updated"],
  acquirer_account: ["created", "updated", "tested"],
  acquirer: ["went_down", "came_back"],
  card_testing: ["suspected"],
  api_key: ["created", "revoked"],
  webhook_endpoint: ["created", "updated", "deleted", "disabled", "secret_rotated"],
  webhook_delivery: ["redelivered", "all_redelivered"],
  ipn_secret: ["rotated"],
  sandbox_clock: ["moved"],
} as const

type Actions = typeof AUDIT_ACTIONS

/** `<what>.<done>` in the past tense: `webhook_endpoint.updated`, `api_key.revoked`. */
export type AuditAction = { [What in keyof Actions]: `${What}.${Actions[What][number]}` }[keyof Actions]

/** What is done to one kind of thing: `"created" | "updated"` and so on. */
export type DoneTo<What extends keyof Actions> = Actions[What][number]
