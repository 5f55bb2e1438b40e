import { parseArgs, type ParseArgsConfig } from "node:util"
import type { Context } from "./context"
import { wrongUsage, type ExitCode } from "./failure"

type Options = NonNullable<ParseArgsConfig["options"]>
type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

/** What the user has typed behind the command's name. */
export type Given = { values: Values; positionals: readonly string[] }

export type Command = {
  /** As typed: `clock advance`. */
  name: string
  summary: string
  /** Names of the arguments in the order in which they come, such as `EVENT`; all are required. */
  arguments?: readonly string[]
  options?: Options
  /** The lines of `--help` about the command's own options, by their spelling. */
  help?: readonly (readonly [string, string])[]
  /** More for `--help`: what the command does, in whole sentences. */
  about: string
  /** With --json it prints a line of JSON each time, so that a program can read while it runs; its error is one too. */
  printsLines?: true
  run: (context: Context, given: Given) => Promise<ExitCode>
}

/** Options of every command. */
const COMMON: Options = {
  help: { type: "boolean", short: "h" },
  json: { type: "boolean" },
  directory: { type: "string" },
}

export const URL_OPTION: Options = { url: { type: "string" } }
export const URL_HELP = ["--url URL", "the address of the store; default: GATEWAY_PUBLIC_URL"] as const

/** Reads options and arguments. Throws wrong usage, with the reason, for what the command does not know. */
export function parseGiven(command: Pick<Command, "name" | "options" | "arguments">, typed: readonly string[]): Given {
  const { values, positionals } = parse(command, typed)
  const wanted = command.arguments ?? []
  const missing = wanted.find((_, index) => (positionals[index] ?? "").trim() === "")
  if (values.help !== true && missing !== undefined) {
    throw wrongUsage("ARGUMENT_MISSING", { argument: missing, command: command.name })
  }
  if (positionals.length > wanted.length) {
    throw wrongUsage("ARGUMENT_UNEXPECTED", { argument: positionals[wanted.length], command: command.name })
  }
  return { values, positionals }
}

function parse(command: Pick<Command, "name" | "options">, typed: readonly string[]): Given {
  const given = parseTyped(command, typed)
  for (const [name, value] of Object.entries(given.values)) {
    // Such as a variable of a script that is not set: it must not mean the default, which may allow more.
    if (typeof value === "string" && value.trim() === "") {
      throw wrongUsage("OPTIONS_WRONG", { reason: `--${name} is empty.`, command: command.name })
    }
  }
  return given
}

/** Not with `strict`: the parser's own complaints are about its settings, and some repeat a value. */
function parseTyped(command: Pick<Command, "name" | "options">, typed: readonly string[]): Given {
  const options = { ...COMMON, ...command.options }
  const { tokens, ...given } = parseArgs({
    args: [...typed],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    const reason = token.kind === "option" ? wrongOption(token, options) : null
    if (reason !== null) {
      throw wrongUsage("OPTIONS_WRONG", { reason, command: command.name })
    }
  }
  return given
}

type OptionToken = { name: string; rawName: string; value?: string; inlineValue?: boolean }

function wrongOption({ name, rawName, value, inlineValue }: OptionToken, options: Options): string | null {
  const type = Object.hasOwn(options, name) ? options[name]?.type : undefined
  if (type === undefined) {
    return `There is no option ${rawName}.`
  }
  if (type === "boolean") {
    return value === undefined ? null : `${rawName} takes no value.`
  }
  // As in `--status --json`: the next option is no value.
  return value === undefined || (inlineValue === false && value.startsWith("-")) ? `${rawName} needs a value.` : null
}

/** The text of an option; undefined when it is not given. */
export function textOf({ values }: Given, name: string): string | undefined {
  const value = values[name]
  return typeof value === "string" ? value : undefined
}

/** An http or https address. Throws wrong usage. A text with `@` may hold a password, so no error repeats it. */
export function requireUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw wrongUsage("URL_WRONG", { name, text: text.includes("@") ? "…" : text })
  }
  if (url.username !== "" || url.password !== "") {
    throw wrongUsage("URL_WITH_PASSWORD", { name })
  }
  return url
}
