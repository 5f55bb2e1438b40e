import { fork } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Context } from "../context"
import type { ConfigFacts } from "../doctor/facts"
import type { Environment } from "../environment"
import type { ConfigReport } from "./read-config"

const CONFIG_MS = 120_000

/** Loads the configuration in a process of its own; `env` is what it sees after it has read its .env. */
export async function loadConfig(context: Context): Promise<{ config: ConfigFacts; env: Environment }> {
  const { directory, env } = context
  if (!["ts", "js", "mjs"].some((end) => existsSync(join(directory, `medusa-config.${end}`)))) {
    return { config: { state: "missing", directory }, env }
  }
  const child = fork(join(__dirname, "read-config.js"), [], {
    cwd: directory,
    env: { ...env, NODE_OPTIONS: "" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    execArgv: [],
    // JSON has no NaN, which is what a variable becomes that is no number.
    serialization: "advanced",
    signal: AbortSignal.any([context.stop, AbortSignal.timeout(CONFIG_MS)]),
  })
  let printed = ""
  child.stderr?.on("data", (chunk: Buffer) => (printed = (printed + chunk.toString("utf8")).slice(-2_000)))
  let report: ConfigReport | null = null
  child.on("message", (message) => (report = message as ConfigReport))
  const code = await new Promise<number | string | null>((ended) => {
    child.once("error", (error) => ended(error.message))
    child.once("close", (exit, signal) => ended(exit ?? signal))
  })
  return configOf(report, `its process ended with ${code}: ${printed.trim()}`, env)
}

function configOf(
  report: ConfigReport | null,
  end: string,
  env: Environment
): { config: ConfigFacts; env: Environment } {
  if (report === null) {
    return { config: { state: "broken", message: withoutTrace(end) }, env }
  }
  return "message" in report
    ? { config: { state: "broken", message: withoutTrace(report.message) }, env }
    : { config: { state: "read", ...report.config }, env: report.env }
}

/** Where in Medusa's code an error came from helps nobody to correct a configuration. */
export function withoutTrace(text: string): string {
  const isTrace = (line: string) => /^\s+at |^Require stack:|^- .*[\\/]node_modules[\\/]|^Node\.js v\d/.test(line)
  return text
    .split("\n")
    .filter((line) => !isTrace(line))
    .join("\n")
    .trim()
}
