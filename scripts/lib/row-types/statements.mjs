import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import ts from "typescript"
import { ROOT } from "../console.mjs"
import { UNKNOWN } from "./syntax.mjs"
import { Evaluator, NeedsChoice } from "./values.mjs"

/** Of one call. It must be more than all callers together need: what comes after it counts as not known. */
const TEXTS_MAX = 1_000

/** The project's files below these folders, as one TypeScript program. Tests and migrations query nothing of theirs. */
export function programOf(folders) {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), (path) => readFileSync(path, "utf8"))
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, ROOT)
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name) && !/__tests__|migrations/.test(entry.parentPath))
      .map((entry) => join(entry.parentPath, entry.name))
  )
  const host = ts.createCompilerHost(options)
  // Only the project's own files: the types of packages take half a minute to read, and no row is made of them.
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) =>
      text.startsWith(".") ? ts.resolveModuleName(text, from, options, host) : { resolvedModule: undefined }
    )
  return {
    program: ts.createProgram({ rootNames: files, options: { ...options, noEmit: true, types: [] }, host }),
    files,
  }
}

/**
 * Every call of `Sql.query` with the texts it can have. `texts` is empty when a text is not known before the program
 * runs; `row` is the type that the call declares for a row, or null.
 */
export function statementsOf({ program, files }) {
  const checker = program.getTypeChecker()
  const byName = new Map()
  for (const file of files) {
    eachCall(program.getSourceFile(file), (node) => {
      const name = nameOf(node.expression)
      byName.set(name, [...(byName.get(name) ?? []), node])
    })
  }
  const callsOf = (declaration) =>
    (byName.get(declaration.name?.getText()) ?? []).filter(
      (node) => checker.getResolvedSignature(node)?.declaration === declaration && !isInside(node, declaration)
    )
  const queries = byName.get("query").filter((node) => isQuery(checker.getResolvedSignature(node)?.declaration))
  return queries
    .filter((node) => !isForwarding(node))
    .map((node) => ({ ...placeOf(node), node, ...textsOf(node, checker, callsOf) }))
}

/** Of what is called: `f(…)`, `object.f(…)`. */
function nameOf(expression) {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText()
}

function eachCall(node, visit) {
  if (ts.isCallExpression(node)) {
    visit(node)
  }
  ts.forEachChild(node, (child) => eachCall(child, visit))
}

/** `Sql.query` and the methods that implement it: the only ones with a type parameter of this name. */
function isQuery(declaration) {
  return declaration?.name?.getText() === "query" && declaration.typeParameters?.[0]?.name.text === "Row"
}

/** In an object that is itself an `Sql`: the text is its caller's. */
function isForwarding({ arguments: [text] }) {
  return text !== undefined && ts.isIdentifier(text) && text.text === "text"
}

function placeOf(node) {
  const source = node.getSourceFile()
  const { line } = source.getLineAndCharacterOfPosition(node.arguments.pos)
  return { file: relative(ROOT, source.fileName), line: line + 1 }
}

/** Tries each call of a function whose parameters the text is made of. A text goes with the row type of that call. */
function textsOf(node, checker, callsOf) {
  const texts = new Map()
  const unknown = new Set()
  const missed = []

  function expand(frames) {
    try {
      const forms = new Evaluator(checker, { frames, unknown }).forms(node.arguments[0])
      forms.filter((text) => text !== UNKNOWN).forEach((text) => texts.set(text, rowOf(node, checker, frames)))
      if (forms.includes(UNKNOWN)) {
        missed.push([...frames.values()].filter(({ kind }) => kind !== undefined).map(placeOf))
      }
    } catch (error) {
      if (!(error instanceof NeedsChoice)) {
        throw error
      }
      const { declaration, items } = error
      const choices = items === null ? callsOf(declaration) : items.map((value) => ({ value }))
      if (choices.length === 0 || texts.size > TEXTS_MAX) {
        unknown.add(declaration)
        expand(frames)
        return
      }
      choices.forEach((choice) => expand(new Map(frames).set(declaration, choice)))
    }
  }

  expand(new Map())
  return { missed, isTyped: node.typeArguments !== undefined, texts }
}

function isInside(node, ancestor) {
  return node !== undefined && (node === ancestor || isInside(node.parent, ancestor))
}

/** The declared type of a row; of a generic function, what this call of it has for the type parameter. */
function rowOf(node, checker, frames) {
  const argument = node.typeArguments?.[0]
  if (argument === undefined) {
    return null
  }
  const type = checker.getTypeFromTypeNode(argument)
  if (!(type.flags & ts.TypeFlags.TypeParameter)) {
    return type
  }
  const parameter = type.symbol.declarations[0]
  const site = frames.get(parameter.parent)
  if (site === undefined) {
    return null
  }
  const given = site.typeArguments?.[parameter.parent.typeParameters.indexOf(parameter)]
  if (given !== undefined) {
    return checker.getTypeFromTypeNode(given)
  }
  const answered = checker.getAwaitedType(checker.getTypeAtLocation(site))
  return answered?.aliasTypeArguments?.[0] ?? null
}
