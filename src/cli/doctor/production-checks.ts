import { parseEncryptionKeys } from "../../modules/gateway/kernel/encryption-keys"
import { ACQUIRERS, baseUrlVariable } from "../../modules/gateway/payments/acquirers/definitions"
import type { Facts, StoreConfig } from "./facts"
import { failed, warned, type Finding } from "./findings"

const SHORTEST_SECRET = 32
/** The id of the key that a store without keys uses (kernel/encryption-keys.ts). */
const DEVELOPMENT_KEY = "development"

const isLive = ({ options }: StoreConfig) => options.environment === "production"

export function checkEnvironment({ env }: Facts, config: StoreConfig): Finding[] {
  if (isLive(config)) {
    return [
      ...(config.options.allowPrivateUrls === true ? [failed("PRIVATE_URLS_IN_PRODUCTION")] : []),
      ...ACQUIRERS.map(baseUrlVariable)
        .filter((name) => env[name])
        .map((name) => failed("ACQUIRER_ADDRESS_REPLACED", { name })),
    ]
  }
  return env.NODE_ENV === "production" ? [warned("SANDBOX_IN_PRODUCTION")] : []
}

/** Also without a configuration: the variable alone says enough. */
export function checkEncryption({ config, env, database }: Facts): Finding[] {
  const options = config.state === "read" ? config.options : {}
  const text = options.encryptionKeys ?? env.GATEWAY_ENCRYPTION_KEYS
  const isRequired = options.environment === "production" || env.NODE_ENV === "production"
  const stored = database?.state === "read" ? database.secret_keys : []
  if (typeof text !== "string" || text === "") {
    const lost = stored.filter((id) => id !== DEVELOPMENT_KEY)
    return [
      isRequired ? failed("ENCRYPTION_KEYS_UNSET") : warned("ENCRYPTION_KEYS_UNSET"),
      ...(lost.length === 0 ? [] : [failed("ENCRYPTION_KEY_LOST", { ids: lost.join(", ") })]),
    ]
  }
  try {
    const ids = parseEncryptionKeys(text).map(({ id }) => id)
    const replaced = database?.state === "read" ? database.replaced_keys : []
    return [
      ...(replaced.length === 0 ? [] : [failed("ENCRYPTION_KEY_REPLACED", { ids: replaced.join(", ") })]),
      ...storedFindings(stored, isRequired ? ids : [...ids, DEVELOPMENT_KEY]),
    ]
  } catch (error) {
    return [failed("ENCRYPTION_KEYS_WRONG", { reason: (error as Error).message })]
  }
}

function storedFindings(stored: readonly string[], [first, ...others]: readonly string[]): Finding[] {
  const lost = stored.filter((id) => id !== first && !others.includes(id))
  const older = stored.filter((id) => others.includes(id))
  return [
    ...(lost.length === 0 ? [] : [failed("ENCRYPTION_KEY_LOST", { ids: lost.join(", ") })]),
    ...(older.length === 0 ? [] : [warned("ENCRYPTION_NOT_ROTATED", { ids: older.join(", ") })]),
  ]
}

/** Medusa's own secrets; a store that takes real money does not start with weak ones. */
export function checkSecrets({ env }: Facts, config: StoreConfig): Finding[] {
  const isWeak = (length: number | null) => length === null || length < SHORTEST_SECRET
  const found = isLive(config) ? failed : warned
  const length = SHORTEST_SECRET
  const isPlain = String(config.options.publicUrl ?? "").startsWith("http://")
  return [
    ...(isWeak(config.jwt_secret_length) ? [found("JWT_SECRET_WEAK", { length })] : []),
    ...(isWeak(config.cookie_secret_length) ? [found("COOKIE_SECRET_WEAK", { length })] : []),
    ...(env.NODE_ENV === "production" && isPlain && config.has_secure_cookie ? [warned("ADMIN_COOKIE_DROPPED")] : []),
  ]
}

export function checkAcquirers({ acquirers }: Facts, config: StoreConfig): Finding[] | "not_checked" {
  if (config.acquirer_variables !== null) {
    return [failed("ACQUIRER_VARIABLES_MISSING", { reason: config.acquirer_variables })]
  }
  if (acquirers.tested === null) {
    const { problem } = acquirers
    return problem === null ? "not_checked" : [warned("ACQUIRERS_NOT_ASKED", { reason: problem })]
  }
  const isBare = acquirers.tested.length === 0 && config.own_acquirers === 0 && config.variable_accounts === 0
  if (isBare && isLive(config)) {
    return [failed("ACQUIRER_NONE")]
  }
  return acquirers.tested.flatMap(({ merchant, acquirer, problem, message }) => {
    switch (problem) {
      case null:
        return []
      case "unreadable":
        return [failed("ACQUIRER_UNREADABLE", { merchant, acquirer })]
      case "no_answer":
        return [warned("ACQUIRER_SILENT", { merchant, acquirer })]
      case "not_tested":
        return [warned("ACQUIRERS_NOT_ASKED", { reason: message })]
      default:
        return [failed("ACQUIRER_REFUSED", { merchant, acquirer, reason: message })]
    }
  })
}
