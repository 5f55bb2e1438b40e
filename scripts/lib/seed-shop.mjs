/*
 * Fills a migrated database with the demo's shop and ends. Runs in the folder of a compiled store, with the store's
 * environment.
 */
import loaders from "@medusajs/medusa/loaders/index"
import { seedStore } from "../demo/seed.mjs"

const { container, shutdown } = await (loaders.default ?? loaders)({
  directory: process.cwd(),
  skipLoadingEntryPoints: true,
})
await seedStore(container, "http://localhost/images")
await shutdown()
process.exit(0)
