import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import GatewayModule from "../../src/modules/gateway"
import { gatewayOf } from "../support/api"
import { useStore } from "../support/store"

const store = useStore()

describe("a store under test", () => {
  it("answers over HTTP, on a database of its own", async () => {
    const health = await fetch(`${store.url}/health`)
    expect(health.status).toBe(200)
    const { rows } = await store.db.raw("SELECT current_database() AS name")
    expect(rows[0].name).toBe(new URL(store.databaseUrl).pathname.slice(1))
  })

  it("refuses the Store API without a publishable key, as Medusa does", async () => {
    const products = await fetch(`${store.url}/store/products`)
    expect(products.status).toBe(400)
    expect(await products.json()).toMatchObject({ type: "not_allowed" })
  })

  it("gets a second real process on the same database, which dies when it is killed", async () => {
    const server = await store.startServerProcess()
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    await server.kill("SIGKILL")
    await expect(fetch(`${server.url}/health`)).rejects.toThrow()
  })
})

describe("the gateway as a module of Medusa", () => {
  /** Every method of the module's service, inherited ones too. */
  function methods(): string[] {
    const names: string[] = []
    for (let object: object = gatewayOf(store); object !== Object.prototype; object = Object.getPrototypeOf(object)) {
      names.push(...Object.getOwnPropertyNames(object))
    }
    return [...new Set(names)]
  }

  it("has of what Medusa generates for models only the readers that links need: every writer goes past rules and audit", () => {
    const generated = /^(retrieve|list|listAndCount|create|update|upsert|delete|softDelete|restore)[A-Z]/
    expect(methods().filter((name) => generated.test(name)).sort()).toEqual(["listAndCountGatewayPlans", "listGatewayPlans", "retrieveGatewayPlan"])
  })

  it("offers plans for links, and Query reads them", async () => {
    expect(Object.keys(GatewayModule.linkable)).toEqual(["gatewayPlan"])
    const { id: merchant_id } = await gatewayOf(store).merchants.create({ name: "Linked" })
    const plan = await gatewayOf(store).plans.create({ merchant_id, environment: "sandbox", now: new Date() }, {
      plan_name: "Tea", plan_description: null, amount: 45_000n, currency: "BDT", interval_count: 1, interval_unit: "MONTH",
      trial_period_days: null, trial_amount: null, meta_data: {},
    })
    const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
    const { data } = await query.graph({ entity: "gateway_plan", fields: ["id", "plan_name"], filters: { id: plan.id } })
    expect(data).toEqual([{ id: plan.id, plan_name: "Tea" }])
  })
})
