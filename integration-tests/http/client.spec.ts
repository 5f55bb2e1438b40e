import { execFile, execFileSync, spawn, type ChildProcess } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import {
  createGateway,
  parseEvent,
  parseIpn,
  verifyWebhook,
  type BodyOf,
  type GatewayOperations,
} from "../../src/client"
import { newMerchant, order, type ApiMerchant } from "../support/api"
import { importModule } from "../support/import-module.cjs"
import { freePort } from "../support/ports"
import { useReceiver } from "../support/receiver"
import { ROOT, useStore } from "../support/store"
import { until } from "../support/until"

/** In this process: the programs of the guide send requests that a store in production mode would not find counted. */
const store = useStore({ production: false })
const receiver = useReceiver()

let merchant: ApiMerchant
let gateway: GatewayOperations
beforeEach(async () => {
  merchant = await newMerchant(store)
  gateway = createGateway({ baseUrl: `${store.url}/api/v2`, apiKey: merchant.key })
})

const newOrder = (changes: Record<string, unknown> = {}) => order(changes) as BodyOf<"createCheckout">

/** A paid checkout; what it announces is delivered before this returns. */
async function pay(changes: Record<string, unknown> = {}) {
  const { data } = await gateway.createCheckout(newOrder(changes))
  await gateway.paySession(data.session_id, { payment_method: "card" })
  await gateway.moveClock({ advance_seconds: 1 })
  return data
}

