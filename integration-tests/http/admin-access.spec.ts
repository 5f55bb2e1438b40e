import { generateJwtToken } from "@medusajs/framework/utils"
import { AREAS } from "../../src/api/admin-kit/areas"
import { newMerchant, type ApiMerchant } from "../support/api"
import { adminRoutes, cookieOf, type Admin, filled, prepareAdmin, useAdminOf } from "../support/admin"
import { useStore } from "../support/store"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("who may use the admin", () => {
  const routes = adminRoutes()

  it("knows every route of the admin", () => {
    expect(routes.length).toBeGreaterThan(25)
  })

  it.each(routes)("$method /admin/gateway$path refuses everybody but admins", async ({ method, path }) => {
    const url = `${store.url}/admin/gateway${filled(path)}?merchant_id=${merchant.id}&environment=sandbox`
    const customer = generateJwtToken(
      {
        actor_id: "cus_of_the_test",
        actor_type: "customer",
        auth_identity_id: "authid_of_the_test",
        app_metadata: { customer_id: "cus_of_the_test" },
      },
      { secret: process.env.JWT_SECRET, expiresIn: "1h" }
    )
    const attempts: Record<string, string>[] = [
      {},
      { Authorization: `Bearer ${customer}` },
      { Authorization: "Bearer not-a-token" },
      { "X-Merchant-API-Key": merchant.key },
      { Authorization: `Basic ${Buffer.from(`${merchant.key}:`).toString("base64")}` },
    ]
    for (const attempt of attempts) {
      const response = await fetch(url, {
        method,
        headers: { "Content-Type": "application/json", ...attempt },
        body: method === "GET" ? undefined : "{}",
      })
      expect([JSON.stringify(attempt).slice(0, 40), response.status]).toEqual([
        JSON.stringify(attempt).slice(0, 40),
        401,
      ])
    }
  })

  it.each(routes)("$method /admin/gateway$path belongs to an area that RBAC has policies for", ({ path }) => {
    // What the frame of every page shows is for every admin.
    expect([undefined, "tenant", ...Object.keys(AREAS)]).toContain(path.split("/")[1])
  })
})

describe("whose rows", () => {
  it("is always said: without a merchant or an environment there is an answer that says what is missing", async () => {
    const nobody = admin.at(null)
    expect((await nobody.get("/payments")).body).toMatchObject({
      code: "VALIDATION_ERROR",
      details: [
        { field: "merchant_id", message: "merchant_id is required" },
        { field: "environment", message: "environment is required" },
      ],
    })
    expect((await nobody.get("/payments?merchant_id=x&environment=test")).body).toMatchObject({
      field: "environment",
      message: "environment must be sandbox or production",
    })
    expect(await admin.at("mer_nobody").get("/payments")).toMatchObject({
      status: 404,
      body: { code: "MERCHANT_NOT_FOUND" },
    })
  })

  it("GET /admin/gateway says which merchants there are and whose the store's own carts are", async () => {
    const { body } = await admin.at(null).get("")
    expect(body).toMatchObject({
      environment: "sandbox",
      base_urls: { sandbox: `${store.url}/api/v2`, production: null },
    })
    expect(body.default_merchant_id).toMatch(/^mer_/)
    // Without RBAC every admin may read and change everything.
    expect(body.readable_areas).toEqual(Object.keys(AREAS))
    expect(body.changeable_areas).toEqual(Object.keys(AREAS))
    expect(body.deletable_areas).toEqual(Object.keys(AREAS))
    expect(JSON.stringify(body)).toContain(merchant.id)
  })
})

describe("decisions: Origins — an admin whom the session cookie signs in", () => {
  const JSON_TYPE = { "Content-Type": "application/json" }
  const FORM = { "Content-Type": "application/x-www-form-urlencoded" }
  const EVIL = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }

  async function rename(signedIn: Record<string, string>, sent: Record<string, string>): Promise<number> {
    const body = sent["Content-Type"] === FORM["Content-Type"] ? "name=Changed" : JSON.stringify({ name: "Changed" })
    const url = `${store.url}/admin/gateway/merchants/${merchant.id}`
    return (await fetch(url, { method: "POST", headers: { ...signedIn, ...sent }, body })).status
  }
  const name = async () => (await store.db("gateway_merchant").where({ id: merchant.id }).first()).name

  it("changes what a page of this deployment or of ADMIN_CORS asks for", async () => {
    const signedIn = { Cookie: await cookieOf(store, admin.headers) }
    for (const from of [
      {},
      { Origin: store.url, "Sec-Fetch-Site": "same-origin" },
      { Origin: "http://localhost:9000", "Sec-Fetch-Site": "same-site" },
    ]) {
      expect(await rename(signedIn, { ...JSON_TYPE, ...from } as Record<string, string>)).toBe(200)
    }
  })

  it("changes nothing for another site, and nothing by a form", async () => {
    const signedIn = { Cookie: await cookieOf(store, admin.headers) }
    const before = await name()
    for (const sent of [
      { ...FORM, ...EVIL },
      FORM,
      { ...JSON_TYPE, ...EVIL },
      { ...JSON_TYPE, Origin: "null" },
      { "Content-Type": "text/plain" },
    ]) {
      expect(await rename(signedIn, sent)).toBe(403)
    }
    expect(await name()).toBe(before)
  })

  it.each(adminRoutes().filter(({ method }) => method !== "GET"))(
    "$method /admin/gateway$path is refused to another site",
    async ({ method, path }) => {
      const Cookie = await cookieOf(store, admin.headers)
      const url = `${store.url}/admin/gateway${filled(path)}?merchant_id=${merchant.id}&environment=sandbox`
      const response = await fetch(url, { method, headers: { Cookie, ...JSON_TYPE, ...EVIL }, body: "{}" })
      expect(await response.json()).toMatchObject({ type: "not_allowed" })
      expect(response.status).toBe(403)
    }
  )

  it("a bearer token and a secret API key are not concerned: no browser sends them automatically", async () => {
    expect(await rename(admin.headers, { ...JSON_TYPE, ...EVIL })).toBe(200)
    expect(
      await rename({ ...admin.headers, Cookie: await cookieOf(store, admin.headers) }, { ...JSON_TYPE, ...EVIL })
    ).toBe(200)
  })
})
