import { execFile } from "node:child_process"
import { tmpdir } from "node:os"
import { promisify } from "node:util"
import { ShurjopayAcquirer } from "../../../../src/modules/gateway/acquirers/shurjopay/adapter"
import { contextOf } from "../../bkash/stand-in"
import { loadStandIn } from "../stand-in"

const PROGRAM = `
const [client, url, { username, password, prefix }, order] = JSON.parse(process.argv[1])
const shurjopay = require(client)()
shurjopay.config(url, username, password, prefix, "https://shop.example.com/back")
const answer = (call) => new Promise((resolve, reject) => call(resolve, reject))
answer((done, failed) => shurjopay.makePayment(order, done, failed)).then(async (created) => {
  const before = await answer((done, failed) => shurjopay.paymentStatus(created.sp_order_id, done, failed))
  const body = new URLSearchParams({ action: "pay", method: "Visa" })
  await fetch(created.checkout_url, { method: "POST", body, redirect: "manual" })
  const verified = await answer((done, failed) => shurjopay.verifyPayment(created.sp_order_id, done, failed))
  const status = await answer((done, failed) => shurjopay.paymentStatus(created.sp_order_id, done, failed))
  console.log(JSON.stringify({ created, before, verified, status }))
})`

type Row = Record<string, unknown>

/** Written by shurjoPay's own people (MIT), who have never seen this repository: it does not share our mistakes. */
describe("shurjoPay: a client that nobody here wrote", () => {
  it("opens, pays, verifies and looks a payment up at the stand-in, and the adapter reads the same payment", async () => {
    const { startStandIn, CREDENTIALS } = await loadStandIn()
    // It sends its token in the body alone when it opens a payment.
    const standIn = await startStandIn({ needsBearerOnCreate: false })
    try {
      const order = {
        amount: 1250.5,
        order_id: "OUTSIDE1",
        currency: "BDT",
        customer_name: "Rahim Uddin",
        customer_address: "12 Lake Road",
        client_ip: "203.0.113.9",
        customer_phone: "01711111111",
        customer_city: "Dhaka",
        customer_post_code: "1205",
      }
      const input = JSON.stringify([require.resolve("shurjopay"), standIn.url, CREDENTIALS, order])
      // It writes a log file where it is started.
      const options = { cwd: tmpdir(), env: { ...process.env, NODE_OPTIONS: "" } }
      const { stdout } = await promisify(execFile)(process.execPath, ["-e", PROGRAM, input], options)
      const found = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Record<string, Row> & Record<string, Row[]>
      const [payment] = standIn.book.payments
      const { sp_order_id } = payment
      expect(found.created).toMatchObject({ sp_order_id, transactionStatus: "Initiated" })
      const paid = { order_id: sp_order_id, customer_order_id: "OUTSIDE1", amount: "1250.5000", sp_code: "1000" }
      expect([found.before, found.verified, found.status]).toEqual([
        [expect.objectContaining({ order_id: sp_order_id, sp_code: "1068" })],
        [expect.objectContaining(paid)],
        [expect.objectContaining(paid)],
      ])
      expect(standIn.book.requests.map(({ operation, answer }) => [operation, answer?.status])).toEqual(
        ["create", "status", "verification", "status"].flatMap((operation) => [
          ["token", 200],
          [operation, 200],
        ])
      )
      const asked = { key: "OUTSIDE1", amount: 125_050n, currency: "BDT", service: "CARD" }
      const times = { now: new Date(), expires_at: new Date() }
      const references = { sp_order_id, order_id: "OUTSIDE1" }
      const acquirer = new ShurjopayAcquirer(contextOf(standIn, { ...CREDENTIALS }))
      expect(await acquirer.query({ ...asked, ...times, references })).toMatchObject({
        ...{ result: "done", reference: sp_order_id, amount: 125_050n, currency: "BDT" },
      })
    } finally {
      await standIn.close()
    }
  })
})
