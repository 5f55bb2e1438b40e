import { FORM, bodyFor, csrfTokenOf } from "./samples.mjs"
import { QUERY } from "./query-samples.mjs"
import { Mutator } from "./mutate.mjs"
import { HOSTILE_TEXTS } from "./hostile-texts.mjs"
import { oddHeaders } from "./odd-headers.mjs"
import { contractRoutes, filled, gatewayRoutes, payRoutes, adminRoutes, storeRoutes } from "./routes.mjs"
import { requestBytes } from "./wire.mjs"

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "SEARCH", "LOCK"]
/** How often a request goes to which part of the store. */
const SURFACES = [
  ["api", 50],
  ["sandbox", 5],
  ["admin", 20],
  ["anonymous", 3],
  ["store", 8],
  ["pay", 10],
  ["open", 4],
]
const MAX_HEADERS = 12_000

/** Makes requests that a hostile or broken client might send, each from good ones of the same route. */
export class Attacker {
  /**
   * @param parties `{ main, other, victim, publishableKey, customerToken }`: the merchant that calls, one whose ids it
   *   must not see, and one whose settings may be spoiled
   */
  constructor(random, parties) {
    this.random = random
    this.routes = {
      api: contractRoutes(),
      admin: adminRoutes(),
      store: storeRoutes(),
      pay: payRoutes(),
      open: gatewayRoutes(),
    }
    this.enter(parties)
  }

  /** New merchants in place of those whose plans are archived and whose settings are spoiled by now. */
  enter(parties) {
    this.parties = parties
    this.mutator = new Mutator(this.random, Object.values(parties.other.ids))
  }

  next() {
    const { random } = this
    let left = random.int(SURFACES.reduce((sum, [, weight]) => sum + weight, 0))
    const [surface] = SURFACES.find(([, weight]) => (left -= weight) < 0)
    return this[surface]()
  }

  api(base = "/api/v2") {
    const { random, parties } = this
    const route = random.pick(this.routes.api)
    // The clock of the merchant that is called with must stand still, or all of its sessions expire.
    const merchant = route.path === "/sandbox/clock" ? parties.victim : parties.main
    const owner = random.chance(0.1) ? parties.other : merchant
    const path = this.#path(filled(route.path, owner.contractIds(route.path)))
    const content =
      route.body !== "none" || random.chance(0.05) ? this.mutator.body(bodyFor(route, merchant, random)) : undefined
    const request = {
      surface: "api",
      route,
      method: route.method,
      prefix: base,
      path,
      headers: { "X-Merchant-API-Key": merchant.key },
      content,
      type: "application/json",
    }
    return this.#finish(request, [merchant.key])
  }

  sandbox() {
    return this.api("/sandbox/api/v2")
  }

