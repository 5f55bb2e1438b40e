import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { PACKAGE } from "../package"

/** An entry of `plugins` or `modules` in a store's configuration. */
type ConfigEntry = { resolve?: unknown; options?: Record<string, unknown> }

type Configured = {
  plugins?: readonly (string | ConfigEntry)[]
  modules?: Readonly<Record<string, unknown>> | readonly unknown[]
}

/**
 * As Medusa's own program does it: a store in development has its configuration in TypeScript. Not in a built store: the
 * compiler takes memory and a moment of the start, and ts-node loads Node's `domain`, which slows down every event.
 */
export function registerTypeScript(directory: string): void {
  if (process.env.NODE_ENV === "production" && !existsSync(join(directory, "medusa-config.ts"))) {
    return
  }
  const load = createRequire(join(directory, "package.json"))
  for (const name of ["ts-node", "tsconfig-paths"]) {
    try {
      const { register } = load(name) as { register(options: object): void }
      register({})
    } catch {
      // A store in production has neither. One that needs them fails at its configuration, which is reported.
      return
    }
  }
}

/** The gateway in a configuration: the plugin, or the module of this repository's own store; undefined: neither. */
export function gatewayEntry({ plugins = [], modules = {} }: Configured): ConfigEntry | undefined {
  const entries: unknown[] = [
    ...plugins.map((entry) => (typeof entry === "string" ? { resolve: entry } : entry)),
    ...(Array.isArray(modules) ? (modules as unknown[]) : Object.values(modules)),
  ]
  return entries.find(isGateway)
}

function isGateway(entry: unknown): entry is ConfigEntry {
  const { resolve } = Object(entry) as ConfigEntry
  return typeof resolve === "string" && (resolve === PACKAGE || /(^|[\\/])modules[\\/]gateway$/.test(resolve))
}

const CART_HOOK = /\bcompleteCartWorkflow\s*\.\s*hooks\s*\.\s*validate\s*\(/
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*$/gm

/**
 * The files below a folder of workflows that register a handler of the hook that the gateway needs: Medusa lets it have
 * one. The files are read and not run, because with a second handler loading them fails.
 */
export function filesWithCartHook(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => /(?<!\.d|\.spec|\.test)\.[jt]s$/.test(name) && !name.includes("__tests__"))
        .map((name) => join(folder, name))
        .filter((path) => CART_HOOK.test(readFileSync(path, "utf8").replace(COMMENT, "")))
        .sort()
    : []
}
