import { newMerchant, order } from "../support/api"
import { expectLoggedErrors } from "../support/logged-errors"
import { visit } from "../support/pages"
import { merchant, useStandIns } from "../support/acquirer-stand-ins"

expectLoggedErrors(/came for the attempt .*, which is over; it is given back/)

const { store, open, leaveFor, attempts, states } = useStandIns()

describe("the addresses for acquirers", () => {
  it("an unknown attempt, another acquirer's name, and an unknown account are 404", async () => {
    const checkout = await open()
    await leaveFor(checkout)
    const [{ id }] = await attempts(checkout)
    const answers = await Promise.all(
      [
        "/gateway/acquirers/sslcommerz/return/nothing",
        `/gateway/acquirers/sslcommerz/return/pay${"0".repeat(27)}`,
        `/gateway/acquirers/stripe/return/${id}`,
        "/gateway/acquirers/sslcommerz/notify/gaa_nobody",
        "/gateway/acquirers/unknown/notify/default",
        "/gateway/acquirers/__proto__/notify/constructor",
      ].map((path) => fetch(store.url + path, { method: "POST", redirect: "manual", body: "a=b" }))
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(404))
    expect(await states(checkout)).toEqual(["REDIRECTED"])
  })

  it("a notification that is too large, or about nobody's payment, changes nothing", async () => {
    const address = `${store.url}/gateway/acquirers/sslcommerz/notify/default`
    expect((await fetch(address, { method: "POST", body: "a=".padEnd(70_000, "b") })).status).toBe(413)
    expect((await fetch(address, { method: "POST", body: "tran_id=pay0&status=VALID" })).status).toBe(400)
  })

  it("another merchant's notification address is not believed for this merchant's payments", async () => {
    expect(
      (await fetch(`${store.url}/gateway/acquirers/sslcommerz/notify/${merchant.id}`, { method: "POST" })).status
    ).toBe(404)
  })
})

it("contract 2.7 — an order of another merchant does not go to the store's own account", async () => {
  const other = await newMerchant(store)
  const { session_id } = (await other.call("POST", "/payments/checkout", order())).body.data
  const page = await visit(`${store.url}/pay/${session_id}`)
  expect(page.text).toContain('name="card_number"')
})
