import * as fs from "node:fs"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { during, ROOT } from "../lib/console.mjs"
import { filesBelow, fingerprint } from "../lib/files.mjs"
import { leanBuild } from "../lib/lean-build.mjs"
import { medusa } from "../lib/medusa.mjs"
import { DEMO } from "./state.mjs"

/** Folder of the built app. Both of Medusa's builds empty it first, so the stamp inside disappears with its build. */
export const BUILT = join(ROOT, ".medusa/server")
export const SHOP = join(DEMO, "shop")
const SHOP_SOURCE = join(ROOT, "examples/storefront")

async function whenChanged(folder, sources, build) {
  const stamp = join(folder, "built-from")
  const wanted = fingerprint(sources)
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === wanted) {
    return
  }
  await build()
  fs.writeFileSync(stamp, wanted)
}

/** Builds the store with Medusa's admin, unless it was already built from these very sources. */
export async function buildStore() {
  const own = filesBelow(join(ROOT, "src")).filter((path) => !path.includes("__tests__"))
  const settings = [
    "medusa-config.ts",
    "tsconfig.json",
    "package.json",
    "package-lock.json",
    "scripts/lib/bundle-start.mjs",
    "scripts/lib/lean-build.mjs",
  ].map((name) => join(ROOT, name))
  await whenChanged(BUILT, [...settings, ...own], async () => {
    const log = join(DEMO, "build.log")
    // Medusa would lint this clone first, which takes as long as all the rest and is what `npm run lint` is for.
    const build = () => medusa(["build", "--lint", "false"], { log, env: { NODE_ENV: "production" } })
    await during("building the store and its admin pages", build, { detail: () => lastLine(log) })
    leanBuild(join(BUILT, "src"))
  })
}

/** What Medusa's build has said last, such as "Compiling frontend source...". */
function lastLine(log) {
  const text = fs.existsSync(log) ? fs.readFileSync(log, "utf8").trimEnd() : ""
  const line = text.slice(text.lastIndexOf("\n") + 1)
  try {
    return JSON.parse(line).message
  } catch {
    return stripVTControlCharacters(line)
  }
}

/** Builds the shop of examples/storefront, unless it was already built from these very sources. */
export async function buildShop() {
  const sources = filesBelow(SHOP_SOURCE).filter((path) => !path.includes("__tests__"))
  await whenChanged(SHOP, sources, async () => {
    fs.rmSync(SHOP, { recursive: true, force: true })
    const { build } = await import(new URL("../../examples/storefront/build.mjs", import.meta.url))
    await build({ outDir: SHOP })
  })
}
