import { randomBytes } from "node:crypto"
import { parseEnv } from "node:util"
import type * as ts from "typescript"
import type { Environment } from "../environment"
import { PACKAGE } from "../package"

const WRAPPER = "withPaymentGateway"
const SOURCE = `${PACKAGE}/config`

/** Why a configuration is not changed; the words are in words/init.ts. */
export type Unknown = "syntax" | "no_define_config" | "several_define_config" | "other_arguments" | "name_taken"

export type Edit =
  | { state: "changed"; text: string }
  /** The gateway is in it already. */
  | { state: "present" }
  | { state: "unknown"; why: Unknown }

/**
 * Puts the gateway into a medusa-config: wraps what is given to `defineConfig` in `withPaymentGateway(…)`, whatever
 * expression it is, and imports that function in the file's own style. Changes nothing else, and nothing at all in a file
 * in which the place is not certain. Doing it again answers `present`.
 */
export function addGateway(typescript: typeof ts, fileName: string, text: string): Edit {
  const file = typescript.createSourceFile(fileName, text, typescript.ScriptTarget.Latest, true)
  const { parseDiagnostics = [] } = file as ts.SourceFile & { parseDiagnostics?: readonly unknown[] }
  if (parseDiagnostics.length > 0) {
    return { state: "unknown", why: "syntax" }
  }
  const found = survey(typescript, file)
  if (found.modules.some((name) => name === PACKAGE || name.startsWith(`${PACKAGE}/`))) {
    return { state: "present" }
  }
  if (found.names.has(WRAPPER)) {
    return { state: "unknown", why: "name_taken" }
  }
  if (found.calls.length !== 1) {
    return { state: "unknown", why: found.calls.length === 0 ? "no_define_config" : "several_define_config" }
  }
  const [argument, ...others] = found.calls[0].arguments
  if (argument === undefined || others.length > 0 || typescript.isSpreadElement(argument)) {
    return { state: "unknown", why: "other_arguments" }
  }
  const wrapped = [
    { at: argument.getStart(file), text: `${WRAPPER}(` },
    { at: argument.getEnd(), text: ")" },
  ]
  return { state: "changed", text: insert(text, [...wrapped, importOf(typescript, file, text)]) }
}

type Survey = {
  calls: ts.CallExpression[]
  /** Every text that could name a module: of imports, requires, and `resolve:` of a plugin or module. */
  modules: string[]
  names: Set<string>
}

function survey(typescript: typeof ts, file: ts.SourceFile): Survey {
  const found: Survey = { calls: [], modules: [], names: new Set() }
  const visit = (node: ts.Node): void => {
    if (typescript.isCallExpression(node) && isDefineConfig(typescript, node.expression)) {
      found.calls.push(node)
    }
    if (typescript.isStringLiteralLike(node)) {
      found.modules.push(node.text)
    }
    if (typescript.isIdentifier(node)) {
      found.names.add(node.text)
    }
    node.forEachChild(visit)
  }
  visit(file)
  return found
}

/** `defineConfig(…)`, and `utils.defineConfig(…)`. */
function isDefineConfig(typescript: typeof ts, called: ts.Expression): boolean {
  const name = typescript.isPropertyAccessExpression(called) ? called.name : called
  return typescript.isIdentifier(name) && name.text === "defineConfig"
}

