import { UnreadableSecret, type SecretBox } from "../kernel/database/secret-box"
import type { Database } from "../kernel/database/database"
import type { Tenant } from "../kernel/types"
import { ensureIpnSecret } from "./ipn-secret"
import { ENDPOINT_SECRETS, IPN_SECRETS, previousSecrets } from "./rotated-secrets"

/** The stored secrets for a claimed delivery, as the columns hold them. */
export type StoredSecrets = Tenant & {
  /** Null for an IPN, which the merchant's own secret signs. */
  endpoint_id: string | null
  /** The id of the merchant's environment row. */
  environment_id: string
  secret: string | null
  previous_secrets: string | null
}

/**
 * The secrets that sign a delivery, the current one first; those of recent rotations follow, each until its time is up.
 * A merchant without an IPN secret gets one with its first IPN. Throws UnreadableSecret.
 */
export async function secretsOf(
  stored: StoredSecrets,
  merchantNow: Date,
  { database, box }: { database: Database; box: SecretBox }
): Promise<[string, ...string[]]> {
  const { endpoint_id, environment_id, secret, previous_secrets } = stored
  const id = endpoint_id ?? environment_id
  const place = endpoint_id === null ? IPN_SECRETS : ENDPOINT_SECRETS
  if (secret === null && endpoint_id !== null) {
    throw new UnreadableSecret(`the endpoint ${endpoint_id} has no secret any more`)
  }
  const current =
    secret === null ? (await ensureIpnSecret(database, box, stored)).secret : box.open(secret, place.current, id)
  const signing = previousSecrets(box, place, { id, previous_secrets }).filter(({ until }) => until > merchantNow)
  return [current, ...signing.map((previous) => previous.secret)]
}
