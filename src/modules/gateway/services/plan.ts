import { randomUUID } from "node:crypto"
import { audit, type By } from "../audit"
import type { IntervalUnit } from "../domain/billing-calendar"
import { GatewayError } from "../domain/errors"
import { newId, publicId } from "../domain/ids"
import type { Minor } from "../domain/money"
import { json, type Database, type Sql } from "../database"
import type { Cradle, Scope, Tenant } from "../types"

/** Amounts in poisha. */
export type Plan = Tenant & {
  id: string
  number: number
  uuid: string
  plan_name: string
  plan_description: string | null
  amount_minor: number
  currency: string
  interval_count: number
  interval_unit: IntervalUnit
  trial_period_days: number | null
  trial_amount_minor: number | null
  meta_data: Record<string, unknown>
  is_active: boolean
  opened_at: Date
}

export type NewPlan = {
  plan_name: string
  plan_description: string | null
  amount: Minor
  currency: string
  interval_count: number
  interval_unit: IntervalUnit
  trial_period_days: number | null
  trial_amount: Minor | null
  meta_data: Record<string, unknown>
}

/** What a merchant may change; the interval and the currency stay (decisions: Plans). */
export type PlanChange = Partial<Omit<NewPlan, "currency" | "interval_count" | "interval_unit">>

const COLUMNS = `id, number, uuid, merchant_id, environment, plan_name, plan_description, amount_minor, currency,
  interval_count, interval_unit, trial_period_days, trial_amount_minor, meta_data, is_active, opened_at`

/** What merchants sell on a schedule (contract 4.5). */
export class PlanService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** With the idempotency record of a request whose answer was lost with its process, the plan it made. */
  async create(scope: Scope, plan: NewPlan, idempotency_id: string | null = null): Promise<Plan> {
    const [row] = await this.database.query<Plan>(
      `INSERT INTO gateway_plan (id, uuid, merchant_id, environment, plan_name, plan_description, amount_minor, currency,
         interval_count, interval_unit, trial_period_days, trial_amount_minor, meta_data, idempotency_id, opened_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
       ON CONFLICT (idempotency_id) WHERE idempotency_id IS NOT NULL DO UPDATE SET updated_at = now()
       RETURNING ${COLUMNS}`,
      [
        newId("gpl"), randomUUID(), scope.merchant_id, scope.environment, plan.plan_name, plan.plan_description,
        Number(plan.amount), plan.currency, plan.interval_count, plan.interval_unit, plan.trial_period_days,
        minorOrNull(plan.trial_amount), json(plan.meta_data), idempotency_id, scope.now,
      ]
    )
    return row
  }

  /** Newest first; archived ones only when they are asked for. */
  async list(
    tenant: Tenant,
    filter: { include_inactive: boolean },
    page: { per_page: number; offset: number }
  ): Promise<{ rows: Plan[]; total: number }> {
    const where = "merchant_id = $1 AND environment = $2 AND (is_active OR $3)"
    const values = [tenant.merchant_id, tenant.environment, filter.include_inactive]
    const [{ total }] = await this.database.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM gateway_plan WHERE ${where}`,
      values
    )
    const rows = await this.database.query<Plan>(
      `SELECT ${COLUMNS} FROM gateway_plan WHERE ${where} ORDER BY number DESC LIMIT $4 OFFSET $5`,
      [...values, page.per_page, page.offset]
    )
    return { rows, total }
  }

  /** By the integer id or the uuid; throws PLAN_NOT_FOUND, for other merchants' plans too. */
  async retrieve(tenant: Tenant, id: string): Promise<Plan> {
    return this.one(tenant, id, (where) => `SELECT ${COLUMNS} FROM gateway_plan WHERE ${where}`)
  }

  /** By the rows' own ids, archived ones too; those of other merchants are left out. */
  async byRowIds(tenant: Tenant, ids: readonly string[]): Promise<Plan[]> {
    return this.database.query<Plan>(
      `SELECT ${COLUMNS} FROM gateway_plan WHERE merchant_id = $1 AND environment = $2 AND id = ANY($3)`,
      [tenant.merchant_id, tenant.environment, ids]
    )
  }

  /** For a new subscription: throws PLAN_NOT_FOUND, PLAN_INACTIVE. Nobody archives it before the transaction ends. */
  async requireActive(sql: Sql, tenant: Tenant, id: string): Promise<Plan> {
    const plan = await this.one(tenant, id, (where) => `SELECT ${COLUMNS} FROM gateway_plan WHERE ${where} FOR SHARE`, [], sql)
    if (!plan.is_active) {
      throw new GatewayError("PLAN_INACTIVE", undefined, { field: "subscription_plan_id" })
    }
    return plan
  }

  /** What is left out stays. Subscriptions that exist keep what they were created with. */
  async update(tenant: Tenant, id: string, change: PlanChange): Promise<Plan> {
    const columns: Record<string, unknown> = {
      plan_name: change.plan_name,
      plan_description: change.plan_description,
      amount_minor: change.amount === undefined ? undefined : Number(change.amount),
      trial_period_days: change.trial_period_days,
      trial_amount_minor: change.trial_amount === undefined ? undefined : minorOrNull(change.trial_amount),
      meta_data: change.meta_data === undefined ? undefined : json(change.meta_data),
    }
    const changed = Object.entries(columns).filter(([, value]) => value !== undefined)
    const assignments = changed.map(([column], index) => `${column} = $${index + 4}`)
    return this.one(
      tenant,
      id,
      (where) => `UPDATE gateway_plan SET ${[...assignments, "updated_at = now()"].join(", ")} WHERE ${where} RETURNING ${COLUMNS}`,
      changed.map(([, value]) => value)
    )
  }

  /** Archives or restores (contract 3.5); asked again, it stays as it is. */
  async setActive(tenant: Tenant, id: string, is_active: boolean): Promise<Plan> {
    return this.one(
      tenant,
      id,
      (where) => `UPDATE gateway_plan SET is_active = $4, updated_at = now() WHERE ${where} RETURNING ${COLUMNS}`,
      [is_active]
    )
  }

  /** Writes down who changed what a variant of the store is sold on; the link itself is Medusa's. */
  async variantLinked(
    tenant: Tenant & By,
    variant_id: string,
    { before, after }: Record<"before" | "after", string | null>
  ): Promise<void> {
    const { merchant_id, environment } = tenant
    const change = { before: before === null ? null : { plan: before }, after: after === null ? null : { plan: after } }
    const action = after === null ? "variant_plan.removed" : "variant_plan.set"
    await audit(this.database, { merchant_id, environment, by: tenant, action, resource_id: variant_id, ...change })
  }

  private async one(
    tenant: Tenant,
    id: string,
    statement: (where: string) => string,
    values: unknown[] = [],
    sql: Sql = this.database
  ): Promise<Plan> {
    const named = publicId(id)
    const rows =
      named === null
        ? []
        : await sql.query<Plan>(
            statement(`merchant_id = $1 AND environment = $2 AND ${named.column} = $3`),
            [tenant.merchant_id, tenant.environment, named.value, ...values]
          )
    if (rows.length === 0) {
      throw new GatewayError("PLAN_NOT_FOUND")
    }
    return rows[0]
  }
}

function minorOrNull(amount: Minor | null): number | null {
  return amount === null ? null : Number(amount)
}
