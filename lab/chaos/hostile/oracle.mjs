import { STORE_SECRETS } from "./store.mjs"

/** What only a mistake inside shows: stacks, SQL and the names of what the store is made of. */
const INSIDES = [
  [/\bat [^\n]{0,200}\.(js|ts|mjs|cjs):\d+/, "a stack"],
  [/node_modules|\/dist\/|mikro-?orm|knexfile|\bknex\b/i, "the name of a part inside"],
  // The quote of a name may be escaped: the text stands in JSON.
  [
    /\b(insert into|delete from|update) \\?"|select [^\n]{1,200} from \\?"|violates|relation \\?"|invalid input syntax|duplicate key value|syntax error at or near/i,
    "SQL",
  ],
  [
    /Cannot (read|set|convert|destructure) |is not a function|is not iterable|undefined \(reading/,
    "an exception's text",
  ],
]
/** A mutated credential may be as short as "x", which stands in any text. */
const SECRET_MIN_CHARS = 8
const PAGE_TYPES = /^(text\/(html|css|javascript)|application\/(javascript|pdf))/
const JSON_TYPE = /^application\/json(;|$)/
const FILE_TYPES = /^(application\/pdf|text\/csv)(;|$)/
/** Bytes; longer than any answer in JSON, of which the OpenAPI document is the longest. */
const LONGEST = 1_000_000
const ERROR_CODE = /^[A-Z][A-Z0-9_]+$/
const SUBSCRIPTION_PATHS = /^\/payments\/subscription(s|-plans)(\/|$)/

/**
 * What is wrong with an answer, in words; nothing: it may be so.
 * @param request `{ surface, method, path, malformed, secrets }`; `path` is below the base URL; `malformed`: Node's own
 *   parser may refuse it without a body, or end the connection
 */
export function faultsOf(request, answer) {
  if (answer.fault) {
    return request.malformed && answer.fault !== "timeout" ? [] : [`no answer: ${answer.fault}`]
  }
  const { status, headers, body } = answer
  const text = body.length > LONGEST ? "" : body.toString("utf8")
  const faults = []
  if (status >= 500) {
    faults.push(`status ${status}`)
  }
  const leak = INSIDES.find(([pattern]) => pattern.test(text))
  if (leak && !PAGE_TYPES.test(headers.get("content-type") ?? "")) {
    faults.push(`shows ${leak[1]}: ${leak[0].exec(text)[0].slice(0, 120)}`)
  }
  const secret = [...Object.values(STORE_SECRETS), ...(request.secrets ?? [])].find(
    (value) => value.length >= SECRET_MIN_CHARS && text.includes(value)
  )
  if (secret) {
    faults.push(`shows a secret: ${secret.slice(0, 12)}…`)
  }
  return request.surface === "api" && !isParsersOwn(request, answer)
    ? [...faults, ...contractFaults(request, { status, headers, text })]
    : faults
}

/** Node refuses what is no HTTP before any program sees it: with a head alone. */
const isParsersOwn = ({ malformed }, { status, headers, body }) =>
  malformed && status >= 400 && body.length === 0 && !headers.has("x-request-id")

/** Contract 7.1: JSON with a request id, and one shape of errors. */
function contractFaults({ method, path }, { status, headers, text }) {
  const type = headers.get("content-type") ?? ""
  const id = headers.get("x-request-id")
  const faults = []
  if (!id) {
    faults.push("no X-Request-Id")
  }
  if (method === "OPTIONS" && status === 204) {
    return faults
  }
  if (!JSON_TYPE.test(type) && !(status === 200 && FILE_TYPES.test(type))) {
    return [...faults, `content type ${type || "missing"} with status ${status}`]
  }
  if (method === "HEAD" || FILE_TYPES.test(type)) {
    return faults
  }
  let parsed
  try {
    parsed = JSON.parse(text)
  } catch {
    return text === ""
      ? [...faults, "an empty body"]
      : text.length > 190_000
        ? faults
        : [...faults, "a body that is no JSON"]
  }
  return status >= 400
    ? [...faults, ...shapeFaults(parsed, { status, path, id: headers.has("idempotent-replayed") ? undefined : id })]
    : faults
}

/** `id`: undefined for a replay, whose body is the first answer to the last byte, its request id included. */
function shapeFaults(body, { status, id, path }) {
  const { error } = body
  const faults = []
  if (body.success !== false || typeof error !== "object" || error === null) {
    return ["an error without the contract's shape"]
  }
  if (
    !ERROR_CODE.test(error.code ?? "") ||
    typeof error.message !== "string" ||
    error.status !== status ||
    (id !== undefined && error.request_id !== id)
  ) {
    faults.push("an error whose code, message, status or request_id is wrong")
  }
  if (
    error.details !== undefined &&
    !(
      Array.isArray(error.details) &&
      error.details.every(({ field, message }) => typeof field === "string" && typeof message === "string")
    )
  ) {
    faults.push("details that are no list of fields")
  }
  if (
    path !== undefined &&
    SUBSCRIPTION_PATHS.test(path) &&
    (body.code !== error.code || body.status_code !== status || body.detail !== error.message)
  ) {
    faults.push("an error without the flat shape of subscription endpoints")
  }
  return faults
}
