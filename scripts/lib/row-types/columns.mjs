/** What a statement's columns are, as PostgreSQL says it without running the statement. */

const TEXT = 25
/** A parameter that no stand-in has left in the text has no type to be found. */
const UNDETERMINED = /could not determine data type of parameter \$(\d+)/

/**
 * Parses a statement on a `pg` client and answers `{ columns }`, or `{ error }` as PostgreSQL words it. A column is
 * `{ name, type, table, column }`: `type` is an oid, `table` and `column` are those it is read from, 0 for a computed one.
 */
export async function describe(client, text) {
  const types = []
  for (;;) {
    const described = await parse(client, text, types)
    const parameter = UNDETERMINED.exec(described.error ?? "")?.[1]
    if (parameter === undefined || types[parameter - 1] === TEXT) {
      return described
    }
    types[parameter - 1] = TEXT
  }
}

function parse(client, text, types) {
  return new Promise((resolve) => {
    let columns = []
    client.query({
      submit(connection) {
        connection.parse({ text, name: "", types: Array.from(types, (type) => type ?? 0) }, true)
        connection.describe({ type: "S", name: "" }, true)
        connection.sync()
      },
      handleRowDescription: ({ fields }) => {
        columns = fields.map(({ name, dataTypeID, tableID, columnID }) => {
          return { name, type: dataTypeID, table: tableID, column: columnID }
        })
      },
      // `pg` reports the error of a query, and not that the connection is ready again.
      handleError: (error) => resolve({ error: error.message }),
      handleReadyForQuery: () => resolve({ columns }),
    })
  })
}

/** Names of types, and of every table's columns whether they may be null and which texts their check allows. */
export async function readCatalog(client) {
  const types = await client.query("SELECT oid, typname FROM pg_type")
  const columns = await client.query(
    `SELECT a.attrelid, a.attnum, a.attname, a.attnotnull, c.relname FROM pg_attribute a
     JOIN pg_class c ON c.oid = a.attrelid WHERE c.relname LIKE 'gateway\\_%' AND a.attnum > 0`
  )
  const checks = await client.query(
    `SELECT conrelid, conkey[1] AS attnum, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE contype = 'c' AND cardinality(conkey) = 1`
  )
  return {
    types: new Map(types.rows.map(({ oid, typname }) => [oid, typname])),
    columns: new Map(
      columns.rows.map((row) => [
        `${row.attrelid}.${row.attnum}`,
        { table: row.relname, name: row.attname, isNullable: !row.attnotnull },
      ])
    ),
    texts: new Map(
      checks.rows.flatMap(({ conrelid, attnum, definition }) => {
        const texts = textsOf(definition)
        return texts === null ? [] : [[`${conrelid}.${attnum}`, texts]]
      })
    ),
  }
}

/** `CHECK ((state = ANY (ARRAY['open'::text, 'paid'::text])))`: what it allows, or null for another kind of check. */
function textsOf(definition) {
  const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(definition)?.[1]
  return list === undefined ? null : [...list.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, text]) => text)
}
