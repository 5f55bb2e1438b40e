import type { Command } from "./command"

const PROGRAM = "npm exec --no -- medusa-payment-gateway"

const EXITS = `Exit codes: 0 done, 1 failed, 2 used wrongly.
`

const VARIABLES = `Variables, read from the process and from .env in the folder:
  GATEWAY_PUBLIC_URL   the address of the store, for commands that call its API
  GATEWAY_API_KEY      the API key for them; never an option, because the list of processes shows options
  WEBHOOK_SECRET       the secret that listen signs with; without it, each run has a new one
  DATABASE_URL         the store's database, for commands that run in the store's folder
`

/** The help without a command. */
export function overview(commands: readonly Command[]): string {
  const lines = commands.map((command) => [spelling(command), command.summary] as const)
  return `Usage: ${PROGRAM} COMMAND [options]

Commands:
${columns(lines)}
Options of every command:
${columns(COMMON_HELP)}
${VARIABLES}
${EXITS}`
}

const COMMON_HELP = [
  ["--json", "output for programs: one JSON document; listen prints one line of JSON each time"],
  ["--directory PATH", "the folder of the store; default: the current one"],
  ["--help", "what a command does, and its options"],
] as const

/** The help of one command. */
export function helpOf(command: Command): string {
  return `Usage: ${PROGRAM} ${spelling(command)} [options]

${command.about}

Options:
${columns([...(command.help ?? []), ...COMMON_HELP])}
${EXITS}`
}

function spelling({ name, arguments: names = [] }: Pick<Command, "name" | "arguments">): string {
  return [name, ...names].join(" ")
}

function columns(lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([left]) => left.length))
  return lines.map(([left, right]) => `  ${left.padEnd(width)}   ${right}\n`).join("")
}
