import { execFile } from "node:child_process"
import { createServer } from "node:http"
import { mkdtemp, rm } from "node:fs/promises"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import express from "express"
import { importModule } from "./import-module.cjs"
import { ROOT, type Store } from "./store"

/** For `useStore`: the shop under test is on another origin than the store, as storefronts are. */
export const SHOP_ENVIRONMENT = {
  MEDUSA_FF_TRANSLATION: "true",
  STOREFRONT_PASSWORD_URL: "http://localhost/shop/#/reset-password",
  STORE_CORS: "/^http:\\/\\/localhost:\\d+$/",
  AUTH_CORS: "/^http:\\/\\/localhost:\\d+$/",
}

type ShopFiles = { shopFiles: (folder: string) => express.RequestHandler }

export interface ShopUnderTest {
  /** The shop's address, ending in a slash. */
  url: string
  /**
   * Runs when a shopper returns from paying, before the shop answers; `false` breaks the connection instead, as a phone
   * without network does. (The browser itself cannot hold a redirected request.) Set it back to null afterwards.
   */
  onReturn: (() => Promise<boolean>) | null
  close(): Promise<void>
}

/**
 * Fills the store as the demo does and serves the sample shop of examples/storefront at /shop/, with the strict
 * headers its README recommends.
 */
export async function openShop(store: Store): Promise<ShopUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), "shop-"))
  await promisify(execFile)(process.execPath, [join(ROOT, "examples/storefront/build.mjs"), folder])

  const app = express()
  const server = createServer(app)
  await new Promise<void>((done) => server.listen(0, "localhost", done))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`

  const { seedStore } = await importModule(join(ROOT, "scripts/demo/seed.mjs"))
  const { ensureEmi } = await importModule(join(ROOT, "scripts/demo/emi.mjs"))
  const seeded = await seedStore(store.container, `${origin}/shop/products`)
  await ensureEmi(store.container)
  const { ensureCash } = await importModule(join(ROOT, "scripts/demo/cash.mjs"))
  await ensureCash(store.container)
  const { ensurePlans } = await importModule(join(ROOT, "scripts/demo/plans.mjs"))
  await ensurePlans(store.container)
  const shop: ShopUnderTest = { url: `${origin}/shop/`, onReturn: null, close }
  app.use(async (request, response, next) => {
    const goesOn = request.query.transaction_id === undefined || shop.onReturn === null || (await shop.onReturn())
    return goesOn ? next() : response.destroy()
  })
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self' ${store.url}; base-uri 'none'; form-action ${store.url}; frame-ancestors 'none'`
  app.use((_request, response, next) => {
    response.set({ "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff" })
    next()
  })
  app.get("/shop/config.json", (_request, response) => void response.json({ backend_url: store.url, ...seeded }))
  const { shopFiles } = await importModule<ShopFiles>(join(ROOT, "scripts/demo/shop-files.cjs"))
  app.use("/shop", shopFiles(folder))

  return shop

  async function close(): Promise<void> {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
    await rm(folder, { recursive: true, force: true })
  }
}
