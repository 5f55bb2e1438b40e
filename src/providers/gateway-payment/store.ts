import type { ConfigModule, Logger, Query } from "@medusajs/framework/types"
import { messageOf } from "../../i18n/message"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type GatewayModuleService from "../../modules/gateway/service"
import { type ReturnOrigins, returnOrigins } from "./checkout-request"

/** The payment module's container entries, with `dependencies: ["gateway", "query"]`. */
export type ProviderCradle = Record<string, unknown> & {
  gateway: GatewayModuleService
  query: Query
  configModule: ConfigModule
  logger: Logger
}

const PAYMENT_SESSION_ID = /^payses_([0-9A-Z]{26})$/

/** The public address of this deployment, without a trailing slash. */
export function publicUrlOf({ options }: GatewayModuleService): string {
  if (options.publicUrl === undefined) {
    throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.public_url_missing"))
  }
  return options.publicUrl.replace(/\/$/, "")
}

/** Where a storefront of this store may have its shoppers sent back to. */
export function originsOf({ gateway: { options }, configModule }: ProviderCradle): ReturnOrigins {
  const { storeCors } = configModule.projectConfig.http
  return returnOrigins({ storeCors, publicUrl: options.publicUrl, extra: options.returnOrigins })
}

/** The payment session's ULID; a second checkout of the same payment session gets `<ULID>-2`. */
export function orderIdOf(paymentSessionId: string, earlier: number): string {
  const ulid = PAYMENT_SESSION_ID.exec(paymentSessionId)?.[1]
  if (ulid === undefined) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.session_id"))
  }
  return earlier === 0 ? ulid : `${ulid}-${earlier + 1}`
}
