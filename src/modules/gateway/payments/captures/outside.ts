import type { Sql } from "../../kernel/database/database"
import type { Absent, Done, Refused, Unknown } from "../../acquirers/port"
import { endAttempt, endOf, stateOf } from "../attempts"
import { merchantNow, type AttemptRecord, type PaymentRecord } from "../records"
import type { TransactionService } from "../transactions"
import { authorizationOf, capturesOf, endAuthorization, insertAuthorization, insertCapture } from "./records"
import { completeCapture } from "./settlement"

/** Who captured or released money at the acquirer, past the gateway. */
const OUTSIDE = "acquirer"

/**
 * What an acquirer says about reserved money that nobody here has captured: it was captured or released on the
 * acquirer's dashboard, or its time was up. The payment then says so. While a capture of ours is under way its own
 * answer decides. `sql` holds the transaction's lock.
 */
export async function takenOutside(
  sql: Sql,
  transactions: TransactionService,
  record: AttemptRecord,
  answer: Done | Refused | Unknown | Absent
): Promise<PaymentRecord> {
  const authorization = await authorizationOf(sql, record.transaction_id)
  if (authorization === null || authorization.state !== "open" || record.state !== "AUTHORIZED") {
    return record
  }
  if ((await capturesOf(sql, record.transaction_id)).some(({ state }) => state === "processing")) {
    return record
  }
  const now = merchantNow(record)
  if (answer.result === "refused" && answer.retry !== true) {
    const end = endOf("AUTHORIZED", "release", { acquirer_reference: record.acquirer_reference ?? undefined })
    const lost = await transactions.apply(sql, record, "lose", now, end)
    await endAuthorization(sql, authorization, { because: "expired", by: OUTSIDE, at: now, released: true })
    return lost
  }
  const isTaken = answer.result === "done" && answer.authorized === undefined && answer.currency === record.currency
  if (!isTaken || answer.amount <= 0n || answer.amount > BigInt(authorization.amount_minor)) {
    return record
  }
  const wanted = { amount_minor: Number(answer.amount), is_final: true, request_key: null, requested_by: OUTSIDE }
  const capture = await insertCapture(sql, record, authorization, { ...wanted, medusa_capture_id: null })
  return completeCapture(sql, transactions, record, { authorization, capture, answer })
}

/** Money that was authorised for an attempt that was over is released again. `sql` holds the transaction's lock. */
export async function releaseLate(sql: Sql, record: AttemptRecord, attempt_id: string, answer: Done): Promise<void> {
  const { authorized, reference: acquirer_reference, references, details } = answer
  const end = endOf(stateOf(record), "release", { acquirer_reference, references, details })
  if (authorized !== undefined && (await endAttempt(sql, attempt_id, end, merchantNow(record)))) {
    await insertAuthorization(sql, record, authorized, true)
  }
}
