/*
 * Packs the plugin, brings an empty Medusa store to a paid order with the commands of docs/own-store.md, and looks at
 * what that store serves.
 *
 * node scripts/plugin-install-test.mjs [tarball]
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Complaint, main, ROOT, say } from "./lib/console.mjs"
import { ensureInstalled } from "./lib/install.mjs"
import { checkPackage, checkServer } from "./plugin-install/checks.mjs"
import { makeStore, run } from "./plugin-install/store.mjs"

async function pack(folder) {
  say("packing the plugin ...")
  await run("npm", ["pack", "--pack-destination", folder], { cwd: ROOT, log: join(folder, "pack.log") })
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith(".tgz"))
  if (!tarball) {
    throw new Complaint("npm pack made no tarball")
  }
  return join(folder, tarball)
}

await main(async () => {
  await ensureInstalled()
  const { startPostgres } = await import("./lib/postgres.mjs")
  const folder = mkdtempSync(join(tmpdir(), "gateway-plugin-"))
  // PostgreSQL may run as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711)
  const counts = { passed: 0, failed: 0 }
  const check = async (name, test) => {
    try {
      await test()
      counts.passed += 1
      say(`ok      ${name}`)
    } catch (error) {
      counts.failed += 1
      say(`FAILED  ${name}\n        ${error?.message ?? error}`)
    }
  }
  const stops = []
  try {
    const tarball = process.argv[2] ? resolve(process.argv[2]) : await pack(folder)
    await checkPackage(tarball, check)
    const database = await startPostgres({
      home: join(folder, "database"),
      name: `plugin-${process.pid}`,
      throwaway: true,
    })
    stops.push(database.stop)
    const store = await makeStore({
      root: join(folder, "my-store"),
      tarball,
      databaseUrl: database.url("my-store"),
    })
    stops.push(store.stop)
    await checkServer(store, check)
  } finally {
    for (const stop of stops.reverse()) {
      await stop()
    }
    rmSync(folder, { recursive: true, force: true })
  }
  process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`)
  return counts.failed ? 1 : 0
})
