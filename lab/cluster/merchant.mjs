import { signAdminToken } from "../../scripts/lib/admin-token.mjs"
import { Complaint } from "../../scripts/lib/console.mjs"
import { connected } from "../../scripts/lib/database.mjs"
import { readCredentials, writeCredentials } from "./state.mjs"

/** One request; answers the parsed body. Throws a Complaint for any status but 2xx. */
export async function request(method, url, { headers = {}, body } = {}) {
  const response = await fetch(url, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) {
    throw new Complaint(`${method} ${url} answered ${response.status}:\n${text}`)
  }
  return JSON.parse(text)
}

/**
 * A sandbox key of the store's own merchant, made over the admin's API at the first start and kept in
 * `<home>/credentials.json`; with it what a storefront needs.
 * @returns `{ base_url, api_key, merchant_id, store_url, publishable_key, region_id }`
 */
export async function ensureMerchant({ home, url, base_url, secrets, addresses }) {
  const kept = readCredentials(home)
  const { api_key, merchant_id } = kept ?? (await makeDefaultKey(url, secrets))
  const credentials = { base_url, api_key, merchant_id, store_url: url, ...(await readShop(addresses.direct)) }
  writeCredentials(home, credentials)
  return credentials
}

/** A further merchant, with a sandbox key: `{ api_key, merchant_id }`. */
export async function makeMerchant({ url, secrets }, name) {
  const admin = adminOf(secrets)
  const { merchant } = await request("POST", `${url}/admin/gateway/merchants`, { headers: admin, body: { name } })
  return makeKey(url, admin, merchant.id)
}

const adminOf = ({ jwt }) => ({ Authorization: `Bearer ${signAdminToken(jwt, { id: "user_of_the_deployment" })}` })

async function makeDefaultKey(url, secrets) {
  const headers = adminOf(secrets)
  const { default_merchant_id } = await request("GET", `${url}/admin/gateway`, { headers })
  return makeKey(url, headers, default_merchant_id)
}

async function makeKey(url, headers, merchant_id) {
  const query = `merchant_id=${merchant_id}&environment=sandbox`
  const body = { name: "npm run cluster" }
  const { key } = await request("POST", `${url}/admin/gateway/api-keys?${query}`, { headers, body })
  return { api_key: key, merchant_id }
}

async function readShop(databaseUrl) {
  const { rows } = await connected(databaseUrl, (client) =>
    client.query(
      `SELECT (SELECT token FROM api_key WHERE type = 'publishable' AND revoked_at IS NULL LIMIT 1) AS publishable_key,
              (SELECT id FROM region WHERE name = 'Bangladesh' AND deleted_at IS NULL LIMIT 1) AS region_id`
    )
  )
  return rows[0]
}
