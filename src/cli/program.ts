import { resolve } from "node:path"
import { COMMANDS } from "./commands"
import { parseGiven, type Command } from "./command"
import type { Context } from "./context"
import { EXIT, Failure, failureOf, wrongUsage, type ExitCode } from "./failure"
import { paint, printJson, printJsonLine } from "./output"
import { helpOf, overview } from "./help"
import { withEnvFiles } from "./environment"
import { SUPPORTED, packageVersion } from "./package"

/** Runs the command that `typed` names and returns its exit code. Never throws: every error is printed. */
export async function run(typed: readonly string[], context: Context): Promise<ExitCode> {
  const wantsJson = typed.includes("--json")
  try {
    return await dispatch(typed, context)
  } catch (error) {
    const failure = failureOf(error, context.stop)
    const inLines = commandOf(typed)?.command.printsLines === true
    printFailure(failure, context, wantsJson ? (inLines ? "line" : "document") : "text")
    return failure.exit
  }
}

async function dispatch(typed: readonly string[], context: Context): Promise<ExitCode> {
  const [first] = typed
  if (first === undefined || first === "--help" || first === "-h" || first === "help") {
    context.out(overview(COMMANDS))
    return EXIT.ok
  }
  if (first === "--version") {
    context.out(`${packageVersion()}\n`)
    return EXIT.ok
  }
  requireNode()
  const found = commandOf(typed)
  if (found === null) {
    return groupHelp(typed, context)
  }
  const given = parseGiven(found.command, found.rest)
  if (given.values.help === true) {
    context.out(helpOf(found.command))
    return EXIT.ok
  }
  const { directory: named } = given.values
  const directory = typeof named === "string" ? resolve(context.directory, named) : context.directory
  return found.command.run({ ...context, directory, env: withEnvFiles(context.env, directory) }, given)
}

/** An older Node lacks what every command uses. */
function requireNode(): void {
  const { accepts, wanted } = SUPPORTED.node
  if (!accepts(process.versions.node)) {
    throw new Failure("VERSION_UNSUPPORTED", {
      name: "Node",
      found: process.versions.node,
      wanted: `${wanted} or newer`,
    })
  }
}

/** The command whose words the line begins with; of `clock` and `clock advance` the longer one. */
function commandOf(typed: readonly string[]): { command: Command; rest: readonly string[] } | null {
  const matching = COMMANDS.map((command) => ({ command, words: command.name.split(" ") }))
    .filter(({ words }) => words.every((word, index) => typed[index] === word))
    .sort((one, other) => other.words.length - one.words.length)
  const [longest] = matching
  return longest === undefined ? null : { command: longest.command, rest: typed.slice(longest.words.length) }
}

/** `events --help` shows the commands that begin with the word; anything else is wrong usage. */
function groupHelp(typed: readonly string[], context: Context): ExitCode {
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${typed[0]} `))
  if (group.length > 0 && typed.slice(1).every((word) => word === "--help" || word === "-h") && typed.length > 1) {
    context.out(overview(group))
    return EXIT.ok
  }
  throw wrongUsage("COMMAND_UNKNOWN", { command: typed.slice(0, group.length > 0 ? 2 : 1).join(" ") })
}

function printFailure(failure: Failure, context: Context, as: "text" | "document" | "line"): void {
  const { message, fix, described } = failure
  if (as === "document") {
    printJson(context, { error: described })
  } else if (as === "line") {
    printJsonLine(context, { error: described })
  } else {
    context.err(`${paint(context, "red", "error")} ${message}\n${fix}\n`)
  }
}
