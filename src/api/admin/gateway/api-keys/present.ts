import type { ApiKey } from "../../../../modules/gateway/merchants/api-keys"

/** A key as it may be shown at any time: never the key itself. */
export function presentKey({ merchant_id: _merchant, environment: _environment, ...key }: ApiKey): object {
  return key
}
