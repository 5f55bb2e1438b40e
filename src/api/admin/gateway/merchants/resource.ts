import { z } from "@medusajs/framework/zod"
import { asciiDigits } from "../../../../i18n/typed"
import { BRAND_COLOR } from "../../../../modules/gateway/merchants/brand-rules"
import { type StoredProfile, logoPath, profileOf } from "../../../../modules/gateway/merchants/profile-rules"
import type { ProfileChange } from "../../../../modules/gateway/merchants/profiles"
import type { Merchant } from "../../../../modules/gateway/merchants/service"
import type { JsonObject } from "../../../v2-kit/body"
import { clearable, email, parse, required, rule, text } from "../../../v2-kit/validate"

export function presentMerchant({
  id,
  number,
  name,
  email,
  status,
  verification_status,
  profile,
  created_at,
}: Merchant) {
  return { id, number, name, email, status, verification_status, profile: presentProfile(profile), created_at }
}

/** `logo_url` is below the address of this deployment; null: there is no logo. */
export function presentProfile(stored: StoredProfile) {
  const { logo, ...profile } = profileOf(stored)
  return { ...profile, logo_url: logoPath({ logo }) }
}

const NAME_MAX_CHARS = 200
const ADDRESS_MAX_CHARS = 300
const ADDRESS_MAX_LINES = 5
const URL_MAX_CHARS = 255
const BIN = /^[0-9]{9}(-?[0-9]{4})?$/
const SUPPORT_PHONE = /^[+0-9 ()-]{3,25}$/

const name = text(200).refine((value) => value !== "", rule("not_empty"))
const newSchema = z.object({ name, email: email.optional() })

/** An empty or absent e-mail address means none: notifications are then not sent. */
const changeSchema = z.object({
  name: name.optional(),
  email: clearable(email),
  status: z.enum(["active", "suspended"], required(rule("either", { values: "active", last: "suspended" }))).optional(),
  verification_status: z
    .enum(
      ["unverified", "pending", "approved", "rejected"],
      rule("either", { values: "unverified, pending, approved", last: "rejected" })
    )
    .optional(),
})

export function readNewMerchant(body: JsonObject): z.output<typeof newSchema> {
  return parse(newSchema, { ...body, email: body.email || undefined })
}

export function readMerchantChange(body: JsonObject): z.output<typeof changeSchema> {
  return parse(changeSchema, body)
}

const supportUrl = text(URL_MAX_CHARS).refine(isHttps, rule("absolute_url"))

const profileSchema = z.object({
  name_bn: clearable(text(NAME_MAX_CHARS)),
  legal_name: clearable(text(NAME_MAX_CHARS)),
  address: clearable(
    text(ADDRESS_MAX_CHARS).refine(
      (value) => value.split("\n").length <= ADDRESS_MAX_LINES,
      rule("max_lines", { max: ADDRESS_MAX_LINES })
    )
  ),
  bin: clearable(
    text(20)
      .transform(asciiDigits)
      .refine((value) => BIN.test(value), rule("bin", { example: "001234567-0101" }))
  ),
  support_email: clearable(email),
  support_phone: clearable(
    text(25)
      .transform(asciiDigits)
      .refine((value) => SUPPORT_PHONE.test(value), rule("support_phone"))
  ),

  support_url: clearable(supportUrl),
  brand_color: clearable(
    text(7)
      .refine((value) => BRAND_COLOR.test(value), rule("color", { example: "#00634a" }))
      .transform((value) => value.toLowerCase())
  ),
})

export function readProfileChange(body: JsonObject): ProfileChange {
  return parse(profileSchema, body)
}

/** Shoppers follow it from the payment page. */
function isHttps(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null
  return url?.protocol === "https:" && url.username === "" && url.password === ""
}

const logoSchema = z.object({ content: z.string(required(rule("text"))) })

/** What base64 leaves unread is no picture either: the file's own check refuses it. */
export function readLogoFile(body: JsonObject): Buffer {
  return Buffer.from(parse(logoSchema, body).content, "base64")
}
