import type { Environment } from "../../modules/gateway/kernel/money/clock"
import type { ApiKeyType } from "../../modules/gateway/kernel/text/ids"
import type { Gateway } from "../../modules/gateway/container"

export type KeyInput = {
  /** A merchant's number or id; absent: the store's own. */
  merchant?: string
  name: string
  environment: Environment
  /** For a restricted key. */
  scopes?: string[]
  /** Creates none when the merchant has a key that works in the environment. */
  only_first?: boolean
}

/**
 * `key` is the whole key and appears only here; null: there was a key already, and none was created. A key of the type
 * `secret` has every scope and lists none.
 */
export type CreatedKey = { merchant: { id: string; number: number; name: string }; environment: Environment } & (
  { id: string; name: string; key: string; type: ApiKeyType; scopes: string[] } | { key: null }
)

export async function createKey(gateway: Gateway, input: KeyInput): Promise<CreatedKey> {
  const { merchant: wanted, name, environment, scopes } = input
  const merchant =
    wanted === undefined
      ? await gateway.merchants.storeMerchant(gateway.options.storeMerchantName)
      : await gateway.merchants.retrieve(/^[0-9]{1,9}$/.test(wanted) ? Number(wanted) : wanted)
  const owner = { merchant: { id: merchant.id, number: merchant.number, name: merchant.name }, environment }
  if (input.only_first === true) {
    const now = new Date()
    const keys = await gateway.apiKeys.list(merchant.id, environment)
    const isLive = ({ revoked_at, expires_at }: (typeof keys)[number]) =>
      revoked_at === null && (expires_at === null || expires_at > now)
    if (keys.some((key) => key.type === "secret" && isLive(key))) {
      return { ...owner, key: null }
    }
  }
  const created = await gateway.apiKeys.create({ merchant_id: merchant.id, environment, name, scopes })
  return { ...owner, id: created.id, name: created.name, key: created.key, type: created.type, scopes: created.scopes }
}
