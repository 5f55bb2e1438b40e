import { gatewayOf, newMerchant } from "../support/api"
import { notificationsOf } from "../support/mails"
import { paid, refund, refundData } from "../support/refunds"
import { DAY } from "../support/subscriptions"
import { useStore } from "../support/store"

/** In this process: the tests read what Medusa's notification module received. */
const store = useStore({ production: false })

const notifications = () => notificationsOf(store)

describe("contract 4.8 — notify_customer", () => {
  const DELAYED = "4000000000007734"
  const mails = (resource_id: string) => notifications().listNotifications({ resource_id })

  it("the customer gets one e-mail when the money has gone back, and none of a refund that failed or did not ask for it", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await paid(owner)
    const { transaction_id: unlucky } = await paid(owner, "999.00")
    const give = async (id: string, changes: object) => refundData(await refund(owner, id, { ...changes })).refund_id
    const [notified, quiet, failed] = [
      await give(transaction_id, { refund_amount: "250.00", notify_customer: true }),
      await give(transaction_id, { refund_amount: "1.00" }),
      await give(unlucky, { notify_customer: true }),
    ]
    const later = await give((await paid(owner, "1000.00", DELAYED)).transaction_id, { notify_customer: true })
    await Promise.all([1, 2].map(() => gatewayOf(store).receipts.run(50)))
    await gatewayOf(store).receipts.run(50)
    expect(await mails(notified)).toEqual([
      expect.objectContaining({
        to: "rahima@example.com",
        channel: "email",
        template: "gateway-refund-completed",
        data: expect.objectContaining({
          order_number: expect.stringMatching(/^T-/),
          amount: "250.00",
          currency: "BDT",
          reason: "Broken",
          merchant_name: "Aarong Test & Söhne",
          customer_name: "Rahima Khatun",
        }),
      }),
    ])
    expect([await mails(quiet), await mails(failed), await mails(later)]).toEqual([[], [], []])
    await owner.advance(DAY)
    await gatewayOf(store).receipts.run(50)
    expect(await mails(later)).toHaveLength(1)
  })
})
