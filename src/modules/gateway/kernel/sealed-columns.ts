/** A column with encrypted text. `member`: the column is jsonb, and this member of it holds the text. */
export type SealedColumn = {
  table: string
  column: string
  member?: string
  /** What the column held before secrets were encrypted: only such values are read without decryption. */
  plain: RegExp
}

const WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/]+={0,2}$/
/** Acquirers' tokens have any form, but none looks like an encrypted value. */
const TOKEN = /^(?!enc:)./s
const JSON_OR_NOTHING = /^(\{|$)/

/**
 * Every place in the database that holds a secret. All reads and writes of them go through SecretBox, and
 * `rotate-secrets` visits all of them (decisions: Found by real clients and people).
 */
export const SEALED = {
  endpointSecret: { table: "gateway_webhook_endpoint", column: "secret", plain: WEBHOOK_SECRET },
  endpointPreviousSecret: { table: "gateway_webhook_endpoint", column: "previous_secret", plain: WEBHOOK_SECRET },
  ipnSecret: { table: "gateway_merchant_environment", column: "ipn_secret", plain: WEBHOOK_SECRET },
  previousIpnSecret: { table: "gateway_merchant_environment", column: "previous_ipn_secret", plain: WEBHOOK_SECRET },
  instrumentToken: { table: "gateway_instrument", column: "token", plain: TOKEN },
  keptToken: { table: "gateway_transaction", column: "kept_instrument", member: "token", plain: TOKEN },
  idempotentAnswer: { table: "gateway_idempotency_key", column: "body", plain: JSON_OR_NOTHING },
} as const satisfies Record<string, SealedColumn>