  admin(token = this.parties.main.token) {
    const { random, parties } = this
    const route = random.pick(this.routes.admin)
    const merchant = route.method === "GET" && random.chance(0.7) ? parties.main : parties.victim
    const owner = random.chance(0.1) ? parties.other : merchant
    const path = this.#path(filled(route.path, owner.adminIds(route.path)))
    const tenant = random.chance(0.9)
      ? [`merchant_id=${merchant.id}`, `environment=${random.chance(0.97) ? "sandbox" : "production"}`]
      : []
    const content = route.method === "POST" ? this.mutator.body(bodyFor(route, merchant, random)) : undefined
    const headers = token === null ? {} : { Authorization: `Bearer ${token}` }
    return this.#finish(
      {
        surface: "admin",
        route,
        method: route.method,
        prefix: "",
        path,
        tenant,
        headers,
        content,
        type: "application/json",
      },
      token === null ? [] : [token]
    )
  }

  anonymous() {
    return this.admin(this.random.pick([null, "x", `${this.parties.main.token}x`, this.parties.customerToken]))
  }

  store() {
    const { random, parties } = this
    const route = random.pick(this.routes.store)
    const ids = {
      id: random.pick([parties.main.ids.subscription, parties.other.ids.subscription]),
      invoice_id: parties.main.ids.invoice,
    }
    const headers = {
      "x-publishable-api-key": parties.publishableKey,
      Authorization: `Bearer ${parties.customerToken}`,
    }
    const content =
      route.method === "POST"
        ? this.mutator.body({
            return_url: "http://localhost:8000/x",
            cancel_at_period_end: true,
            cancellation_reason: "x",
          })
        : undefined
    return this.#finish(
      {
        surface: "store",
        route,
        method: route.method,
        prefix: "",
        path: this.#path(filled(route.path, ids)),
        headers,
        content,
        type: "application/json",
      },
      []
    )
  }

  pay() {
    const { random, parties } = this
    const route = random.pick(this.routes.pay)
    const session_id = random.pick([
      parties.main.ids.session,
      parties.main.ids.paid_session,
      parties.victim.ids.session,
    ])
    const ids = { session_id, token: parties.main.ids.invoice_token, file: random.pick(["page.css", "page.js", "x"]) }
    const secret = "s".repeat(43)
    const subject = route.path.includes("{token}") ? ids.token : session_id
    const form = { ...FORM, csrf_token: csrfTokenOf(secret, subject) }
    const content = route.method === "POST" ? Buffer.from(this.#form(form)) : undefined
    const headers = {
      Cookie: random.chance(0.9)
        ? `gateway_csrf=${secret}`
        : random.pick(["a", "=", "gateway_csrf=%ff", "a=b; a=c", ";".repeat(500)]),
      "Accept-Language": random.pick(["bn", "en", "*", "x".repeat(500)]),
    }
    return this.#finish(
      {
        surface: "pay",
        route,
        method: route.method,
        prefix: "",
        path: this.#path(filled(route.path, ids)),
        headers,
        content,
        type: "application/x-www-form-urlencoded",
      },
      []
    )
  }

  /** What anybody may call: the way back to the store, its figures, and Medusa's webhook of a payment provider. */
  open() {
    const { random } = this
    if (random.chance(0.5)) {
      const route = random.pick(this.routes.open)
      return this.#finish(
        { surface: "open", route, method: route.method, prefix: "", path: this.#path(route.path), headers: {} },
        []
      )
    }
    const path = `/hooks/payment/${random.pick(["gateway_default", "gateway_other", "x", "__proto__", "%00", "pp_gateway_default"])}`
    const event = {
      event_id: "e",
      event_type: "payment.succeeded",
      transaction_id: this.parties.main.ids.transaction,
      data: { transaction_id: this.parties.main.ids.transaction, order_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" },
    }
    const headers = {
      "x-webhook-signature": random.pick(["", "0".repeat(64), "sha256=x", "é"]),
      "webhook-id": "e",
      "webhook-timestamp": random.pick(["0", "NaN", "1e99"]),
      "webhook-signature": "v1,x",
    }
    return this.#finish(
      {
        surface: "open",
        route: { path: "/hooks/payment/{provider}" },
        method: "POST",
        prefix: "",
        path,
        headers,
        content: this.mutator.body(event),
        type: "application/json",
      },
      []
    )
  }

  #form(fields) {
    const { random, mutator } = this
    if (random.chance(0.2)) {
      return mutator.query(fields, Object.keys(fields))
    }
    const pairs = Object.entries(fields).filter(() => !random.chance(0.03))
    return pairs
      .map(
        ([name, value]) =>
          `${name}=${encodeURIComponent(name !== "csrf_token" && random.chance(0.15) ? random.pick(HOSTILE_TEXTS).toWellFormed() : value)}`
      )
      .join("&")
  }

  #path(path) {
    const { random, mutator } = this
    if (!random.chance(0.25)) {
      return path
    }
    const segments = path.split("/")
    // The first three stay: what is asked must be one of our paths.
    const at = random.between(Math.min(3, segments.length - 1), segments.length - 1)
    segments[at] = mutator.segment(segments[at])
    return segments.join("/")
  }

  #finish(request, secrets) {
    const { random } = this
    const query = [
      ...(request.tenant ?? []),
      ...(random.chance(0.3) ? [this.mutator.query(QUERY, Object.keys(QUERY))] : []),
    ].join("&")
    const method = random.chance(0.03) ? random.pick(METHODS) : request.method
    const { headers, malformed, closes } = this.#headers(request)
    const target = `${request.prefix}${request.path}${query === "" ? "" : `?${query}`}`
    const bytes = requestBytes({ method, target, headers, body: request.content })
    // Node takes 16 kB of head.
    const tooLong = bytes.length - (request.content?.length ?? 0) > MAX_HEADERS
    const { surface, route } = request
    // Where the base URL is another deployment's, there is one answer for every path.
    const path = request.prefix === "/api/v2" ? request.path : undefined
    return {
      surface,
      place: `${method} ${request.prefix}${route.path}`,
      isOddPath: this.#isOdd(request),
      method,
      path,
      target,
      headers,
      body: request.content,
      bytes,
      secrets,
      malformed: malformed || tooLong,
      closes,
    }
  }

  /** A path that no longer matches its route's. */
  #isOdd({ path, route }) {
    const pattern = route.path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{[^}]+\}/g, "[A-Za-z0-9_-]+")
    return !new RegExp(`^${pattern}$`).test(path)
  }

  #headers({ headers: own, content, type }) {
    const { random } = this
    const headers = { Host: "localhost", ...own }
    if (content !== undefined) {
      Object.assign(headers, { "Content-Type": type, "Content-Length": content.length })
    }
    return random.chance(0.2) ? oddHeaders(headers, content, random) : { headers, malformed: false, closes: false }
  }
}
