import Stripe from "stripe"
import type { Accepted, DisputeFound, DisputeReport, Evidence } from "../dispute-port"
import type { Absent, Refused, Unknown } from "../port"
import { postOnce } from "./client"
import { failureOf, messageOf, unansweredBy } from "./failures"
import { currencyOf, idOf, minorOf } from "./objects"

/** With the charge, because a dispute of an old API names no payment intent. */
const EXPAND = ["charge"]

/** What Stripe says of a dispute now; a notification of it is never believed. */
export async function dispute(stripe: Stripe, id: string): Promise<DisputeFound | Absent | Unknown> {
  try {
    const report = reportOf(await stripe.disputes.retrieve(id, { expand: EXPAND }))
    return report === null
      ? { result: "unknown", message: `The dispute ${id} has no amount, payment or state that is known here` }
      : { result: "found", dispute: report }
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing") {
      return { result: "absent" }
    }
    return unansweredBy(error)
  }
}

type Stage = Pick<DisputeReport, "state" | "is_submitted">

const STAGES: Readonly<Record<string, Stage>> = {
  warning_needs_response: { state: "inquiry", is_submitted: false },
  warning_under_review: { state: "inquiry", is_submitted: true },
  warning_closed: { state: "closed", is_submitted: false },
  needs_response: { state: "needs_response", is_submitted: false },
  under_review: { state: "under_review", is_submitted: true },
  won: { state: "won", is_submitted: false },
  lost: { state: "lost", is_submitted: false },
}

/**
 * A `prevented` dispute was settled before it became one. If that took the money it is lost; otherwise the payer was
 * refunded in another way, and it ends like an inquiry.
 */
function stageOf({ status, balance_transactions }: Stripe.Dispute): Stage | undefined {
  if (status === "prevented") {
    const moved = balance_transactions.reduce((sum, { amount }) => sum + amount, 0)
    return { state: moved < 0 ? "lost" : "closed", is_submitted: false }
  }
  return Object.hasOwn(STAGES, status) ? STAGES[status] : undefined
}

function reportOf(dispute: Stripe.Dispute): DisputeReport | null {
  const known = stageOf(dispute)
  const charge = typeof dispute.charge === "object" ? dispute.charge : null
  const payment = idOf(dispute.payment_intent) ?? idOf(charge?.payment_intent)
  const amount = minorOf(dispute.amount)
  const currency = currencyOf(dispute.currency)
  if (known === undefined || payment === undefined || amount === null || currency === null) {
    return null
  }
  const { due_by } = dispute.evidence_details
  return {
    reference: dispute.id,
    payment,
    ...known,
    reason: dispute.reason,
    amount,
    currency,
    ...feesOf(dispute),
    opened_at: new Date(dispute.created * 1_000),
    due_by: due_by ? new Date(due_by * 1_000) : null,
  }
}

/**
 * The fee of the withdrawal, and whether the reinstatement brought it back. Stripe settles in the account's own currency:
 * a fee in another one than the payment's cannot be posted beside it, and stays zero.
 */
function feesOf({ balance_transactions, currency }: Stripe.Dispute): { fee: bigint; fee_returned: boolean } {
  const own = balance_transactions.filter((one) => one.currency === currency)
  const fee = own.filter((one) => one.fee > 0).reduce((sum, one) => sum + one.fee, 0)
  const back = own.filter((one) => one.fee < 0).reduce((sum, one) => sum - one.fee, 0)
  return { fee: minorOf(fee) ?? 0n, fee_returned: fee > 0 && back >= fee }
}

/** Stripe's names of our kinds of files. */
const FIELDS: Readonly<Record<string, keyof Stripe.DisputeUpdateParams.Evidence>> = {
  receipt: "receipt",
  customer_communication: "customer_communication",
  shipping_documentation: "shipping_documentation",
  service_documentation: "service_documentation",
  refund_policy: "refund_policy",
  cancellation_policy: "cancellation_policy",
  other: "uncategorized_file",
}

/**
 * Uploads the files and submits everything at once. Only the update submits, so a file that was uploaded twice after a
 * lost answer changes nothing; the update itself says the same however often it is made.
 */
export async function submitEvidence(
  stripe: Stripe,
  { reference, text, files }: Evidence
): Promise<Accepted | Refused | Unknown> {
  try {
    const evidence: Stripe.DisputeUpdateParams.Evidence = text === null ? {} : { uncategorized_text: text }
    for (const { kind, name, media_type, content } of files) {
      const file = { data: content, name, type: media_type }
      const { id } = await postOnce(() => stripe.files.create({ purpose: "dispute_evidence", file }))
      Object.assign(evidence, { [FIELDS[kind]]: id })
    }
    await postOnce(() => stripe.disputes.update(reference, { evidence, submit: true }))
    return { result: "accepted" }
  } catch (error) {
    return refusalOf(error)
  }
}

/** Closing is irreversible; Stripe refuses it once the dispute is over. */
export async function acceptDispute(stripe: Stripe, reference: string): Promise<Accepted | Refused | Unknown> {
  try {
    await postOnce(() => stripe.disputes.close(reference))
    return { result: "accepted" }
  } catch (error) {
    return refusalOf(error)
  }
}

function refusalOf(error: unknown): Refused | Unknown {
  return error instanceof Stripe.errors.StripeInvalidRequestError
    ? { result: "refused", code: "INVALID_REQUEST", message: messageOf(error) }
    : { ...failureOf(error), result: "unknown" }
}
