import { randomBytes } from "node:crypto"
import { parseEnv } from "node:util"
import type { Environment } from "../environment"

const SECRET_BYTES = 32

/** A variable that the gateway needs. Only the name of a secret is ever printed. */
type Needed = { name: string; make: () => string; isSecret: boolean }

const secret = () => randomBytes(SECRET_BYTES).toString("base64")

/** In the order in which they are written. */
const NEEDED: readonly Needed[] = [
  { name: "GATEWAY_ENCRYPTION_KEYS", make: () => `k1:${secret()}`, isSecret: true },
  { name: "GATEWAY_PUBLIC_URL", make: () => "http://localhost:9000", isSecret: false },
  { name: "JWT_SECRET", make: secret, isSecret: true },
  { name: "COOKIE_SECRET", make: secret, isSecret: true },
]

type EnvEdit = { text: string; added: { name: string; shown: string }[] }

/**
 * Adds what is missing to the text of a .env, with new secrets; a variable that the file or the process sets stays as it
 * is, an empty one in the file too. `added` is empty when nothing is missing.
 */
export function addVariables(text: string, env: Environment): EnvEdit {
  const inFile = parseEnv(text)
  const missing = NEEDED.filter(({ name }) => inFile[name] === undefined && !env[name])
  const values = missing.map(({ name, make, isSecret }) => ({ name, value: make(), isSecret }))
  const gap = text === "" || text.endsWith("\n") ? "" : "\n"
  return {
    text: `${text}${gap}${values.map(({ name, value }) => `${name}=${value}\n`).join("")}`,
    added: values.map(({ name, value, isSecret }) => ({ name, shown: isSecret ? "(a new secret)" : value })),
  }
}

/** Whether git would add the file: then its secrets end in the history of the repository. */
export function isIgnored(gitignore: string): boolean {
  return gitignore.split("\n").some((line) => /^\/?\.env\*?$/.test(line.trim()))
}
