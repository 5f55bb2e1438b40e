import type { HistoryEntry } from "../../kernel/database/audit"
import { messageOf, type Message } from "../../../../i18n/message"
import { GatewayError } from "../../kernel/errors"
import type { ProposalKind, ProposalStatus, ProposedLine } from "./rules"
import type { RefundState } from "../states"
import type { ProposalState } from "./states"
import type { Sql } from "../../kernel/database/database"
import type { Tenant } from "../../kernel/types"

/** A refund that is proposed, with the refund that came of it. Amounts in hundredths of the payment's currency. */
export type RefundProposal = Tenant & {
  id: string
  transaction_id: string
  order_id: string
  kind: ProposalKind
  source_id: string
  return_id: string | null
  claim_id: string | null
  state: ProposalState
  currency: string
  items: ProposedLine[]
  goods_minor: number
  beyond_minor: number
  shipping_minor: number
  amount_minor: number
  confirmed_minor: number | null
  confirmed_by: string | null
  confirmed_at: Date | null
  tries: number
  refund_id: string | null
  last_error: Message | null
  history: HistoryEntry[]
  created_at: Date
  refund_state: RefundState | null
  refund_error: string | null
}

export const PROPOSAL_COLUMNS = `p.id, p.merchant_id, p.environment, p.transaction_id, p.order_id, p.kind, p.source_id, p.return_id, p.claim_id,
  p.state, p.currency, p.items, p.goods_minor, p.beyond_minor, p.shipping_minor, p.amount_minor, p.confirmed_minor,
  p.confirmed_by, p.confirmed_at, p.tries, p.refund_id, p.last_error, p.history, p.created_at, r.state AS refund_state,
  r.error_message AS refund_error`
export const PROPOSAL_JOIN = "LEFT JOIN gateway_refund r ON r.id = p.refund_id"

export const STATUS_SQL: Readonly<Record<ProposalStatus, string>> = {
  open: "p.state = 'open'",
  dismissed: "p.state = 'dismissed'",
  refunded:
    "p.state = 'confirmed' AND EXISTS (SELECT 1 FROM gateway_refund x WHERE x.id = p.refund_id AND x.state = 'completed')",
  failed:
    "p.state = 'confirmed' AND EXISTS (SELECT 1 FROM gateway_refund x WHERE x.id = p.refund_id AND x.state IN ('failed', 'cancelled'))",
  refunding:
    "p.state = 'confirmed' AND NOT EXISTS (SELECT 1 FROM gateway_refund x WHERE x.id = p.refund_id AND x.state NOT IN ('pending', 'processing'))",
}

/** Throws NOT_FOUND, for another tenant's too. */
export async function findProposal(sql: Sql, id: string, tenant?: Tenant): Promise<RefundProposal> {
  const [proposal] = await sql.query<RefundProposal>(
    `SELECT ${PROPOSAL_COLUMNS} FROM gateway_refund_proposal p ${PROPOSAL_JOIN}
     WHERE p.id = $1 AND ($2::text IS NULL OR p.merchant_id = $2 AND p.environment = $3)`,
    [id, tenant?.merchant_id ?? null, tenant?.environment ?? null]
  )
  if (proposal === undefined) {
    throw new GatewayError("NOT_FOUND", messageOf("refusal.proposal_unknown"))
  }
  return proposal
}
