import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as ts from "typescript"

/* docs/tables.md says which slice owns a table, and who else writes it (docs/decisions/22). */

const ROOT = resolve(__dirname, "../..")
const MODULE = join(ROOT, "src/modules/gateway")
const page = readFileSync(join(ROOT, "docs/tables.md"), "utf8")

/** Stands in a statement's text for what is not constant. */
const HOLE = "?"
const WRITE =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?"?(gateway_\w+)/gi
/** In capitals, as all SQL of ours: a sentence may have a name after "update". `FOR UPDATE` and `DO UPDATE` write nothing. */
const WRITE_BY_NAME =
  /\b(?:INSERT\s+INTO|(?<!\b(?:FOR|KEY|DO)\s+)UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?)\s+(?:ONLY\s+)?"?(?:\?|$)/

/** The texts in a program, without its comments. */
function textsIn(source: string): string[] {
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) {
      texts.push(node.text)
    } else if (ts.isTemplateExpression(node)) {
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(HOLE))
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile("file.tsx", source, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX))
  return texts
}

/** The tables that a program's statements write; `byName`: some statement gets its table's name as data. */
function writesOf(source: string): { tables: string[]; byName: boolean } {
  const texts = textsIn(source)
  const tables = texts.flatMap((text) => [...text.matchAll(WRITE)].map(([, table]) => table))
  return { tables: [...new Set(tables)].sort(), byName: texts.some((text) => WRITE_BY_NAME.test(text)) }
}

const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !/(^|\/)(__tests__|migrations|generated)\//.test(name))
  .map((name) => ({
    // `src/links` is no slice, but the module's `links` is.
    name: name.startsWith("modules/gateway/") ? name.slice("modules/gateway/".length) : `src/${name}`,
    text: readFileSync(join(ROOT, "src", name), "utf8"),
  }))

const found = sources.map(({ name, text }) => ({ name, ...writesOf(text) }))

/** The rows of the page's table with this first heading. */
function rowsBelow(heading: string): { name: string; rest: string }[] {
  const table = page.slice(page.indexOf(`| ${heading} |`)).split("\n\n")[0]
  return [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name, rest]) => ({ name, rest }))
}
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name)

const owners = rowsBelow("Slice").flatMap(({ name: slice, rest }) => quoted(rest).map((table) => ({ table, slice })))
const ownerOf = new Map(owners.map(({ table, slice }) => [table, slice]))
const inOrder = (names: string[]) => [...new Set(names)].sort()

/** By table: the files outside its slice that write it. */
function strangers(files: readonly { name: string; tables: string[] }[]): Record<string, string[]> {
  const pairs = files.flatMap(({ name, tables }) =>
    tables.filter((table) => !name.startsWith(`${ownerOf.get(table)}/`)).map((table) => ({ table, name }))
  )
  const tables = inOrder(pairs.map(({ table }) => table))
  return Object.fromEntries(
    tables.map((table) => [table, inOrder(pairs.filter((pair) => pair.table === table).map(({ name }) => name))])
  )
}

const byName = rowsBelow("File").map(({ name }) => name)
const declared = Object.fromEntries(rowsBelow("Table").map(({ name, rest }) => [name, inOrder(quoted(rest))]))

describe("docs/tables.md", () => {
  it("gives every table to one slice", () => {
    const models = readdirSync(join(MODULE, "models"))
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => [
        ...readFileSync(join(MODULE, "models", name), "utf8").matchAll(/define\(\s*"(gateway_\w+)"/g),
      ])
      .map(([, table]) => table)
    expect(models.length).toBeGreaterThan(40)
    expect(owners.map(({ table }) => table).sort()).toEqual(models.sort())
    expect(owners.filter(({ slice }) => !existsSync(join(MODULE, slice)))).toEqual([])
  })

  it("names the files of other slices that write a table, and no others", () => {
    expect(found.filter(({ tables }) => tables.length > 0).length).toBeGreaterThan(70)
    expect(strangers(found.filter(({ name }) => !byName.includes(name)))).toEqual(declared)
  })

  it("names the files that write tables by names which are data", () => {
    expect(found.filter((file) => file.byName).map(({ name }) => name)).toEqual(expect.arrayContaining(byName))
    expect(found.filter((file) => file.byName && !byName.includes(file.name))).toEqual([])
  })
})

describe("the search for writers", () => {
  it.each([
    ["INSERT INTO gateway_refund (id) VALUES ($1)", "gateway_refund"],
    ["WITH a AS (UPDATE ONLY gateway_payout SET x = 1 RETURNING id) SELECT 1", "gateway_payout"],
    ["delete from\n  gateway_event WHERE true", "gateway_event"],
    ["TRUNCATE gateway_plan", "gateway_plan"],
  ])("finds %j", (statement, table) => {
    expect(writesOf(`sql.query(\`${statement}\`)`).tables).toEqual([table])
  })

  it.each([
    "DELETE FROM ${table} WHERE true",
    "UPDATE ${table} SET x = 1",
    "WITH a AS (INSERT INTO ${table} VALUES (1))",
  ])("finds that the name is data: %s", (statement) => {
    expect(writesOf(`sql.query(\`${statement}\`)`)).toEqual({ tables: [], byName: true })
    expect(writesOf(`sql.query("${statement.split("$")[0]}" + table)`).byName).toBe(true)
  })

  it.each([
    "// UPDATE gateway_refund",
    "`SELECT 1 FROM gateway_refund FOR UPDATE ${lock}`",
    "`INSERT INTO x VALUES (1) ON CONFLICT (id) DO UPDATE ${what}`",
    '"Could not update ${name}"',
  ])("takes %s for no write", (source) => {
    expect(writesOf(source)).toEqual({ tables: [], byName: false })
  })

  it("reports a writer of another slice, and one outside the module", () => {
    const planted = [
      { name: "refunds/planted.ts", tables: ["gateway_refund", "gateway_plan"] },
      { name: "src/plans/planted.ts", tables: ["gateway_plan"] },
    ]
    expect(strangers(planted)).toEqual({ gateway_plan: ["refunds/planted.ts", "src/plans/planted.ts"] })
  })
})

it("nobody builds statements without text: the query builder of the connection is the kernel's", () => {
  const users = sources.filter(({ text }) => /\bknex\b|PG_CONNECTION|EntityManager|InjectManager/i.test(text))
  expect(users.map(({ name }) => name).sort()).toEqual([
    "kernel/database/database.ts",
    "loaders/resources.ts",
    // Opens the connection of a process that has no other module of Medusa.
    "src/cli/store/open-gateway.ts",
  ])
})
