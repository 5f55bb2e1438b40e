import type { Database } from "../kernel/database/database"
import { SEALED, type SealedColumn } from "../kernel/database/sealed-columns"
import { UnreadableSecret, type SecretBox } from "../kernel/database/secret-box"
import { secretBoxOf } from "../kernel/options"
import type { Cradle } from "../kernel/types"

/** Rows locked together: a running store waits at most for these. */
const BATCH = 200
const NAMED = 10

/**
 * The result for one column. `unreadable`: rows that no configured key decrypts, or that are not encrypted; `examples`
 * names some of them.
 */
export type RotatedColumn = {
  table: string
  column: string
  rotated: number
  unreadable: number
  examples: string[]
  /** Rows still not encrypted with the first key, unreadable ones included. */
  left: number
}

type Stored = { id: string; stored: string }
type Fresh = Stored & { fresh: string }

/**
 * Encrypts every stored secret with the first key, whatever it is encrypted with now. Safe beside a running store: a row
 * that changes meanwhile is skipped. A stopped run continues where it ended when it is started again.
 */
export class SecretRotationService {
  private readonly database: Database
  private readonly secretBox: SecretBox

  constructor({ database, gatewayOptions }: Cradle) {
    this.database = database
    this.secretBox = secretBoxOf(gatewayOptions, { withDevelopmentKey: true })
  }

  /** Column after column. `left` above 0: another process wrote with another key meanwhile, or a key is missing. */
  async run(): Promise<RotatedColumn[]> {
    const columns: RotatedColumn[] = []
    for (const column of Object.values<SealedColumn>(SEALED)) {
      columns.push(await this.rotate(column))
    }
    return columns
  }

  private async rotate(column: SealedColumn): Promise<RotatedColumn> {
    const unreadable: string[] = []
    let rotated = 0
    for (
      let rows = await this.next(column, "");
      rows.length > 0;
      rows = await this.next(column, rows[rows.length - 1].id)
    ) {
      const fresh = rows.flatMap((row) => this.encryptAgain(column, row, unreadable))
      rotated += await this.write(column, fresh)
    }
    const left = await this.countLeft(column)
    return {
      table: column.table,
      column: column.column,
      rotated,
      unreadable: unreadable.length,
      examples: unreadable.slice(0, NAMED),
      left,
    }
  }

  private encryptAgain(column: SealedColumn, { id, stored }: Stored, unreadable: string[]): Fresh[] {
    try {
      return [{ id, stored, fresh: this.secretBox.seal(this.secretBox.open(stored, column, id), column, id) }]
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) {
        throw error
      }
      unreadable.push(id)
      return []
    }
  }

  private next(column: SealedColumn, after: string): Promise<Stored[]> {
    const text = textOf(column, "t")
    return this.database.query<Stored>(
      `SELECT t.id, ${text} AS stored FROM ${column.table} t
       WHERE t.id > $1 AND ${text} IS NOT NULL AND NOT starts_with(${text}, $2) ORDER BY t.id LIMIT ${BATCH}`,
      [after, this.secretBox.prefix]
    )
  }

  /** Guarded by the text that was read. Rows are locked in one order, so that no deadlock arises. */
  private async write(column: SealedColumn, rows: readonly Fresh[]): Promise<number> {
    const { table, column: name, member } = column
    const value = member === undefined ? "ours.fresh" : `jsonb_set(t.${name}, '{${member}}', to_jsonb(ours.fresh))`
    const written = await this.database.query(
      `UPDATE ${table} t SET ${name} = ${value}
       FROM (SELECT l.id, input.fresh FROM ${table} l
             JOIN unnest($1::text[], $2::text[], $3::text[]) AS input (id, stored, fresh) ON input.id = l.id
             WHERE ${textOf(column, "l")} = input.stored ORDER BY l.id FOR NO KEY UPDATE OF l) ours
       WHERE t.id = ours.id RETURNING t.id`,
      [rows.map(({ id }) => id), rows.map(({ stored }) => stored), rows.map(({ fresh }) => fresh)]
    )
    return written.length
  }

  private async countLeft(column: SealedColumn): Promise<number> {
    const text = textOf(column, "t")
    const [{ left }] = await this.database.query<{ left: number }>(
      `SELECT count(*)::int AS "left" FROM ${column.table} t WHERE ${text} IS NOT NULL AND NOT starts_with(${text}, $1)`,
      [this.secretBox.prefix]
    )
    return left
  }
}

function textOf({ column, member }: SealedColumn, alias: string): string {
  return member === undefined ? `${alias}.${column}` : `(${alias}.${column} ->> '${member}')`
}
