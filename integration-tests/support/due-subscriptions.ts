import { done, kept, ScriptedAcquirer, servicesWith } from "./acquirer"
import { newMerchant, type ApiMerchant } from "./api"
import { latch } from "./locks"
import type { Store } from "./store"
import { clockTo, Subscriber, type BillingRecord } from "./subscriptions"

const PAGE = "http://pay.test/pay/x"

export type Services = ReturnType<typeof servicesWith>

export const scripted = () => new ScriptedAcquirer("inline", [kept])
export const onlyOf = (merchant: ApiMerchant) => ({
  merchant_id: merchant.id,
  until: new Date("2028-02-29T12:00:00Z"),
})

export async function runUntilDone(services: Services, merchant: ApiMerchant): Promise<void> {
  while ((await services.billing.run(50, onlyOf(merchant))) > 0);
}

export const statuses = async (subscriber: Subscriber) => (await subscriber.history()).map(({ status }) => status)

/** Blocks all charges until the test releases them. */
export function stopCharges(acquirer: ScriptedAcquirer): ReturnType<typeof latch> {
  const stuck = latch()
  acquirer.onCharge = async () => {
    await stuck.wait()
    return done()
  }
  return stuck
}

/** Due subscriptions of merchants of a store, which the test bills through an acquirer that it controls. */
export function dueSubscriptionsOf(store: Store) {
  /** A merchant whose clock stands still at a future moment: only the test does work. */
  async function merchantAt(when: string): Promise<ApiMerchant> {
    const merchant = await newMerchant(store)
    await clockTo(merchant, when)
    return merchant
  }

  /** The key under which the acquirer was asked for a period's payment. */
  async function keyOf({ transaction_id }: Pick<BillingRecord, "transaction_id">): Promise<string> {
    return (await store.db("gateway_transaction").where({ id: transaction_id }).first()).attempt_id
  }

  /** Moves the clock without doing what falls due, as if no worker had run. */
  async function clockOnly(merchant: ApiMerchant, when: string): Promise<void> {
    const seconds = Math.ceil((Date.parse(when) - Date.now()) / 1000)
    await store
      .db("gateway_merchant_environment")
      .where({ merchant_id: merchant.id, environment: "sandbox" })
      .update({ clock_offset_seconds: seconds })
  }

  /** A merchant with due monthly subscriptions, which were paid once through the acquirer. */
  async function dueWith(
    acquirer: ScriptedAcquirer,
    count: number
  ): Promise<{ merchant: ApiMerchant; services: Services; subscribers: Subscriber[] }> {
    const merchant = await merchantAt("2028-01-31T00:00:00Z")
    const services = servicesWith(store, "sandbox", acquirer)
    const paidFor = async () => {
      const subscriber = await Subscriber.create(merchant)
      const { session_id } = await subscriber.checkout()
      await services.payments.pay({
        session_id,
        instrument: { method: "card", card: { number: "4242424242424242" } },
        page_url: PAGE,
      })
      return subscriber
    }
    const subscribers: Subscriber[] = []
    while (subscribers.length < count) {
      subscribers.push(...(await Promise.all(Array.from({ length: Math.min(8, count - subscribers.length) }, paidFor))))
    }
    await clockOnly(merchant, "2028-02-29T12:00:00Z")
    return { merchant, services, subscribers }
  }

  const rowOf = (subscriber: Subscriber) => store.db("gateway_subscription").where({ uuid: subscriber.uuid }).first()
  const endLeases = () =>
    store
      .db("gateway_subscription")
      .whereNotNull("lock_token")
      .update({ locked_until: new Date(Date.now() - 1000) })

  return { merchantAt, keyOf, clockOnly, dueWith, rowOf, endLeases }
}
