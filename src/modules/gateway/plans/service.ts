import { randomUUID } from "node:crypto"
import { audit, type By } from "../kernel/database/audit"
import type { AuditAction } from "../kernel/database/logged-actions"
import type { IntervalUnit } from "../kernel/money/calendar"
import { GatewayError } from "../kernel/errors"
import { newId, publicId } from "../kernel/text/ids"
import type { Minor } from "../kernel/money/money"
import { json, type Database, type Sql } from "../kernel/database/database"
import { placeOf } from "../kernel/database/counters"
import type { Cradle, Scope, Tenant } from "../kernel/types"

/** Amounts in poisha. */
export type Plan = Tenant & {
  id: string
  number: number
  uuid: string
  plan_name: string
  plan_description: string | null
  /** Customers may switch between the active plans of one family. */
  family: string | null
  amount_minor: number
  currency: string
  interval_count: number
  interval_unit: IntervalUnit
  trial_period_days: number | null
  trial_amount_minor: number | null
  /** After how many paid periods a subscription to it ends; null: it goes on. */
  billing_cycles: number | null
  meta_data: Record<string, unknown>
  is_active: boolean
  opened_at: Date
}

export type NewPlan = {
  plan_name: string
  plan_description: string | null
  family?: string | null
  amount: Minor
  currency: string
  interval_count: number
  interval_unit: IntervalUnit
  trial_period_days: number | null
  trial_amount: Minor | null
  billing_cycles?: number | null
  meta_data: Record<string, unknown>
}

/** What a merchant may change; interval and currency are fixed (decisions: Plans). */
export type PlanChange = Partial<Omit<NewPlan, "currency" | "interval_count" | "interval_unit">>

export const PLAN_COLUMNS = `id, number, uuid, merchant_id, environment, plan_name, plan_description, family, amount_minor, currency,
  interval_count, interval_unit, trial_period_days, trial_amount_minor, billing_cycles, meta_data, is_active, opened_at`

/** Nobody compares more. */
const RELATIVES_MAX = 20

