import { newMerchant, type ApiMerchant } from "../support/api"
import { type Admin, prepareAdmin, useAdminOf } from "../support/admin"
import { useReceiver } from "../support/receiver"
import { useStore } from "../support/store"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
const receiver = useReceiver()
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("docs/decisions/19 — the first steps of a merchant", () => {
  type Steps = { first_steps: { dismissed: boolean; steps: { name: string; done: boolean }[] } }
  const read = async () => ((await admin.get("/overview/first-steps")).body as unknown as Steps).first_steps
  const done = async () => (await read()).steps.filter((step) => step.done).map(({ name }) => name)

  it("are done automatically by what has happened, and only for their merchant", async () => {
    expect((await read()).steps.map(({ name }) => name)).toEqual([
      "profile",
      "acquirer",
      "webhook",
      "test_payment",
      "live",
    ])
    expect(await done()).toEqual([])
    await admin.post("/webhooks", { endpoint_url: `${receiver.url}/first`, event_types: ["*"] })
    expect(await done()).toEqual(["webhook"])
    const { session_id, transaction_id } = await merchant.open()
    expect(await done()).toEqual(["webhook"])
    await merchant.pay(session_id)
    expect(await done()).toEqual(["webhook", "test_payment"])
    await store.db("gateway_acquirer_account").insert({
      id: `gaa_${merchant.id.slice(-20)}`,
      merchant_id: merchant.id,
      environment: "production",
      acquirer: "sslcommerz",
      services: ["CARD"],
      settings: {},
      credentials: "unreadable",
    })
    expect(await done()).toEqual(["webhook", "test_payment"])
    await store.db("gateway_acquirer_account").where({ merchant_id: merchant.id }).update({ worked_at: new Date() })
    expect(await done()).toEqual(["acquirer", "webhook", "test_payment"])
    await store.db("gateway_transaction").where({ id: transaction_id }).update({ environment: "production" })
    expect(await done()).toEqual(["acquirer", "webhook", "test_payment", "live"])
    await store
      .db("gateway_merchant")
      .where({ id: merchant.id })
      .update({ profile: JSON.stringify({ support_email: "help@example.com" }) })
    expect(await done()).toEqual(["profile", "acquirer", "webhook", "test_payment", "live"])
    await store.db("gateway_transaction").where({ id: transaction_id }).update({ environment: "sandbox" })
    merchant = await newMerchant(store)
    admin = adminOf(merchant)
    expect(await done()).toEqual([])
  })

  it("are dismissed for the merchant, with a trace", async () => {
    expect((await read()).dismissed).toBe(false)
    expect((await admin.post("/overview/first-steps/dismiss")).status).toBe(200)
    expect((await read()).dismissed).toBe(true)
    expect((await admin.changes())[0]).toMatchObject({ action: "merchant.updated" })
  })
})
