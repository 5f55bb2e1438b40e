/*
 * Part of a build: copies the renderer of the reference pages into what was built. Medusa's builds copy nothing but
 * compiled TypeScript, and the renderer's package is a development dependency: its one file is needed, not the rest.
 */
import { copyFileSync, existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Complaint, main, ROOT, say } from "./lib/console.mjs"

const NOTICES = "THIRD-PARTY-LICENSES.txt"

await main(() => {
  const folder = join(ROOT, ".medusa/server/src/api/reference")
  if (!existsSync(folder)) {
    throw new Complaint(`there is no ${folder}: build first`)
  }
  const entry = createRequire(import.meta.url).resolve("@scalar/fastify-api-reference")
  const renderer = join(dirname(entry), "js/standalone.js")
  requireNotices(renderer)
  copyFileSync(renderer, join(folder, "renderer.js"))
  say("the renderer of the reference pages is in the build")
  return 0
})

/** The licences of what the renderer contains ask for their notices wherever it goes: the package ships them. */
function requireNotices(renderer) {
  const [, version] = /@scalar\/api-reference ([\d.]+)/.exec(readFileSync(renderer, "utf8").slice(0, 1_000)) ?? []
  const [, noticed] = /API reference ([\d.]+)/.exec(readFileSync(join(ROOT, NOTICES), "utf8")) ?? []
  if (version === undefined || version !== noticed) {
    throw new Complaint(`the renderer has version ${version}, and ${NOTICES} is about ${noticed}: write it anew`)
  }
}