/** The plans that merchants sell subscriptions on (contract 4.5). */
export class PlanService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /**
   * When the request's idempotency record already has a plan (its answer was lost with a process), returns that plan.
   */
  async create(scope: Scope & By, plan: NewPlan, idempotency_id: string | null = null): Promise<Plan> {
    const id = newId("gpl")
    return this.database.transaction(async (sql) => {
      const [row] = await sql.query<Plan>(
        `INSERT INTO gateway_plan (id, uuid, merchant_id, environment, plan_name, plan_description, amount_minor, currency,
           interval_count, interval_unit, trial_period_days, trial_amount_minor, meta_data, idempotency_id, opened_at, family, billing_cycles)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
         ON CONFLICT (idempotency_id) WHERE idempotency_id IS NOT NULL DO UPDATE SET updated_at = now()
         RETURNING ${PLAN_COLUMNS}`,
        [
          id,
          randomUUID(),
          scope.merchant_id,
          scope.environment,
          plan.plan_name,
          plan.plan_description,
          Number(plan.amount),
          plan.currency,
          plan.interval_count,
          plan.interval_unit,
          plan.trial_period_days,
          minorOrNull(plan.trial_amount),
          json(plan.meta_data),
          idempotency_id,
          scope.now,
          plan.family ?? null,
          plan.billing_cycles ?? null,
        ]
      )
      // A plan that the lost request made has its audit entry already.
      if (row.id === id) {
        await note(sql, scope, "plan.created", null, row)
      }
      return row
    })
  }

  /** Newest first; archived ones only on request. */
  async list(
    tenant: Tenant,
    filter: { include_inactive: boolean },
    page: { per_page: number; offset: number }
  ): Promise<{ rows: Plan[]; total: number }> {
    const labels = filter.include_inactive ? undefined : ["active"]
    const { total, before, skip } = await placeOf(this.database, tenant, "plan", page.offset, labels)
    const rows = await this.database.query<Plan>(
      `SELECT ${PLAN_COLUMNS} FROM gateway_plan
       WHERE merchant_id = $1 AND environment = $2 AND number < $3 ${filter.include_inactive ? "" : "AND is_active"}
       ORDER BY number DESC LIMIT $4 OFFSET $5`,
      [tenant.merchant_id, tenant.environment, before, page.per_page, skip]
    )
    return { rows, total }
  }

  /** By the integer id or the uuid; throws PLAN_NOT_FOUND, for other merchants' plans too. */
  async retrieve(tenant: Tenant, id: string): Promise<Plan> {
    return this.one(tenant, id)
  }

  /** By the rows' own ids, archived ones included; other merchants' plans are left out. */
  async byRowIds(tenant: Tenant, ids: readonly string[]): Promise<Plan[]> {
    return this.database.query<Plan>(
      `SELECT ${PLAN_COLUMNS} FROM gateway_plan WHERE merchant_id = $1 AND environment = $2 AND id = ANY($3)`,
      [tenant.merchant_id, tenant.environment, ids]
    )
  }

  /**
   * For a new subscription: throws PLAN_NOT_FOUND, PLAN_INACTIVE. The plan is locked against archiving until the
   * transaction ends.
   */
  async requireActive(sql: Sql, tenant: Tenant, id: string): Promise<Plan> {
    const plan = await this.one(tenant, id, "FOR SHARE", sql)
    if (!plan.is_active) {
      throw new GatewayError("PLAN_INACTIVE", undefined, { field: "subscription_plan_id" })
    }
    return plan
  }

  /** The plans that a customer with this one may switch to: the other active ones of its family and currency. */
  async relatives(tenant: Tenant, plan_id: string, sql: Sql = this.database): Promise<Plan[]> {
    return sql.query<Plan>(
      `SELECT ${PLAN_COLUMNS} FROM gateway_plan
       WHERE merchant_id = $1 AND environment = $2 AND is_active AND id <> $3 AND (family, currency) =
         (SELECT own.family, own.currency FROM gateway_plan own WHERE own.id = $3)
       ORDER BY amount_minor, number LIMIT ${RELATIVES_MAX}`,
      [tenant.merchant_id, tenant.environment, plan_id]
    )
  }

  /** Changes only what is given. Existing subscriptions keep the terms that they were created with. */
  async update(tenant: Tenant & By, id: string, change: PlanChange): Promise<Plan> {
    return this.change(tenant, id, "plan.updated", {
      plan_name: change.plan_name,
      plan_description: change.plan_description,
      family: change.family,
      amount_minor: change.amount === undefined ? undefined : Number(change.amount),
      trial_period_days: change.trial_period_days,
      trial_amount_minor: change.trial_amount === undefined ? undefined : minorOrNull(change.trial_amount),
      billing_cycles: change.billing_cycles,
      meta_data: change.meta_data === undefined ? undefined : json(change.meta_data),
    })
  }

  /** Archives or restores (contract 3.5); idempotent. */
  async setActive(tenant: Tenant & By, id: string, is_active: boolean): Promise<Plan> {
    return this.change(tenant, id, is_active ? "plan.restored" : "plan.archived", { is_active })
  }

  /** The names of the merchant's plans by their public ids, numbers and UUIDs; of what is no plan of it there is none. */
  async names({ merchant_id, environment }: Tenant, ids: readonly string[]): Promise<[id: string, name: string][]> {
    const wanted = ids.map(publicId).filter((id) => id !== null)
    const numbers = wanted.flatMap((id) => (id.column === "number" ? id.value : []))
    const uuids = wanted.flatMap((id) => (id.column === "uuid" ? id.value : []))
    if (wanted.length === 0) {
      return []
    }
    const plans = await this.database.query<Pick<Plan, "number" | "uuid" | "plan_name">>(
      `SELECT number, uuid, plan_name FROM gateway_plan
       WHERE merchant_id = $1 AND environment = $2 AND (number = ANY($3) OR uuid = ANY($4))`,
      [merchant_id, environment, numbers, uuids]
    )
    return plans.flatMap(({ number, uuid, plan_name }): [string, string][] => [
      [String(number), plan_name],
      [uuid, plan_name],
    ])
  }

  /** Audits a change of the plan that a store's variant is sold on; Medusa keeps the link itself. */
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

  /** Writes the given columns and an audit entry, in one transaction. */
  private async change(
    tenant: Tenant & By,
    id: string,
    action: AuditAction,
    columns: Record<string, unknown>
  ): Promise<Plan> {
    const changed = Object.entries(columns).filter(([, value]) => value !== undefined)
    const assignments = changed.map(([column], index) => `${column} = $${index + 2}`)
    return this.database.transaction(async (sql) => {
      const before = await this.one(tenant, id, "FOR UPDATE", sql)
      const [after] = await sql.query<Plan>(
        `UPDATE gateway_plan SET ${[...assignments, "updated_at = now()"].join(", ")} WHERE id = $1 RETURNING ${PLAN_COLUMNS}`,
        [before.id, ...changed.map(([, value]) => value)]
      )
      await note(sql, tenant, action, before, after)
      return after
    })
  }

  private async one(tenant: Tenant, id: string, lock = "", sql: Sql = this.database): Promise<Plan> {
    const named = publicId(id)
    const rows =
      named === null
        ? []
        : await sql.query<Plan>(
            `SELECT ${PLAN_COLUMNS} FROM gateway_plan
             WHERE merchant_id = $1 AND environment = $2 AND ${named.column} = $3 ${lock}`,
            [tenant.merchant_id, tenant.environment, named.value]
          )
    if (rows.length === 0) {
      throw new GatewayError("PLAN_NOT_FOUND")
    }
    return rows[0]
  }
}

/** The fields of a plan that audit entries show. */
function termsOf(plan: Plan) {
  const { plan_name, plan_description, family, amount_minor, currency, interval_count, interval_unit } = plan
  const { trial_period_days, trial_amount_minor, billing_cycles, meta_data, is_active } = plan
  return {
    plan_name,
    plan_description,
    family,
    amount_minor,
    currency,
    interval_count,
    interval_unit,
    trial_period_days,
    trial_amount_minor,
    billing_cycles,
    meta_data,
    is_active,
  }
}

async function note(sql: Sql, by: Tenant & By, action: AuditAction, before: Plan | null, after: Plan): Promise<void> {
  const { merchant_id, environment } = by
  const change = { before: before && termsOf(before), after: termsOf(after) }
  await audit(sql, { merchant_id, environment, by, action, resource_id: after.uuid, ...change })
}

function minorOrNull(amount: Minor | null): number | null {
  return amount === null ? null : Number(amount)
}
