import { ensureMerchant, makeMerchant, request } from "../../cluster/merchant.mjs"
import { Answers, Caller } from "./caller.mjs"
import { Clients } from "./clients.mjs"
import { Receiver } from "./receiver.mjs"
import { Renewals } from "./renewals.mjs"
import { Shoppers } from "./shoppers.mjs"

/**
 * Starts a steady load of payments, refunds, carts, renewals and deliveries, through the deployment's proxy.
 * @param cluster what startCluster returned
 * @param options.name of this load: the beginning of every order's number
 * @param options.random what is bought and refunded
 * @param options.clients number of servers that buy at the same time
 * @returns `{ answers, clients, shoppers, renewals, receiver, working, progress(), stop(), didEverything() }`; the receiver
 * goes on after `stop`, which resolves once every client has finished what it had begun; so does `working`, which rejects
 * when a client fails
 */
export async function startLoad(cluster, { name, random, clients: count }) {
  const shop = await ensureMerchant(cluster)
  const other = await makeMerchant(cluster, name)
  const receiver = new Receiver()
  const endpoint = { endpoint_url: await receiver.open(), event_types: ["*"] }
  const keyOf = ({ api_key }) => ({ "X-Merchant-API-Key": api_key })
  for (const merchant of [shop, other]) {
    const url = `${cluster.base_url}/merchants/webhooks`
    await request("POST", url, { headers: keyOf(merchant), body: endpoint })
  }
  const answers = new Answers()
  const api = (merchant) => new Caller(cluster.base_url, keyOf(merchant), answers)
  const store = new Caller(`${cluster.url}/store`, { "x-publishable-api-key": shop.publishable_key }, answers)
  const clients = new Clients(api(shop), random, name)
  const shoppers = new Shoppers(store, api(shop), shop.region_id)
  const renewals = new Renewals(api(other), name)
  const working = Promise.all([clients.work(count), shoppers.work(), renewals.work()])
  const number = (list, holds) => [...list.values()].filter(holds).length
  return {
    answers,
    clients,
    shoppers,
    renewals,
    receiver,
    working,
    progress: () =>
      [
        `${number(clients.orders, ({ paid }) => paid)} of ${clients.orders.size} orders paid`,
        `${number(clients.refunds, ({ refund_id }) => refund_id !== null)} of ${clients.refunds.size} refunds made`,
        `${number(shoppers.carts, ({ order_id }) => order_id !== null)} of ${shoppers.carts.size} paid carts ordered`,
        `${renewals.paid.size} subscriptions over ${renewals.months} months`,
        `${receiver.events.size} events delivered`,
      ].join(", "),
    stop: async () => {
      clients.stop()
      shoppers.stop()
      renewals.stop()
      await working
    },
    didEverything: () =>
      [clients.orders, clients.refunds, shoppers.carts, renewals.paid, receiver.events].every(({ size }) => size > 0),
  }
}
