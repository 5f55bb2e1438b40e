import { readFileSync } from "node:fs"
import { join } from "node:path"
import Ajv2020, { type ErrorObject, type ValidateFunction } from "ajv/dist/2020"

/*
 * Every answer of `/api/v2` that a test gets is held against docs/openapi.json: an operation, status, header or member
 * that the document does not have fails the test. The document is tolerant, so that its clients are; here it is strict.
 */

type Json = { [name: string]: unknown }
type Reference = { $ref?: string }
type Response = Reference & {
  headers?: Record<string, Reference & { required?: boolean }>
  content?: Record<string, unknown>
}
type Operation = { operationId: string; responses: Record<string, Response> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json>; responses: Record<string, Response>; headers: Record<string, Json> }
}

export interface Exchanged {
  method: string
  /** The target of the request: a path with its query, or a whole URL. */
  target: string
  status: number
  headers: Headers
  text: string
}

const BASE = /^(?:https?:\/\/[^/]*)?(\/sandbox)?\/api\/v2(?=[/?]|$)([^?]*)/i

/** What is no regular expression is text of any kind. */
const FORMATS = {
  // As the gateway writes them, which is less than ISO 8601 allows.
  "date-time": /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  uri: /^https?:\/\/\S+$/,
  email: true,
  date: /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/,
} as const

const NAME = "openapi.json"

let document: Document | undefined
let ajv: Ajv2020 | undefined
const validators = new Map<string, ValidateFunction>()

function theDocument(): Document {
  document ??= JSON.parse(readFileSync(join(__dirname, "../../docs/openapi.json"), "utf8")) as Document
  return document
}

/** Members that are not documented are refused; `allOf` adds to an object that is strict already. */
export function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(strict)
  }
  if (typeof schema !== "object" || schema === null) {
    return schema
  }
  const members = Object.fromEntries(
    Object.entries(schema).map(([key, member]) => [key, key === "allOf" ? (member as unknown) : strict(member)])
  )
  const isClosed = typeof members.properties === "object" && members.additionalProperties === undefined
  return isClosed && members.type === "object" ? { ...members, additionalProperties: false } : members
}

function validatorOf(pointer: string): ValidateFunction {
  const known = validators.get(pointer)
  if (known !== undefined) {
    return known
  }
  if (ajv === undefined) {
    const { components, paths } = theDocument()
    const schemas = Object.fromEntries(
      Object.entries(components.schemas).map(([name, schema]) => [name, strict(schema)])
    )
    ajv = new Ajv2020({ allErrors: true, validateSchema: false, strictTypes: false, formats: FORMATS })
    ajv.addVocabulary(["components", "paths"])
    ajv.addSchema({ components: { ...components, schemas }, paths }, NAME)
  }
  const made = ajv.compile({ $ref: `${NAME}#${pointer}` })
  validators.set(pointer, made)
  return made
}

const escaped = (part: string) => part.replaceAll("~", "~0").replaceAll("/", "~1")

/** The path of the document that a request's path belongs to; undefined for one that the API does not have. */
function templateOf(path: string): string | undefined {
  const segments = path.replace(/(.)\/$/, "$1").split("/")
  return Object.keys(theDocument().paths).find((template) => {
    const parts = template.split("/")
    return (
      parts.length === segments.length &&
      parts.every((part, index) => (part.startsWith("{") ? segments[index] !== "" : part === segments[index]))
    )
  })
}

type Asked = { path: string; method: string; status: number; isSandboxBase: boolean }

/** Where the document describes the response; null when it does not. */
function responseOf({ path, method, status, isSandboxBase }: Asked): { pointer: string; name: string } | null {
  const template = templateOf(path)
  const verb = method === "HEAD" ? "get" : method.toLowerCase()
  const operation = theDocument().paths[template ?? ""]?.[verb]
  if (template !== undefined && operation?.operationId !== undefined) {
    return operation.responses[status] === undefined
      ? null
      : { pointer: `/paths/${escaped(template)}/${verb}/responses/${status}`, name: operation.operationId }
  }
  // No operation: what any request may be answered. A sandbox deployment has no other base URL, whatever the method.
  const shared: Record<number, string | undefined> = {
    ...(template === undefined || isSandboxBase ? { 404: "UnknownPath" } : {}),
    ...(template === undefined ? {} : { 405: "MethodNotAllowed" }),
    414: "UriTooLong",
    429: "TooManyRequests",
  }
  const shape = /^\/payments\/subscription(s|-plans)(\/|$)/.test(path) ? "OfSubscriptions" : ""
  const name = shared[status]
  return name === undefined ? null : { pointer: `/components/responses/${name}${shape}`, name: "no operation" }
}

function at(pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((place, part) => (place as Json | undefined)?.[part], theDocument())
}

function resolved<Kind extends Reference>(pointer: string): { value: Kind; pointer: string } {
  const value = at(pointer) as Kind
  return value.$ref === undefined ? { value, pointer } : resolved<Kind>(value.$ref.slice(1))
}

/** Throws when the document does not have this answer; other paths than those of `/api/v2` are not its business. */
export function expectDocumented(exchanged: Exchanged): void {
  const match = BASE.exec(exchanged.target)
  if (match === null) {
    return
  }
  const { method, status, text } = exchanged
  const path = match[2]
  const found = responseOf({ path, method, status, isSandboxBase: match[1] !== undefined })
  const fail = (why: string): never => {
    const head = `${found?.name ?? "an operation"}: ${method} ${path} answers ${status}`
    throw new Error(`${head}, and docs/openapi.json does not have that answer: ${why}\n${text.slice(0, 2_000)}`)
  }
  if (found === null) {
    return fail("no such status")
  }
  const { value: response, pointer } = resolved<Response>(found.pointer)
  requireHeaders(response, exchanged.headers, fail)
  if (method === "HEAD" || response.content === undefined) {
    return text === "" ? undefined : fail("it has a body")
  }
  const type = (exchanged.headers.get("content-type") ?? "").split(";")[0]
  if (response.content[type] === undefined) {
    return fail(`content type ${type}`)
  }
  if (type === "application/json") {
    requireBody(validatorOf(`${pointer}/content/${escaped(type)}/schema`), text, fail)
  }
}

function requireHeaders(response: Response, headers: Headers, fail: (why: string) => never): void {
  for (const name of Object.keys(response.headers ?? {})) {
    const { required } = theDocument().components.headers[name]
    if (required === true && !headers.has(name)) {
      fail(`no header ${name}`)
    }
  }
}

function requireBody(validate: ValidateFunction, text: string, fail: (why: string) => never): void {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    fail("it is no JSON")
  }
  if (!validate(body)) {
    fail(`\n${reasons(validate.errors ?? []).join("\n")}`)
  }
}

/** Of the alternatives of a union only the one whose own name fits; the others fail as they should. */
function reasons(errors: ErrorObject[]): string[] {
  const branch = ({ schemaPath }: ErrorObject) => /#\/components\/schemas\/\w+Event\//.exec(schemaPath)?.[0]
  const other = new Set(errors.filter(({ keyword }) => keyword === "const").map(branch))
  return errors
    .filter((error) => branch(error) === undefined || !other.has(branch(error)))
    .map(({ instancePath, message, params }) => `${instancePath || "the body"} ${message} ${JSON.stringify(params)}`)
}
