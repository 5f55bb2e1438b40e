/*
 * npm run generate   makes the sources that are not in the repository, where they are missing or not up to date
 *
 * Programs that call `ensureInstalled`, the npm scripts and jest's configuration do it before they use the sources.
 */
import { main } from "./lib/console.mjs"
import { ensureInstalled } from "./lib/install.mjs"

await main(async () => {
  await ensureInstalled()
  return 0
})
