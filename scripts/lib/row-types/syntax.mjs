import ts from "typescript"
import { topLevelValue } from "./modules.mjs"

/** What a program knows only while it runs: a condition that depends on a request, for example. */
export const UNKNOWN = Symbol("unknown")

/** Not an object literal, whose members may be unknown. */
export function isKnown(value) {
  return value !== UNKNOWN && value?.evaluator === undefined
}

export function isWrapped(node) {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAwaitExpression(node)
  )
}

export function isTopLevel(declaration) {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  return ts.isSourceFile(statement.parent) && !statement.getSourceFile().isDeclarationFile
}

/** The `for (const … of …)` that gives a variable its values, or null. */
export function loopOf(declaration) {
  const loop = declaration.parent?.parent
  return ts.isVariableDeclaration(declaration) && loop !== undefined && ts.isForOfStatement(loop) ? loop : null
}

export function valueOf(declaration) {
  try {
    return topLevelValue(declaration.getSourceFile().fileName, declaration.name.text)
  } catch (error) {
    throw new Error(`${declaration.name.text} of ${declaration.getSourceFile().fileName}: ${error.message}`)
  }
}

/** What a function answers: the expressions of its own `return`s. */
export function returnsOf({ body }) {
  if (!ts.isBlock(body)) {
    return [body]
  }
  const found = []
  const visit = (node) => {
    if (ts.isReturnStatement(node) && node.expression) {
      found.push(node.expression)
    } else if (!ts.isFunctionLike(node)) {
      ts.forEachChild(node, visit)
    }
  }
  ts.forEachChild(body, visit)
  return found
}

/** Which method of the evaluator reads which kind of expression. */
export const METHODS = new Map([
  [ts.SyntaxKind.TemplateExpression, "template"],
  [ts.SyntaxKind.Identifier, "identifier"],
  [ts.SyntaxKind.PropertyAccessExpression, "property"],
  [ts.SyntaxKind.ElementAccessExpression, "element"],
  [ts.SyntaxKind.ConditionalExpression, "conditional"],
  [ts.SyntaxKind.BinaryExpression, "binary"],
  [ts.SyntaxKind.ArrayLiteralExpression, "array"],
  [ts.SyntaxKind.ObjectLiteralExpression, "object"],
  [ts.SyntaxKind.ArrowFunction, "arrow"],
  [ts.SyntaxKind.CallExpression, "call"],
])

/** The few names of JavaScript itself that statements are made with. */
export const GLOBALS = new Map([["Object", Object]])

export const CONSTANTS = new Map([
  [ts.SyntaxKind.TrueKeyword, true],
  [ts.SyntaxKind.FalseKeyword, false],
])

export const OPERATORS = new Map([
  [ts.SyntaxKind.PlusToken, (a, b) => a + b],
  [ts.SyntaxKind.MinusToken, (a, b) => a - b],
  [ts.SyntaxKind.QuestionQuestionToken, (a, b) => a ?? b],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, (a, b) => a === b],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, (a, b) => a !== b],
])

/** Marks in a text what stands for a part that is not known. */
export const STAND_IN = "/* not known */"

/** Where a part is not known: what stands for it, by what is before it. It leaves a statement with the same columns. */
const STAND_INS = [
  [/(\$|\b(LIMIT|OFFSET)\s*)$/i, "NULL"],
  [/\b(WHERE|AND|OR|ON|HAVING|NOT)\s*\(?\s*$/i, "true"],
  [/\bORDER BY\s*$/i, "1"],
  [/\bSET\s*$/i, "id = id"],
  // A subquery that is made of parts finds ids.
  [/\bFROM\s*\(\s*$/i, "SELECT NULL::text AS id"],
]

export function join(text, part, rest) {
  if (text === UNKNOWN) {
    return UNKNOWN
  }
  if (part !== UNKNOWN && typeof part !== "object" && typeof part !== "function") {
    return `${text}${part}${rest}`
  }
  const [pattern, standIn] = STAND_INS.find(([before]) => before.test(text)) ?? []
  return pattern === undefined ? UNKNOWN : `${text.replace(/\$$/, "")}${standIn}${STAND_IN}${rest}`
}
