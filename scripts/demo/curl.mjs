import { sampleOrder } from "./payment.mjs"

/**
 * A checkout and its verification as shell commands. They read the API key from the file, so that it is not on the
 * screen.
 */
export function curlLines({ base_url }, credentialsPath) {
  const { customer, ...order } = sampleOrder("ORDER")
  const parts = Object.entries(order).map(([name, value]) => `"${name}": "${value}"`)
  const person = Object.entries(customer).map(([name, value]) => `"${name}": "${value}"`)
  const [id, currency, amount, description, ...urls] = parts
  return [
    `API_KEY=$(node -p 'require("${credentialsPath}").api_key')`,
    "",
    `curl -s ${base_url}/payments/checkout -H "X-Merchant-API-Key: $API_KEY" -H 'Content-Type: application/json' -d '{`,
    `  ${[id.replace("ORDER", "'\"TEST-$(date +%s)\"'"), currency, amount, description].join(", ")},`,
    ...urls.map((url) => `  ${url},`),
    `  "customer": {${person.slice(0, 3).join(", ")},`,
    `    ${person.slice(3).join(", ")}}`,
    "}'",
    "",
    `curl -s ${base_url}/payments/verify/TRANSACTION_ID -H "X-Merchant-API-Key: $API_KEY"`,
  ]
}
