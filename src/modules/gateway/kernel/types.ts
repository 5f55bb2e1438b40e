import type { Logger } from "@medusajs/framework/types"
import type { Origin } from "./database/audit"
import type { Database } from "./database/database"
import type { Environment } from "./money/clock"
import type { ApiKeyType } from "./text/ids"
import type { Minor } from "./money/money"
import type { SecretBox } from "./database/secret-box"
import type { GatewayOptions } from "./options"

/** What the module's container gives to every service. */
export type Cradle = {
  logger: Logger
  gatewayOptions: GatewayOptions
  database: Database
  secretBox: SecretBox
}

/** The merchant and environment that own a row. Nothing is ever read across either. */
export type Tenant = { merchant_id: string; environment: Environment }

/** A tenant at one moment of its clock. */
export type Scope = Tenant & { now: Date }

/** A tenant at one moment of its clock, with the time zone (IANA) of its days (decisions: Days). */
export type ZonedScope = Scope & { time_zone: string }

export const SERVICES = ["checkout", "emi", "subscriptions", "refunds"] as const
export type ServiceName = (typeof SERVICES)[number]

/** The highest sum of one payment, in poisha, that admins with a role of Medusa's RBAC refund (docs/decisions/05). */
export type RoleLimit = { role_id: string; amount_minor: number }

/**
 * Whose subscriptions get one trial of a customer and family of plans (decisions: One trial): those that the store's
 * carts begin, also those made over `/api/v2` and by admins, or none.
 */
export const ONE_TRIAL_MODES = ["store", "all", "off"] as const
export type OneTrialMode = (typeof ONE_TRIAL_MODES)[number]

/** The caller of `/api/v2`, from the API key. */
export type Caller = Scope & {
  key_id: string
  key_type: ApiKeyType
  scopes: string[]
  merchant_number: number
  merchant_status: "active" | "suspended"
  services: string[]
  ip_allow_list: string[]
  rate_limit_requests: number | null
  clock_offset_seconds: number
  /** The merchant is compatible with shop modules (docs/decisions/15). */
  shop_modules: boolean
  /** Where the admitted request came from, for audit entries. */
  origin?: Origin
}

/**
 * What somebody has found in the acquirer's own dashboard about a payment or refund of unknown outcome
 * (docs/decisions/03). `reference` is the acquirer's, `amount` what the dashboard shows, in minor units.
 */
export type OperatorFinding = { note: string } & ({ moved: true; reference: string; amount: Minor } | { moved: false })
