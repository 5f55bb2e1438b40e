import type { Acquirer, Done, Redirect, Refused, Unknown } from "../acquirers/port"
import type { Sql } from "../kernel/database/database"
import { nextInquiryAt } from "../kernel/money/retry-schedule"
import { endOf, type Timed } from "./attempts"
import { merchantNow, type PaymentRecord } from "./records"
import type { TransactionService } from "./transactions"

/**
 * Whether another acquirer may be asked after this answer to a new payment: no page was opened, so nobody can pay this
 * acquirer, and the fault is not the shopper's. Where `start` itself moves the money, nobody knows that.
 */
export function opensNoPage(
  { flow }: Pick<Acquirer, "flow">,
  answer: Done | Refused | Unknown | Redirect
): answer is Refused | Unknown {
  return flow === "redirect" && (answer.result === "unknown" || (answer.result === "refused" && !!answer.trouble))
}

/**
 * Ends an attempt whose acquirer opened no page, so that the next acquirer can be asked. It is none of the shopper's
 * tries. Of one that was perhaps begun after all, the acquirer is asked for a week. Returns the payment, which is still
 * being paid; null when it is no longer what it was, or its time is up. `sql` is a transaction's.
 */
export async function passOn(
  sql: Sql,
  transactions: TransactionService,
  attempt_id: string,
  answer: (Refused | Unknown) & Timed
): Promise<PaymentRecord | null> {
  const record = await transactions.lockAttempt(sql, attempt_id)
  const isOpen = record?.state === "PROCESSING" && record.latest_attempt_id === attempt_id
  if (!isOpen || record.attempt_state !== "STARTED" || record.amount_mismatch !== null) {
    return null
  }
  const now = merchantNow(record)
  if (now >= record.expires_at) {
    return null
  }
  const { message: error_message, references, details, answer_ms } = answer
  const found = { error_message, references, details, answer_ms, passed_on: true }
  const end =
    answer.result === "refused"
      ? endOf("STARTED", "decline", { ...found, error_code: answer.code })
      : endOf("STARTED", "abandon", { ...found, watch_from: nextInquiryAt(now, 0) })
  return transactions.apply(sql, record, "pass_on", now, end)
}
