import * as fs from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { ROOT } from "../lib/console.mjs"
import { filesBelow } from "../lib/files.mjs"

const require = createRequire(import.meta.url)
const PEERS = fileURLToPath(new URL("./peers", import.meta.url))

/**
 * Lays the store out as `medusa build` would, compiled with the same settings, in a folder of its own, and puts the
 * peer routes beside the store's. (`medusa build` itself takes a minute and empties the folder that a running demo is
 * served from.) Types are not checked here.
 */
export function buildStore(folder) {
  const ts = require("typescript")
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT)
  const compile = (path, target) => {
    const source = fs.readFileSync(path, "utf8")
    const { outputText } = ts.transpileModule(source, { compilerOptions: options, fileName: path })
    fs.mkdirSync(dirname(target), { recursive: true })
    fs.writeFileSync(target, outputText)
  }
  const own = filesBelow(join(ROOT, "src")).filter((path) => !/__tests__|[\\/]src[\\/]admin[\\/]|\.d\.ts$/.test(path))
  for (const path of [join(ROOT, "medusa-config.ts"), ...own]) {
    const target = join(folder, relative(ROOT, path))
    if (/\.tsx?$/.test(path)) {
      compile(path, target.replace(/\.tsx?$/, ".js"))
    } else {
      fs.mkdirSync(dirname(target), { recursive: true })
      fs.copyFileSync(path, target)
    }
  }
  for (const path of filesBelow(PEERS)) {
    compile(path, join(folder, "src", relative(PEERS, path)).replace(/\.ts$/, ".js"))
  }
  fs.copyFileSync(join(ROOT, "package.json"), join(folder, "package.json"))
}
