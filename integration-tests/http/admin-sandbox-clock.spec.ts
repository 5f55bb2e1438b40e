import { newMerchant, type ApiMerchant } from "../support/api"
import { ADMIN, type Admin, prepareAdmin, useAdminOf } from "../support/admin"
import { useStore } from "../support/store"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("the sandbox clock", () => {
  it("is moved from the admin, does what has fallen due, and exists in the sandbox only", async () => {
    const { transaction_id } = await merchant.open()
    const { clock } = (await admin.post("/clock", { advance_seconds: 1_800 })).body
    expect(clock).toMatchObject({ offset_seconds: 1_800, processed: { expired_sessions: 1 } })
    expect((await merchant.verified(transaction_id)).status).toBe("EXPIRED")
    expect((await admin.get("/clock")).body.clock.offset_seconds).toBe(1_800)
    expect(await admin.post("/clock", { advance_seconds: -1 })).toMatchObject({
      status: 422,
      body: { field: "advance_seconds" },
    })
    expect(await admin.at(merchant.id, "production").get("/clock")).toMatchObject({ status: 403 })
    const [entry] = await admin.changes()
    expect([entry.action, entry.actor.name, Object.keys(entry.changes)]).toEqual([
      "sandbox_clock.moved",
      ADMIN.email,
      ["now"],
    ])
  })
})
