import { type SealedColumn, SEALED } from "./sealed-columns"
import type { Sql } from "./database"
import type { SecretBox } from "./secret-box"

/** All but one: payments are many, and few of them keep a token, so that finding one would read the whole table. */
const PROBED: readonly SealedColumn[] = Object.values(SEALED).filter((column) => column !== SEALED.keptToken)

const SAMPLES = PROBED.map(
  ({ table, column }, place) =>
    `(SELECT ${place} AS place, t.id, t.${column} AS stored FROM ${table} t
      WHERE starts_with(t.${column}, 'enc:v1:' || k.key_id || ':') LIMIT 1)`
).join(" UNION ALL ")

type Sample = { key_id: string; place: number; id: string; stored: string }

/**
 * Ids of configured keys that decrypt nothing of what was encrypted under their id: their bytes are not those that it
 * had. Every other check compares ids only. One sample of each column is decrypted, and one that decrypts is enough: a
 * text that was changed in the database says nothing about the key.
 */
export async function replacedKeys(sql: Sql, box: Pick<SecretBox, "ids" | "openIfReadable">): Promise<string[]> {
  const samples = await sql.query<Sample>(
    `SELECT k.key_id, s.place, s.id, s.stored FROM unnest($1::text[]) AS k (key_id) CROSS JOIN LATERAL (${SAMPLES}) s`,
    [box.ids]
  )
  const isReadable = ({ place, id, stored }: Sample) => box.openIfReadable(stored, PROBED[place], id) !== null
  return box.ids.filter((id) => {
    const own = samples.filter(({ key_id }) => key_id === id)
    return own.length > 0 && !own.some(isReadable)
  })
}
