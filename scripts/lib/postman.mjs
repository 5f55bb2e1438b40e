import { operationsOf, successOf } from "./openapi-document.mjs"

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

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
    auth: { type: "apikey", apikey: pairs({ key: "X-Merchant-API-Key", value: "{{apiKey}}", in: "header" }) },
    variable: [
      { key: "baseUrl", value: "http://localhost:9000/api/v2", description: "The address of the store, and /api/v2." },
      { key: "apiKey", value: "", description: "A key of the sandbox." },
      ...ids.map(({ name, example }) => ({ key: name, value: String(example ?? "") })),
    ],
    event: [{ listen: "test", script: { type: "text/javascript", exec: remember(ids.map(({ name }) => name)) } }],
    item: folders(operations),
  }
}

/** What the paths name: `id` alone means something else in each path and stays an example of its own. */
function idsOf(operations) {
  const found = new Map()
  for (const { parameters } of operations) {
    for (const parameter of parameters) {
      if (parameter.in === "path" && parameter.name !== "id" && !found.has(parameter.name)) {
        found.set(parameter.name, parameter)
      }
    }
  }
  return [...found.values()]
}

function remember(names) {
  return [
    "if (pm.response.code < 300 && (pm.response.headers.get('content-type') || '').includes('json')) {",
    "  const answer = pm.response.json()",
    "  const data = answer.data || answer",
    `  for (const name of ${JSON.stringify(names)}) {`,
    "    if (data[name] !== undefined) pm.collectionVariables.set(name, String(data[name]))",
    "  }",
    "}",
  ]
}

function folders(operations) {
  const tags = [...new Set(operations.map(({ operation }) => operation.tags[0]))]
  return tags.map((tag) => ({
    name: tag,
    item: operations.filter(({ operation }) => operation.tags[0] === tag).map(itemOf),
  }))
}

function itemOf(call) {
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
  return { name: operation.summary, request, response: example === undefined ? [] : [saved] }
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
    variable: inPath.map((each) =>
      described(each, each.name === "id" ? String(each.example ?? "") : `{{${each.name}}}`)
    ),
    query: inQuery.map((each) => ({
      ...described(each, String(each.example ?? each.schema.default ?? "")),
      disabled: !each.required,
    })),
  }
}

function pairs(object) {
  return Object.entries(object).map(([key, value]) => ({ key, value, type: "string" }))
}
