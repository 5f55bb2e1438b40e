import { randomInt, timingSafeEqual } from "node:crypto"
import { messageOf } from "../../../i18n/message"
import type { Database } from "../kernel/database/database"
import type { SecretBox } from "../kernel/database/secret-box"
import { GatewayError } from "../kernel/errors"
import type { GatewayOptions } from "../kernel/options"
import { newId } from "../kernel/text/ids"
import type { Cradle, Tenant } from "../kernel/types"
import { CODE_MINUTES } from "./rules"
import type { CashSettingService } from "./settings"

const DIGITS = 6
/** A check constraint of the table has the same number. */
const TRIES_MAX = 5
const DAY_SECONDS = 86_400

/** What a code is bound to; `phone` in E.164. */
export type CodeFor = Tenant & { cart_id: string; phone: string }

type CodeRow = { id: string; code_hash: string; tries: number; is_usable: boolean }

/**
 * Codes that show that the shopper has the phone of an order in cash (decisions: Cash on delivery). A cart's newest code
 * counts, once. Times are real: a sandbox whose clock moves sends real messages.
 */
export class CashCodeService {
  private readonly database: Database
  private readonly secretBox: SecretBox
  private readonly options: GatewayOptions
  private readonly settings: CashSettingService

  constructor({
    database,
    secretBox,
    gatewayOptions,
    cashSettingService,
  }: Cradle & { cashSettingService: CashSettingService }) {
    this.database = database
    this.secretBox = secretBox
    this.options = gatewayOptions
    this.settings = cashSettingService
  }

  /**
   * Makes a code of six digits, to be sent after this has committed; `left`: how many more the phone may be sent today.
   * Null: without a limit. Errors: RATE_LIMIT_EXCEEDED.
   */
  async issue(of: CodeFor): Promise<{ code: string; left: number | null }> {
    const { merchant_id, environment, cart_id, phone } = of
    const limit = this.options.pageLimits.cashCodesTo
    return this.database.transaction(async (sql) => {
      // Two requests at once must not both find room for the last one.
      await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
        `gateway_cash_code ${merchant_id} ${environment} ${phone}`,
      ])
      await sql.query("DELETE FROM gateway_cash_code WHERE created_at < now() - $1 * interval '1 second'", [
        DAY_SECONDS,
      ])
      const [sent] = await sql.query<{ count: number; wait: number }>(
        `SELECT count(*)::int AS count,
                COALESCE(ceil(extract(epoch FROM min(created_at) - now())) + $4, 0)::int AS wait
         FROM gateway_cash_code WHERE merchant_id = $1 AND environment = $2 AND phone = $3`,
        [merchant_id, environment, phone, DAY_SECONDS]
      )
      if (limit > 0 && sent.count >= limit) {
        const headers = { "Retry-After": String(Math.max(1, sent.wait)) }
        throw new GatewayError("RATE_LIMIT_EXCEEDED", messageOf("refusal.cash_codes_sent"), { headers })
      }
      const id = newId("gcc")
      const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0")
      await sql.query(
        `INSERT INTO gateway_cash_code (id, merchant_id, environment, cart_id, phone, code_hash, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 minute')`,
        [id, merchant_id, environment, cart_id, phone, this.hash(id, of, code), CODE_MINUTES]
      )
      return { code, left: limit > 0 ? limit - sent.count - 1 : null }
    })
  }

  /** Errors: CASH_CODE_WRONG; CASH_CODE_EXPIRED for a code that is over, used, or was entered wrongly five times. */
  async confirm(of: CodeFor, code: string): Promise<void> {
    const { merchant_id, environment, cart_id, phone } = of
    const left = await this.database.transaction(async (sql) => {
      // Held until the try is counted: of many guesses at once none is free.
      const [row] = await sql.query<CodeRow>(
        `SELECT id, code_hash, tries, confirmed_at IS NULL AND expires_at > now() AS is_usable FROM gateway_cash_code
         WHERE merchant_id = $1 AND environment = $2 AND phone = $3 AND cart_id = $4
         ORDER BY created_at DESC, id DESC LIMIT 1 FOR UPDATE`,
        [merchant_id, environment, phone, cart_id]
      )
      if (row === undefined || !row.is_usable || row.tries >= TRIES_MAX) {
        return null
      }
      const isRight = timingSafeEqual(Buffer.from(row.code_hash), Buffer.from(this.hash(row.id, of, code)))
      await sql.query(
        `UPDATE gateway_cash_code SET tries = tries + $2, confirmed_at = CASE WHEN $2 = 0 THEN now() END,
           updated_at = now() WHERE id = $1`,
        [row.id, isRight ? 0 : 1]
      )
      return isRight ? TRIES_MAX : TRIES_MAX - row.tries - 1
    })
    // After COMMIT: a try that is rolled back would not be counted.
    if (left === null || left === 0) {
      throw new GatewayError("CASH_CODE_EXPIRED")
    }
    if (left < TRIES_MAX) {
      throw new GatewayError("CASH_CODE_WRONG", messageOf("refusal.cash_code_wrong", { left }))
    }
  }

  /** Whether an order without an advance still lacks the code of its phone; of a cart without a phone always. */
  async isNeeded(of: Tenant & { cart_id: string; phone: string | null; advance_minor: number }): Promise<boolean> {
    if (of.advance_minor > 0 || !(await this.settings.retrieve(of)).phone_code) {
      return false
    }
    const confirmed = await this.database.query(
      `SELECT 1 FROM gateway_cash_code WHERE merchant_id = $1 AND environment = $2 AND phone = $3 AND cart_id = $4
         AND confirmed_at IS NOT NULL LIMIT 1`,
      [of.merchant_id, of.environment, of.phone, of.cart_id]
    )
    return confirmed.length === 0
  }

  /** A million codes are tried in a moment: without the key of the deployment the hash says nothing. */
  private hash(id: string, { cart_id, phone }: CodeFor, code: string): string {
    return this.secretBox.nameOf([id, cart_id, phone, code].join(" "), "cash code")
  }
}
