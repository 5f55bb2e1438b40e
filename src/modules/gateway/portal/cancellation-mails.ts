import type { MailState } from "../kernel/money/retry-schedule"
import type { Language } from "../../../i18n/languages"
import type { Message } from "../../../i18n/message"
import { json, type Database } from "../kernel/database/database"
import { DUE_WORK, DueWork, type Failure, type Lease } from "../kernel/database/due-work"
import { clockNow } from "../kernel/money/clock"
import type { GatewayOptions } from "../kernel/options"
import type { Cradle } from "../kernel/types"
import { customerLanguage } from "../invoices/records"
import { shopName } from "../merchants/profile-rules"
import { PLAN_NAMES } from "../plans/rules"
import type { StoreConnection, WithStore } from "../store-port"
import { cancellationMail, endOf, type CancelledSubscription } from "./cancellation-mail"
import { portalLoginPath } from "./rules"

const TEMPLATE = "gateway-subscription-cancelled"

/** One merchant's sandbox. */
type Sandbox = { merchant_id: string }
/** `attempts`: this one included. Only the latest claim has the row's number, so it is the fencing token. */
type Claimed = { id: string; attempts: number }

/** A cancellation that was undone, or made anew, has another `cancelled_at`, or none: its e-mail would be wrong. */
type Subject = CancelledSubscription & {
  merchant_id: string
  is_current: boolean
  subscription_uuid: string
  customer_email: string
  clock_offset_seconds: number
  /** Null: the customer has read no payment page. */
  language: Language | null
}

/**
 * E-mails to customers whose subscription was cancelled, by whomever (docs/decisions/18). Each is sent at least once,
 * even if a process dies, and not again once the sending is recorded. Any number of processes may run it: a claim is a
 * lease, and only the latest claim writes its outcome.
 */
export class CancellationMailService {
  private readonly database: Database
  private readonly options: GatewayOptions
  private readonly store: StoreConnection
  readonly due: DueWork<Claimed, Sandbox>

  constructor({ database, logger, gatewayOptions, storePort }: Cradle & WithStore) {
    this.database = database
    this.options = gatewayOptions
    this.store = storePort
    this.due = new DueWork(logger, DUE_WORK.cancellationMail, {
      id: ({ id }) => id,
      claim: (limit, lease, only) => this.claim(limit, lease, only),
      work: (mail) => this.process(mail),
      failures: ({ attempts }) => attempts - 1,
      failed: (mail, failure) => this.failed(mail, failure),
    })
  }

