import { messageOf } from "../../../i18n/message"
import { addSeconds } from "../kernel/money/clock"
import type { Database } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { LIMITS } from "../kernel/limits"
import { SEALED, type SealedColumn } from "../kernel/database/sealed-columns"
import type { SecretBox } from "../kernel/database/secret-box"
import { newWebhookSecret } from "./signature"

/** Where a secret that signs lies, and the list of those that it has replaced. */
export const ENDPOINT_SECRETS = { current: SEALED.endpointSecret, previous: SEALED.endpointPreviousSecrets }
export const IPN_SECRETS = { current: SEALED.ipnSecret, previous: SEALED.previousIpnSecrets }
type Place = { current: SealedColumn; previous: SealedColumn }

/** What the columns of such a place hold. */
export type SecretRow = { id: string; secret: string | null; previous_secrets: string | null }
type ListRow = Pick<SecretRow, "id" | "previous_secrets">

/** A secret that a rotation has replaced. It also signs until its own end, however many rotations follow. */
type PreviousSecret = { secret: string; until: Date }

/** A new secret, and what the columns hold from now on. */
type Rotation = { secret: string; stored: Omit<SecretRow, "id">; until: Date | null }

/** Newest first, until they are erased also those that have ended. Throws UnreadableSecret. */
export function previousSecrets(box: SecretBox, place: Place, { id, previous_secrets }: ListRow): PreviousSecret[] {
  return previous_secrets === null ? [] : listOf(box.open(previous_secrets, place.previous, id))
}

/**
 * Replaces a secret at this moment of the merchant's clock. Receivers may use any of the earlier ones until it ends, so
 * none is dropped before: beyond the most that may sign along, INVALID_STATE_TRANSITION. What cannot be read signs
 * nothing and does not block a new secret.
 */
export function rotate(box: SecretBox, place: Place, row: SecretRow, now: Date): Rotation {
  const { id } = row
  const replaced = row.secret === null ? null : box.openIfReadable(row.secret, place.current, id)
  const signing = readable(box, place, row).filter(({ until }) => until > now)
  if (signing.length >= LIMITS.rotatedSecretsMax) {
    throw new GatewayError("INVALID_STATE_TRANSITION", tooMany(signing[signing.length - 1].until, now))
  }
  const end = addSeconds(now, LIMITS.rotatedSecretSeconds)
  const previous = replaced === null ? signing : [{ secret: replaced, until: end }, ...signing]
  const secret = newWebhookSecret()
  return {
    secret,
    stored: { secret: box.seal(secret, place.current, id), previous_secrets: sealed(box, place, id, previous) },
    until: previous[0]?.until ?? null,
  }
}

/** Erases secrets whose time is over; returns in how many places. A list that changes meanwhile waits for the next run. */
export async function eraseEnded(database: Database, box: SecretBox): Promise<number> {
  let erased = 0
  for (const [place, rotated, keep] of ROTATED) {
    for (const row of await database.query<RotatedRow>(rotated)) {
      const left = withoutEnded(box, place, row)
      if (left !== row.previous_secrets) {
        erased += (await database.query(keep, [row.id, row.previous_secrets, left])).length
      }
    }
  }
  return erased
}

/** `now` by the merchant's clock. */
type RotatedRow = { id: string; previous_secrets: string; now: Date }

const ROTATED_ENDPOINTS = `
  SELECT w.id, w.previous_secrets, now() + e.clock_offset_seconds * interval '1 second' AS now
  FROM gateway_webhook_endpoint w
  JOIN gateway_merchant_environment e ON e.merchant_id = w.merchant_id AND e.environment = w.environment
  WHERE w.previous_secrets IS NOT NULL`

const ROTATED_IPN = `
  SELECT id, previous_ipn_secrets AS previous_secrets, now() + clock_offset_seconds * interval '1 second' AS now
  FROM gateway_merchant_environment WHERE previous_ipn_secrets IS NOT NULL`

const KEEP_OF_ENDPOINT =
  "UPDATE gateway_webhook_endpoint SET previous_secrets = $3 WHERE id = $1 AND previous_secrets = $2 RETURNING id"

const KEEP_OF_IPN =
  "UPDATE gateway_merchant_environment SET previous_ipn_secrets = $3 WHERE id = $1 AND previous_ipn_secrets = $2 RETURNING id"

const ROTATED = [
  [ENDPOINT_SECRETS, ROTATED_ENDPOINTS, KEEP_OF_ENDPOINT],
  [IPN_SECRETS, ROTATED_IPN, KEEP_OF_IPN],
] as const

/** The list as it is stored when nothing has ended, or nothing can be read. */
function withoutEnded(box: SecretBox, place: Place, row: RotatedRow): string | null {
  const all = readable(box, place, row)
  const left = all.filter(({ until }) => until > row.now)
  return left.length === all.length ? row.previous_secrets : sealed(box, place, row.id, left)
}

function readable(box: SecretBox, { previous }: Place, { id, previous_secrets }: ListRow): PreviousSecret[] {
  const text = previous_secrets === null ? null : box.openIfReadable(previous_secrets, previous, id)
  return text === null ? [] : listOf(text)
}

/** All of them as one text, so that nobody can take one out of it or lengthen its time. */
function sealed(box: SecretBox, place: Place, id: string, list: readonly PreviousSecret[]): string | null {
  return list.length === 0 ? null : box.seal(JSON.stringify(list), place.previous, id)
}

function listOf(text: string): PreviousSecret[] {
  const list = JSON.parse(text) as { secret: string; until: string }[]
  return list.map(({ secret, until }) => ({ secret, until: new Date(until) }))
}

function tooMany(until: Date, now: Date) {
  const hours = Math.ceil((until.getTime() - now.getTime()) / 3_600_000)
  return messageOf("refusal.too_many_rotations", { count: LIMITS.rotatedSecretsMax, hours })
}
