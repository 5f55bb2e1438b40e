import { audit, type By } from "../kernel/database/audit"
import { json, type Database } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import type { Cradle, Tenant } from "../kernel/types"
import { NO_CASH_SETTINGS, type CashSettings } from "./rules"

/** How a store takes cash on delivery (decisions: Cash on delivery). */
export class CashSettingService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Throws MERCHANT_NOT_FOUND. */
  async retrieve({ merchant_id, environment }: Tenant): Promise<CashSettings> {
    const [row] = await this.database.query<{ cash: CashSettings | null }>(
      "SELECT cash FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2",
      [merchant_id, environment]
    )
    if (row === undefined) {
      throw new GatewayError("MERCHANT_NOT_FOUND")
    }
    return { ...NO_CASH_SETTINGS, ...row.cash }
  }

  /** Applies to orders from now on; an open checkout keeps its advance until its cart changes. */
  async update(tenant: Tenant & By, change: Partial<CashSettings>): Promise<CashSettings> {
    const { merchant_id, environment } = tenant
    return this.database.transaction(async (sql) => {
      const [row] = await sql.query<{ cash: CashSettings | null }>(
        "SELECT cash FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2 FOR UPDATE",
        [merchant_id, environment]
      )
      if (row === undefined) {
        throw new GatewayError("MERCHANT_NOT_FOUND")
      }
      const before = { ...NO_CASH_SETTINGS, ...row.cash }
      const after = { ...before, ...change }
      await sql.query(
        "UPDATE gateway_merchant_environment SET cash = $3, updated_at = now() WHERE merchant_id = $1 AND environment = $2",
        [merchant_id, environment, json(after)]
      )
      const entry = {
        merchant_id,
        environment,
        by: tenant,
        action: "settings.updated" as const,
        resource_id: merchant_id,
      }
      await audit(sql, { ...entry, before, after })
      return after
    })
  }
}
