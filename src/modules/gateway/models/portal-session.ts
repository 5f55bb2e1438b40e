import { model } from "@medusajs/framework/utils"
import { LANGUAGES } from "../../../i18n/languages"
import { MAIL_STATES } from "../kernel/money/retry-schedule"

/**
 * A customer's access to the portal (docs/decisions/18): of one customer whom a merchant bills, of one customer of
 * the store, or of the customer whose address is `mail_to`, if there is one. Whoever has the link is that customer, so
 * only the link's hash is stored. All times are real: a sandbox's clock must not prolong an access. `mail_due_at`: the
 * link is still to be sent by e-mail, and is made when it is sent; null: not, or not any more.
 */
export const GatewayPortalSession = model
  .define("gateway_portal_session", {
    id: model.id({ prefix: "prs" }).primaryKey(),
    token_hash: model.text().nullable(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    customer_id: model.text().nullable(),
    store_customer_id: model.text().nullable(),
    /** The address at which a link was asked for, in small letters, until it is looked up whose it is. */
    mail_to: model.text().nullable(),
    /** Where the portal leads back to; null: nowhere. */
    return_url: model.text().nullable(),
    /** In which the e-mail is written. */
    language: model.enum([...LANGUAGES]).nullable(),
    idempotency_id: model.text().nullable(),
    mail_due_at: model.dateTime().nullable(),
    mail_attempts: model.number().default(0),
    expires_at: model.dateTime(),
    ended_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["token_hash"], unique: true, where: "token_hash IS NOT NULL" },
    { on: ["idempotency_id"], unique: true, where: "idempotency_id IS NOT NULL" },
    { on: ["mail_due_at"], where: "mail_due_at IS NOT NULL" },
    { on: ["customer_id"], where: "customer_id IS NOT NULL" },
    { on: ["expires_at"] },
  ])
  .checks([
    {
      name: "gateway_portal_session_owner",
      expression: (c) => `num_nonnulls(${c.customer_id}, ${c.store_customer_id}, ${c.mail_to}) = 1`,
    },
    {
      name: "gateway_portal_session_mail",
      expression: (c) =>
        `${c.mail_attempts} >= 0 AND (${c.mail_due_at} IS NULL OR num_nonnulls(${c.customer_id}, ${c.mail_to}) = 1)`,
    },
  ])

/**
 * The e-mail to the customer about a cancellation of a subscription (docs/decisions/18): one for each, queued in its
 * transaction. `cancelled_at` is on the merchant's clock, and names the cancellation; `next_attempt_at` is real time, and
 * the end of the lease while a process is sending it. `attempts` fences: only the process with the latest attempt may
 * write its outcome.
 */
export const GatewayCancellationMail = model
  .define("gateway_cancellation_mail", {
    id: model.id({ prefix: "gcm" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    subscription_id: model.text(),
    cancelled_at: model.dateTime(),
    state: model.enum([...MAIL_STATES]).default("pending"),
    next_attempt_at: model.dateTime(),
    attempts: model.number().default(0),
    sent_at: model.dateTime().nullable(),
    last_error: model.json().nullable(),
  })
  .indexes([
    { name: "IDX_gateway_cancellation_mail_once", on: ["subscription_id", "cancelled_at"], unique: true },
    { on: ["next_attempt_at"], where: "state = 'pending'" },
  ])
  .checks([
    {
      name: "gateway_cancellation_mail_state",
      expression: (c) => `${c.attempts} >= 0 AND (${c.state} = 'sent') = (${c.sent_at} IS NOT NULL)`,
    },
  ])
