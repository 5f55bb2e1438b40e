import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type * as ts from "typescript"
import type { Command, Given } from "../command"
import type { Context } from "../context"
import { withEnvFiles } from "../environment"
import { EXIT, Failure, wrongUsage } from "../failure"
import { BY_HAND, addGateway, addVariables, diffOf, isIgnored } from "../init/edit"
import { paint, printJson } from "../output"
import type { CreatedKey, KeyInput } from "../store/create-key"
import { requireDatabase } from "../store/database"
import { SUPPORTED, resolveFrom } from "../package"
import { askGateway } from "../store/gateway"
import { migrate, requireStore, versionOf } from "../store/medusa"
import { WHY } from "../words/init"
import { showKey } from "./keys"

/** Readable by its owner alone: it holds secrets. */
const ENV_MODE = 0o600

export const init: Command = {
  name: "init",
  summary: "set the gateway up in an existing Medusa store (in the store's folder)",
  options: { yes: { type: "boolean", short: "y" } },
  help: [["--yes", "accept every step without a question"]],
  about: `Checks the versions of Node and Medusa, puts the gateway into medusa-config (it shows the change and
asks first), adds missing variables to .env with new secrets, which it does not print, runs the
migrations and makes the first API key of the sandbox. What is done already stays as it is.`,
  run: async (context, given) => {
    requireStore(context.directory)
    requireVersion(context.directory)
    requireAnswers(context, given)
    const configuration = await configure(context, given)
    const written = configuration === "written" ? ["medusa-config"] : []
    const variables = await addMissingVariables(context, given, written)
    written.push(...(variables.length > 0 ? [".env"] : []))
    const env = withEnvFiles(context.env, context.directory)
    if (!env.DATABASE_URL) {
      throw new Failure("DATABASE_URL_UNSET")
    }
    await requireDatabase({ ...context, env })
    await agree(context, given, "Run the migrations on the store's database?", written)
    say(context, "running the migrations ...")
    await migrate({ ...context, env })
    say(context, "making the first API key ...")
    const input: KeyInput = { name: "First key", environment: "sandbox", only_first: true }
    const key = await askGateway({ ...context, env }, "create-key", input)
    finish(context, given, { configuration, variables, key })
    return EXIT.ok
  },
}

function requireVersion(directory: string): void {
  const found = versionOf(directory, "@medusajs/medusa") ?? "of an unknown version"
  const { accepts, wanted } = SUPPORTED.medusa
  if (!accepts(found)) {
    throw new Failure("VERSION_UNSUPPORTED", { name: "@medusajs/medusa", found, wanted })
  }
}

/** Before anything is written: half a set-up helps nobody. */
function requireAnswers(context: Context, { values }: Given): void {
  if (values.yes !== true && !context.isTerminal) {
    throw wrongUsage("CONFIRMATION_NEEDED")
  }
}

/** Throws DECLINED for anything but yes; `written` is what has been changed before the question. */
async function agree(
  context: Context,
  { values }: Given,
  question: string,
  written: readonly string[] = []
): Promise<void> {
  if (values.yes === true) {
    return
  }
  const answer = await context.ask(`${question} [y/N] `)
  if (!/^y(es)?$/i.test(answer.trim())) {
    throw written.length === 0
      ? new Failure("DECLINED")
      : new Failure("DECLINED_LATER", { done: `${written.join(", ")} written` })
  }
}

type Done = "written" | "present"

async function configure(context: Context, given: Given): Promise<Done> {
  const { directory } = context
  const name = ["medusa-config.ts", "medusa-config.js"].find((one) => existsSync(join(directory, one)))
  if (name === undefined) {
    throw new Failure("CONFIG_MISSING", { directory })
  }
  const path = join(directory, name)
  const before = readFileSync(path, "utf8")
  const edit = addGateway(loadTypeScript(directory), name, before)
  if (edit.state === "unknown") {
    throw new Failure("CONFIG_SHAPE_UNKNOWN", { file: name, reason: WHY[edit.why], addition: BY_HAND })
  }
  if (edit.state === "present") {
    say(context, `${name} has the gateway already.`)
    return "present"
  }
  context.err(
    `${name}:\n${diffOf(before, edit.text)
      .map((line) => painted(context, line))
      .join("\n")}\n`
  )
  await agree(context, given, `Write ${name}?`)
  replaceFile(path, edit.text)
  return "written"
}

function painted(context: Context, line: string): string {
  const colour = line.startsWith("+") ? "green" : line.startsWith("-") ? "red" : null
  return `  ${colour === null ? line : paint(context, colour, line)}`
}

/** The store's own TypeScript, which `medusa build` needs as well. */
function loadTypeScript(directory: string): typeof ts {
  const path = resolveFrom(directory, "typescript")
  if (path === null) {
    throw new Failure("TYPESCRIPT_MISSING", { directory, addition: BY_HAND })
  }
  return createRequire(path)(path) as typeof ts
}

async function addMissingVariables(context: Context, given: Given, written: readonly string[]): Promise<string[]> {
  const path = join(context.directory, ".env")
  const before = existsSync(path) ? readFileSync(path, "utf8") : ""
  const { text, added } = addVariables(before, context.env)
  if (added.length === 0) {
    say(context, ".env has all variables already.")
    return []
  }
  context.err(`.env:\n${added.map(({ name, shown }) => `  + ${name}=${shown}`).join("\n")}\n`)
  await agree(context, given, "Write .env?", written)
  replaceFile(path, text, ENV_MODE)
  const gitignore = join(context.directory, ".gitignore")
  if (!isIgnored(existsSync(gitignore) ? readFileSync(gitignore, "utf8") : "")) {
    say(context, `${paint(context, "yellow", "warning")} .env holds secrets, and .gitignore does not name it.`)
  }
  return added.map(({ name }) => name)
}

/** Whole or not at all: an interrupted write must not leave a broken configuration. */
function replaceFile(path: string, text: string, mode?: number): void {
  const aside = `${path}.${process.pid}`
  const kept = existsSync(path) ? statSync(path).mode : mode
  writeFileSync(aside, text, { mode: kept })
  renameSync(aside, path)
}

function say(context: Context, text: string): void {
  context.err(`${text}\n`)
}

function finish(
  context: Context,
  { values }: Given,
  done: { configuration: Done; variables: string[]; key: CreatedKey }
): void {
  if (values.json === true) {
    printJson(context, done)
    return
  }
  showKey(context, done.key, false)
  say(
    context,
    `
The gateway is set up. Next:
  1. Add a region in taka: npm exec --no -- medusa-payment-gateway region add
     (--cash: shoppers there can also pay in cash on delivery)
  2. Start the store: npm run dev
  3. Check everything: npm exec --no -- medusa-payment-gateway doctor`
  )
}
