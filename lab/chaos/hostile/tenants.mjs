import { isDeepStrictEqual } from "node:util"
import { setTimeout as sleep } from "node:timers/promises"
import { ask, bearer, merchantKey } from "./client.mjs"
import { Merchant } from "./merchant.mjs"
import { adminRoutes, contractRoutes, filled } from "./routes.mjs"
import { bodyFor, csrfTokenOf, FORM } from "./samples.mjs"

const QUIET_MS = 1_500
const QUIET_MAX_MS = 60_000
/**
 * Tables that are not compared: those about a merchant's requests, which reading changes too, and e-mails
 * and the positions of events, which come on a schedule of their own.
 */
const ASIDE = /request_log|idempotency|counter|api_key|delivery|invoice_mail|event_arrival|event_position/

/** Deliveries write these into an endpoint's row, hours after the event as well. */
const OF_DELIVERIES = ["failing_since", "updated_at"]

/** Nobody reaches another merchant's things by their ids, and a suspended merchant moves no money. */
export async function tenants(context) {
  const { store, token, random, report } = context
  const make = async () => (await Merchant.create(store.url, token, `t${random.hex(8)}`)).createRows()
  const [caller, owner, suspended] = [await make(), await make(), await make()]
  const before = await whenQuiet(context, owner)
  const foreign = await foreignIds(context, { caller, owner })
  const after = await whenQuiet(context, owner)
  for (const table of Object.keys(before).filter((name) => before[name] !== after[name])) {
    report({ what: `another merchant has changed ${table}`, detail: `rows of ${owner.id}` })
  }
  return { foreign, suspended: await suspendedMerchant(context, suspended) }
}

/** A digest of every row of a merchant, by table. */
async function rowsOf({ query }, { id }) {
  const tables = await query(
    `SELECT DISTINCT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name LIKE 'gateway\\_%' AND c.column_name = 'merchant_id'
       AND NOT (SELECT relispartition FROM pg_class WHERE oid = format('%I', c.table_name)::regclass)`
  )
  const digests = {}
  for (const { name } of tables.filter((table) => !ASIDE.test(table.name))) {
    const [{ digest }] = await query(
      `SELECT md5(COALESCE(string_agg(row, '|' ORDER BY row), '')) AS digest
       FROM (SELECT (to_jsonb(t) - $2::text[])::text AS row FROM ${name} t WHERE merchant_id = $1) rows`,
      [id, name === "gateway_webhook_endpoint" ? OF_DELIVERIES : []]
    )
    digests[name] = digest
  }
  return digests
}

/** The worker finishes what it was given: only then may a change be somebody's fault. */
async function whenQuiet(context, merchant) {
  let last = await rowsOf(context, merchant)
  for (const deadline = Date.now() + QUIET_MAX_MS; Date.now() < deadline;) {
    await sleep(QUIET_MS)
    const now = await rowsOf(context, merchant)
    if (isDeepStrictEqual(now, last)) {
      return now
    }
    last = now
  }
  return last
}

/** What an answer says, without what differs every time. */
const refusalOf = ({ status, body }) => [status, body.error?.code ?? body.code, body.error?.field ?? body.field]

async function foreignIds({ store, token, random, report }, { caller, owner }) {
  const nobody = {
    ids: Object.fromEntries(Object.entries(owner.ids).map(([name, id]) => [name, unlike(id, random)])),
    contractIds: Merchant.prototype.contractIds,
    adminIds: Merchant.prototype.adminIds,
    id: `mer_${random.hex(26)}`,
  }
  const compare = async (what, send) => {
    const [theirs, unknown] = [await send(owner), await send(nobody)]
    if (theirs.status < 400 || theirs.status >= 500 || !isDeepStrictEqual(refusalOf(theirs), refusalOf(unknown))) {
      report({
        what: `${what}: another merchant's id is not as an unknown one`,
        detail: `${theirs.status} ${theirs.text.slice(0, 200)} and ${unknown.status} ${unknown.text.slice(0, 200)}`,
      })
    }
  }
  const ofContract = contractRoutes().filter(({ path }) => path.includes("{"))
  for (const route of ofContract) {
    await compare(`${route.method} ${route.path}`, (who) =>
      ask(store.url, route.method, `/api/v2${filled(route.path, who.contractIds(route.path))}`, {
        headers: merchantKey(caller.key),
        json: route.body === "none" ? undefined : bodyFor(route, caller, random),
      })
    )
  }
  for (const [path, body] of Object.entries(BODIES)) {
    await compare(`POST ${path}`, ({ ids }) =>
      ask(store.url, "POST", `/api/v2${path}`, { headers: merchantKey(caller.key), json: body(ids) })
    )
  }
  // Payment services have the same small numbers at every merchant.
  const ofAdmin = adminRoutes().filter(
    ({ path, ofTenant }) => path.includes("{") && ofTenant && !path.includes("/payment-services/")
  )
  for (const route of ofAdmin) {
    await compare(`${route.method} ${route.path}`, (who) =>
      ask(
        store.url,
        route.method,
        caller.adminPath(filled(route.path, who.adminIds(route.path)).replace("/admin/gateway", "")),
        {
          headers: bearer(token),
          json: route.method === "POST" ? bodyFor(route, caller, random) : undefined,
        }
      )
    )
  }
  return ofContract.length + Object.keys(BODIES).length + ofAdmin.length
}

