import { sandboxVaultId } from "../../src/modules/gateway/kernel/text/ids"
import { SEALED } from "../../src/modules/gateway/kernel/database/sealed-columns"
import { secretBoxOf } from "../../src/modules/gateway/kernel/options"
import { gatewayOf } from "./api"
import type { Store } from "./store"

/** A kept instrument's token in plain text, which only the acquirer should ever see. */
export function tokenOf(store: Store, { id, token }: { id: string; token: string }): string {
  return secretBoxOf(gatewayOf(store).options).open(token, SEALED.instrumentToken, id)
}

/** `table: text` of every row in the whole database that holds one of these texts. */
export async function rowsWith(store: Store, texts: string[]): Promise<string[]> {
  const { rows: tables } = await store.db.raw<{ rows: { name: string }[] }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await store.db.raw<{ rows: { text: string }[] }>(
      `SELECT t::text AS text FROM ${name} t WHERE EXISTS (SELECT 1 FROM unnest(?::text[]) AS s (secret) WHERE strpos(t::text, s.secret) > 0)`,
      [texts]
    )
    found.push(...rows.map(({ text }) => `${name}: ${text}`))
  }
  return found
}

/** Sets how the sandbox acquirer answers charges of these kept instruments from now on. */
export async function bankSays(
  store: Store,
  instruments: { id: string; token: string }[],
  outcome: string
): Promise<void> {
  const ids = instruments.map((instrument) => sandboxVaultId(tokenOf(store, instrument)))
  await store.db("gateway_sandbox_instrument").whereIn("id", ids).update({ outcome })
}
