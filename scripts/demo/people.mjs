import { readFileSync } from "node:fs"
import flows from "@medusajs/medusa/core-flows"
import utils from "@medusajs/framework/utils"

const { Modules } = utils
const EMAIL_AND_PASSWORD = "emailpass"
const PROFILE = {
  name_bn: "শাপলা",
  legal_name: "Shapla Handicrafts",
  address: "12 Tejgaon Industrial Area\nDhaka 1208",
  support_email: "help@shapla.example",
  support_phone: "+8801712345678",
}

/** Creates an admin user with this e-mail address and password, or sets the password of an existing one. */
export async function ensureAdmin(container, { email, password }) {
  const auth = container.resolve(Modules.AUTH)
  const users = container.resolve(Modules.USER)
  const registered = await auth.register(EMAIL_AND_PASSWORD, { body: { email, password } })
  // The identity may exist without its user, when an earlier start was interrupted between the two.
  const result = registered.success
    ? registered
    : await auth.updateProvider(EMAIL_AND_PASSWORD, { entity_id: email, password })
  if (!result.success) {
    throw new Error(`the admin user could not be made: ${result.error}`)
  }
  const [user] = await users.listUsers({ email })
  if (user) {
    return
  }
  const [identity] = await auth.listAuthIdentities({ provider_identities: { entity_id: email } })
  await flows.createUserAccountWorkflow(container).run({
    input: { authIdentityId: identity.id, userData: { email, first_name: "Demo", last_name: "Admin" } },
  })
}

/**
 * The merchant of the shop's own payments, and a sandbox key of it: with that key `/api/v2` shows payments made in the
 * shop.
 * @param known as in ensureKey
 */
export async function ensureMerchant(container, known) {
  const gateway = container.resolve("gateway")
  const isNew = (await gateway.merchants.list()).length === 0
  // As the store itself makes it: with receipts, which an API merchant starts without.
  const merchant = await gateway.merchants.storeMerchant("Shapla")
  if (isNew) {
    await gateway.merchants.update(merchant.id, { verification_status: "approved" })
    await gateway.merchantProfiles.change(merchant.id, PROFILE)
    await gateway.merchantProfiles.setLogo(merchant.id, readFileSync(new URL("logo.png", import.meta.url)))
  }
  return { ...(await ensureKey(gateway, merchant, known)), merchant_id: merchant.number }
}

/**
 * A merchant's sandbox key. A key's text is shown only when it is created, so a lost one is replaced.
 * @param known `{ api_key, api_key_id }` of an earlier start, or null
 */
export async function ensureKey(gateway, merchant, known) {
  const keys = await gateway.apiKeys.list(merchant.id, "sandbox")
  if (known && keys.some((key) => key.id === known.api_key_id && key.revoked_at === null)) {
    return known
  }
  const made = await gateway.apiKeys.create({ merchant_id: merchant.id, environment: "sandbox", name: "Demo" })
  return { api_key: made.key, api_key_id: made.id }
}
