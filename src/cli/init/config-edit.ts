import type * as ts from "typescript"
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
