import { done, redirect, ScriptedAcquirer, storeAsks } from "../support/acquirer"
import { prepareAdmin, useAdminOf } from "../support/admin"
import { gatewayOf, newMerchant } from "../support/api"
import { addEmi } from "../support/emi"
import { useStore } from "../support/store"
import { useAttempts } from "../support/attempts"

const store = useStore({ prepare: prepareAdmin })
const adminOf = useAdminOf(store)
const { pageOf, attempts, reconcile } = useAttempts(store)

describe("decisions: EMI — other instalments than the shopper chose", () => {
  async function paidInInstalments(granted: { months: number; bank_name: string | null }) {
    const owner = await newMerchant(store)
    const emi = await addEmi(store, owner.id)
    storeAsks({ CARD: new ScriptedAcquirer("redirect", [redirect], [() => ({ ...done(), instalments: granted })]) })
    const opened = await owner.open({ order_amount: "12000.00" })
    const instrument = { method: "card", emi_configuration_id: emi } as const
    await gatewayOf(store).payments.pay({ session_id: opened.session_id, instrument, page_url: pageOf(opened) })
    await reconcile(owner)
    const admin = adminOf(owner)
    const waiting = async () => (await admin.get("/overview")).body.overview.attention.other_instalments
    return { owner, opened, admin, waiting }
  }

  it("is paid all the same; what differs is stored as codes, and shown until an admin has seen it", async () => {
    const { owner, opened, admin, waiting } = await paidInInstalments({ months: 6, bank_name: "Premier Bank PLC" })
    expect(await owner.verified(opened.transaction_id)).toMatchObject({ status: "SUCCESS", emi: { tenure: "12" } })
    const [{ instalment_differences }] = await attempts(opened)
    const { bank_name } = await store.db("gateway_emi_plan").where({ transaction_id: opened.transaction_id }).first()
    expect(instalment_differences).toEqual([
      { kind: "instalments.other_months", params: { chosen: 12, granted: 6 } },
      { kind: "instalments.other_bank", params: { chosen: bank_name, granted: "Premier Bank PLC" } },
    ])
    expect(await waiting()).toBe(1)
    expect((await admin.get("/payments?attention=instalments")).body.payments).toMatchObject([
      { id: opened.transaction_id },
    ])
    const path = `/payments/${opened.transaction_id}`
    const { payment } = (await admin.get(path)).body
    expect(payment.review).toMatchObject({
      state: "flagged",
      risk: null,
      differences: [{ message: "The shopper chose 12 months, and the bank granted 6" }, {}],
    })
    expect(payment.timeline.filter(({ type }) => type === "instalments")).toHaveLength(2)
    expect((await admin.post(`${path}/seen`, { note: "informed the shopper" })).status).toBe(200)
    expect([await waiting(), (await admin.get(path)).body.payment.review]).toMatchObject([0, { state: "seen" }])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("the plan that was chosen needs no attention", async () => {
    const { opened, waiting, admin } = await paidInInstalments({ months: 12, bank_name: null })
    expect([(await attempts(opened))[0].instalment_differences, await waiting()]).toEqual([null, 0])
    expect((await admin.get(`/payments/${opened.transaction_id}`)).body.payment.review).toBeNull()
    expect((await admin.post(`/payments/${opened.transaction_id}/seen`)).status).toBe(409)
  })
})
