import { textOf, type Command, type Given } from "../command"
import type { Context } from "../context"
import { EXIT, wrongUsage } from "../failure"
import { paint, printJson } from "../output"
import type { CreatedKey, KeyInput } from "../store/create-key"
import { requireDatabase } from "../store/database"
import { askGateway } from "../store/gateway"

export const createKey: Command = {
  name: "keys create",
  summary: "make an API key (in the store's folder)",
  options: {
    merchant: { type: "string" },
    name: { type: "string" },
    environment: { type: "string" },
    scopes: { type: "string" },
  },
  help: [
    ["--merchant NUMBER", "the merchant's number or id; default: the store's own"],
    ["--name TEXT", "what the key is for; default: Command line"],
    ["--environment NAME", "sandbox (default) or production"],
    ["--scopes A,B", "for a restricted key of production: payments:read,refunds:write and so on"],
  ],
  about: `Makes an API key in the store's database and prints it. It is shown only here: the database keeps
a hash. Needs the store's folder and its DATABASE_URL. A production key needs an approved merchant.`,
  run: async (context, given) => {
    if (given.values.json !== true) {
      context.err("Asking the store ...\n")
    }
    await requireDatabase(context)
    const created = await askGateway(context, "create-key", readInput(given))
    showKey(context, created, given.values.json === true)
    return EXIT.ok
  },
}

function readInput(given: Given): KeyInput {
  const environment = textOf(given, "environment") ?? "sandbox"
  if (environment !== "sandbox" && environment !== "production") {
    throw wrongUsage("OPTIONS_WRONG", { reason: "--environment is sandbox or production.", command: "keys create" })
  }
  return {
    merchant: textOf(given, "merchant"),
    name: textOf(given, "name") ?? "Command line",
    environment,
    scopes: textOf(given, "scopes")
      ?.split(",")
      .map((scope) => scope.trim()),
  }
}

/** The key itself goes to the output, what is said about it to the errors: `KEY=$(… keys create)` works. */
export function showKey(context: Context, created: CreatedKey, asJson: boolean): void {
  const { merchant, environment, key } = created
  if (asJson) {
    printJson(context, created)
  } else if (key === null) {
    context.err(`${merchant.name} (merchant ${merchant.number}) has a key for ${environment} already.\n`)
  } else {
    context.err(`A key for ${environment} of ${merchant.name} (merchant ${merchant.number}); it is shown only now:\n`)
    context.out(`${paint(context, "bold", key)}\n`)
  }
}
