import { join } from "node:path"
import { gatewayOf } from "../support/api"
import { CartShop } from "../support/carts"
import { importModule } from "../support/import-module.cjs"
import { locationOf, PageReader, type Recorded } from "../support/recorded"
import type { ServerProcess } from "../support/server-process"
import { useStore } from "../support/store"
import { whileTaking } from "../support/store-calls"
import type { StandIn } from "../acquirers/sslcommerz/support"

/*
 * docs/decisions/0069: a cart that is paid on an acquirer's page, and everything about it is asked of an API process.
 * The store in this process takes calls only while a test lets it.
 */

const STAND_IN = join(__dirname, "../acquirers/sslcommerz/stand-in.mjs")
const NOTIFY = "/gateway/acquirers/sslcommerz/notify/default"

let standIn: StandIn
let shop: CartShop
let api: ServerProcess
const store = useStore({
  production: false,
  shop: true,
  env: async () => {
    standIn = await (await importModule<{ startStandIn(): Promise<StandIn> }>(STAND_IN)).startStandIn()
    return {
      SSLCOMMERZ_STORE_ID: standIn.store_id,
      SSLCOMMERZ_STORE_PASSWORD: standIn.store_passwd,
      SSLCOMMERZ_BASE_URL: standIn.url,
    }
  },
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
    api = await booted.startApiProcess()
  },
})

afterAll(() => standIn.close())

/** A cart whose shopper has been sent to the acquirer's page. */
async function leaveFor() {
  const { cart, session } = await shop.checkout(undefined, { return_url: "http://localhost:8000/done" })
  const { session_id } = session.data
  const page = `/pay/${session_id}`
  const reader = new PageReader(api.url)
  const url = locationOf(await whileTaking(store, () => reader.submit(page, { method: "card" })))
  expect(url.startsWith(standIn.url)).toBe(true)
  const { transaction_id } = await gatewayOf(store).transactions.bySession(session_id)
  return { cart, page, reader, url, transaction_id }
}

type Sent = { url: string; fields: Record<string, string> }

/** The shopper pays there, and the notification is lost; what the browser would post is returned. */
async function payThere(url: string): Promise<Sent> {
  standIn.faults.add("ipn", "lost")
  return (await standIn.shopper.pay(url)) as Sent
}

const post = (reader: PageReader, path: string, { fields }: Sent): Promise<Recorded> =>
  reader.ask("POST", path, {
    content: new URLSearchParams(fields).toString(),
    headers: { Origin: standIn.url, "Sec-Fetch-Site": "cross-site", Cookie: "" },
  })
const comeBack = (reader: PageReader, sent: Sent) => post(reader, new URL(sent.url).pathname, sent)
const attemptsOf = (transaction_id: string) => store.db("gateway_payment_attempt").where({ transaction_id })

describe("docs/decisions/0069: a cart that is paid on an acquirer's page", () => {
  it("has its order before the returning browser goes to the shop", async () => {
    const { cart, reader, url } = await leaveFor()
    const sent = await payThere(url)
    const back = await whileTaking(store, () => comeBack(reader, sent))
    expect([back.status, locationOf(back)]).toEqual([303, expect.stringMatching(/\/gateway\/return\?.*SUCCESS/)])
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
  })

  it("money first: without a store process the shopper waits and the acquirer repeats; then it is settled once", async () => {
    const { cart, page, reader, url, transaction_id } = await leaveFor()
    const sent = await payThere(url)
    const [notified, back, asked] = await Promise.all([
      post(reader, NOTIFY, sent),
      comeBack(reader, sent),
      reader.ask("GET", `${page}/return?paid=1`),
    ])
    expect([notified.status, back.status, asked.status]).toEqual([503, 303, 303])
    expect(locationOf(back)).toBe(`${page}/return?paid=1`)
    expect(locationOf(asked)).toBe(`${page}?wait=1&paid=1`)
    expect(await store.db("gateway_store_call")).toEqual([])
    expect(await shop.ordersOf(cart.id)).toEqual([])

    const again = await whileTaking(store, () =>
      Promise.all([
        post(reader, NOTIFY, sent),
        post(reader, NOTIFY, sent),
        comeBack(reader, sent),
        reader.ask("GET", `${page}/return?paid=1`),
      ])
    )
    expect(again.map(({ status }) => status)).toEqual([200, 200, 303, 303])
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
    expect((await attemptsOf(transaction_id)).map(({ state }) => state)).toEqual(["SUCCEEDED"])
    const events = await store.db("gateway_event").where({ resource_id: transaction_id })
    expect(events.map(({ event_type }) => event_type)).toEqual(["payment.succeeded"])
  })

  it("can be left for another way of paying, and not without a store process", async () => {
    const { page, reader, transaction_id } = await leaveFor()
    expect((await reader.submit(page, {}, `${page}/leave`)).status).toBe(503)
    const left = await whileTaking(store, () => reader.submit(page, {}, `${page}/leave`))
    expect([left.status, new URL(locationOf(left), store.url).pathname]).toEqual([303, page])
    expect((await attemptsOf(transaction_id)).map(({ state }) => state)).toEqual(["ABANDONED"])
  })
})
