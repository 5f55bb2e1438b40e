/** A part of a statement; each `?` in it takes one of `values`. */
type SqlPart = { sql: string; values: readonly unknown[] }

/**
 * A search of a list by the listed table's own columns, named without its alias. Any of the conditions holds. Each has
 * an index that begins with merchant and environment.
 */
export type TextSearch = readonly SqlPart[]

/** What a statement of a list reads: `FROM from WHERE where`. */
export type Source = { from: string; where: string; values: readonly unknown[] }
type Listed = {
  table: `${string} ${string}`
  where: string
  values: readonly unknown[]
  order: string
}

/** How many rows of a list are compared with a text that finds more than a list shows. */
const COMPARED_ROWS = 20_000

export function allRows({ table, where, values }: Listed): Source {
  return { from: table, where, values }
}

/**
 * All rows that a text finds, of which only the id and what the list is ordered by are to be read: an index that
 * includes these is then enough. OFFSET keeps PostgreSQL from reading the list in its order instead and comparing each
 * row: when what is sought lies far back, that reads the whole list. Each condition has a SELECT of its own, which reads
 * its index no further than the count needs.
 */
export function foundIds({ table, where, values }: Listed, search: TextSearch): Source {
  const { parts, values: given } = numbered(search, values.length)
  const alias = table.split(" ")[1]
  const condition = parts
    .map((part, index) => [part, ...parts.slice(0, index).map((other) => `(${other}) IS NOT TRUE`)].join(" AND "))
    .join(` UNION ALL SELECT * FROM ${table} WHERE ${where} AND `)
  return {
    from: `(SELECT * FROM ${table} WHERE ${where} AND ${condition} OFFSET 0) AS ${alias}`,
    where: "true",
    values: [...values, ...given],
  }
}

/** The rows that a text finds among the first ones of the list: of a common text there are enough for a page. */
export function firstCompared({ table, where, values, order }: Listed, search: TextSearch): Source {
  const { any, values: given } = numbered(search, values.length)
  const alias = table.split(" ")[1]
  return {
    from: `(SELECT * FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ${COMPARED_ROWS}) AS ${alias}`,
    where: any,
    values: [...values, ...given],
  }
}

/** All rows that a text finds, for statements that read each of them. */
export function foundRows({ table, where, values }: Listed, search: TextSearch): Source {
  const { any, values: given } = numbered(search, values.length)
  return { from: table, where: `${where} AND ${any}`, values: [...values, ...given] }
}

/** With `$5`, `$6`, ... in place of each `?`, when four values come before. */
function numbered(search: TextSearch, before: number): { parts: string[]; any: string; values: unknown[] } {
  let index = before
  const parts = search.map(({ sql }) => sql.replace(/\?/g, () => `$${++index}`))
  return { parts, any: `(${parts.join(" OR ")})`, values: search.flatMap(({ values }) => values) }
}
