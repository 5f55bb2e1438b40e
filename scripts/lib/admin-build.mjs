import * as fs from "node:fs"
import { join } from "node:path"
import { ROOT } from "./console.mjs"
import { filesBelow, fingerprint } from "./files.mjs"
import { medusa } from "./medusa.mjs"

const CACHE = join(ROOT, ".test/admin")
const MADE = join(ROOT, ".medusa/admin")

/**
 * Builds Medusa's admin with the pages of src/admin and the texts of src/i18n, unless it was already built from these
 * very sources, and returns the folder to serve at /app. Its requests go to the address it is served from.
 */
export async function buildAdmin() {
  const below = ["src/admin", "src/i18n"].flatMap((folder) => filesBelow(join(ROOT, folder)))
  const sources = below.filter((path) => !path.includes("__tests__"))
  const folder = join(CACHE, fingerprint([...sources, join(ROOT, "package-lock.json")]))
  if (fs.existsSync(folder)) {
    return folder
  }
  fs.rmSync(CACHE, { recursive: true, force: true })
  const env = { NODE_ENV: "production", DISABLE_MEDUSA_ADMIN: "true", JWT_SECRET: "unused", COOKIE_SECRET: "unused" }
  await medusa(["build", "--admin-only", "--no-lint"], { log: join(ROOT, ".test/admin-build.log"), env })
  fs.mkdirSync(CACHE, { recursive: true })
  fs.renameSync(MADE, folder)
  return folder
}
