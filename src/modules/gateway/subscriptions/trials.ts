import { messageOf } from "../../../i18n/message"
import { GatewayError } from "../kernel/errors"
import type { Database, Sql } from "../kernel/database/database"
import type { Cradle, OneTrialMode, Tenant } from "../kernel/types"
import { openPeriod } from "./lifecycle"
import type { SubscriptionRow } from "./records"
import { isLimited, personLocks, type TrialColumns, type TrialPerson, type TrialPlan } from "./trial-rules"

/** By the plan: the subscription that had its trial; null: a payment under way is about to begin one. */
type Had = Map<string, string | null>

/** What does not count as an earlier trial: the cart or the subscription that asks. */
type Except = { cart_id?: string; subscription_id?: string }

type NewTrial = {
  customer: { id: string }
  plan: (TrialPlan & { trial_amount_minor: number | null }) | null
  /** What the request itself names; null: the plan decides. */
  asked: number | null
}

/** Real time for which a cart that is about to be paid keeps others from the trial, until its payment is under way. */
const CLAIM_MINUTES = 2
/** So long after its lease a free cart's run that died may still get its subscriptions, by the task for such carts. */
const CLAIM_LEFT_MINUTES = 5
/** A payment that has been on its way for longer than this keeps nobody from a trial. */
const CLAIM_DAYS = 7

/**
 * `$1` merchant, `$2` environment, `$3` address in lower case, `$4` phone, `$5` store customer, `$6` cart and `$7`
 * subscription that ask, `$8` plans. Subscriptions whose trial has begun or is being paid, and carts that are being
 * paid, or completed free of charge. An acquirer's page that was left may still be paid: within an hour, longer than a
 * checkout lasts. The LIMIT makes PostgreSQL read the few subscriptions by their ids: it expects more of them, and would
 * read the whole table.
 */
const HAD = `
  WITH owned AS (
    SELECT s.id FROM gateway_customer c JOIN gateway_subscription s ON s.customer_id = c.id
    WHERE c.merchant_id = $1 AND c.environment = $2
      AND (c.email_key = $3 OR c.phone_e164 = $4 OR c.store_customer_id = $5)
    UNION
    SELECT g.subscription_id FROM gateway_store_purchase g
    WHERE g.store_customer_id = $5 AND g.subscription_id IS NOT NULL
    UNION
    SELECT s.id FROM gateway_instrument i JOIN gateway_subscription s ON s.instrument_id = i.id
    WHERE i.merchant_id = $1 AND i.environment = $2 AND i.store_customer_id = $5
  ), had AS (
    SELECT s.trial_plan_id AS plan_id, s.id AS subscription_id, s.number
    FROM owned CROSS JOIN LATERAL (SELECT * FROM gateway_subscription o WHERE o.id = owned.id LIMIT 1) s
    WHERE s.merchant_id = $1 AND s.environment = $2 AND s.trial_plan_id IS NOT NULL AND s.id IS DISTINCT FROM $7
      AND (s.trial_end_date IS NOT NULL OR (s.paid_period = -1 AND s.awaiting_transaction_id IS NOT NULL))
    UNION ALL
    SELECT g.plan_id, NULL, NULL FROM gateway_store_purchase g LEFT JOIN gateway_transaction t ON t.id = g.transaction_id
    WHERE g.merchant_id = $1 AND g.environment = $2 AND g.subscription_id IS NULL
      AND g.trial_claimed_at > now() - interval '${CLAIM_DAYS} days' AND g.cart_id IS DISTINCT FROM $6
      AND (g.store_customer_id = $5 OR lower(g.customer->>'email') = $3 OR g.customer->>'phone_e164' = $4)
      AND CASE WHEN t.id IS NULL THEN g.locked_until > now() - interval '${CLAIM_LEFT_MINUTES} minutes'
        ELSE t.state IN ('PROCESSING', 'HELD', 'AUTHORIZED', 'SUCCESS')
          OR (t.state = 'OPEN' AND (g.trial_claimed_at > now() - interval '${CLAIM_MINUTES} minutes' OR EXISTS (
            SELECT 1 FROM gateway_payment_attempt a
            WHERE a.transaction_id = t.id AND a.state = 'ABANDONED' AND a.started_at > now() - interval '1 hour'))) END
  )
  SELECT DISTINCT ON (p.id) p.id AS plan_id, had.subscription_id
  FROM had JOIN gateway_plan q ON q.id = had.plan_id
  JOIN gateway_plan p ON p.id = ANY ($8) AND (p.id = q.id OR p.family = q.family)
  ORDER BY p.id, had.number`

