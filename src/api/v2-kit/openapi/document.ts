import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import type { Environment } from "../../../modules/gateway/kernel/money/clock"
import { bodyRuleOf } from "../routes"
import type { ContractRoute } from "../types"
import { errorAnswer, errorResponses, HEADERS_OF_ALL, mergedErrorAnswer, sharedResponses } from "./errors"
import { nameOf } from "./named"
import { HEADERS, PARAMETERS, PATH_PARAMETERS, TAGS } from "./parts"
import { SAMPLES } from "./generated/samples"
import { annotate, jsonSchemas, type Json } from "./schemas"
import { webhooksOf, type DocumentedEvents } from "./webhooks"

/** What the document is made of: the operations, the events, and the texts at its head. */
type Contents = {
  info: Json
  routes: readonly ContractRoute[]
  events: DocumentedEvents
}

/**
 * The OpenAPI 3.1 document. Whoever serves it puts in servers of its own. Making it takes a third of a second of one
 * core: it is made in small steps, because payments go on meanwhile.
 */
export async function openApiDocument({ info, routes, events }: Contents): Promise<Json> {
  errorAnswer()
  mergedErrorAnswer()
  const named: { route: ContractRoute; names: Names }[] = []
  for (const route of inReadingOrder(routes)) {
    await yieldToEventLoop()
    named.push({ route, names: namesOf(route) })
  }
  const webhooks = webhooksOf(events)
  const schemas = await jsonSchemas(yieldToEventLoop)
  for (const { route, names } of named) {
    annotate(schemas[names.body ?? ""] ?? {}, route.body?.notes ?? {})
    annotate(schemas[names.query ?? ""] ?? {}, route.query?.notes ?? {})
  }
  const paths: Record<string, Json> = {}
  for (const { route, names } of named) {
    const path = (paths[route.path] ??= { parameters: [ref("parameters", "RequestId")] })
    path[route.method.toLowerCase()] = operationOf(route, names, schemas)
  }
  const queries = new Set(named.map(({ names }) => names.query))
  return {
    openapi: "3.1.0",
    info,
    servers: [{ url: "/api/v2", description: "Below the address of the store" }],
    security: [{ MerchantApiKey: [] }],
    tags: TAGS,
    paths,
    webhooks,
    components: {
      securitySchemes: SECURITY,
      parameters: Object.fromEntries(Object.entries(PARAMETERS)),
      headers: HEADERS,
      responses: sharedResponses(paths),
      schemas: Object.fromEntries(
        Object.entries(schemas)
          .filter(([name]) => !queries.has(name))
          .sort(([one], [other]) => (one < other ? -1 : 1))
      ),
    },
  }
}

const SECURITY = {
  MerchantApiKey: {
    type: "apiKey",
    in: "header",
    name: "X-Merchant-API-Key",
    description: [
      "`sk_test_…` for the sandbox, `sk_live_…` for production; `rk_test_…` and `rk_live_…` with some scopes only.",
      "An operation lists the scope that a restricted key needs.",
    ].join(" "),
  },
}

/** The base URLs of a deployment, the one in question first: a production deployment serves the sandbox beside it. */
export function serversOf(publicUrl: string, deployment: Environment, asked: Environment): Json[] {
  const own = { url: `${publicUrl}/api/v2`, description: deployment === "production" ? "Production" : "Sandbox" }
  if (deployment === "sandbox") {
    return [own]
  }
  const sandbox = { url: `${publicUrl}/sandbox/api/v2`, description: "Sandbox" }
  return asked === "sandbox" ? [sandbox, own] : [own, sandbox]
}

type Names = { query?: string; body?: string; answer?: string }

/** By tag, as an integrator meets them, then by path. */
function inReadingOrder(routes: readonly ContractRoute[]): ContractRoute[] {
  const order: readonly string[] = TAGS.map(({ name }) => name)
  return [...routes].sort(
    (one, other) =>
      order.indexOf(one.tag) - order.indexOf(other.tag) ||
      (one.path < other.path ? -1 : Number(one.path !== other.path))
  )
}

