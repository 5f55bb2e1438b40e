/*
 * Part of a build: copies the renderer of the reference pages into what was built. Medusa's builds copy nothing but
 * compiled TypeScript, and the renderer's package is a development dependency: its one file is needed, not the rest.
 */
import { copyFileSync, existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Complaint, main, ROOT, say } from "./lib/console.mjs"

await main(() => {
  const folder = join(ROOT, ".medusa/server/src/api/reference")
  if (!existsSync(folder)) {
    throw new Complaint(`there is no ${folder}: build first`)
  }
  const entry = createRequire(import.meta.url).resolve("@scalar/fastify-api-reference")
  copyFileSync(join(dirname(entry), "js/standalone.js"), join(folder, "renderer.js"))
  say("the renderer of the reference pages is in the build")
  return 0
})
