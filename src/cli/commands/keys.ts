import { type Command, type Given, textOf } from "../command"
import type { Context } from "../context"
import { EXIT, Failure, wrongUsage } from "../failure"
import { paint, printJson, table } from "../output"
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
    ["--scopes A,B", "for a restricted key: payments:read,refunds:write and so on"],
  ],
  about: `Makes an API key in the store's database and prints it. It is shown only here: the database keeps
a hash. Needs the store's folder and its DATABASE_URL. A production key needs an approved merchant.`,
  run: async (context, given) => {
    const input = readInput(given)
    if (given.values.json !== true) {
      context.err("Asking the store ...\n")
    }
    await requireDatabase(context)
    const created = await askGateway(context, "create-key", input)
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

export const rotateSecrets: Command = {
  name: "rotate-secrets",
  summary: "encrypt every stored secret with the first key (in the store's folder)",
  about: `Encrypts every secret in the database with the first of GATEWAY_ENCRYPTION_KEYS, in batches, while
the store runs. Run it after the new key is first in every process of the store. An interrupted run
goes on where it stopped when it is started again.`,
  run: async (context, { values }) => {
    if (values.json !== true) {
      context.err("Asking the store ...\n")
    }
    await requireDatabase(context)
    const columns = await askGateway(context, "rotate-secrets", undefined)
    const sum = (count: "unreadable" | "left") => columns.reduce((all, column) => all + column[count], 0)
    if (values.json === true && sum("left") === 0) {
      printJson(context, { columns })
    } else if (values.json !== true) {
      const rows = columns.map(({ table: of, column, rotated, left }) => [
        `${of}.${column}`,
        String(rotated),
        String(left),
      ])
      context.out(table(["COLUMN", "ENCRYPTED", "LEFT"], rows))
    }
    if (sum("unreadable") > 0) {
      const examples = columns.flatMap((column) => column.examples).slice(0, 5)
      throw new Failure("SECRETS_UNREADABLE", { count: sum("unreadable"), examples: examples.join(", ") })
    }
    if (sum("left") > 0) {
      throw new Failure("SECRETS_LEFT", { count: sum("left") })
    }
    return EXIT.ok
  },
}
