import { ask, bearer } from "./client.mjs"
import { adminToken, openStore } from "./store.mjs"
import { adminRoutes, filled } from "./routes.mjs"

const OPERATIONS = { GET: "read", POST: "update", DELETE: "delete" }
/** What every page starts with, the merchants' names among it: any policy of the gateway is enough. */
const FRAME = ["/admin/gateway", "/admin/gateway/tenant"]
/** Reading the secret that signs is worth as much as changing it (api/admin-kit/areas.ts, SECRET_AREAS). */
const SECRET = "/admin/gateway/ipn-secret"
const guarded = () => adminRoutes().filter(({ path }) => !FRAME.includes(path))

const send = (url, { method, path }, headers) =>
  ask(url, method, filled(path, { id: "nobody-has-it", variant_id: "nobody-has-it" }), {
    headers,
    json: method === "POST" ? {} : undefined,
  })

/**
 * Medusa's RBAC flag, off on the store that is there and on on one more: off, an admin is an admin; on, each route asks
 * for its own resource and operation. Nobody else than an admin gets in either way.
 */
export async function rbac(context) {
  const { store, report } = context
  const off = adminToken([])
  for (const route of guarded()) {
    const answer = await send(store.url, route, bearer(off))
    if ([401, 403].includes(answer.status) || answer.status >= 500) {
      report({ what: `off: ${route.method} ${route.path} answers ${answer.status}`, detail: answer.text.slice(0, 200) })
    }
  }
  await onlyAdmins(context, store.url, "off")
  return { routes: guarded().length, on: context.counts.rbac > 0 ? await flagOn(context) : "not asked" }
}

async function onlyAdmins({ report, shop }, url, flag) {
  const strangers = {
    nobody: {},
    "a forged token": bearer(`${adminToken([])}x`),
    "an unsigned token": bearer(unsigned()),
    "a publishable key": { "x-publishable-api-key": shop.key },
    "a key as a password": { authorization: `Basic ${Buffer.from(`${shop.apiKey}:`).toString("base64")}` },
  }
  for (const [who, headers] of Object.entries(strangers)) {
    for (const route of adminRoutes()) {
      const answer = await send(url, route, headers)
      if (answer.status !== 401) {
        report({
          what: `${flag}: ${who} gets ${answer.status} from ${route.method} ${route.path}`,
          detail: answer.text.slice(0, 200),
        })
      }
    }
  }
}

function unsigned() {
  const [, claims] = adminToken(["role_super_admin"]).split(".")
  return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${claims}.`
}

async function flagOn(context) {
  const opened = await openStore(context.server, { rbac: true })
  try {
    const { store, query } = opened
    const resources = (
      await query(
        "SELECT DISTINCT resource FROM rbac_policy WHERE resource LIKE 'gateway\\_%' AND deleted_at IS NULL ORDER BY 1"
      )
    ).map(({ resource }) => resource)
    await onlyAdmins(context, store.url, "on")
    await withRole(context, opened, { name: "nothing", policies: [], may: () => false })
    await withRole(context, opened, {
      name: "another part of Medusa",
      policies: ["product:read", "product:update"],
      may: () => false,
    })
    await withRole(context, opened, {
      name: "reading alone",
      policies: resources.map((resource) => `${resource}:read`),
      may: ({ method, path }) => method === "GET" && path !== SECRET,
    })
    await withRole(context, opened, {
      name: "everything of the gateway",
      policies: resources.flatMap((resource) =>
        Object.values(OPERATIONS).map((operation) => `${resource}:${operation}`)
      ),
      may: () => true,
    })
    return { resources: resources.length }
  } finally {
    await opened.close()
  }
}

/** An admin whose one role has these policies gets into the routes that it `may`, and into no other. */
async function withRole({ report, random }, { store, query }, { name, policies, may }) {
  const role = `role_${random.hex(20)}`
  await query("INSERT INTO rbac_role (id, name) VALUES ($1, $2)", [role, `${name} ${role}`])
  await query(
    `INSERT INTO rbac_role_policy (id, role_id, policy_id) SELECT 'rlpl_' || md5($1 || id), $1, id FROM rbac_policy
     WHERE resource || ':' || operation = ANY ($2) AND deleted_at IS NULL`,
    [role, policies]
  )
  const headers = bearer(adminToken([role], `user_${role}`))
  for (const route of guarded()) {
    const { status, text } = await send(store.url, route, headers)
    if ((status !== 403) !== may(route) || status === 401 || status >= 500) {
      report({
        what: `on: a role with ${name} gets ${status} from ${route.method} ${route.path}`,
        detail: text.slice(0, 200),
      })
    }
  }
  const isOurs = policies.some((policy) => policy.startsWith("gateway_"))
  for (const path of FRAME) {
    const asked = `${path}?merchant_id=nobody-has-it&environment=sandbox`
    const { status, text } = await send(store.url, { method: "GET", path: asked }, headers)
    if (isOurs ? [401, 403].includes(status) || status >= 500 : status !== 403) {
      report({ what: `on: a role with ${name} gets ${status} from GET ${path}`, detail: text.slice(0, 200) })
    }
  }
}
