import { createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { parseMultipart } from "./disputes.mjs"
import { expandAll } from "./expand.mjs"
import { ERRORS } from "./faults.mjs"
import { invalid, parseForm, StripeFault } from "./form.mjs"
import { OPERATIONS } from "./operations.mjs"

const KEY_SECONDS = 86_400
const HTML = "<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>"

/** One request of the API: checked, carried out once per idempotency key, answered, or lost on purpose. */
export async function answerApi(account, request, response, body, bytes) {
  const { pathname, search } = new URL(request.url, account.url)
  const [name, id] = operationOf(request.method, pathname)
  const { faults } = account
  const entry = {
    method: request.method,
    path: pathname,
    operation: name,
    headers: request.headers,
    body,
    status: null,
  }
  account.book.requests.push(entry)
  if (faults.take("drop_before", name)) {
    return response.destroy()
  }
  const answered = await carriedOut(account, { request, name, id, pathname, search, body, bytes, entry })
  entry.status = answered.status
  entry.replayed = answered.replayed === true
  if (faults.take("drop_after", name)) {
    return response.destroy()
  }
  if (faults.take("hang", name)) {
    return
  }
  await reply(account, response, answered, name)
}

function operationOf(method, pathname) {
  for (const name of Object.keys(OPERATIONS)) {
    const [verb, path] = name.split(" ")
    const match = new RegExp(`^${path.replace(":id", "([A-Za-z0-9_]+)")}$`).exec(pathname)
    if (verb === method && match !== null) {
      return [name, match[1]]
    }
  }
  return [null]
}

/** Stripe's order: who asks, what is asked, whether it was asked before. */
async function carriedOut(account, { request, name, id, pathname, search, body, bytes, entry }) {
  try {
    authenticate(account, request.headers)
    if (name === null) {
      throw new StripeFault(404, { message: `Unrecognized request URL (${request.method}: ${pathname}).` })
    }
    if (account.faults.take("html", name)) {
      return { status: 502, text: HTML }
    }
    const failure = Object.keys(ERRORS).find((fault) => fault !== "api_error" && account.faults.take(fault, name))
    if (failure !== undefined) {
      throw new StripeFault(...ERRORS[failure])
    }
    const [read, act] = OPERATIONS[name]
    const form = readForm(request, search, body, bytes)
    entry.params = form
    const run = async () => {
      if (account.faults.take("api_error", name)) {
        throw new StripeFault(...ERRORS.api_error, true)
      }
      const params = read(form)
      const made = await act(account, params, id, pathname)
      return { status: 200, object: expandAll(account.book, made, params.expand) }
    }
    return request.method === "POST" ? await oncePerKey(account, request, form, pathname, run) : await run()
  } catch (error) {
    return answerOf(error)
  }
}

function answerOf(error) {
  if (!(error instanceof StripeFault)) {
    throw error
  }
  return { status: error.status, object: error.body, saved: error.saved }
}

function authenticate({ secret_key, versions, live }, headers) {
  const [scheme, credentials = ""] = (headers.authorization ?? "").split(" ")
  const key = scheme === "Basic" ? Buffer.from(credentials, "base64").toString().split(":")[0] : credentials
  if (key === "") {
    throw new StripeFault(401, { message: "You did not provide an API key." })
  }
  if (!["Basic", "Bearer"].includes(scheme) || key !== secret_key) {
    throw new StripeFault(401, { message: `Invalid API Key provided: ${live ? "sk_live" : "sk_test"}_****` })
  }
  // Stripe takes a request without a version in the account's own, which an adapter must not rely on.
  if (!versions.includes(headers["stripe-version"])) {
    throw invalid(`Invalid Stripe API version: ${headers["stripe-version"]}`)
  }
}

function readForm(request, search, body, bytes) {
  if (request.method !== "POST") {
    return parseForm(search.slice(1))
  }
  const type = request.headers["content-type"] ?? ""
  if (type.startsWith("multipart/form-data") && request.url === "/v1/files") {
    return parseMultipart(type, bytes)
  }
  if (search !== "" || !/^application\/x-www-form-urlencoded\b/.test(type)) {
    throw invalid("The parameters belong into a body of application/x-www-form-urlencoded")
  }
  return parseForm(body)
}

/**
 * The same key answers the same again, errors included, for a day. Other parameters under it are refused, and so is a
 * second request while the first is under way. What did not get as far as being carried out is not kept.
 */
async function oncePerKey(account, request, form, path, run) {
  const key = request.headers["idempotency-key"]
  if (key === undefined) {
    return run()
  }
  if (key.length === 0 || key.length > 255) {
    throw invalid("Idempotency keys have at most 255 characters")
  }
  const digest = createHash("sha256")
    .update(`${path}\n${JSON.stringify(form)}`)
    .digest("hex")
  const earlier = account.keys.get(key)
  if (earlier !== undefined && account.now() - earlier.at < KEY_SECONDS) {
    if (earlier.digest !== digest) {
      throw new StripeFault(400, {
        type: "idempotency_error",
        message: "Keys for idempotent requests can only be used with the same parameters they were first used with.",
      })
    }
    if (earlier.answer === null) {
      throw new StripeFault(409, ERRORS.conflict[1])
    }
    return { ...earlier.answer, replayed: true }
  }
  const saved = { at: account.now(), digest, answer: null }
  account.keys.set(key, saved)
  let answer = null
  try {
    answer = await run().catch(answerOf)
    return answer
  } finally {
    if (answer?.status === 200 || answer?.saved) {
      saved.answer = structuredClone(answer)
    } else {
      account.keys.delete(key)
    }
  }
}

async function reply(account, response, { status, object, text, replayed }, name) {
  const { faults, book } = account
  if (faults.take("html_after", name)) {
    return response.writeHead(502, { "content-type": "text/html" }).end(HTML)
  }
  if (faults.take("empty_500", name)) {
    return response.writeHead(500, { "content-type": "application/json" }).end("{}")
  }
  const shown =
    text ?? JSON.stringify(status === 200 ? falsified(faults, name, object) : withLog(book, object), null, 2)
  response.writeHead(status, {
    "content-type": text === undefined ? "application/json" : "text/html",
    "content-length": Buffer.byteLength(shown),
    "request-id": book.id("req"),
    "stripe-version": book.version,
    ...(replayed && { "idempotent-replayed": "true" }),
  })
  if (faults.take("truncate", name)) {
    response.write(shown.slice(0, Math.floor(shown.length / 2)))
    await sleep(20)
    return response.destroy()
  }
  response.end(shown)
}

const withLog = (book, body) => ({
  error: {
    ...body.error,
    request_log_url: `https://dashboard.stripe.com/test/logs/${book.id("req").replace("req_", "req_S")}`,
  },
})

/** What Stripe would never say; an adapter must not take it for a payment of ours. */
function falsified(faults, name, object) {
  const copy = structuredClone(object)
  const intent = copy.object === "payment_intent" ? copy : copy.payment_intent
  const target = copy.object === "refund" ? copy : intent
  if (typeof target !== "object" || target === null) {
    return copy
  }
  const ofIntent = target.status === "requires_capture" ? "amount_capturable" : "amount_received"
  const amount = copy.object === "refund" ? "amount" : ofIntent
  if (faults.take("wrong_amount", name)) {
    target[amount] -= 100
  }
  if (faults.take("wrong_currency", name)) {
    target.currency = target.currency === "usd" ? "bdt" : "usd"
  }
  if (faults.take("no_amount", name)) {
    target[amount] = null
  }
  if (faults.take("wrong_key", name)) {
    Object.assign(copy, {
      client_reference_id: "another",
      metadata: { gateway_attempt: "another", gateway_refund: "another" },
    })
  }
  return copy
}
