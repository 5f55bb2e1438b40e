import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { join, relative } from "node:path"
import { ROOT } from "./console.mjs"

/** All files below a folder (none when it does not exist), in a stable order. */
export function filesBelow(folder) {
  const entries = fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true, recursive: true }) : []
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

/** A short fingerprint of the names and contents of files. */
export function fingerprint(paths) {
  const hash = createHash("sha256")
  for (const path of paths) {
    hash.update(relative(ROOT, path)).update("\0").update(fs.readFileSync(path)).update("\0")
  }
  return hash.digest("hex").slice(0, 12)
}

/** Changes with every file that shapes a migrated store's tables. */
export function schemaKey() {
  const shaping = [...filesBelow(join(ROOT, "src/modules")), ...filesBelow(join(ROOT, "src/links"))].filter((path) =>
    /\/(migrations|models|links)\//.test(path.replaceAll("\\", "/"))
  )
  return fingerprint([
    join(ROOT, "node_modules/@medusajs/medusa/package.json"),
    join(ROOT, "medusa-config.ts"),
    ...shaping,
  ])
}

/** A fingerprint of each of the modules' migrations: Medusa identifies them by name alone, not by content. */
export function migrationKeys() {
  const migrations = filesBelow(join(ROOT, "src/modules")).filter((path) =>
    /[\\/]migrations[\\/]Migration\d+\.ts$/.test(path)
  )
  return migrations.map((path) => fingerprint([path]))
}