/** One trial per customer and family of plans (decisions: One trial). */
export class TrialService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /**
   * The plans, of those given, whose trial this shopper of the store does not get again; `cart_id` is of the cart that
   * asks. Null: the merchant gives any number of trials.
   */
  async refusedInStore(
    tenant: Tenant,
    person: TrialPerson,
    plans: readonly TrialPlan[],
    cart_id: string | null
  ): Promise<Set<string> | null> {
    const ids = plans.filter(({ trial_period_days }) => trial_period_days).map(({ id }) => id)
    if (ids.length === 0) {
      return new Set()
    }
    if (!(await isLimitedOf(this.database, tenant, "store"))) {
      return null
    }
    return new Set((await findHad(this.database, tenant, person, ids, cart_id === null ? {} : { cart_id })).keys())
  }

  /**
   * The cart is about to be paid, or completed free of charge: nobody else who is the same person gets the trials of
   * these plans until the transaction ends, and afterwards the caller's claim keeps them. Throws CART_CHANGED when
   * somebody has got one since the cart was priced.
   */
  async claim(
    sql: Sql,
    tenant: Tenant,
    { cart_id, plans, ...person }: TrialPerson & { cart_id: string; plans: readonly string[] }
  ): Promise<void> {
    if (plans.length === 0 || !(await isLimitedOf(sql, tenant, "store"))) {
      return
    }
    await lockPerson(sql, tenant, person)
    if ((await findHad(sql, tenant, person, plans, { cart_id })).size > 0) {
      throw new GatewayError("CART_CHANGED", messageOf("refusal.trial_had"))
    }
  }

  /** About the trial of a line that begins its subscription, as it was agreed to. */
  async ofLine(
    sql: Sql,
    tenant: Tenant,
    person: TrialPerson,
    line: { plan_id: string; trial_period_days: number | null; trial_refused: boolean }
  ): Promise<TrialColumns> {
    if (!line.trial_refused) {
      return { trial_plan_id: line.trial_period_days ? line.plan_id : null, one_trial: null, trial_before_id: null }
    }
    const had = await findHad(sql, tenant, person, [line.plan_id], {})
    return { trial_plan_id: null, one_trial: "refused", trial_before_id: had.get(line.plan_id) ?? null }
  }

  /**
   * The trial of a subscription that `/api/v2` or an admin makes. Days that the request names are given, whoever asks;
   * the plan's own are not given again where the merchant limits these too.
   */
  async ofNew(sql: Sql, tenant: Tenant, { customer, plan, asked }: NewTrial) {
    const terms = {
      trial_period_days: asked ?? plan?.trial_period_days ?? null,
      trial_amount_minor: plan?.trial_amount_minor ?? null,
    }
    const trial_plan_id = terms.trial_period_days ? (plan?.id ?? null) : null
    const unlimited: TrialColumns = { trial_plan_id, one_trial: null, trial_before_id: null }
    if (plan === null || asked !== null || trial_plan_id === null || !(await isLimitedOf(sql, tenant, "api"))) {
      return { terms, columns: unlimited }
    }
    const person = await personOf(sql, customer.id)
    await lockPerson(sql, tenant, person)
    const had = await findHad(sql, tenant, person, [plan.id], {})
    const before = had.get(plan.id)
    if (before === undefined) {
      return { terms, columns: { ...unlimited, one_trial: "given" as const } }
    }
    return {
      terms: { trial_period_days: null, trial_amount_minor: null },
      columns: { trial_plan_id: null, one_trial: "refused" as const, trial_before_id: before },
    }
  }

  /**
   * A paid trial is about to be paid. 409 INVALID_STATE_TRANSITION when its customer has got another one since the
   * subscription was made: a new subscription then has the plan's price.
   */
  async requireFirst(sql: Sql, row: SubscriptionRow): Promise<void> {
    if (row.one_trial !== "given" || row.trial_plan_id === null || openPeriod(row) !== 0) {
      return
    }
    if (!(await isLimitedOf(sql, row, "api"))) {
      return
    }
    const person = await personOf(sql, row.customer_id)
    await lockPerson(sql, row, person)
    if ((await findHad(sql, row, person, [row.trial_plan_id], { subscription_id: row.id })).size > 0) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.trial_had_meanwhile"))
    }
  }
}

async function isLimitedOf(sql: Sql, { merchant_id, environment }: Tenant, source: "api" | "store"): Promise<boolean> {
  const [{ one_trial_per_customer }] = await sql.query<{ one_trial_per_customer: OneTrialMode }>(
    "SELECT one_trial_per_customer FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2",
    [merchant_id, environment]
  )
  return isLimited(one_trial_per_customer, source)
}

async function personOf(sql: Sql, customer_id: string): Promise<TrialPerson> {
  const [person] = await sql.query<TrialPerson>(
    "SELECT email, phone_e164, store_customer_id FROM gateway_customer WHERE id = $1",
    [customer_id]
  )
  return person
}

async function lockPerson(sql: Sql, tenant: Tenant, person: TrialPerson): Promise<void> {
  for (const text of personLocks(tenant, person)) {
    await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [text])
  }
}

async function findHad(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  { email, phone_e164, store_customer_id }: TrialPerson,
  plans: readonly string[],
  { cart_id, subscription_id }: Except
): Promise<Had> {
  const person = [email.toLowerCase(), phone_e164, store_customer_id]
  const values = [merchant_id, environment, ...person, cart_id ?? null, subscription_id ?? null, plans]
  const rows = await sql.query<{ plan_id: string; subscription_id: string | null }>(HAD, values)
  return new Map(rows.map((row) => [row.plan_id, row.subscription_id]))
}
