import type { Database } from "../kernel/database/database"
import type { Unknown } from "../acquirers/port"
import { noteAnswer, reopenAttempt } from "./attempts"
import type { PaymentRecord } from "./records"
import type { TransactionService } from "./transactions"

/** What an attempt was when something was decided about it outside of its lock. */
export type Seen = Pick<PaymentRecord, "attempt_state" | "attempt_confirmed_at">

export function isAsSeen({ attempt_state, attempt_confirmed_at }: PaymentRecord, seen: Seen): boolean {
  return (
    attempt_state === seen.attempt_state && attempt_confirmed_at?.getTime() === seen.attempt_confirmed_at?.getTime()
  )
}

/**
 * Puts an attempt back on the acquirer's page, because the acquirer says that its shopper has not agreed. Nothing
 * changes when it is no longer what it was when the acquirer was asked: another process may have asked again since.
 */
export async function reopen(
  { database, transactions }: { database: Database; transactions: TransactionService },
  attempt_id: string,
  answer: Unknown,
  seen: Seen
): Promise<PaymentRecord> {
  return database.transaction(async (sql) => {
    const record = await transactions.lockAttempt(sql, attempt_id)
    if (record === null) {
      throw new Error(`there is no payment attempt ${attempt_id}`)
    }
    const isOpen = record.state === "PROCESSING" && record.attempt_state === "CONFIRMING"
    if (!isOpen || !isAsSeen(record, seen)) {
      return record
    }
    await noteAnswer(sql, attempt_id, answer)
    await reopenAttempt(sql, attempt_id)
    return (await transactions.ofAttempt(attempt_id, sql)) ?? record
  })
}
