import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { loadStandIn } from "../stand-in"

/** The padding that the client asks for is refused by Node where its OpenSSL cannot hide a wrong one. */
const MAJOR = Number(process.versions.node.split(".")[0])
const NODE = MAJOR < 22 ? ["--security-revert=CVE-2023-46809"] : []
/** In between, no option of Node lets this client decrypt an answer. */
const onThisNode = MAJOR < 22 || MAJOR >= 24 ? it : it.skip

const PROGRAM = `
const { NagadGateway } = require("nagad-payment-gateway")
const config = JSON.parse(process.argv[1])
const gateway = new NagadGateway({ ...config, apiVersion: "v-0.2.0", isPath: false })
const payment = { amount: "1250.50", ip: "203.0.113.9", orderId: "OUTSIDE000000001", productDetails: {}, clientType: "PC_WEB" }
gateway.createPayment(payment).then(async (url) => {
  await fetch(url, { method: "POST", body: new URLSearchParams({ action: "pay", wallet: "01711223344" }), redirect: "manual" })
  const reference = decodeURIComponent(url.split("/").pop())
  console.log(JSON.stringify({ url, verified: await gateway.verifyPayment(reference) }))
})`

/** Written by Shahriar Shojib (MIT), who has never seen this repository: so the stand-in and the adapter do not share mistakes. */
describe("Nagad: a client that nobody here wrote", () => {
  onThisNode("opens, pays and verifies a payment at the stand-in, with its own cryptography", async () => {
    const { startStandIn, CREDENTIALS } = await loadStandIn()
    // It does not send X-KM-MC-Id.
    const standIn = await startStandIn({ needsMerchantHeader: false })
    try {
      const config = JSON.stringify({
        baseURL: standIn.url,
        callbackURL: "https://shop.example.com/back",
        merchantID: CREDENTIALS.merchant_id,
        merchantNumber: CREDENTIALS.merchant_number,
        privKey: CREDENTIALS.private_key,
        pubKey: CREDENTIALS.public_key,
      })
      const root = join(__dirname, "../../../..")
      const run = promisify(execFile)
      const env = { ...process.env, NODE_OPTIONS: "" }
      const { stdout } = await run(process.execPath, [...NODE, "-e", PROGRAM, config], { cwd: root, env })
      // Above it Node warns of the option.
      const { url, verified } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as {
        url: string
        verified: Record<string, unknown>
      }
      const [payment] = standIn.book.payments
      expect(url).toBe(`${standIn.url}/check-out/${encodeURIComponent(payment.paymentRefId)}`)
      expect(verified).toMatchObject({
        orderId: "OUTSIDE000000001",
        amount: "1250.50",
        status: "Success",
        statusCode: "000",
        issuerPaymentRefNo: payment.issuerPaymentRefNo,
      })
      expect(standIn.book.requests.map(({ operation, answer }) => [operation, answer?.status])).toEqual([
        ["initialize", 200],
        ["complete", 200],
        ["verify", 200],
      ])
    } finally {
      await standIn.close()
    }
  })
})
