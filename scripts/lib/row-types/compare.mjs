import ts from "typescript"

/** What `pg` makes of a column's type: kinds of TypeScript's types. Integers beyond 32 bits and decimals are text. */
const KINDS = new Map([
  ...["int2", "int4", "float4", "float8", "oid"].map((name) => [name, ["number"]]),
  ...["int8", "numeric", "text", "varchar", "name", "bpchar", "uuid", "unknown"].map((name) => [name, ["string"]]),
  ["bool", ["boolean"]],
  ...["timestamptz", "timestamp", "date"].map((name) => [name, ["Date"]]),
  ...["json", "jsonb"].map((name) => [name, ["string", "number", "boolean", "array", "object"]]),
  ["bytea", ["Buffer", "Uint8Array"]],
])
const JSON_DEPTH = 3

/** What is wrong with a row type, as sentences; `columns` are those of the statement. */
export function mistakesOf(checker, row, columns, { text, catalog, node }) {
  const byName = new Map(columns.map((column) => [column.name, column]))
  return checker.getPropertiesOfType(row).flatMap((property) => {
    const name = property.name
    const type = checker.getTypeOfSymbolAtLocation(property, node)
    const column = byName.get(name)
    if (column === undefined) {
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0
      return isOptional ? [] : [`the statement answers no column "${name}"`]
    }
    return mistakesIn(checker, type, column, { text, catalog }).map((mistake) => `"${name}": ${mistake}`)
  })
}

function mistakesIn(checker, type, column, { text, catalog }) {
  if (type.flags & ts.TypeFlags.Any) {
    return ["the type is any, so nothing is checked"]
  }
  if (type.flags & ts.TypeFlags.Unknown) {
    return []
  }
  const members = type.isUnion() ? type.types : [type]
  const values = members.filter((member) => !(member.flags & NOTHING))
  const kind = catalog.types.get(column.type)
  return [
    ...kindMistakes(checker, values, kind),
    ...(values.length < members.length ? [] : nullMistakes(column, text, catalog)),
    ...textMistakes(values, column, catalog),
  ]
}

const NOTHING = ts.TypeFlags.Null | ts.TypeFlags.Undefined

function kindMistakes(checker, values, pgType) {
  const isList = pgType.startsWith("_")
  const allowed = isList ? ["array"] : KINDS.get(pgType)
  if (allowed === undefined) {
    return pgType === "void" ? [] : [`nobody has said what ${pgType} is in TypeScript`]
  }
  const wrong = values.filter((value) => !allowed.includes(kindOf(checker, value)))
  if (wrong.length > 0) {
    return [
      `${pgType} is ${allowed.join(" or ")}, not ${wrong.map((value) => checker.typeToString(value)).join(" | ")}`,
    ]
  }
  if (isList) {
    const elements = values.flatMap((value) => unionOf(checker.getTypeArguments(value)[0]))
    return kindMistakes(
      checker,
      elements.filter((element) => !(element.flags & NOTHING)),
      pgType.slice(1)
    )
  }
  return pgType.startsWith("json") ? values.flatMap((value) => jsonMistakes(checker, value, JSON_DEPTH)) : []
}

/** JSON has no dates and no bigint: what was one when it was written is text or a number when it is read. */
function jsonMistakes(checker, type, depth) {
  if (depth === 0) {
    return []
  }
  if (checker.isArrayLikeType(type)) {
    return checker.getTypeArguments(type).flatMap((element) => jsonMistakes(checker, element, depth))
  }
  return checker.getPropertiesOfType(type).flatMap((property) => {
    const declaration = property.valueDeclaration
    if (declaration === undefined || declaration.getSourceFile().isDeclarationFile) {
      return []
    }
    return unionOf(checker.getTypeOfSymbolAtLocation(property, declaration)).flatMap((member) => {
      const kind = kindOf(checker, member)
      return kind === "Date" || kind === "bigint"
        ? [`its member "${property.name}" is ${kind}, which JSON does not have`]
        : jsonMistakes(checker, member, depth - 1)
    })
  })
}

const unionOf = (type) => (type.isUnion() ? type.types : [type])

function kindOf(checker, type) {
  const base = checker.getBaseTypeOfLiteralType(type)
  const primitive = PRIMITIVES.find(([flag]) => base.flags & flag)?.[1]
  if (primitive !== undefined) {
    return primitive
  }
  if (type.isIntersection()) {
    return type.types.map((member) => kindOf(checker, member)).find((kind) => kind !== "object") ?? "object"
  }
  const name = type.symbol?.name
  return ["Date", "Buffer", "Uint8Array"].includes(name) ? name : checker.isArrayLikeType(type) ? "array" : "object"
}

const PRIMITIVES = [
  [ts.TypeFlags.StringLike, "string"],
  [ts.TypeFlags.NumberLike, "number"],
  [ts.TypeFlags.BooleanLike, "boolean"],
  [ts.TypeFlags.BigIntLike, "bigint"],
]

/**
 * A column that may be null needs null in its type, unless the statement itself excludes it: by IS NOT NULL, or by a
 * comparison with it. A computed column is not judged: the catalog does not say.
 */
function nullMistakes({ table, column }, text, catalog) {
  const origin = catalog.columns.get(`${table}.${column}`)
  if (origin === undefined) {
    return []
  }
  if (isOuter(origin.table, text)) {
    return [`${origin.table} is joined by LEFT JOIN, so ${origin.name} may be null`]
  }
  return origin.isNullable && !isExcluded(origin.name, text) ? [`${origin.table}.${origin.name} may be null`] : []
}

/**
 * Whether each mention of the table is the right side of a LEFT JOIN whose absence the statement does not exclude by
 * `alias.column IS NOT NULL`.
 */
function isOuter(table, text) {
  const mentions = [...text.matchAll(new RegExp(`\\b${table}\\b`, "gi"))]
  const joins = [...text.matchAll(new RegExp(`LEFT\\s+JOIN\\s+${table}\\s+(?:AS\\s+)?(\\w+)`, "gi"))]
  const isExcluded = joins.some(([, alias]) => new RegExp(`\\b${alias}\\.\\w+\\s+IS\\s+NOT\\s+NULL`, "i").test(text))
  return joins.length > 0 && joins.length === mentions.length && !isExcluded
}

function isExcluded(name, text) {
  const column = `(?:\\w+\\.)?${name}`
  return new RegExp(
    `\\b${column}\\s+IS\\s+NOT\\s+NULL|\\b${column}\\s*(?:=|<=|>=|<|>)\\s*[^=]|=\\s*${column}\\b`,
    "i"
  ).test(text)
}

/** A union of texts must have all that the column's check allows. */
function textMistakes(values, { table, column }, catalog) {
  const allowed = catalog.texts.get(`${table}.${column}`)
  if (allowed === undefined || values.length === 0 || !values.every((value) => value.isStringLiteral())) {
    return []
  }
  const named = values.map(({ value }) => value)
  const missing = allowed.filter((text) => !named.includes(text))
  return missing.length > 0 ? [`the column may also be ${missing.map((text) => `'${text}'`).join(", ")}`] : []
}
