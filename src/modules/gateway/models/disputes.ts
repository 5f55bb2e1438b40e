import { model } from "@medusajs/framework/utils"
import { DISPUTE_NOTIFICATIONS, DISPUTE_REASONS, DISPUTE_SOURCES, FILE_KINDS, MEDIA_TYPES } from "../disputes/rules"
import { DISPUTE_STATES } from "../disputes/states"

const TENANT = ["merchant_id", "environment"] as const

/**
 * A payment that its payer disputes at their bank (docs/decisions/10). Amounts in hundredths of the currency, which is
 * the payment's; times on the merchant's clock, but `locked_until`, `inquiry_at` and
 * `submitting_until` are real.
 */
export const GatewayDispute = model
  .define("gateway_dispute", {
    id: model.id({ prefix: "dsp" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    transaction_id: model.text(),
    state: model.enum([...DISPUTE_STATES]),
    source: model.enum([...DISPUTE_SOURCES]),
    /** Whose dispute it is, and its number there. */
    acquirer: model.text(),
    acquirer_reference: model.text(),
    reason: model.enum([...DISPUTE_REASONS]),
    amount_minor: model.number(),
    /** What the acquirer charges for it; zero until it is known. */
    fee_minor: model.number().default(0),
    fee_returned: model.boolean().default(false),
    currency: model.text(),
    note: model.text().nullable(),
    evidence_text: model.text().nullable(),
    recorded_by: model.text(),
    /** When the bank opened it. */
    opened_at: model.dateTime(),
    recorded_at: model.dateTime(),
    /** Until when the bank takes evidence. */
    due_by: model.dateTime().nullable(),
    submitted_at: model.dateTime().nullable(),
    accepted_at: model.dateTime().nullable(),
    /** When `due_by` passed without an answer. */
    missed_at: model.dateTime().nullable(),
    reminded_at: model.dateTime().nullable(),
    closed_at: model.dateTime().nullable(),
    reinstated_at: model.dateTime().nullable(),
    /** The e-mail to the merchant that is due. */
    notice: model.enum([...DISPUTE_NOTIFICATIONS]).nullable(),
    locked_until: model.dateTime().nullable(),
    /** When its acquirer is asked about it; null: it is closed, or the acquirer reports no disputes. */
    inquiry_at: model.dateTime().nullable(),
    /** Until when its evidence may be on its way to the acquirer: it does not change meanwhile. */
    submitting_until: model.dateTime().nullable(),
  })
  .indexes([
    {
      name: "IDX_gateway_dispute_reference_unique",
      on: [...TENANT, "acquirer", "acquirer_reference"],
      unique: true,
    },
    { name: "IDX_gateway_dispute_newest", on: [...TENANT, "opened_at", "id"] },
    { on: ["transaction_id"] },
    {
      name: "IDX_gateway_dispute_to_answer",
      on: [...TENANT, "due_by"],
      where: "state IN ('inquiry', 'needs_response') AND submitted_at IS NULL",
    },
    { on: ["inquiry_at"], where: "inquiry_at IS NOT NULL" },
    { name: "IDX_gateway_dispute_notice", on: ["updated_at"], where: "notice IS NOT NULL" },
  ])
  .checks([
    {
      name: "gateway_dispute_sums",
      expression: (c) =>
        `${c.amount_minor} > 0 AND ${c.fee_minor} >= 0 AND (${c.fee_minor} > 0 OR NOT ${c.fee_returned})`,
    },
    {
      name: "gateway_dispute_closed",
      expression: (c) =>
        `(${c.state} IN ('won', 'lost', 'closed')) = (${c.closed_at} IS NOT NULL) AND (${c.reinstated_at} IS NULL OR ${c.state} = 'won')`,
    },
  ])

/**
 * A file of a dispute's evidence. `content` is bytea in the database (docs/decisions/10): it commits with its dispute,
 * is backed up with it, and no file server has to be kept from other merchants.
 */
export const GatewayDisputeFile = model
  .define("gateway_dispute_file", {
    id: model.id({ prefix: "dsf" }).primaryKey(),
    dispute_id: model.text(),
    /** What it shows; one file of each kind, as banks take them. */
    kind: model.enum([...FILE_KINDS]),
    file_name: model.text(),
    media_type: model.enum([...MEDIA_TYPES]),
    size_bytes: model.number(),
    content: model.text(),
    uploaded_by: model.text(),
    uploaded_at: model.dateTime(),
  })
  .indexes([{ on: ["dispute_id", "kind"], unique: true }])
  .checks([
    {
      name: "gateway_dispute_file_size",
      expression: (c) => `${c.size_bytes} > 0 AND ${c.size_bytes} = length(${c.content})`,
    },
  ])
