import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { bundleStart } from "./bundle-start.mjs"
import { Complaint } from "./console.mjs"
import { filesBelow } from "./files.mjs"

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]

/**
 * The last step of every build: makes a compiled `src` load less at the start of a store. Medusa loads each file that it
 * finds below `api` and `models`, and finds them by their names alone. So what a store needs later moves out of those
 * files, and the rest into one file.
 */
export function leanBuild(folder) {
  filesBelow(folder).forEach(dropSourceMap)
  const routes = filesBelow(join(folder, "api")).filter((path) => basename(path) === "route.js")
  for (const path of routes) {
    loadOnDemand(path)
  }
  const module = join(folder, "modules/gateway")
  dropModels(join(module, "models"), join(module, "service.js"))
  bundleStart(folder)
}

/**
 * Medusa's build puts a source map into each file, which is half of its text: Node keeps it in memory with the code. The
 * sources that it leads to are not in the package.
 */
function dropSourceMap(path) {
  if (path.endsWith(".js")) {
    const code = readFileSync(path, "utf8")
    writeFileSync(path, code.replace(/^\/\/# sourceMappingURL=data:.*$/m, ""))
  }
}

/**
 * Moves a route's code beside it. The file that Medusa finds gets functions that load the code with the first request:
 * a store has 198 routes, with schemas and presenters of their own, and most processes answer few of them.
 */
function loadOnDemand(path) {
  const code = readFileSync(path, "utf8")
  const names = [...new Set([...code.matchAll(/\bexports\.(\w+) = /g)].map(([, name]) => name))]
  const unknown = names.filter((name) => !METHODS.includes(name))
  if (names.length === 0 || unknown.length > 0) {
    throw new Complaint(
      `${path} must export handlers of HTTP methods and nothing else, but exports: ${names.join(", ")}`
    )
  }
  renameSync(path, join(dirname(path), "handlers.js"))
  writeFileSync(
    path,
    `"use strict"
// Loaded with the first request.
let handlers
const handle = (method) => (...given) => (handlers ??= require("./handlers.js"))[method](...given)
${names.map((name) => `exports.${name} = handle("${name}")\n`).join("")}`
  )
}

/**
 * Leaves only the models that the module's service names. Services write SQL; the other models describe tables for
 * migrations, which are made from the sources. Medusa would make entities, a repository and a service of each at every
 * start, and nothing would use them.
 */
function dropModels(folder, service) {
  const kept = new Set(requiredFrom(service, "./models/"))
  if (kept.size === 0) {
    throw new Complaint(`${service} names no model`)
  }
  // A set also walks what is added meanwhile: a model may refer to another one.
  for (const name of kept) {
    requiredFrom(join(folder, `${name}.js`), "./").forEach((other) => kept.add(other))
  }
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    if (!kept.has(file.replace(/(\.d\.ts|\.js)$/, ""))) {
      rmSync(join(folder, file))
    }
  }
}

/** The names of the files in one folder that a compiled file requires. */
function requiredFrom(path, folder) {
  const code = readFileSync(path, "utf8")
  return [...code.matchAll(/\brequire\("([^"]+)"\)/g)]
    .filter(([, id]) => id.startsWith(folder) && !id.slice(folder.length).includes("/"))
    .map(([, id]) => id.slice(folder.length))
}
