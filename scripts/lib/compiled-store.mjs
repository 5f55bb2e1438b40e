import * as fs from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { ROOT } from "./console.mjs"
import { filesBelow, fingerprint } from "./files.mjs"
import { leanBuild } from "./lean-build.mjs"

const require = createRequire(import.meta.url)
const STORES = join(ROOT, ".test/stores")
const KEPT_MS = 24 * 3_600_000
const SETTINGS = [
  "medusa-config.ts",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
  "scripts/lib/bundle-start.mjs",
  "scripts/lib/lean-build.mjs",
].map((name) => join(ROOT, name))

/**
 * Lays the store out in `folder` as `npm run build` would, compiled with the same settings. (`medusa build` itself takes
 * a minute and empties the folder that a running demo is served from.) Builds neither types nor the admin's pages.
 * @param more a folder whose files are compiled into the store's `src` as well: routes of a benchmark
 */
export function compileStore(folder, more) {
  const compile = compiler()
  for (const path of [join(ROOT, "medusa-config.ts"), ...ownSources()]) {
    const target = join(folder, relative(ROOT, path))
    if (/\.tsx?$/.test(path)) {
      compile(path, target.replace(/\.tsx?$/, ".js"))
    } else {
      fs.mkdirSync(dirname(target), { recursive: true })
      fs.copyFileSync(path, target)
    }
  }
  leanBuild(join(folder, "src"))
  for (const path of more ? filesBelow(more) : []) {
    compile(path, join(folder, "src", relative(more, path)).replace(/\.ts$/, ".js"))
  }
  fs.copyFileSync(join(ROOT, "package.json"), join(folder, "package.json"))
}

let compiled

/** The folder of the store compiled from these very sources; compiles it when it is missing, in a few seconds. */
export function compiledStore() {
  // Reading all sources takes a fifth of a second, and tests ask for each process that they start.
  return (compiled ??= upToDateStore())
}

function upToDateStore() {
  const folder = join(STORES, fingerprint([...SETTINGS, ...ownSources()]))
  if (fs.existsSync(folder)) {
    return folder
  }
  removeOutdated()
  // Compiled in another folder and then renamed: an interrupted run leaves no partial store, and two concurrent runs do
  // no harm.
  const aside = `${folder}-${process.pid}`
  compileStore(aside)
  try {
    fs.renameSync(aside, folder)
  } catch (error) {
    fs.rmSync(aside, { recursive: true, force: true })
    if (!["EEXIST", "ENOTEMPTY"].includes(error.code)) {
      throw error
    }
  }
  return folder
}

/** Removes stores compiled from earlier sources. Those younger than a day stay: one may be running. */
function removeOutdated() {
  for (const name of fs.existsSync(STORES) ? fs.readdirSync(STORES) : []) {
    const path = join(STORES, name)
    if (fs.statSync(path).mtimeMs < Date.now() - KEPT_MS) {
      fs.rmSync(path, { recursive: true, force: true })
    }
  }
}

const ownSources = () =>
  filesBelow(join(ROOT, "src")).filter((path) => !/__tests__|[\\/]src[\\/]admin[\\/]|\.d\.ts$/.test(path))

function compiler() {
  const ts = require("typescript")
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT)
  return (path, target) => {
    const { outputText } = ts.transpileModule(fs.readFileSync(path, "utf8"), {
      compilerOptions: options,
      fileName: path,
    })
    fs.mkdirSync(dirname(target), { recursive: true })
    fs.writeFileSync(target, outputText)
  }
}
