import { ScriptedAcquirer, servicesWith } from "../support/acquirer"
import { prepareAdmin } from "../support/admin"
import { admin, merchant, open, useAdminPages } from "../support/admin-screens"
import { useStore } from "../support/store"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

describe("what only the acquirer's dashboard knows", () => {
  it("is confirmed with the amount that is sent", async () => {
    const lost = () => ({ result: "unknown", message: "Lost", needs_operator: true, references: {} }) as const
    const { payments, reconciliation } = servicesWith(store, "sandbox", new ScriptedAcquirer("inline", [lost], [lost]))
    const { session_id, transaction_id } = await merchant.open({ order_amount: "1000.00" })
    await payments.pay({ session_id, instrument: { method: "wallet" }, page_url: "http://pay.test/pay/x" })
    const until = (await reconciliation.nextDue(merchant.id)) as Date
    await reconciliation.run(5, { merchant_id: merchant.id, until })
    await open(`/payments/${transaction_id}`)
    const unknownAt = admin.region("Unknown at scripted")
    await unknownAt.getByLabel("Amount").fill(" 900 ")
    await unknownAt.getByRole("button", { name: "Decide" }).click()
    await admin.shows("Has ৳900.00 really moved?")
    await admin.answer("Cancel")
  })
})
