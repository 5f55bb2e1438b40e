/*
 * The last step of a build, after Medusa's own. Copies the renderer of the reference pages into what was built: Medusa
 * copies nothing but compiled TypeScript, and the renderer's package is a development dependency, of which one file is
 * needed. Then makes what was built load less at a start.
 */
import { copyFileSync, existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Complaint, main, ROOT, say } from "./lib/console.mjs"
import { leanBuild } from "./lib/lean-build.mjs"

const NOTICES = "THIRD-PARTY-LICENSES.txt"

await main(() => {
  const built = join(ROOT, ".medusa/server/src")
  const folder = join(built, "api/reference")
  if (!existsSync(folder)) {
    throw new Complaint(`there is no ${folder}: build first`)
  }
  const entry = createRequire(import.meta.url).resolve("@scalar/fastify-api-reference")
  const renderer = join(dirname(entry), "js/standalone.js")
  requireNotices(renderer)
  copyFileSync(renderer, join(folder, "renderer.js"))
  leanBuild(built)
  say("the build is finished: the renderer of the reference pages is in it, and routes are loaded on demand")
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
