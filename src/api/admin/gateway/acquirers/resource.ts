import { z } from "@medusajs/framework/zod"
import type { AcquirerView } from "../../../../modules/gateway/acquirers/account-view"
import type { AccountChange } from "../../../../modules/gateway/acquirers/service"
import type { JsonObject } from "../../../v2-kit/body"
import { listOf } from "../../../v2-kit/lists"
import { anyText, flag, parse, rule } from "../../../v2-kit/validate"

/**
 * An acquirer as the admin's page gets it. `notification_url` is to be registered at the acquirer; of `return_url` the
 * gateway fills in the attempt, so only its host and path can be registered.
 */
export function presentAcquirer({ definition, account }: AcquirerView, publicUrl: string) {
  const { id, name, services, currencies, credentials } = definition
  const base = `${publicUrl}/gateway/acquirers/${id}`
  return {
    id,
    name,
    services,
    currencies,
    fields: credentials.map(({ name: field, variable, secret, required, max_length }) => ({
      name: field,
      variable,
      secret,
      required,
      max_length,
    })),
    return_url: `${base}/return/{attempt}`,
    notification_url: account && `${base}/notify/${account.id}`,
    account,
  }
}

const SERVICES_MAX = 50
const POSITION = { min: 1, max: 99 }
const WRONG_POSITION = rule("whole_number_within", POSITION)

const changeSchema = z.object({
  /** The service knows each acquirer's fields. */
  credentials: z.unknown(),
  /** Payment service codes; empty: all that the acquirer serves. */
  services: listOf(anyText, { max: SERVICES_MAX }).optional(),
  is_active: flag.optional(),
  /** Null: after all others. */
  position: z
    .int(WRONG_POSITION)
    .min(POSITION.min, WRONG_POSITION)
    .max(POSITION.max, WRONG_POSITION)
    .nullable()
    .optional(),
})

export function readAccountChange(body: JsonObject): AccountChange {
  return parse(changeSchema, body)
}