describe("medusa-payment-gateway/client against the API", () => {
  it("checkout, sandbox payment, verification, refund, list", async () => {
    const { transaction_id } = await pay({ order_amount: "1250.50" })
    const { data: payment } = await gateway.verifyTransaction(transaction_id)
    expect(payment).toMatchObject({ verified: true, status: "SUCCESS", amount: "1250.5000", currency: "BDT" })
    const body = { transaction_id, refund_amount: "250.50", refund_reason: "Broken cup" }
    const { data: refund } = await gateway.createRefund(body)
    expect((await gateway.getRefund(refund.refund_id)).data.refund_amount).toBe("250.50")
    const { data: page } = await gateway.listRefunds({ limit: 5 })
    expect(page.refunds.map(({ refund_id }) => refund_id)).toEqual([refund.refund_id])
    expect(await gateway.downloadStatement({ from_date: "2020-01-01", to_date: "2020-01-31" })).toMatch(/,/)
  })

  it("the same key is the same session; another order with it is refused", async () => {
    const body = newOrder()
    const [first, second] = await Promise.all([
      gateway.createCheckout(body, { idempotencyKey: "once" }),
      gateway.createCheckout(body, { idempotencyKey: "once" }),
    ])
    expect(second.data.session_id).toBe(first.data.session_id)
    await expect(gateway.createCheckout(newOrder(), { idempotencyKey: "once" })).rejects.toMatchObject({
      status: 422,
      code: "IDEMPOTENCY_KEY_REUSED",
      idempotencyKey: "once",
    })
  })

  it("errors of both shapes: of payments, and of plans", async () => {
    await expect(gateway.createCheckout(newOrder({ order_id: "", order_amount: "x" }))).rejects.toMatchObject({
      status: 422,
      code: "VALIDATION_ERROR",
      fieldErrors: expect.arrayContaining([
        { field: "order_id", message: expect.any(String) },
        { field: "order_amount", message: expect.any(String) },
      ]),
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    await expect(gateway.getPlan(2_000_000)).rejects.toMatchObject({ status: 404, code: "PLAN_NOT_FOUND" })
    const stranger = createGateway({ baseUrl: `${store.url}/api/v2`, apiKey: "sk_test_nobody" })
    await expect(stranger.getBalance()).rejects.toMatchObject({ status: 401, code: "INVALID_API_KEY" })
  })

  it.each(["hex", "prefixed"] as const)("a webhook signed as %s, and an IPN, are verified and read", async (format) => {
    const { data: endpoint } = await gateway.createWebhookEndpoint({
      endpoint_url: `${receiver.url}/hook`,
      event_types: ["payment.succeeded"],
      signature_format: format,
    })
    const { transaction_id } = await pay({ ipn_url: `${receiver.url}/ipn` })
    const { data: ipnSecret } = await gateway.getIpnSecret()
    const [hook] = receiver.at("/hook")
    const [ipn] = receiver.at("/ipn")
    expect(await verifyWebhook(hook.raw, hook.headers, endpoint.secret)).toBe(true)
    const { "x-webhook-signature": signature } = hook.headers
    const alone = { "x-webhook-signature": signature }
    expect(await verifyWebhook(hook.raw, alone, endpoint.secret)).toBe(false)
    expect(await verifyWebhook(hook.raw, alone, endpoint.secret, { allowWithoutTimestamp: true })).toBe(true)
    expect(await verifyWebhook(hook.raw, hook.headers, ipnSecret.secret)).toBe(false)
    const event = parseEvent(hook.raw)
    expect(event.type === "payment.succeeded" && event.data.transaction_id).toBe(transaction_id)
    expect(await verifyWebhook(ipn.raw, ipn.headers, ipnSecret.secret)).toBe(true)
    expect(parseIpn(ipn.raw)).toMatchObject({ transaction_id, status: "SUCCESS" })
  })
})

describe("the programs of docs/client.md, as they are printed", () => {
  const DOCS = readFileSync(join(ROOT, "docs/client.md"), "utf8")
  const PROGRAMS = [...DOCS.matchAll(/```js\n([\s\S]*?)```/g)].map(([, text]) => text)
  const ALIAS = `--alias:medusa-payment-gateway-client=${join(ROOT, "src/client/index.ts")}`
  const folder = mkdtempSync(join(tmpdir(), "client-programs-"))
  const running: ChildProcess[] = []
  afterEach(() => running.splice(0).forEach((child) => child.kill("SIGKILL")))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** The program that has this text, with the package's name resolved to its sources. Returns its file. */
  function program(text: string): string {
    const [found, ...others] = PROGRAMS.filter((each) => each.includes(text))
    expect([typeof found, others]).toEqual(["string", []])
    const source = join(folder, "program.mjs")
    writeFileSync(source, found)
    const built = join(folder, `${PROGRAMS.indexOf(found)}.mjs`)
    const args = [source, "--bundle", "--platform=node", "--format=esm", ALIAS, `--outfile=${built}`]
    execFileSync(join(ROOT, "node_modules/esbuild/bin/esbuild"), args, { stdio: "pipe" })
    return built
  }

  const environment = () => ({ ...process.env, GATEWAY_URL: `${store.url}/api/v2`, GATEWAY_API_KEY: merchant.key })

  it("the first payment", async () => {
    const file = program("a customer pays at")
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env: environment() })
    expect(stdout).toMatch(/^a customer pays at http\S+\/pay\/ses_\S+\npaid 1250\.5000 BDT\nrefund \S+ processing\n$/)
  })

  it("the receiver in Node", async () => {
    const port = await freePort()
    const endpoint_url = `http://localhost:${port}/`
    const { data } = await gateway.createWebhookEndpoint({ endpoint_url, event_types: ["*"] })
    const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: data.secret }
    const child = spawn(process.execPath, [program("createServer")], { env, stdio: ["ignore", "pipe", "inherit"] })
    running.push(child)
    const written = untilWritten(child, "paid docs-1 1250.50\n")
    await answering(endpoint_url)
    await pay({ order_id: "docs-1" })
    const { data: deliveries } = await gateway.listDeliveries()
    expect(deliveries.map(({ event_type, status }) => [event_type, status])).toEqual([
      ["payment.succeeded", "delivered"],
    ])
    await written
  })

  it("the receiver in a worker", async () => {
    type Worker = { fetch(request: Request, env: { IPN_SECRET: string }): Promise<Response> }
    const { default: worker } = await importModule<{ default: Worker }>(program("export default"))
    await pay({ order_id: "docs-2", ipn_url: `${receiver.url}/ipn` })
    const [{ raw, headers }] = receiver.at("/ipn")
    const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
    const post = (body: string) => new Request("https://worker.example.com", { method: "POST", headers: sent, body })
    const { data } = await gateway.getIpnSecret()
    const answer = await worker.fetch(post(raw), { IPN_SECRET: data.secret })
    expect([answer.status, await answer.text()]).toEqual([200, "docs-2: SUCCESS"])
    expect((await worker.fetch(post(`${raw} `), { IPN_SECRET: data.secret })).status).toBe(401)
    // Deno and Bun pass something else than variables.
    const elsewhere = {} as { IPN_SECRET: string }
    expect((await worker.fetch(post(raw), elsewhere)).status).toBe(401)
    process.env.IPN_SECRET = data.secret
    expect((await worker.fetch(post(raw), elsewhere)).status).toBe(200)
    delete process.env.IPN_SECRET
  })

  it("the refund that is not done twice", async () => {
    type Program = { refundAll(transactionId: string): Promise<string> }
    const { GATEWAY_URL, GATEWAY_API_KEY } = environment()
    Object.assign(process.env, { GATEWAY_URL, GATEWAY_API_KEY })
    const { refundAll } = await importModule<Program>(program("export async function refundAll"))
    delete process.env.GATEWAY_URL
    delete process.env.GATEWAY_API_KEY
    const { transaction_id } = await pay()
    expect([await refundAll(transaction_id), await refundAll(transaction_id)]).toEqual(["processing", "processing"])
    expect((await gateway.listRefunds()).data.refunds).toHaveLength(1)
    const { transaction_id: other } = await pay()
    await gateway.createRefund({ transaction_id: other, refund_reason: "Returned" })
    expect(await refundAll(other)).toBe("refunded before")
  })

  /** Resolves as soon as the program has written this text. */
  function untilWritten(child: ChildProcess, text: string): Promise<void> {
    let output = ""
    return new Promise((done) => {
      child.stdout?.setEncoding("utf8").on("data", (more: string) => {
        output += more
        if (output.includes(text)) {
          done()
        }
      })
    })
  }

  /** Waits until a server takes connections. */
  async function answering(url: string): Promise<void> {
    const isUp = () =>
      fetch(url, { method: "POST", body: "{}" }).then(
        () => true,
        () => false
      )
    await until(`${url} answers`, isUp)
  }
})