function namesOf({ id, query, body, answer }: ContractRoute): Names {
  const own = id[0].toUpperCase() + id.slice(1)
  return {
    query: query?.schema === undefined ? undefined : nameOf(query.schema, `${own}Query`),
    body: body === undefined ? undefined : nameOf(body.schema, body.name),
    answer: answer.file !== undefined ? undefined : nameOf(answer.schema(), `${own}Answer`),
  }
}

function ref(kind: string, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}

function operationOf(route: ContractRoute, names: Names, schemas: Record<string, Json>): Json {
  const { id, tag, summary, body, method } = route
  const parameters = [
    ...pathParameters(route),
    ...queryParameters(route, schemas[names.query ?? ""]),
    ...(method === "POST" || method === "PATCH" ? [ref("parameters", "IdempotencyKey")] : []),
  ]
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(route),
    security: route.open === true ? [] : [{ MerchantApiKey: route.scope === null ? [] : [route.scope] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: bodyRuleOf(route) === "required",
            content: { "application/json": { schema: ref("schemas", names.body as string), example: body.example } },
          },
        }),
    responses: {
      [route.answer.status]: success(route, names),
      ...(route.open === true ? { "304": UNCHANGED } : {}),
      ...errorResponses(route),
    },
    ...(SAMPLES[id] === undefined ? {} : { "x-codeSamples": SAMPLES[id] }),
  }
}

function descriptionOf({ description, scope, service, sandboxOnly }: ContractRoute): string {
  const needs = [
    ...(scope === null ? [] : [`Scope of a restricted key: \`${scope}\`.`]),
    ...(service === undefined ? [] : [`Service of the merchant: \`${service}\`.`]),
    ...(sandboxOnly === true ? ["Sandbox only; elsewhere `403 INVALID_ENVIRONMENT`."] : []),
  ]
  return [...(description === undefined ? [] : [description]), needs.join(" ")]
    .filter((text) => text !== "")
    .join("\n\n")
}

function pathParameters({ path, parameters }: ContractRoute): Json[] {
  return [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => {
    const known = parameters?.[name] ?? PATH_PARAMETERS[name]
    if (known === undefined) {
      throw new Error(`nothing describes {${name}} of ${path}`)
    }
    return { name, in: "path", required: true, ...known, schema: { type: "string" } }
  })
}

function queryParameters({ query }: ContractRoute, schema: Json | undefined): Json[] {
  const properties = Object.entries((schema?.properties ?? {}) as Record<string, Json>)
  const required = (schema?.required ?? []) as string[]
  const own = properties.map(([name, { description, ...facts }]) => ({
    name,
    in: "query",
    description,
    ...(required.includes(name) ? { required: true } : {}),
    schema: facts,
  }))
  const size = { per_page: "PerPage", limit: "Limit" }
  const paging = query?.paging === undefined ? [] : ["Page", size[query.paging]]
  return [...own, ...paging.map((name) => ref("parameters", name))]
}

const UNCHANGED = {
  description: "It is still what you have.",
  headers: { ...HEADERS_OF_ALL, ETag: ref("headers", "ETag") },
}

/** Headers of an answer of 200 or 201 besides those of every answer. */
function ownHeaders({ method, open }: ContractRoute): Json {
  return {
    ...(method === "POST" || method === "PATCH"
      ? { "Idempotent-Replayed": ref("headers", "Idempotent-Replayed") }
      : {}),
    ...(open === true ? { ETag: ref("headers", "ETag") } : {}),
  }
}

function success(route: ContractRoute, names: Names): Json {
  const { answer } = route
  if (answer.file !== undefined) {
    return {
      description: answer.description,
      headers: { ...HEADERS_OF_ALL, "Content-Disposition": ref("headers", "Content-Disposition") },
      content: { [answer.file]: { schema: { type: "string" } } },
    }
  }
  return {
    description: answer.description,
    headers: { ...HEADERS_OF_ALL, ...ownHeaders(route) },
    content: { "application/json": { schema: ref("schemas", names.answer as string), example: answer.example } },
  }
}
