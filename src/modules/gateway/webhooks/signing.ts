import { SEALED } from "../kernel/sealed-columns"
import { UnreadableSecret, type SecretBox } from "../kernel/secret-box"
import type { Database } from "../kernel/database"
import type { Tenant } from "../kernel/types"
import { ensureIpnSecret } from "./ipn-secret"

/** The stored secrets for a claimed delivery, as the columns hold them. */
export type StoredSecrets = Tenant & {
  /** Null for an IPN, which the merchant's own secret signs. */
  endpoint_id: string | null
  /** The id of the merchant's environment row. */
  environment_id: string
  secret: string | null
  previous_secret: string | null
  previous_secret_until: Date | null
}

/**
 * The secrets that sign a delivery, the current one first; the previous one of a recent rotation follows until its time
 * is up. A merchant without an IPN secret gets one with its first IPN. Throws UnreadableSecret.
 */
export async function secretsOf(
  stored: StoredSecrets,
  merchantNow: Date,
  { database, box }: { database: Database; box: SecretBox }
): Promise<[string, ...string[]]> {
  const { endpoint_id, environment_id, secret, previous_secret, previous_secret_until: until } = stored
  const id = endpoint_id ?? environment_id
  const [now, before] =
    endpoint_id === null
      ? [SEALED.ipnSecret, SEALED.previousIpnSecret]
      : [SEALED.endpointSecret, SEALED.endpointPreviousSecret]
  if (secret === null && endpoint_id !== null) {
    throw new UnreadableSecret(`the endpoint ${endpoint_id} has no secret any more`)
  }
  const current = secret === null ? (await ensureIpnSecret(database, box, stored)).secret : box.open(secret, now, id)
  const signsAlong = previous_secret !== null && until !== null && until > merchantNow
  return signsAlong ? [current, box.open(previous_secret, before, id)] : [current]
}
