import { sampleOrder } from "./payment.mjs"

/** A checkout and its verification as lines for a shell. The API key is read from the file, so it is not on the screen. */
export function curlLines({ base_url }, credentialsPath) {
  const { order_id, ...rest } = sampleOrder("")
  const body = JSON.stringify({ order_id: "ORDER", ...rest }).replace('"ORDER"', '"\'$(date +%s)\'"')
  return [
    `API_KEY=$(node -p 'require("${credentialsPath}").api_key')`,
    `curl -s ${base_url}/payments/checkout -H "X-Merchant-API-Key: $API_KEY" -H "Content-Type: application/json" -d '${body}'`,
    `curl -s ${base_url}/payments/verify/TRANSACTION_ID -H "X-Merchant-API-Key: $API_KEY"`,
  ]
}
