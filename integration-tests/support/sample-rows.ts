import type { Admin, Row } from "./admin"
import type { ApiMerchant } from "./api"
import { addEmi } from "./emi"
import type { Receiver } from "./receiver"
import { PLAN, someone, Subscriber } from "./subscriptions"
import { until } from "./until"

/** Gives a merchant two of everything that the admin has a list of. */
export async function createSampleRows(merchant: ApiMerchant, admin: Admin, receiver: Receiver): Promise<void> {
  for (const number of [1, 2]) {
    await admin.post("/webhooks", { endpoint_url: `${receiver.url}/hook-${number}`, event_types: ["*"] })
    await admin.post("/api-keys", { name: `key ${number}` })
    const { session_id, transaction_id } = await merchant.open({ order_amount: "500.00" })
    await merchant.pay(session_id)
    await admin.post("/refunds", { transaction_id, refund_amount: "1.00", refund_reason: "Broken" })
    await admin.post("/payouts", { amount: "1.00", reference: `bank ${number}` })
    const { plan } = (await admin.post("/plans", { ...PLAN, plan_name: `Plan ${number}` })).body
    const subscriber = await Subscriber.create(merchant, { subscription_plan_id: plan.number, customer: someone() })
    await subscriber.call("POST", "/generate-invoice")
    await addEmi(merchant.store, merchant.id, { bank_name: `Bank ${number}` })
  }
  // The log of requests is written every second, in their order: this is the last one.
  const last = ({ path }: Row) => String(path).endsWith("/generate-invoice")
  const logged = async () => (await admin.get("/requests?limit=100")).body.requests
  await until("the last requests are logged", async () => (await logged()).filter(last).length === 2)
}
