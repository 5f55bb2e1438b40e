import type { Command } from "../command"
import { EXIT, Failure } from "../failure"
import { printJson, table } from "../output"
import { requireDatabase } from "../store/database"
import { askGateway } from "../store/gateway"

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
