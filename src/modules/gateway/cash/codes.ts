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
/** Codes that could not be sent count for no limit but this: an error does not say that no message was sent and paid. */
const SENDINGS_FOR_EACH = 3
const DAY_SECONDS = 86_400

/** What a code is bound to; `phone` in E.164. */
export type CodeFor = Tenant & { cart_id: string; phone: string }

/** Of a phone within a day; `of_…`: when the oldest of them was asked for, in seconds from now (negative). */
type Counted = { sent: number; all: number; of_sent: number; of_all: number }
type CodeRow = { id: string; code_hash: string; tries: number }

/**
 * Codes that show that the shopper has the phone of an order in cash (decisions: Cash on delivery). A cart's newest code
 * counts, once; one that could not be sent does not end the earlier one, and may have arrived all the same. Times are
 * real: a sandbox whose clock moves sends real messages.
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
  async issue(of: CodeFor): Promise<{ id: string; code: string; left: number | null }> {
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
      const [{ sent, all, of_sent, of_all }] = await sql.query<Counted>(
        `SELECT count(*) FILTER (WHERE unsent_at IS NULL)::int AS sent, count(*)::int AS all,
           COALESCE(extract(epoch FROM min(created_at) FILTER (WHERE unsent_at IS NULL) - now()), 0)::float8 AS of_sent,
           COALESCE(extract(epoch FROM min(created_at) - now()), 0)::float8 AS of_all
         FROM gateway_cash_code WHERE merchant_id = $1 AND environment = $2 AND phone = $3`,
        [merchant_id, environment, phone]
      )
      if (limit > 0 && (sent >= limit || all >= limit * SENDINGS_FOR_EACH)) {
        const wait = Math.ceil(DAY_SECONDS + (sent >= limit ? of_sent : of_all))
        const headers = { "Retry-After": String(Math.max(1, wait)) }
        throw new GatewayError("RATE_LIMIT_EXCEEDED", messageOf("refusal.cash_codes_sent"), { headers })
      }
      const id = newId("gcc")
      const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0")
      await sql.query(
        `INSERT INTO gateway_cash_code (id, merchant_id, environment, cart_id, phone, code_hash, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 minute')`,
        [id, merchant_id, environment, cart_id, phone, this.hash(id, of, code), CODE_MINUTES]
      )
      return { id, code, left: limit > 0 ? limit - sent - 1 : null }
    })
  }

  /** The code could not be sent, as far as the provider says; one that was entered has arrived. */
  async unsent(id: string): Promise<void> {
    await this.database.query(
      "UPDATE gateway_cash_code SET unsent_at = now(), updated_at = now() WHERE id = $1 AND confirmed_at IS NULL",
      [id]
    )
  }

  /** Errors: CASH_CODE_WRONG; CASH_CODE_EXPIRED for a code that is over, used, or was entered wrongly five times. */
  async confirm(of: CodeFor, code: string): Promise<void> {
    const { merchant_id, environment, cart_id, phone } = of
    const left = await this.database.transaction(async (sql) => {
      // Held until the try is counted: of many guesses at once none is free.
      const rows = await sql.query<CodeRow & { is_usable: boolean; is_sent: boolean }>(
        `SELECT id, code_hash, tries, unsent_at IS NULL AS is_sent,
           confirmed_at IS NULL AND expires_at > now() AND tries < $5 AS is_usable
         FROM gateway_cash_code WHERE merchant_id = $1 AND environment = $2 AND phone = $3 AND cart_id = $4
         ORDER BY created_at DESC, id DESC FOR UPDATE`,
        [merchant_id, environment, phone, cart_id, TRIES_MAX]
      )
      const newest = rows.findIndex(({ is_sent }) => is_sent)
      const usable = rows.slice(0, newest === -1 ? undefined : newest + 1).filter(({ is_usable }) => is_usable)
      if (usable.length === 0) {
        return null
      }
      const right = usable.find((row) => this.isCode(row, of, code))
      if (right !== undefined) {
        await sql.query(
          "UPDATE gateway_cash_code SET confirmed_at = now(), unsent_at = NULL, updated_at = now() WHERE id = $1",
          [right.id]
        )
        return TRIES_MAX
      }
      await sql.query("UPDATE gateway_cash_code SET tries = tries + 1, updated_at = now() WHERE id = ANY($1)", [
        usable.map(({ id }) => id),
      ])
      return TRIES_MAX - 1 - Math.min(...usable.map(({ tries }) => tries))
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

  private isCode({ id, code_hash }: CodeRow, of: CodeFor, code: string): boolean {
    return timingSafeEqual(Buffer.from(code_hash), Buffer.from(this.hash(id, of, code)))
  }

  /** A million codes are tried in a moment: without the key of the deployment the hash says nothing. */
  private hash(id: string, { cart_id, phone }: CodeFor, code: string): string {
    return this.secretBox.nameOf([id, cart_id, phone, code].join(" "), "cash code")
  }
}
