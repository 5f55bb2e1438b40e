import { randomUUID } from "node:crypto"
import { generateJwtToken } from "@medusajs/framework/utils"
import { AREAS, OTHER_AREAS, SECRET_AREAS } from "../../src/api/admin-kit/areas"
import { newMerchant, type ApiMerchant } from "../support/api"
import { adminRoutes, Admin, filled } from "../support/admin"
import { migratedForRbac, roleWith } from "../support/rbac"
import { useStore } from "../support/store"

const RESOURCES = [...new Set(Object.values(AREAS))]

const store = useStore({ production: false, env: migratedForRbac })
let merchant: ApiMerchant

beforeAll(async () => {
  merchant = await newMerchant(store)
})

/** An admin whose only role has these policies of the gateway, `<resource>:<operation>`. */
async function adminWith(policies: readonly string[], merchantId = merchant.id): Promise<Admin> {
  const role_id = await roleWith(store, policies)
  const token = generateJwtToken(
    {
      actor_id: `user_${role_id}`,
      actor_type: "user",
      auth_identity_id: `authid_${role_id}`,
      app_metadata: { user_id: `user_${role_id}`, roles: [role_id] },
    },
    { secret: process.env.JWT_SECRET, expiresIn: "1h" }
  )
  return new Admin(store, { Authorization: `Bearer ${token}` }, merchantId)
}

const routes = adminRoutes()
  // What the frame of every page shows takes any policy of the gateway.
  .filter(({ path }) => !["", "/tenant"].includes(path))
  .map((route) => ({ ...route, resource: AREAS[route.path.split("/")[1]], also: otherResource(route) }))
/** The resource of another area, of which the route takes a policy too. */
function otherResource({ method, path }: { method: string; path: string }): string | null {
  const other = OTHER_AREAS.find((one) => one.method === method && path.startsWith(`/${one.path}/`))
  return other === undefined ? null : AREAS[other.area]
}
const operations: Readonly<Record<string, string>> = { GET: "read", POST: "update", DELETE: "delete" }
const asked = async (admin: Admin, { method, path }: (typeof routes)[number]) =>
  (await admin.call(method, filled(path), method === "POST" ? {} : undefined)).status

describe("design: RBAC — a store with Medusa's flag on", () => {
  let nobody: Admin
  let reader: Admin

  beforeAll(async () => {
    nobody = await adminWith(["product:read"])
    reader = await adminWith(RESOURCES.map((resource) => `${resource}:read`))
  })

  it.each(routes)(
    "$method $path is forbidden without a policy of $resource, and to read is not to change",
    async (route) => {
      expect(await asked(nobody, route)).toBe(403)
      const status = await asked(reader, route)
      if (route.method === "GET" && !SECRET_AREAS.includes(route.path.split("/")[1])) {
        expect([200, 404, 422]).toContain(status)
      } else {
        expect(status).toBe(403)
      }
    }
  )

  it.each(RESOURCES)("a role with every policy of %s, and no other, has that area and no other", async (resource) => {
    const admin = await adminWith(Object.values(operations).map((operation) => `${resource}:${operation}`))
    for (const route of routes) {
      // Requests that delete or change use an unknown id and an empty body.
      const allowed = route.resource === resource && route.also === null
      expect([route, (await asked(admin, route)) !== 403]).toEqual([route, allowed])
    }
  })

  it("to close and reopen a month of settlements takes the policy of both areas", async () => {
    const closing = routes.filter(({ also }) => also !== null)
    expect(closing.map(({ path }) => path)).toEqual([
      "/settlements/months/[source]/[month]/close",
      "/settlements/months/[source]/[month]/reopen",
    ])
    const admin = await adminWith(["gateway_settlement:update", "gateway_settlement_closing:update"])
    expect(await Promise.all(closing.map((route) => asked(admin, route)))).toEqual([404, 422])
  })

  it("payments are in Medusa's search for who may read them, and for nobody else", async () => {
    const { transaction_id } = await merchant.open()
    const found = async (admin: Admin) =>
      (await admin.search(`q=${transaction_id}&entity=gateway_payment`)).flatMap(({ data }) => data.map(({ id }) => id))
    expect(await found(reader)).toEqual([transaction_id])
    expect(await found(nobody)).toEqual([])
    expect(await found(await adminWith(["gateway_refund:read"]))).toEqual([])
  })

  it("a payment's page and its order's have its disputes for who may read disputes, and for nobody else", async () => {
    const { session_id, transaction_id } = await merchant.open()
    await merchant.pay(session_id)
    const recorder = await adminWith(["gateway_dispute:update"])
    const { body } = await recorder.post("/disputes", { transaction_id, reference: randomUUID() })
    const id = body.dispute.id
    const order_id = `order_${transaction_id.slice(3, 29).toUpperCase()}`
    await store.db("gateway_cart_completion").insert({
      id: `gcc_${transaction_id.slice(3)}`,
      transaction_id,
      session_id,
      merchant_id: merchant.id,
      environment: "sandbox",
      cart_id: "cart_of_the_test",
      payment_session_id: "payses_of_the_test",
      state: "ordered",
      order_id,
      history: "[]",
    })
    const shown = async (admin: Admin) => [
      (await admin.get(`/payments/${transaction_id}`)).body.payment,
      (await admin.at(null).get(`/orders/${order_id}/payments`)).body.payments[0],
    ]
    for (const seen of await shown(reader)) {
      expect(seen.disputes).toMatchObject([{ id, status: "needs_response" }])
      expect(seen.timeline).toContainEqual(expect.objectContaining({ type: "dispute_opened", dispute_id: id }))
    }
    for (const hidden of await shown(await adminWith(["gateway_payment:read"]))) {
      expect(hidden.disputes).toBeNull()
      expect(JSON.stringify(hidden)).not.toContain(id)
    }
  })

  it("the pages learn where their admin may read, change and delete something: what the routes decide", async () => {
    const areasOf = async (admin: Admin) => {
      const { readable_areas, changeable_areas, deletable_areas } = (await admin.get("")).body
      return { readable_areas, changeable_areas, deletable_areas }
    }
    const withoutSecrets = Object.keys(AREAS).filter((area) => !SECRET_AREAS.includes(area))
    expect(await areasOf(reader)).toEqual({
      readable_areas: withoutSecrets,
      changeable_areas: [],
      deletable_areas: [],
    })
    const of = (resource: string) => Object.keys(AREAS).filter((area) => AREAS[area] === resource)
    const policies = ["gateway_dispute:read", "gateway_developer:update", "gateway_payout:delete"]
    expect(await areasOf(await adminWith(policies))).toEqual({
      readable_areas: [...SECRET_AREAS, ...of("gateway_dispute")],
      changeable_areas: of("gateway_developer"),
      deletable_areas: of("gateway_payout"),
    })
  })

  it.each(["", "/tenant"])(
    "what all pages start with (%p) takes any policy of the gateway, whichever it is",
    async (path) => {
      expect((await nobody.get(path)).status).toBe(403)
      expect(JSON.stringify((await nobody.get(path)).body)).not.toContain(merchant.id)
      expect((await (await adminWith([])).get(path)).status).toBe(403)
      // Whether a merchant exists is not said either.
      expect((await (await adminWith(["product:read"], "mer_unknown")).get(path)).status).toBe(403)
      expect((await new Admin(store, {}, merchant.id).get(path)).status).toBe(401)
      for (const policy of ["gateway_audit:read", "gateway_refund:update", "gateway_developer:delete"]) {
        expect([policy, (await (await adminWith([policy])).get(path)).status]).toEqual([policy, 200])
      }
    }
  )
})
