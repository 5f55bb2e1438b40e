import { createRequire } from "node:module"
import { join } from "node:path"
import utils from "@medusajs/framework/utils"
import { STRIPE_ACCOUNT } from "./acquirers.mjs"
import { ensureKey } from "./people.mjs"

const { ContainerRegistrationKeys } = utils
const NAME = "Shapla Abroad"
const TABLE = "gateway_acquirer_account"

/**
 * The second merchant, whose cards go to Stripe's stand-in, with a key of its own: the store's own merchant has its
 * cards at SSLCommerz.
 * @param stripe `{ secret_key, webhook_secret, key }`, `key` as in ensureKey; null: a start without stand-ins. The
 *   account is removed then, or the store would call Stripe itself.
 * @returns `{ api_key, api_key_id }` or null
 */
export async function ensureStripeMerchant(container, stripe) {
  const accounts = () => container.resolve(ContainerRegistrationKeys.PG_CONNECTION)(TABLE)
  if (stripe === null) {
    await accounts().where({ id: STRIPE_ACCOUNT }).delete()
    return null
  }
  const gateway = container.resolve("gateway")
  const merchants = await gateway.merchants.list()
  const merchant =
    merchants.find(({ name }) => name === NAME) ??
    (await gateway.merchants.create({ name: NAME, verification_status: "approved" }))
  const { secret_key, webhook_secret, key } = stripe
  const account = {
    id: STRIPE_ACCOUNT,
    merchant_id: merchant.id,
    environment: "sandbox",
    acquirer: "stripe",
    services: [],
    settings: "{}",
    credentials: sealed(gateway, JSON.stringify({ secret_key, webhook_secret })),
  }
  await accounts().insert(account).onConflict("id").merge(["credentials"])
  return ensureKey(gateway, merchant, key)
}

/** The store's own merchant has Rocket at shurjoPay, and only while its stand-in runs. */
export async function orderRocket(container, isAtShurjopay) {
  const gateway = container.resolve("gateway")
  const { id: merchant_id } = await gateway.merchants.storeMerchant(gateway.options.storeMerchantName)
  const services = container.resolve(ContainerRegistrationKeys.PG_CONNECTION)("gateway_payment_service")
  await services.where({ merchant_id, environment: "sandbox", code: "ROCKET" }).update({
    routes: isAtShurjopay
      ? JSON.stringify([{ acquirer: "shurjopay", share: null, from_minor: null, to_minor: null }])
      : null,
  })
}

/** The current folder is that of the built store. */
function sealed({ options }, text) {
  const built = createRequire(join(process.cwd(), "package.json"))
  const { secretBoxOf } = built("./src/modules/gateway/kernel/options.js")
  const { SEALED } = built("./src/modules/gateway/kernel/database/sealed-columns.js")
  return secretBoxOf(options).seal(text, SEALED.acquirerCredentials, STRIPE_ACCOUNT)
}
