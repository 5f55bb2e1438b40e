import { messageOf, type Message } from "../../../i18n/message"
import { GatewayError, type ErrorCode } from "../kernel/errors"
import { statedAmount, type Minor } from "../kernel/money/money"
import { decideRefund, exceededRoleLimit, needsApproval, refundable, type RefundType } from "./rules"
import type { Database, Sql } from "../kernel/database/database"
import { merchantNow } from "../payments/records"
import type { Cradle, Tenant } from "../kernel/types"
import type { LedgerService } from "../ledger/service"
import type { BatchItem } from "./batches"
import { readTransaction, type RefundableRecord } from "./records"
import { UnapprovedSums } from "./unapproved"

/** What stands in the way of a refund. */
export type Obstacle = { code: ErrorCode; reason: Message }

/** What an item of a batch would refund, in hundredths of `currency`, or why it would be refused. `waits`: for approval. */
export type PreviewedItem = { order_id: string | null } & (
  { amount: Minor; type: RefundType; currency: string; waits: boolean } | { obstacle: Obstacle }
)

/** Calculates what a refund would amount to without creating one: for a form, and for the preview of a batch. */
export class RefundPreviewService {
  private readonly database: Database
  private readonly ledger: LedgerService

  constructor({ database, ledgerService }: Cradle & { ledgerService: LedgerService }) {
    this.database = database
    this.ledger = ledgerService
  }

  /** The amount of a payment that can be refunded now; zero with the obstacle when nothing can. */
  async refundable(transaction_id: string): Promise<{ amount: Minor; obstacle: Obstacle | null }> {
    const record = await readTransaction(this.database, transaction_id)
    const decided = decide(record, {})
    return "obstacle" in decided
      ? { amount: 0n, obstacle: decided.obstacle }
      : { amount: decided.amount, obstacle: null }
  }

  /**
   * Previews the items in their order: each sees the payment and the balance as the earlier ones leave them. The batch
   * itself checks everything again. `roles`: of the admin who asks.
   */
  async batch(
    tenant: Tenant,
    items: readonly BatchItem[],
    requested_by: string,
    roles: readonly string[] = []
  ): Promise<PreviewedItem[]> {
    const records = await this.records(tenant, items)
    const sums = await this.unapproved(records)
    const owner = [...records.values()].find((record) => record !== null)
    const isLimited = tenant.environment === "production" && owner?.may_overdraw === false
    const balances = isLimited ? await this.ledger.balancesByCurrency(tenant) : null
    const available = new Map([...(balances ?? [])].map(([code, accounts]) => [code, accounts.merchant_balance]))
    return items.map((item) => {
      const record = records.get(item.transaction_id) ?? null
      const decided = decide(record, item)
      if ("obstacle" in decided) {
        return { order_id: record?.order_id ?? null, ...decided }
      }
      const { order_id, currency } = decided.record
      const left = available.get(currency) ?? 0n
      if (isLimited && decided.amount > left) {
        const reason = messageOf("refusal.balance_covers", { amount: statedAmount(left > 0n ? left : 0n, currency) })
        return { order_id, obstacle: { code: "INSUFFICIENT_BALANCE", reason } }
      }
      available.set(currency, left - decided.amount)
      decided.record.refunded_minor += Number(decided.amount)
      const sum = sums.get(item.transaction_id)?.with(decided.amount, { requested_by })
      const isAbove = exceededRoleLimit(decided.record, BigInt(decided.record.refunded_minor), roles) !== null
      const waits = isAbove || (sum !== undefined && needsApproval(currency, sum, decided.record))
      sums.get(item.transaction_id)?.add({ amount_minor: Number(decided.amount), requested_by })
      return { order_id, amount: decided.amount, type: decided.type, currency, waits }
    })
  }

  /**
   * The limit of an admin with these roles, where a refund that cannot wait would be above it: as much of `amount`, or of
   * all, as can be refunded now. Null: it is not above, or nothing is to be refunded.
   */
  async exceededRoleLimit(
    { transaction_id, amount }: { transaction_id: string; amount?: Minor },
    roles: readonly string[],
    sql: Sql = this.database
  ): Promise<Minor | null> {
    const record = await readTransaction(sql, transaction_id)
    if (record === null) {
      return null
    }
    const left = refundable(record)
    const wanted = amount === undefined || amount > left ? left : amount
    // What is asked for may wait for approval already: then nothing is left, and it is above the limit all the same.
    return (amount ?? left) === 0n ? null : exceededRoleLimit(record, BigInt(record.refunded_minor) + wanted, roles)
  }

  /** Whether one of these roles has a limit in any merchant's environment. */
  async isLimited(roles: readonly string[]): Promise<boolean> {
    const found = await this.database.query(
      `SELECT 1 FROM gateway_merchant_environment e, unnest($1::text[]) AS role
       WHERE e.refund_role_limits @> jsonb_build_array(jsonb_build_object('role_id', role)) LIMIT 1`,
      [roles]
    )
    return found.length > 0
  }

  /** What nobody has approved of each payment, and of the day in all. */
  private async unapproved(records: ReadonlyMap<string, RefundableRecord | null>) {
    return this.database.transaction(async (sql) => {
      const day = new Map<string, Minor>()
      const sums = new Map<string, UnapprovedSums>()
      for (const record of [...records.values()].filter((one) => one !== null)) {
        sums.set(record.transaction_id, await UnapprovedSums.of(sql, record, merchantNow(record), day))
      }
      return sums
    })
  }

  private async records(tenant: Tenant, items: readonly BatchItem[]): Promise<Map<string, RefundableRecord | null>> {
    const records = new Map<string, RefundableRecord | null>()
    for (const { transaction_id } of items) {
      if (!records.has(transaction_id)) {
        const record = await readTransaction(this.database, transaction_id)
        const isOwn = record?.merchant_id === tenant.merchant_id && record.environment === tenant.environment
        records.set(transaction_id, isOwn ? record : null)
      }
    }
    return records
  }
}

type Decided = { amount: Minor; type: RefundType; record: RefundableRecord } | { obstacle: Obstacle }

/** Applies the rules of every refund (contract 4.8). */
function decide(record: RefundableRecord | null, request: Pick<BatchItem, "amount" | "type">): Decided {
  try {
    if (record === null) {
      throw new GatewayError("TRANSACTION_NOT_FOUND")
    }
    return { ...decideRefund({ ...record, now: merchantNow(record) }, request), record }
  } catch (error) {
    if (GatewayError.is(error)) {
      return { obstacle: { code: error.code, reason: error.reason } }
    }
    throw error
  }
}
