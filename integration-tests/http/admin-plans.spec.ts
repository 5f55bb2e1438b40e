import { newMerchant, type ApiMerchant } from "../support/api"
import { type Admin, prepareAdmin, useAdminOf } from "../support/admin"
import { useStore } from "../support/store"
import { PLANS, PLAN, Subscriber } from "../support/subscriptions"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("plans", () => {
  const names = async (query: string) =>
    (await admin.get(`/plans?${query}`)).body.plans.map(({ plan_name }) => plan_name)

  it("are made, changed, archived and restored here and by key; the audit log says who, from what to what", async () => {
    const { plan } = (await admin.post("/plans", { ...PLAN, trial_period_days: 7, trial_amount: "50" })).body
    expect(plan).toMatchObject({
      ...PLAN,
      is_active: true,
      trial_period_days: 7,
      trial_amount: "50.00",
      plan_description: null,
    })
    const changed = await admin.post(`/plans/${plan.id}`, {
      amount: "650.00",
      trial_period_days: null,
      trial_amount: "",
    })
    expect(changed.body.plan).toMatchObject({ amount: "650.00", trial_period_days: null, trial_amount: null })
    expect(await admin.post(`/plans/${plan.id}`, { interval_unit: "YEAR" })).toMatchObject({
      status: 422,
      body: { field: "interval_unit" },
    })
    await merchant.call("DELETE", `${PLANS}/${plan.number}`)
    await admin.post(`/plans/${plan.number}/archive`)
    expect((await admin.post(`/plans/${plan.id}/restore`)).body.plan.is_active).toBe(true)
    await merchant.call("PATCH", `${PLANS}/${plan.number}`, { plan_name: "Tea circle" })
    const changes = await admin.changes(plan.id)
    expect(changes.map(({ action, actor }) => `${action} ${actor.type}`)).toEqual([
      "plan.updated merchant_key",
      "plan.restored user",
      "plan.archived merchant_key",
      "plan.updated user",
      "plan.created user",
    ])
    expect(changes[0].changes).toEqual({ plan_name: { from: "Tea club", to: "Tea circle" } })
    // The audit log names the plan, also where a subscription has its number, and to nobody else.
    const subscriber = await Subscriber.create(merchant, { subscription_plan_id: plan.number })
    const named = async (id: string, by = admin) => (await by.get(`/audit?q=${id}`)).body.audit_entries[0]
    expect(await named(plan.id)).toMatchObject({ plan_names: { [plan.id]: "Tea circle" } })
    expect(await named(subscriber.uuid)).toMatchObject({
      changes: { plan: { to: plan.number } },
      plan_names: { [plan.number]: "Tea circle" },
    })
    expect(changes[3].changes).toEqual({
      amount_minor: { from: 50_000, to: 65_000 },
      trial_period_days: { from: 7, to: null },
      trial_amount_minor: { from: 5_000, to: null },
    })
  })

  it("are found by the beginning of their name, by id, state, interval and date, and sorted by amount", async () => {
    await admin.post("/plans", { ...PLAN, plan_name: "Alpha", amount: "900" })
    const { plan } = (
      await admin.post("/plans", { ...PLAN, plan_name: "Beta 50%", amount: "100", interval_unit: "YEAR" })
    ).body
    await admin.post("/plans", { ...PLAN, plan_name: "Gamma", amount: "300", interval_unit: "WEEK" })
    await admin.post(`/plans/${plan.id}/archive`)
    expect(await names("")).toEqual(["Gamma", "Beta 50%", "Alpha"])
    expect(await names("q=bETA%2050%25")).toEqual(["Beta 50%"])
    expect(await names(`q=${plan.number}`)).toEqual(["Beta 50%"])
    expect(await names(`q=${plan.id}`)).toEqual(["Beta 50%"])
    expect(await names("status=archived")).toEqual(["Beta 50%"])
    expect(await names("status=active&order=created_at")).toEqual(["Alpha", "Gamma"])
    expect(await names("interval=YEAR,WEEK&order=amount")).toEqual(["Beta 50%", "Gamma"])
    expect(await names("order=-amount&limit=1&offset=1")).toEqual(["Gamma"])
    expect(await names("from=2099-01-01T00:00:00Z")).toEqual([])
    expect((await admin.get("/plans?limit=1")).body).toMatchObject({
      count: 3,
      count_is_exact: true,
      limit: 1,
      offset: 0,
    })
    expect(await admin.get("/plans?interval=CENTURY")).toMatchObject({ status: 422, body: { field: "interval[0]" } })
  })
})
