/** A column with encrypted text. `member`: the column is jsonb, and this member of it holds the text. */
export type SealedColumn = {
  table: string
  column: string
  member?: string
}

/**
 * Every place in the database that holds a secret. All reads and writes of them go through SecretBox, and
 * `rotate-secrets` visits all of them (decisions: Found by real clients and people).
 */
export const SEALED = {
  endpointSecret: { table: "gateway_webhook_endpoint", column: "secret" },
  endpointPreviousSecrets: { table: "gateway_webhook_endpoint", column: "previous_secrets" },
  ipnSecret: { table: "gateway_merchant_environment", column: "ipn_secret" },
  previousIpnSecrets: { table: "gateway_merchant_environment", column: "previous_ipn_secrets" },
  instrumentToken: { table: "gateway_instrument", column: "token" },
  keptToken: { table: "gateway_transaction", column: "kept_instrument", member: "token" },
  acquirerCredentials: { table: "gateway_acquirer_account", column: "credentials" },
  acquirerToken: { table: "gateway_acquirer_token", column: "token" },
  acquirerRefreshToken: { table: "gateway_acquirer_token", column: "refresh_token" },
  idempotentAnswer: { table: "gateway_idempotency_key", column: "body" },
} as const satisfies Record<string, SealedColumn>