/** Ids that travel in bodies. */
const BODIES = {
  "/payments/refund": (ids) => ({ transaction_id: ids.transaction, refund_reason: "theirs" }),
  "/payments/subscriptions": (ids) => ({
    subscription_plan_id: ids.plan,
    customer: { name: "A", email: "a@example.com" },
  }),
  "/payments/emi-amounts": (ids) => ({ order_amount: "5000.00", emi_configuration_id: [ids.emi] }),
}

/** An id of the same form that nobody has. */
function unlike(id, random) {
  if (typeof id === "number") {
    return 2_000_000_000 + random.int(100_000_000)
  }
  return String(id).replace(/[0-9a-f]{8,}/gi, (part) => random.hex(part.length))
}

async function suspendedMerchant(context, merchant) {
  const { store, token, random, report } = context
  await ask(store.url, "POST", `/admin/gateway/merchants/${merchant.id}`, {
    headers: bearer(token),
    json: { status: "suspended" },
  })
  // What is answered without a key belongs to nobody.
  const routes = contractRoutes().filter(({ open }) => !open)
  for (const route of routes) {
    const answer = await ask(
      store.url,
      route.method,
      `/api/v2${filled(route.path, merchant.contractIds(route.path))}`,
      {
        headers: merchantKey(merchant.key),
        json: route.body === "none" ? undefined : bodyFor(route, merchant, random),
      }
    )
    if (answer.status !== 403 || answer.body.error?.code !== "MERCHANT_SUSPENDED") {
      report({
        what: `${route.method} ${route.path}: a suspended merchant is answered`,
        detail: `${answer.status} ${answer.text.slice(0, 200)}`,
      })
    }
  }
  await payPages(context, merchant)
  let moved = await charged(context)
  const admin = adminRoutes().filter(({ ofTenant }) => ofTenant)
  for (const route of admin) {
    const path = filled(route.path, merchant.adminIds(route.path)).replace("/admin/gateway", "")
    const json =
      route.path === "/admin/gateway/clock" && route.method === "POST"
        ? { advance_seconds: 40 * 86_400 }
        : bodyFor(route, merchant, random)
    const answer = await ask(store.url, route.method, merchant.adminPath(path), {
      headers: bearer(token),
      json: route.method === "POST" ? json : undefined,
    })
    if (answer.status >= 500) {
      report({
        what: `${route.method} ${route.path}: ${answer.status} for a suspended merchant`,
        detail: answer.text.slice(0, 200),
      })
    }
    const now = await charged(context)
    if (now !== moved) {
      report({
        what: `${route.method} ${route.path} charged somebody for a suspended merchant`,
        detail: `${now} charges, before ${moved}`,
      })
      moved = now
    }
  }
  return routes.length + admin.length
}

/** Charges of every merchant; in this part nobody else takes money meanwhile. */
async function charged({ query }) {
  const [{ count }] = await query(
    "SELECT count(*)::int AS count FROM gateway_sandbox_operation WHERE kind = 'charge' AND outcome = 'SUCCESS'"
  )
  return count
}

/** Pages that were open before the merchant was suspended. */
async function payPages(context, { ids }) {
  const { store, report } = context
  let before = await charged(context)
  const secret = "s".repeat(43)
  for (const [subject, path] of [
    [ids.session, `/pay/${ids.session}`],
    [ids.invoice_token, `/pay/invoice/${ids.invoice_token}`],
  ]) {
    const csrf_token = csrfTokenOf(secret, subject)
    const body = new URLSearchParams({ ...FORM, card_number: "4242424242424242", csrf_token }).toString()
    const answer = await ask(store.url, "POST", path, {
      headers: { "content-type": "application/x-www-form-urlencoded", cookie: `gateway_csrf=${secret}` },
      body,
    })
    if (answer.status >= 500) {
      report({ what: `a suspended merchant's page is ${answer.status}`, detail: path })
    }
    const now = await charged(context)
    if (now !== before) {
      before = now
      report({
        what: `POST ${path.split("/").slice(0, -1).join("/")}/… took money for a suspended merchant`,
        detail: `${answer.status} ${answer.headers.get("location") ?? ""}`,
      })
    }
  }
}
