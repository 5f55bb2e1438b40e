import { createHash } from "node:crypto"
import { messageOf } from "../../../i18n/message"
import { audit, type By } from "../kernel/database/audit"
import { json, type Database, type Sql } from "../kernel/database/database"
import { fault, GatewayError, validationError } from "../kernel/errors"
import { newId } from "../kernel/text/ids"
import type { Cradle } from "../kernel/types"
import {
  LOGO_FILE,
  LOGO_MAX_BYTES,
  LOGO_MAX_PIXELS,
  LOGO_TYPES,
  drawableLogo,
  readLogo,
  type LogoType,
} from "./logo-rules"
import { profileOf, type MerchantProfile, type StoredProfile } from "./profile-rules"

/** What an admin writes; the logo comes as a file. */
export type ProfileChange = Partial<Omit<MerchantProfile, "logo">>
type LogoFile = { type: string; bytes: Buffer }

/** How merchants present themselves to shoppers (docs/decisions/15). */
export class MerchantProfileService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Changes the given members; null clears one. Throws MERCHANT_NOT_FOUND. */
  async change(merchant_id: string, change: ProfileChange, by: By = {}): Promise<MerchantProfile> {
    return this.database.transaction((sql) => this.write(sql, merchant_id, change, by))
  }

  /** Throws VALIDATION_ERROR, which names what is wrong with the picture, and MERCHANT_NOT_FOUND. */
  async setLogo(merchant_id: string, bytes: Buffer, by: By = {}): Promise<MerchantProfile> {
    const found = readLogo(bytes)
    if ("problem" in found) {
      const params = { kilobytes: LOGO_MAX_BYTES / 1024, pixels: LOGO_MAX_PIXELS }
      const reasons = {
        image_type: messageOf("rule.image_type"),
        image_bytes: messageOf("rule.image_bytes", { max: params.kilobytes }),
        image_pixels: messageOf("rule.image_pixels", { max: params.pixels }),
      }
      throw validationError([fault("logo", reasons[found.problem])])
    }
    const logo = `${createHash("sha256").update(bytes).digest("hex")}.${found.type}`
    return this.database.transaction(async (sql) => {
      await sql.query(
        `INSERT INTO gateway_merchant_logo (id, file, content) VALUES ($1, $2, $3) ON CONFLICT (file) DO NOTHING`,
        [newId("mlg"), logo, bytes.toString("base64")]
      )
      return this.write(sql, merchant_id, { logo }, by)
    })
  }

  /** The file stays: e-mails that were sent name it. Throws MERCHANT_NOT_FOUND. */
  async removeLogo(merchant_id: string, by: By = {}): Promise<MerchantProfile> {
    return this.database.transaction((sql) => this.write(sql, merchant_id, { logo: null }, by))
  }

  /** A logo by the name of its file; null: there is none. */
  async logo(file: string): Promise<LogoFile | null> {
    const [row] = LOGO_FILE.test(file)
      ? await this.database.query<{ content: string }>("SELECT content FROM gateway_merchant_logo WHERE file = $1", [
          file,
        ])
      : []
    const type = LOGO_TYPES[file.split(".")[1] as LogoType]
    return row === undefined ? null : { type, bytes: Buffer.from(row.content, "base64") }
  }

  /**
   * The content of a profile's logo as a PDF can hold it; null: there is none, or it is WebP, or an earlier version took
   * what the PDF library cannot draw.
   */
  async printableLogo({ logo }: Pick<MerchantProfile, "logo">): Promise<Buffer | null> {
    const file = logo === null ? null : await this.logo(logo)
    return file === null ? null : drawableLogo(file.bytes)
  }

  private async write(
    sql: Sql,
    merchant_id: string,
    change: Partial<MerchantProfile>,
    by: By
  ): Promise<MerchantProfile> {
    const [row] = await sql.query<{ profile: StoredProfile }>(
      "SELECT profile FROM gateway_merchant WHERE id = $1 FOR UPDATE",
      [merchant_id]
    )
    if (row === undefined) {
      throw new GatewayError("MERCHANT_NOT_FOUND")
    }
    const before = profileOf(row.profile)
    const given = Object.entries(change).filter(([, value]) => value !== undefined)
    const after: MerchantProfile = { ...before, ...(Object.fromEntries(given) as Partial<MerchantProfile>) }
    await sql.query("UPDATE gateway_merchant SET profile = $2, updated_at = now() WHERE id = $1", [
      merchant_id,
      json(after),
    ])
    const entry = { merchant_id, environment: null, by, action: "merchant.updated" as const, resource_id: merchant_id }
    await audit(sql, { ...entry, before, after })
    return after
  }
}