/** The import, behind the last one of its kind, with the quotes and semicolons of that one. */
function importOf(typescript: typeof ts, file: ts.SourceFile, text: string): { at: number; text: string } {
  const imports = file.statements.filter((statement) => typescript.isImportDeclaration(statement))
  const requires = file.statements.filter(
    (statement) => typescript.isVariableStatement(statement) && /\brequire\s*\(/.test(statement.getText(file))
  )
  const isRequire = imports.length === 0 && requires.length > 0
  const last = (isRequire ? requires : imports).at(-1)
  const model = last?.getText(file) ?? ""
  const quote = model.includes("'") && !model.includes('"') ? "'" : '"'
  const end = last === undefined || model.endsWith(";") ? ";" : ""
  const line = isRequire
    ? `const { ${WRAPPER} } = require(${quote}${SOURCE}${quote})${end}`
    : `import { ${WRAPPER} } from ${quote}${SOURCE}${quote}${end}`
  const newline = text.includes("\r\n") ? "\r\n" : "\n"
  if (last === undefined) {
    const first = file.statements[0]?.getStart(file) ?? 0
    return { at: first, text: `${line}${newline}${newline}` }
  }
  return { at: last.getEnd(), text: `${newline}${line}` }
}

/** From the end of the text to its beginning, so that no insertion moves another one. */
function insert(text: string, insertions: readonly { at: number; text: string }[]): string {
  return [...insertions]
    .sort((one, other) => other.at - one.at)
    .reduce((all, { at, text: added }) => all.slice(0, at) + added + all.slice(at), text)
}

/** What a person adds by hand to a configuration that the program does not change. */
export const BY_HAND = `  import { ${WRAPPER} } from "${SOURCE}"

  module.exports = defineConfig(
    ${WRAPPER}({
      // what defineConfig has now
    })
  )`

const CONTEXT = 2

type Line = { mark: " " | "-" | "+"; text: string }

/**
 * The lines that differ between two texts, with two lines around each change: `-` for the old ones, `+` for the new ones.
 * Compares every pair of lines, so it is for files of people, not for large ones.
 */
export function diffOf(before: string, after: string): string[] {
  const lines = compare(before.split("\n"), after.split("\n"))
  const isShown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ mark }) => mark !== " ")
  )
  return lines.flatMap(({ mark, text }, index) => {
    if (!isShown[index]) {
      return []
    }
    const gap = index > 0 && !isShown[index - 1] ? ["  …"] : []
    return [...gap, `${mark} ${text}`.trimEnd()]
  })
}

/** Along the longest common subsequence; of a change the old lines come first. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  const common = lengths(before, after)
  const lines: Line[] = []
  let old = 0
  let fresh = 0
  while (old < before.length || fresh < after.length) {
    if (old < before.length && fresh < after.length && before[old] === after[fresh]) {
      lines.push({ mark: " ", text: before[old++] })
      fresh++
    } else if (fresh === after.length || (old < before.length && common[old + 1][fresh] >= common[old][fresh + 1])) {
      lines.push({ mark: "-", text: before[old++] })
    } else {
      lines.push({ mark: "+", text: after[fresh++] })
    }
  }
  return lines
}

/** The length of the longest common subsequence of what begins at each pair of lines. */
function lengths(before: readonly string[], after: readonly string[]): number[][] {
  const table = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0))
  for (let old = before.length - 1; old >= 0; old--) {
    for (let fresh = after.length - 1; fresh >= 0; fresh--) {
      table[old][fresh] =
        before[old] === after[fresh]
          ? table[old + 1][fresh + 1] + 1
          : Math.max(table[old + 1][fresh], table[old][fresh + 1])
    }
  }
  return table
}

const SECRET_BYTES = 32

/** A variable that the gateway needs. Only the name of a secret is ever printed. */
type Needed = { name: string; make: () => string; isSecret: boolean }

const secret = () => randomBytes(SECRET_BYTES).toString("base64")

/** In the order in which they are written. */
const NEEDED: readonly Needed[] = [
  { name: "GATEWAY_ENCRYPTION_KEYS", make: () => `k1:${secret()}`, isSecret: true },
  { name: "GATEWAY_PUBLIC_URL", make: () => "http://localhost:9000", isSecret: false },
  { name: "JWT_SECRET", make: secret, isSecret: true },
  { name: "COOKIE_SECRET", make: secret, isSecret: true },
]

type EnvEdit = { text: string; added: { name: string; shown: string }[] }

/**
 * Adds what is missing to the text of a .env, with new secrets; a variable that the file or the process sets stays as it
 * is, an empty one in the file too. `added` is empty when nothing is missing.
 */
export function addVariables(text: string, env: Environment): EnvEdit {
  const inFile = parseEnv(text)
  const missing = NEEDED.filter(({ name }) => inFile[name] === undefined && !env[name])
  const values = missing.map(({ name, make, isSecret }) => ({ name, value: make(), isSecret }))
  const gap = text === "" || text.endsWith("\n") ? "" : "\n"
  return {
    text: `${text}${gap}${values.map(({ name, value }) => `${name}=${value}\n`).join("")}`,
    added: values.map(({ name, value, isSecret }) => ({ name, shown: isSecret ? "(a new secret)" : value })),
  }
}

/** Whether git would add the file: then its secrets end in the history of the repository. */
export function isIgnored(gitignore: string): boolean {
  return gitignore.split("\n").some((line) => /^\/?\.env\*?$/.test(line.trim()))
}
