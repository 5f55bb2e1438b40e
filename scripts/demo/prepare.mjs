/*
 * Prepares the demo's store: products, delivery, prices, an admin, a merchant with a key. Started by store-process.mjs
 * in the folder of the built app before the store itself; it serves nothing and ends when it is done. It says by IPC
 * `{ step }` when the store's modules are loaded, then `{ ready }` or `{ failed }`.
 *
 * env: besides the store's own, DEMO_PORT, DEMO_ADMIN_EMAIL, DEMO_ADMIN_PASSWORD, DEMO_KEY (JSON of an earlier start's
 * API key, or "null") and DEMO_STRIPE (JSON of the account at Stripe's stand-in, or "null")
 */
import loaders from "@medusajs/medusa/loaders/index"
import express from "express"
import { ensureCash } from "./cash.mjs"
import { ensureEmi } from "./emi.mjs"
import { ensureAdmin, ensureMerchant } from "./people.mjs"
import { ensurePlans } from "./plans.mjs"
import { ensureStripeMerchant, orderRocket } from "./acquirer-merchants.mjs"
import { seedStore } from "./seed.mjs"

const { DEMO_PORT, DEMO_ADMIN_EMAIL, DEMO_ADMIN_PASSWORD, DEMO_KEY, DEMO_STRIPE } = process.env

async function prepare() {
  const { container, shutdown } = await (loaders.default ?? loaders)({
    directory: process.cwd(),
    expressApp: express(),
  })
  process.send({ step: "store" })
  const { publishable_key, region_id } = await seedStore(container, `http://localhost:${DEMO_PORT}/shop/products`)
  await ensureAdmin(container, { email: DEMO_ADMIN_EMAIL, password: DEMO_ADMIN_PASSWORD })
  const merchant = await ensureMerchant(container, JSON.parse(DEMO_KEY))
  const stripe = await ensureStripeMerchant(container, JSON.parse(DEMO_STRIPE))
  await orderRocket(container, stripe !== null)
  await ensureCash(container)
  await ensureEmi(container)
  await ensurePlans(container)
  await shutdown()
  process.send({ ready: { ...merchant, stripe, publishable_key, region_id } }, () => process.exit(0))
}

prepare().catch((error) => {
  process.stderr.write(`${error?.stack ?? JSON.stringify(error)}\n`)
  process.send({ failed: String(error?.message ?? error) }, () => process.exit(1))
})
