/*
 * Fills packages/client with the compiled src/client: `npm pack ./packages/client` runs it. It installs the development
 * dependencies when they are missing, so that this works in a fresh clone.
 */
import { execFile } from "node:child_process"
import { copyFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { Complaint, main, ROOT } from "./lib/console.mjs"
import { ensureInstalled } from "./lib/install.mjs"

const FOLDER = join(ROOT, "packages/client")
const DIST = join(FOLDER, "dist")

await main(async () => {
  await ensureInstalled()
  rmSync(DIST, { recursive: true, force: true })
  await compile()
  const { buildEsm } = await import("./lib/build-esm.mjs")
  await buildEsm({ entries: ["index"], base: join(ROOT, "src/client"), outDir: DIST })
  copyFileSync(join(ROOT, "LICENSE"), join(FOLDER, "LICENSE"))
  return 0
})

/** CommonJS and the types. */
async function compile() {
  const compiler = join(ROOT, "node_modules/typescript/lib/tsc.js")
  try {
    await promisify(execFile)(process.execPath, [compiler, "-p", FOLDER])
  } catch ({ stdout, message }) {
    throw new Complaint(`the client does not compile:\n${stdout || message}`)
  }
}
