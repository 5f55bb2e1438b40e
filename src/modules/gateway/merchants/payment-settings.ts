import { messageOf } from "../../../i18n/message"
import { audit, type By } from "../kernel/database/audit"
import { json, type Database } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import type { CaptureMode, PaymentMethod, Route } from "./payment-services"
import type { Cradle, Tenant } from "../kernel/types"

/** A payment service of a merchant; the fee is basis points of the amount plus a fixed part in poisha. */
export type PaymentServiceSetting = {
  service_id: number
  code: string
  name: string
  kind: PaymentMethod
  fee_basis_points: number
  fee_fixed_minor: number
  supports_refunds: boolean
  is_active: boolean
  /** Which acquirers are asked first, and for which payments; null: in the order of the accounts. */
  routes: Route[] | null
  /** When the money of its payments is taken; null: as the merchant says for all. */
  capture: CaptureMode | null
}

const COLUMNS =
  "service_id, code, name, kind, fee_basis_points, fee_fixed_minor, supports_refunds, is_active, routes, capture"
const CHANGEABLE = [
  "fee_basis_points",
  "fee_fixed_minor",
  "supports_refunds",
  "is_active",
  "routes",
  "capture",
] as const

/** The fee of each payment service, and whether it is offered (decisions: Checkout). */
export class PaymentSettingService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Throws NOT_FOUND. */
  async retrieve(tenant: Tenant, service_id: number): Promise<PaymentServiceSetting> {
    const found = (await this.list(tenant)).find((row) => row.service_id === service_id)
    if (found === undefined) {
      throw new GatewayError("NOT_FOUND", messageOf("refusal.service_unknown"))
    }
    return found
  }

  async list(tenant: Tenant): Promise<PaymentServiceSetting[]> {
    return this.database.query(
      `SELECT ${COLUMNS} FROM gateway_payment_service WHERE merchant_id = $1 AND environment = $2 ORDER BY service_id`,
      [tenant.merchant_id, tenant.environment]
    )
  }

  /** Applies to later payments: a fee is calculated when a payment succeeds. Throws NOT_FOUND. */
  async update(
    tenant: Tenant & By,
    service_id: number,
    change: Partial<Pick<PaymentServiceSetting, (typeof CHANGEABLE)[number]>>
  ): Promise<PaymentServiceSetting> {
    const { merchant_id, environment } = tenant
    return this.database.transaction(async (sql) => {
      const own = [merchant_id, environment, service_id]
      const [before] = await sql.query<PaymentServiceSetting>(
        `SELECT ${COLUMNS} FROM gateway_payment_service
         WHERE merchant_id = $1 AND environment = $2 AND service_id = $3 FOR UPDATE`,
        own
      )
      if (before === undefined) {
        throw new GatewayError("NOT_FOUND", messageOf("refusal.service_unknown"))
      }
      const next = { ...before, ...change }
      const [after] = await sql.query<PaymentServiceSetting>(
        `UPDATE gateway_payment_service SET fee_basis_points = $4, fee_fixed_minor = $5, supports_refunds = $6,
           is_active = $7, routes = $8::jsonb, capture = $9, updated_at = now()
         WHERE merchant_id = $1 AND environment = $2 AND service_id = $3 RETURNING ${COLUMNS}`,
        [
          ...own,
          next.fee_basis_points,
          next.fee_fixed_minor,
          next.supports_refunds,
          next.is_active,
          json(next.routes),
          next.capture,
        ]
      )
      const entry = {
        merchant_id,
        environment,
        by: tenant,
        action: "payment_service.updated" as const,
        resource_id: before.code,
      }
      await audit(sql, { ...entry, before: pick(before), after: pick(after) })
      return after
    })
  }
}

function pick(row: PaymentServiceSetting): Record<string, unknown> {
  return Object.fromEntries(CHANGEABLE.map((name) => [name, row[name]]))
}
