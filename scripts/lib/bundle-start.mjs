import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join, posix, relative, sep } from "node:path"
import { filesBelow } from "./files.mjs"

const BUNDLE = "loaded-at-start.js"
/** What Medusa finds by its place. */
const FOUND = /^(api\/middlewares|(links|policies|subscribers|workflows)\/.+|(modules|providers)\/[^/]+\/index)\.js$/
/** Medusa sees by its file where a workflow or a link is defined, and which models and migrations a module has. */
const STAYS = new RegExp(`${FOUND.source}|/(migrations|models)/`)
/** As TypeScript writes imports. A `require` within a function is for later: its file stays out of the bundle. */
const IMPORT = /^(?:(?:const|var) \w+ = (?:__import\w+\()?|__exportStar\()?require\("(\.[^"]+)"\)/gm

/*
 * Each file stays a module of its own, which runs once, with Node's own arguments. Its path leads here as well, so
 * nothing exists twice, whoever imports it.
 */
const HEAD = `"use strict"
// The files that every start of the store loads. Finding and reading them one by one takes longer than running them.
const { join, posix } = require("node:path")

const loaded = new Map()

// \`file\`: Node's module of the file that leads here. It becomes the module: what imports it in a circle sees it begun.
function load(name, file = { exports: {} }) {
  const before = loaded.get(name)
  if (before !== undefined) {
    file.exports = before.exports
    return before.exports
  }
  const path = join(__dirname, name + ".js")
  loaded.set(name, file)
  try {
    files[name](file.exports, requireFrom(posix.dirname(name)), file, path, join(path, ".."))
  } catch (error) {
    loaded.delete(name)
    throw error
  }
  return file.exports
}

function requireFrom(folder) {
  const requireOne = (id) => {
    if (id[0] !== ".") {
      return require(id)
    }
    const path = posix.join(folder, id)
    const name = [path, path + "/index"].find((one) => Object.hasOwn(files, one))
    return name === undefined ? require("./" + path) : load(name)
  }
  return Object.assign(requireOne, { resolve: require.resolve })
}

module.exports = load

const files = {
`

/** Puts what Medusa's start loads of a compiled `src` into one file. What is loaded later stays as it is. */
export function bundleStart(folder) {
  const codes = compiledFiles(folder)
  const found = [...codes.keys()].filter((path) => FOUND.test(path))
  const reached = new Set(found)
  for (const path of reached) {
    importsOf(path, codes).forEach((other) => reached.add(other))
  }
  const bundled = [...reached].filter((path) => !STAYS.test(path) && mayBeBundled(codes.get(path)))
  const modules = bundled.map(
    (path) =>
      `${JSON.stringify(nameOf(path))}(exports, require, module, __filename, __dirname) {\n${inAscii(codes.get(path))}\n},\n`
  )
  writeFileSync(join(folder, BUNDLE), `${HEAD}${modules.join("")}}\n`)
  for (const path of bundled) {
    writeFileSync(join(folder, path), leadToBundle(path, codes.get(path)))
  }
}

/**
 * V8 would keep the whole bundle with two bytes for each character because of a single one that is not ASCII. An escape
 * means the same in texts, patterns, names and comments.
 */
function inAscii(code) {
  return code.replace(/\P{ASCII}/gu, (character) =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
  )
}

/** Where an escape would not mean the same; and what a file exports from another one as a whole has no names here. */
function mayBeBundled(code) {
  return !/String\.raw|\\\P{ASCII}/u.test(code) && !/^__exportStar\(/m.test(code)
}

/** The compiled files below a folder: by path, with slashes, from there. */
function compiledFiles(folder) {
  const paths = existsSync(folder) ? filesBelow(folder).filter((path) => path.endsWith(".js")) : []
  return new Map(paths.map((path) => [relative(folder, path).split(sep).join("/"), readFileSync(path, "utf8")]))
}

const nameOf = (path) => path.slice(0, -".js".length)

function importsOf(path, codes) {
  return [...codes.get(path).matchAll(IMPORT)].map(([, id]) => fileAt(path, id, codes)).filter(Boolean)
}

function fileAt(path, id, codes) {
  const base = posix.join(posix.dirname(path), id)
  return [base, `${base}.js`, `${base}/index.js`].find((one) => codes.has(one))
}

/** Node reads from the last statement, which does nothing, what an ES module can import by name. */
function leadToBundle(path, code) {
  const up = posix.relative(posix.dirname(path), BUNDLE)
  return `"use strict"
require(${JSON.stringify(up.startsWith(".") ? up : `./${up}`)})(${JSON.stringify(nameOf(path))}, module)
0 && (module.exports = { ${exportsOf(code).join(", ")} })
`
}

/** Without `default`, which every import of a CommonJS file has. */
function exportsOf(code) {
  const names = [...code.matchAll(/\bexports\.(\w+) = |Object\.defineProperty\(exports, "(\w+)"/g)].map(
    ([, set, defined]) => set ?? defined
  )
  return [...new Set(names)].filter((name) => !["default", "__esModule"].includes(name))
}
