import { operationsOf, successOf } from "./openapi-document.mjs"

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

// In a block of its own: Postman's world has a global `data` already.
const READ_ANSWER = [
  "{",
  "const isJson = (pm.response.headers.get('content-type') || '').includes('json')",
  "const answer = isJson && pm.response.code < 300 ? pm.response.json() : {}",
  "const data = answer.data || answer",
]

/**
 * A Postman collection (format 2.1) with one request for each operation, in a folder for each tag. Bodies and answers are
 * the document's examples. An id in a path is a variable of the collection; each answer sets those that it names, so that
 * the requests work one after the other.
 * @param {any} document OpenAPI 3.1
 */
export function postmanCollection(document) {
  const operations = operationsOf(document)
  const ids = idsOf(operations)
  return {
    info: { name: document.info.title, description: document.info.description, schema: SCHEMA },
    auth: {
      type: "apikey",
      apikey: [setting("key", "X-Merchant-API-Key"), setting("value", "{{apiKey}}"), setting("in", "header")],
    },
    variable: [
      { key: "baseUrl", value: "http://localhost:9000/api/v2", description: "The address of the store, and /api/v2." },
      { key: "apiKey", value: "", description: "A key of the sandbox." },
      ...ids.map(({ name, example }) => ({ key: name, value: String(example ?? "") })),
    ],
    event: [{ listen: "test", script: { type: "text/javascript", exec: remember(ids.map(({ name }) => name)) } }],
    item: folders(operations),
  }
}

/** The ids in paths, each with the example of the parameter that names it first. */
function idsOf(operations) {
  const found = new Map()
  for (const { path, parameters } of operations) {
    for (const parameter of parameters.filter((each) => each.in === "path")) {
      const name = variableOf(path, parameter.name)
      found.set(name, found.get(name) ?? parameter.example)
    }
  }
  return [...found].map(([name, example]) => ({ name, example }))
}

/** The variable of a path's id: `{id}` of /merchants/webhooks/{id} is webhook_id, for `id` is another thing elsewhere. */
function variableOf(path, name) {
  const things = path.split("/").at(path.split("/").indexOf(`{${name}}`) - 1)
  return name === "id" ? `${things.replace(/ies$/, "y").replace(/s$/, "")}_id` : name
}

/** Sets the variables that an answer names, such as session_id. */
function remember(names) {
  return [
    ...READ_ANSWER,
    `for (const name of ${JSON.stringify(names)}) {`,
    "  if (data[name] !== undefined) pm.collectionVariables.set(name, String(data[name]))",
    "}",
    "}",
  ]
}

/** After POST /things: sets the variable of /things/{thing_id}, whose answer may call it `uuid` or `id`. */
function rememberMade({ method, path }, operations) {
  const child = operations.find((other) => other.path.startsWith(`${path}/{`))
  if (method !== "POST" || !child) {
    return []
  }
  const name = variableOf(child.path, /\{(\w+)\}/.exec(child.path.slice(path.length))[1])
  const exec = [
    ...READ_ANSWER,
    `const made = data.${name} ?? data.uuid ?? data.id`,
    `if (made !== undefined) pm.collectionVariables.set("${name}", String(made))`,
    "}",
  ]
  return [{ listen: "test", script: { type: "text/javascript", exec } }]
}

function folders(operations) {
  const tags = [...new Set(operations.map(({ operation }) => operation.tags[0]))]
  return tags.map((tag) => ({
    name: tag,
    item: operations.filter(({ operation }) => operation.tags[0] === tag).map((call) => itemOf(call, operations)),
  }))
}

function itemOf(call, operations) {
  const { operation } = call
  const request = requestOf(call)
  const { status, type, example } = successOf(call)
  const saved = {
    name: operation.summary,
    originalRequest: request,
    code: status,
    status: status === 201 ? "Created" : "OK",
    header: [{ key: "Content-Type", value: type }],
    body: JSON.stringify(example, null, 2),
  }
  return {
    name: operation.summary,
    event: rememberMade(call, operations),
    request,
    response: example === undefined ? [] : [saved],
  }
}

function requestOf({ method, path, operation, parameters }) {
  const body = operation.requestBody?.content["application/json"]
  return {
    method,
    description: operation.description,
    header: [
      ...(body ? [{ key: "Content-Type", value: "application/json" }] : []),
      ...(parameters.some(({ name }) => name === "Idempotency-Key")
        ? [{ key: "Idempotency-Key", value: "{{$guid}}" }]
        : []),
    ],
    url: urlOf(path, parameters),
    ...(body && {
      body: {
        mode: "raw",
        raw: JSON.stringify(repeatable(body.example ?? {}), null, 2),
        options: { raw: { language: "json" } },
      },
    }),
  }
}

/** An order_id can be used once: each press of Send makes another. */
function repeatable(example) {
  return "order_id" in example ? { ...example, order_id: "order-{{$timestamp}}" } : example
}

function urlOf(path, parameters) {
  const segments = path
    .slice(1)
    .split("/")
    .map((segment) => segment.replace(/^\{(.+)\}$/, ":$1"))
  const described = (parameter, value) => ({ key: parameter.name, value, description: parameter.description })
  const inPath = parameters.filter((parameter) => parameter.in === "path")
  const inQuery = parameters.filter((parameter) => parameter.in === "query")
  return {
    raw: `{{baseUrl}}/${segments.join("/")}`,
    host: ["{{baseUrl}}"],
    path: segments,
    variable: inPath.map((each) => described(each, `{{${variableOf(path, each.name)}}}`)),
    query: inQuery.map((each) => ({ ...described(each, exampleOf(each)), disabled: !each.required })),
  }
}

function exampleOf({ example, schema }) {
  return String(example ?? schema.default ?? (schema.format === "date" ? "2026-01-31" : ""))
}

const setting = (key, value) => ({ key, value, type: "string" })
