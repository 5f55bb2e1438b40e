/*
 * Builds the package: `npm pack` and `npm publish` run it. It installs the development dependencies when they are missing,
 * so that `npm pack` works in a fresh clone.
 */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { Complaint, main, ROOT } from "./lib/console.mjs"
import { ensureInstalled } from "./lib/install.mjs"

await main(async () => {
  await ensureInstalled()
  await run("medusa plugin:build", [join(ROOT, "node_modules/@medusajs/cli/cli.js"), "plugin:build"])
  await run("finish-build", [join(ROOT, "scripts/finish-build.mjs")])
  const { buildEsm } = await import("./lib/build-esm.mjs")
  await buildEsm()
  return 0
})

/** `npm pack --json` reads what this process prints, so what the builds print goes to the error stream. */
async function run(name, args) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", 2, 2] })
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", resolve)
  })
  if (code !== 0) {
    throw new Complaint(`${name} failed (${code}). Its messages are above.`)
  }
}
