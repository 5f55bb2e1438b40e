import { queueHooks } from "../../kernel/database/hook-calls"
import { historyEntry } from "../../kernel/database/audit"
import { messageOf } from "../../../../i18n/message"
import { newId } from "../../kernel/text/ids"
import { formatAmount, statedAmount, type Minor } from "../../kernel/money/money"
import { goodsPart, proposedAmount, valueOf, type LineComingBack, type ProposalKind, type ProposedLine } from "./rules"
import type { Sql } from "../../kernel/database/database"
import type { RefundableRecord } from "../records"
import { findProposal, PROPOSAL_COLUMNS, PROPOSAL_JOIN, type RefundProposal } from "./records"
import { refundable } from "../rules"

export type NewProposal = {
  transaction_id: string
  order_id: string
  kind: ProposalKind
  source_id: string
  return_id: string | null
  claim_id: string | null
  lines: readonly LineComingBack[]
  /** Delivery that is given back with the goods, less what earlier proposals gave of it. */
  shipping: Minor
  /**
   * What the store owes by the order's own count; null: what is proposed is not owed there (a claim, a cancellation).
   */
  owed: Minor | null
  /** What the shopper has paid beyond what the order still costs, claimed goods taken off; null: no such bound. */
  most: Minor | null
}

/** What a proposal is made of; `amount` is what of it can be refunded, in hundredths of the payment's currency. */
export type CalculatedProposal = {
  items: ProposedLine[]
  goods: Minor
  beyond: Minor
  shipping: Minor
  amount: Minor
}

type Calculated = Pick<NewProposal, "transaction_id" | "kind" | "lines" | "shipping" | "owed" | "most">

/** What is to be proposed for goods, after what earlier proposals of the payment gave and what is left of it. */
export async function calculateProposal(
  sql: Sql,
  record: RefundableRecord,
  input: Calculated
): Promise<CalculatedProposal> {
  const earlier = await sql.query<RefundProposal>(
    `SELECT ${PROPOSAL_COLUMNS} FROM gateway_refund_proposal p ${PROPOSAL_JOIN} WHERE p.transaction_id = $1`,
    [input.transaction_id]
  )
  const given = earlier.flatMap(({ items }) => items)
  const items = input.lines.map((line) => {
    const { item_id, title, quantity, damaged } = line
    return { item_id, title, quantity, damaged, amount_minor: Number(valueOf(line, given)) }
  })
  const open = earlier.filter(({ state }) => state === "open")
  // An order may cost less twice before anybody decides: of one payment no more is proposed than is left of it.
  const proposed = input.kind === "edit" ? sum(open.map(({ amount_minor }) => amount_minor)) : 0n
  const left = refundable(record)
  const remaining = atLeastZero((input.most !== null && input.most < left ? input.most : left) - proposed)
  const shipping = atLeastZero(
    input.shipping - sum(earlier.filter(isNotDismissed).map(({ shipping_minor }) => shipping_minor))
  )
  const lines = wholeOf(input, remaining) ?? sum(items.map(({ amount_minor }) => amount_minor))
  const isOwed = input.owed !== null
  const waiting = open.reduce((total, one) => total + goodsPart(one), 0n)
  const value = { goods: isOwed ? lines : 0n, beyond: (isOwed ? 0n : lines) + shipping }
  const amount = proposedAmount(value, { owed: atLeastZero((input.owed ?? 0n) - waiting), refundable: remaining })
  return { items, ...value, shipping, amount }
}

/** What no line says: all that is left of a cancelled order's payment, or all that an order was paid too much. */
function wholeOf({ kind, owed }: Calculated, remaining: Minor): Minor | null {
  return kind === "cancellation" ? remaining : kind === "edit" ? (owed ?? 0n) : null
}

/** Writes what is proposed; null when nothing is to be given back. `sql` holds the transaction's lock. */
export async function insertProposal(
  sql: Sql,
  record: RefundableRecord,
  input: NewProposal
): Promise<RefundProposal | null> {
  const { items, goods, beyond, shipping, amount } = await calculateProposal(sql, record, input)
  if (amount === 0n) {
    return null
  }
  const id = newId("grp")
  await sql.query(
    `INSERT INTO gateway_refund_proposal
       (id, transaction_id, merchant_id, environment, order_id, kind, source_id, return_id, claim_id, currency, items,
        goods_minor, beyond_minor, shipping_minor, amount_minor, history)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      id,
      record.transaction_id,
      record.merchant_id,
      record.environment,
      input.order_id,
      input.kind,
      input.source_id,
      input.return_id,
      input.claim_id,
      record.currency,
      JSON.stringify(items),
      Number(goods),
      Number(beyond),
      Number(shipping),
      Number(amount),
      historyEntry(messageOf("proposal.proposed", { amount: statedAmount(amount, record.currency) })),
    ]
  )
  const { merchant_id, environment, transaction_id, currency } = record
  const { kind, order_id, return_id, claim_id } = input
  const about = { proposal_id: id, kind, order_id, return_id, claim_id, transaction_id }
  const proposed = { merchant_id, environment, ...about, amount: formatAmount(amount), currency }
  await queueHooks(sql, [{ hook: "returnRefundProposed", resource_id: id, input: proposed }])
  return findProposal(sql, id)
}

function isNotDismissed({ state }: RefundProposal): boolean {
  return state !== "dismissed"
}

function sum(amounts: readonly number[]): Minor {
  return amounts.reduce((total, amount) => total + BigInt(amount), 0n)
}

function atLeastZero(amount: Minor): Minor {
  return amount > 0n ? amount : 0n
}
