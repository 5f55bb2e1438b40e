import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Complaint, during, ROOT } from "./console.mjs"

const OLDEST_NODE = 20

function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages ?? {}
  } catch {
    return {}
  }
}

/**
 * Whether node_modules matches package-lock.json. npm records what it installed in node_modules/.package-lock.json.
 * Contents are compared, not dates: a checkout renews the dates of unchanged files, and an interrupted install leaves a
 * folder that looks recent.
 */
export function isInstalled(root = ROOT) {
  const wanted = readLock(join(root, "package-lock.json"))
  const present = readLock(join(root, "node_modules/.package-lock.json"))
  return Object.entries(wanted).every(([path, entry]) => {
    const mayBeMissing =
      path === "" || entry.optional || entry.devOptional || entry.peer || entry.link || entry.extraneous
    return mayBeMissing || present[path]?.version === entry.version
  })
}

/**
 * Runs `npm ci` when dependencies are missing or differ from package-lock.json, and says so. Then makes the sources that
 * are not in the repository, unless the caller makes what they are made from.
 */
export async function ensureInstalled({ withGenerated = true } = {}) {
  const major = Number(process.versions.node.split(".")[0])
  if (major < OLDEST_NODE) {
    throw new Complaint(`Node ${OLDEST_NODE} or newer is needed; this is Node ${process.versions.node}.`)
  }
  if (!isInstalled()) {
    await during("installing dependencies with npm ci", npmCi)
    if (!isInstalled()) {
      throw new Complaint("npm ci ended well, and yet node_modules does not match package-lock.json.")
    }
  }
  if (withGenerated) {
    // It imports packages that are installed only now.
    const { generate } = await import("./generated.mjs")
    await generate()
  }
}

function npmCi() {
  // The npm that started this script; without it (node scripts/demo.mjs) the one on the PATH.
  const cli = process.env.npm_execpath
  const [command, first] = cli ? [process.execPath, [cli]] : ["npm", []]
  // NODE_ENV=production would leave out the development dependencies, and the demo builds with them.
  const args = [...first, "ci", "--include=dev", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error"]
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: "inherit", shell: process.platform === "win32" && !cli })
    child.on("error", reject)
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Complaint(`npm ci failed (exit code ${code}). Its messages are above.`))
    )
  })
}
