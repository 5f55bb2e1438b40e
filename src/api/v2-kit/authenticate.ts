import { messageOf, type Message } from "../../i18n/message"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { environmentOfKey, hashApiKey } from "../../modules/gateway/kernel/text/ids"
import { isInNetworks } from "../../modules/gateway/kernel/http/ip"
import type { Environment } from "../../modules/gateway/kernel/money/clock"
import type { Gateway } from "../../modules/gateway/container"
import type { Caller } from "../../modules/gateway/kernel/types"
import type { ContractRoute } from "./types"

/** Finds the owner of a well-formed key by its hash; null when it is invalid. `real` is the real clock's moment. */
export type LookUp<As extends Caller> = (keyHash: string, real: Date) => Promise<As | null>

/**
 * Finds the caller (contract 5). Errors: API_KEY_MISSING, INVALID_API_KEY (on verify both are UNAUTHORIZED),
 * INVALID_ENVIRONMENT for a well-formed key of the other environment, before any lookup.
 */
export async function authenticate<As extends Caller>(
  lookUp: LookUp<As>,
  header: string | string[] | undefined,
  environment: Environment,
  path: string
): Promise<As> {
  const verifying = path.startsWith("/payments/verify/")
  const key = typeof header === "string" ? header : ""
  if (key === "") {
    throw new GatewayError(verifying ? "UNAUTHORIZED" : "API_KEY_MISSING")
  }
  const keyEnvironment = environmentOfKey(key)
  if (keyEnvironment !== null && keyEnvironment !== environment) {
    const isOfSandbox = keyEnvironment === "sandbox"
    throw new GatewayError(
      "INVALID_ENVIRONMENT",
      messageOf(isOfSandbox ? "refusal.sandbox_key_in_production" : "refusal.production_key_in_sandbox")
    )
  }
  const caller = keyEnvironment === null ? null : await lookUp(hashApiKey(key), new Date())
  if (caller === null) {
    throw new GatewayError(verifying ? "UNAUTHORIZED" : "INVALID_API_KEY", nextStep(key))
  }
  return caller
}

const PREFIX = /^[sr]k_(?:test|live)_/

/**
 * What to send instead of something that is no key of the gateway, by its form alone; undefined for a key that may have
 * been valid once.
 */
function nextStep(sent: string): Message | undefined {
  if (/^whsec_/.test(sent)) {
    return messageOf("refusal.secret_instead_of_key")
  }
  if (/\s/.test(sent.trim())) {
    return messageOf("refusal.key_with_scheme")
  }
  const [prefix] = PREFIX.exec(sent) ?? []
  if (prefix !== undefined) {
    return environmentOfKey(sent) === null ? messageOf("refusal.key_cut_short", { prefix }) : undefined
  }
  return /^[ps]k_/.test(sent) ? messageOf("refusal.medusa_key_instead_of_key") : undefined
}

/**
 * Checks what the caller may do. Errors: IP_NOT_WHITELISTED, MERCHANT_SUSPENDED, INVALID_ENVIRONMENT,
 * SERVICE_NOT_ENABLED, INSUFFICIENT_SCOPE.
 */
export async function authorize(
  gateway: Gateway,
  caller: Caller,
  address: string,
  route: ContractRoute
): Promise<void> {
  if (caller.ip_allow_list.length > 0 && !isInNetworks(address, caller.ip_allow_list)) {
    throw new GatewayError("IP_NOT_WHITELISTED")
  }
  if (caller.merchant_status === "suspended") {
    throw new GatewayError("MERCHANT_SUSPENDED")
  }
  if (route.sandboxOnly === true && caller.environment !== "sandbox") {
    throw new GatewayError("INVALID_ENVIRONMENT", messageOf("refusal.sandbox_helper"))
  }
  const lacksService = route.service !== undefined && !caller.services.includes(route.service)
  if (lacksService || (route.service === "checkout" && !(await gateway.hasAcquirer(caller)))) {
    throw new GatewayError("SERVICE_NOT_ENABLED")
  }
  if (caller.key_type === "restricted" && route.scope !== null && !caller.scopes.includes(route.scope)) {
    throw new GatewayError("INSUFFICIENT_SCOPE", messageOf("refusal.scope_missing", { scope: route.scope }))
  }
}

/** Another merchant's session gets the answer of an id that does not exist. */
export async function requireOwnSession(gateway: Gateway, caller: Caller, session_id: string): Promise<string> {
  const record = await gateway.transactions.bySession(session_id)
  if (record.merchant_id !== caller.merchant_id || record.environment !== caller.environment) {
    throw new GatewayError("SESSION_NOT_FOUND")
  }
  return record.session_id
}
