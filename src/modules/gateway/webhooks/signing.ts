import { SEALED } from "../kernel/sealed-columns"
import { UnreadableSecret, type SecretBox } from "../kernel/secret-box"
import type { Database } from "../kernel/database"
import type { Tenant } from "../kernel/types"
import { ensureIpnSecret } from "./ipn-secret"

/** What a claim says of the secrets that a delivery is signed with, as the columns hold them. */
export type StoredSecrets = Tenant & {
  /** Null for an IPN, which is signed with the merchant's own secret. */
  endpoint_id: string | null
  /** The row of the merchant's environment. */
  environment_id: string
  secret: string | null
  previous_secret: string | null
  previous_secret_until: Date | null
}

/**
 * The secrets of a delivery, the current one first; one that has just been rotated signs along until its time is up. A
 * merchant that has never looked at its IPN secret gets one with its first IPN. Throws UnreadableSecret.
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
