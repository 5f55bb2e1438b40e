import { spawn } from "node:child_process"
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Complaint, ROOT } from "./console.mjs"

const END_WITH_PARENT = join(ROOT, "scripts/lib/end-with-parent.cjs")

/**
 * Runs a command of Medusa's CLI to its end. Its output goes to a log file; an error contains the last lines.
 * @param args for example `["db:migrate", "--execute-all-links"]`
 * @param options.cwd folder of the app (default: the clone)
 * @param options.log file the output is appended to
 */
export function medusa(args, options) {
  const cli = join(ROOT, "node_modules/@medusajs/cli/cli.js")
  return runToEnd([cli, ...args], { name: `medusa ${args.join(" ")}`, ...options })
}

/** The same for any script of Node: the first of `args` is its file, `name` its name in an error. */
export async function runToEnd(args, { name = args[0], env = {}, cwd = ROOT, log }) {
  mkdirSync(dirname(log), { recursive: true })
  const output = openSync(log, "a", 0o600)
  const child = spawn(process.execPath, ["--require", END_WITH_PARENT, ...args], {
    cwd,
    env: { ...process.env, MEDUSA_DISABLE_TELEMETRY: "true", ...env },
    stdio: ["ignore", output, output, "ipc"],
  })
  closeSync(output)
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", (status, signal) => resolve(status ?? signal))
  })
  if (code !== 0) {
    const tail = readFileSync(log, "utf8").trimEnd().split("\n").slice(-25).join("\n")
    throw new Complaint(`${name} failed (${code}). The end of ${log}:\n${tail}`)
  }
}
