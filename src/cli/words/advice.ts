/** What to do when the gateway refuses a request, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  API_KEY_MISSING: "Set GATEWAY_API_KEY to a key of the merchant.",
  INVALID_API_KEY:
    "The key is unknown here, revoked or expired: set GATEWAY_API_KEY to another one (`npx medusa-payment-gateway keys create`).",
  UNAUTHORIZED: "Set GATEWAY_API_KEY to a valid key.",
  INVALID_ENVIRONMENT:
    "A key of the sandbox works at a sandbox store, or at --url <address>/sandbox of a store in production.",
  IP_NOT_WHITELISTED: "Add this machine's address to the merchant's allow-list, or run the command elsewhere.",
  INSUFFICIENT_SCOPE: "Use a key with the scope that the message names.",
  MERCHANT_SUSPENDED: "An admin has suspended the merchant; only the admin can change that.",
  SERVICE_NOT_ENABLED: "Enable the service in the merchant's settings in the admin.",
  RATE_LIMIT_EXCEEDED: "Wait a minute, then try again.",
  NOT_FOUND: "Check the id, and that the key belongs to the merchant and environment of it.",
  INTERNAL_SERVER_ERROR: "Look for the request's id in the log of the store.",
  SERVICE_UNAVAILABLE: "Try again soon; if it stays so, look into the log of the store.",
}

export function adviceOn(code: string): string {
  return ADVICE[code] ?? "Correct the request and run the command again."
}