  /** When the next one of a merchant's sandbox is due, by its own clock; not one that is being tried again. */
  async nextDue(merchant_id: string): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date | null }>(
      `SELECT min(mail.cancelled_at) AS at FROM gateway_cancellation_mail mail
       WHERE mail.merchant_id = $1 AND mail.environment = 'sandbox' AND mail.state = 'pending'
         AND mail.next_attempt_at <= now() AND ${IS_SETTLED}`,
      [merchant_id]
    )
    return row.at
  }

  /** Sends at most `most`, oldest first. Returns the number of them. `only` limits it to one merchant's sandbox. */
  run(most: number, only?: Sandbox): Promise<number> {
    return this.due.run({ most, only, inOrder: only !== undefined })
  }

  private claim(limit: number, lease: Lease, only?: Sandbox): Promise<Claimed[]> {
    return this.database.query<Claimed>(
      `WITH due AS (
         SELECT mail.id FROM gateway_cancellation_mail mail
         WHERE mail.state = 'pending' AND mail.next_attempt_at <= now() AND ${IS_SETTLED}
           AND ($2::text IS NULL OR mail.merchant_id = $2 AND mail.environment = 'sandbox')
         ORDER BY mail.cancelled_at, mail.id LIMIT $1 FOR UPDATE SKIP LOCKED)
       UPDATE gateway_cancellation_mail m
       SET attempts = m.attempts + 1, next_attempt_at = now() + $3 * interval '1 second', updated_at = now()
       FROM due WHERE m.id = due.id RETURNING m.id, m.attempts`,
      [limit, only?.merchant_id ?? null, lease.seconds]
    )
  }

  private async process(mail: Claimed): Promise<void> {
    const [subject] = await this.database.query<Subject>(SUBJECT, [mail.id])
    if (!subject.is_current || subject.customer_email === "") {
      return this.record(mail, "dropped", null, 0)
    }
    await this.send(mail, subject)
    await this.record(mail, "sent", null, 0)
  }

  private async send({ id }: Claimed, subject: Subject): Promise<void> {
    const { publicUrl, mailLanguage } = this.options
    const language = subject.language ?? mailLanguage
    const now = clockNow(new Date(), subject.clock_offset_seconds)
    // A link made of a request's Host header could be forged, so it is this address or none.
    const portalUrl = publicUrl === undefined ? null : `${publicUrl.replace(/\/$/, "")}${portalLoginPath(subject)}`
    const end = endOf(subject, now)
    await this.store.connected.sendMail({
      occasion: `${TEMPLATE}:${id}`,
      template: TEMPLATE,
      to: subject.customer_email,
      ...cancellationMail(subject, { language, now, portalUrl }),
      data: {
        language,
        subscription_id: subject.subscription_uuid,
        plan_name: subject.plan_name,
        end,
        ends_at: (end === "until" ? subject.current_period_end : subject.cancelled_at)?.toISOString() ?? null,
        customer_name: subject.customer_name,
        merchant_name: shopName(subject.merchant_name, subject.profile, language),
        portal_url: portalUrl,
      },
      resource: { id: subject.subscription_uuid, type: "gateway_subscription" },
    })
  }

  private failed(mail: Claimed, { reason, retry_seconds }: Failure): Promise<void> {
    return this.record(mail, retry_seconds === null ? "failed" : "pending", reason, retry_seconds ?? 0)
  }

  private async record(
    { id, attempts }: Claimed,
    state: MailState,
    error: Message | null,
    seconds: number
  ): Promise<void> {
    await this.database.query(
      `UPDATE gateway_cancellation_mail SET state = $3, last_error = $4, sent_at = CASE WHEN $3 = 'sent' THEN now() END,
         next_attempt_at = now() + $5 * interval '1 second', updated_at = now()
       WHERE id = $1 AND attempts = $2 AND state = 'pending'`,
      [id, attempts, state, json(error), seconds]
    )
  }
}

/** A payment under way may still succeed: until its outcome is known, nobody can say what was charged and until when it lasts. */
const IS_SETTLED = `NOT EXISTS (SELECT 1 FROM gateway_subscription paying
  WHERE paying.id = mail.subscription_id AND paying.awaiting_transaction_id IS NOT NULL)`

const SUBJECT = `
  SELECT s.merchant_id, s.environment, s.uuid AS subscription_uuid, s.status, s.cancel_at_period_end,
    s.current_period_start, s.current_period_end, s.cancellation_reason, s.failed_payment_count,
    mail.cancelled_at, s.cancelled_at IS NOT DISTINCT FROM mail.cancelled_at AS is_current, ${PLAN_NAMES},
    c.name AS customer_name, c.email AS customer_email, m.name AS merchant_name, m.profile, e.time_zone,
    e.clock_offset_seconds, ${customerLanguage("s.id")} AS language
  FROM gateway_cancellation_mail mail
  JOIN gateway_subscription s ON s.id = mail.subscription_id
  JOIN gateway_customer c ON c.id = s.customer_id
  JOIN gateway_merchant m ON m.id = s.merchant_id
  JOIN gateway_merchant_environment e ON e.merchant_id = s.merchant_id AND e.environment = s.environment
  LEFT JOIN gateway_plan p ON p.id = s.plan_id
  WHERE mail.id = $1`
