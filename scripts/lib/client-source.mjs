import openapiTS, { astToString } from "openapi-typescript"
import { operationsOf, successOf } from "./openapi-document.mjs"

/** How the client reads the body of an answer, and the type that a caller gets. */
const READERS = { "application/json": "json", "application/pdf": "bytes", "text/csv": "text" }

/**
 * The TypeScript types of requests, answers and events. Errors, headers and examples are left out: GatewayApiError has
 * one shape for all operations, and the types of the whole document are three times as long.
 * @param {any} document OpenAPI 3.1
 */
export async function schemaText(document) {
  const tree = await openapiTS(
    {
      ...document,
      paths: slimPaths(document),
      webhooks: undefined,
      components: { schemas: document.components.schemas },
    },
    { defaultNonNullable: false, silent: true }
  )
  const kept = tree.filter((node) => ["components", "operations"].includes(node.name?.text))
  return astToString(kept)
}

function slimPaths(document) {
  const paths = {}
  for (const call of operationsOf(document)) {
    const { id, method, path, operation, parameters } = call
    const { status, description, type, schema } = successOf(call)
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = {
      operationId: id,
      parameters: parameters
        .filter((parameter) => parameter.in !== "header")
        .map(({ example: _example, ...parameter }) => parameter),
      ...(operation.requestBody && { requestBody: withoutExamples(operation.requestBody) }),
      responses: { [status]: { description, content: { [type]: { schema } } } },
    }
  }
  return paths
}

function withoutExamples({ content, ...body }) {
  const entries = Object.entries(content).map(([type, { schema }]) => [type, { schema }])
  return { ...body, content: Object.fromEntries(entries) }
}

/**
 * The client's methods: their types, and what each one sends.
 * @param {any} document OpenAPI 3.1
 */
export function operationsText(document) {
  const calls = operationsOf(document).map(described)
  return [
    `import type { AnswerOf, BodyOf, CallOptions, Operation, QueryOf } from "../types"`,
    `import type { operations } from "./schema"`,
    "",
    `/** One method for each operation of the API. */`,
    `export interface GatewayOperations {`,
    ...calls.map(signature),
    `}`,
    "",
    `export const OPERATIONS: Record<keyof operations, Operation> = {`,
    ...calls.map(({ id, row }) => `${id}: ${JSON.stringify(row)},`),
    `}\n`,
  ].join("\n")
}

function described(call) {
  const { id, method, path, operation, parameters } = call
  const named = (place) => parameters.filter((parameter) => parameter.in === place)
  const query = named("query")
  if (named("path").length > 1 || (query.length && operation.requestBody)) {
    throw new Error(
      `${id} has two path parameters, or a query besides a body: the client's methods have no place for them`
    )
  }
  const reads = READERS[successOf(call).type]
  if (!reads) {
    throw new Error(`${id} answers ${successOf(call).type}, which the client cannot read`)
  }
  const input = operation.requestBody ? "body" : query.length ? "query" : null
  const isRequired = operation.requestBody?.required ?? query.some(({ required }) => required)
  const hasKey = named("header").some(({ name }) => name === "Idempotency-Key")
  return { id, operation, pathName: named("path")[0]?.name, isRequired, row: { method, path, input, hasKey, reads } }
}

function signature({ id, operation, pathName, isRequired, row }) {
  const inputs = {
    body: `body${isRequired ? "" : "?"}: BodyOf<"${id}">`,
    query: `query${isRequired ? "" : "?"}: QueryOf<"${id}">`,
  }
  const parts = [pathName && `${pathName}: string | number`, row.input && inputs[row.input], "options?: CallOptions"]
  const codes = ownCodes(operation)
  const comment = [
    ` * ${operation.summary}: \`${row.method} ${row.path}\`.`,
    ...(codes.length ? [` * Errors: ${codes.join(", ")}.`] : []),
  ].join("\n")
  return `/**\n${comment}\n */\n${id}(${parts.filter(Boolean).join(", ")}): Promise<AnswerOf<"${id}">>`
}

/** The error codes that an operation declares itself, besides those that all operations share by reference. */
function ownCodes({ responses }) {
  const found = Object.entries(responses).flatMap(([status, { content }]) =>
    status >= 400 && content ? codesIn(Object.values(content)[0].schema) : []
  )
  return [...new Set(found)].filter((code) => !code.startsWith("IDEMPOTENCY_KEY"))
}

function codesIn(schema) {
  const code = schema.properties?.error ? schema.properties.error : schema.properties?.code
  if (code && schema.properties.code) {
    return code.enum ?? (code.const ? [code.const] : [])
  }
  return [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(code ? [code] : [])].flatMap(codesIn)
}
