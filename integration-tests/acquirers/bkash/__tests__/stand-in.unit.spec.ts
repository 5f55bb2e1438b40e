import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { loadStandIn, type StandIn } from "../stand-in"

const CHECKOUT = "/v1.2.0-beta/tokenized/checkout"
const REFUND = "/v2/tokenized-checkout/refund/payment"

type Answer = { status: number; body: Record<string, unknown> }

/** What a stand-in accepts that bKash would refuse is a hole in every test above it. */
describe("bKash's stand-in refuses", () => {
  let standIn: StandIn
  let headers: Record<string, string>
  let grant: { headers: Record<string, string>; body: Record<string, string> }

  beforeEach(async () => {
    const { startStandIn, CREDENTIALS } = await loadStandIn()
    const { app_key, app_secret, username, password } = CREDENTIALS
    standIn = await startStandIn()
    grant = { headers: { username, password }, body: { app_key, app_secret } }
    const { body } = await post(`${CHECKOUT}/token/grant`, grant.body, grant.headers)
    headers = { authorization: String(body.id_token), "x-app-key": app_key }
  })
  afterEach(() => standIn.close())

  async function post(path: string, body: unknown, more: Record<string, string> = headers): Promise<Answer> {
    const answer = await fetch(standIn.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...more },
      body: typeof body === "string" ? body : JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  const payment = {
    mode: "0011",
    payerReference: "payer",
    callbackURL: "https://shop.example.com/return",
    amount: "100.00",
    currency: "BDT",
    intent: "sale",
    merchantInvoiceNumber: "INV-1",
  }
  const create = (changes: Record<string, unknown> = {}) => post(`${CHECKOUT}/create`, { ...payment, ...changes })
  async function paid(changes: Record<string, unknown> = {}, wallet?: string) {
    const { body } = await create(changes)
    await standIn.shop(String(body.bkashURL), "pay", wallet)
    const executed = await post(`${CHECKOUT}/execute`, { paymentID: body.paymentID })
    return { paymentId: String(body.paymentID), trxId: String(executed.body.trxID) }
  }

  test.each([
    ["number instead of text", { amount: 100 }, "2006"],
    ["three decimals", { amount: "1.001" }, "2006"],
    ["an amount below one taka", { amount: "0.50" }, "2006"],
    ["a signed amount", { amount: "-5" }, "2006"],
    ["no amount", { amount: undefined }, "2065"],
    ["USD", { currency: "USD" }, "2007"],
    ["an unknown intent", { intent: "buy" }, "2008"],
    ["an unknown mode", { mode: "0002" }, "2063"],
    ["no mode", { mode: undefined }, "2065"],
    ["an agreement with mode 0011", { agreementID: "A" }, "2063"],
    ["mode 0001 without an agreement", { mode: "0001" }, "2065"],
    ["mode 0001 with an unknown agreement", { mode: "0001", agreementID: "A" }, "2051"],
    ["no invoice number", { merchantInvoiceNumber: "" }, "2065"],
    ["an invoice number with a space", { merchantInvoiceNumber: "INV 1" }, "2031"],
    ["a long invoice number", { merchantInvoiceNumber: "1".repeat(51) }, "2031"],
    ["a long payer reference", { payerReference: "1".repeat(256) }, "2048"],
    ["no callback URL", { callbackURL: undefined }, "2065"],
    ["a callback that is no URL", { callbackURL: "shop" }, "2049"],
    ["a field that bKash does not know", { invoice: "1" }, "2025"],
    ["another case of a field", { amount: undefined, Amount: "100.00" }, "2025"],
  ])("create: %s", async (_, changes, code) => {
    expect((await create(changes)).body).toMatchObject({ statusCode: code })
    expect(standIn.book.payments).toEqual([])
  })

  test.each([
    ["no token", { authorization: "" }],
    ["Bearer before the token", { authorization: "Bearer" }],
    ["another token", { authorization: "eyJhbGciOi" }],
  ])("%s: 401 with only a message", async (_, changes) => {
    const authorization = changes.authorization === "Bearer" ? `Bearer ${headers.authorization}` : changes.authorization
    const answer = await post(`${CHECKOUT}/create`, payment, { ...headers, authorization })
    expect(answer).toEqual({ status: 401, body: { message: expect.any(String) } })
  })

  test("a token that is an hour old", async () => {
    standIn.advance(3_601)
    expect(await create()).toMatchObject({ status: 401 })
  })

  test("another X-App-Key", async () => {
    const answer = await post(`${CHECKOUT}/create`, payment, { ...headers, "x-app-key": "other" })
    expect(answer.body).toMatchObject({ statusCode: "2001" })
  })

  test("a form, broken JSON, a list, GET, an unknown path", async () => {
    const form = { ...headers, "content-type": "application/x-www-form-urlencoded" }
    expect((await post(`${CHECKOUT}/create`, payment, form)).body).toMatchObject({ statusCode: "2025" })
    expect((await post(`${CHECKOUT}/create`, "{")).body).toMatchObject({ statusCode: "2025" })
    expect((await post(`${CHECKOUT}/create`, [payment])).body).toMatchObject({ statusCode: "2025" })
    expect((await fetch(`${standIn.url}${CHECKOUT}/create`, { headers })).status).toBe(403)
    expect((await post("/v1.2.0-beta/checkout/payment/create", payment)).status).toBe(403)
  })

  test.each([
    ["username", { headers: { username: "other" } }, "2079"],
    ["password", { headers: { password: "other" } }, "2079"],
    ["app_secret", { body: { app_secret: "other" } }, "2001"],
    ["a missing app_key", { body: { app_key: "" } }, "2065"],
  ])("a token for a wrong %s", async (_, changes: { headers?: object; body?: object }, code) => {
    const answer = await post(
      `${CHECKOUT}/token/grant`,
      { ...grant.body, ...changes.body },
      { ...grant.headers, ...changes.headers }
    )
    expect(answer.body).toMatchObject({ statusCode: code })
  })

  test("the third grant within an hour, and every later one", async () => {
    const again = () => post(`${CHECKOUT}/token/grant`, grant.body, grant.headers)
    expect((await again()).status).toBe(200)
    expect((await again()).status).toBe(429)
    standIn.advance(7_200)
    expect((await again()).status).toBe(429)
  })

  test("a refresh token that it never issued", async () => {
    const body = { ...grant.body, refresh_token: "eyJ" }
    expect((await post(`${CHECKOUT}/token/refresh`, body, grant.headers)).body).toMatchObject({ statusCode: "2079" })
  })

  test.each([
    ["an unknown payment", { paymentID: "TR" }, "2002"],
    ["another case of the field", { paymentId: "TR" }, "2025"],
    ["nothing", {}, "2065"],
  ])("execute: %s", async (_, body, code) => {
    expect((await post(`${CHECKOUT}/execute`, body)).body).toMatchObject({ statusCode: code })
  })

  test("execute before the shopper, after a cancel, twice, and of the same amount from one wallet within two minutes", async () => {
    const { body } = await create()
    const execute = (paymentID: unknown) => post(`${CHECKOUT}/execute`, { paymentID })
    expect((await execute(body.paymentID)).body).toMatchObject({ statusCode: "2056" })
    expect(standIn.book.payments[0]).toMatchObject({ state: "Initiated", shopper: "open" })
    await standIn.shop(String(body.bkashURL), "cancel")
    expect((await execute(body.paymentID)).body).toMatchObject({ statusCode: "2069" })
    const wallet = "01770618575"
    const { paymentId } = await paid({}, wallet)
    expect((await execute(paymentId)).body).toMatchObject({ statusCode: "2117" })
    const second = await create({ merchantInvoiceNumber: "INV-2" })
    await standIn.shop(String(second.body.bkashURL), "pay", wallet)
    expect((await execute(second.body.paymentID)).body).toMatchObject({ statusCode: "2029" })
    expect(standIn.movements()).toHaveLength(1)
    await paid({ amount: "100.01" }, wallet)
    await paid({}, "01929918378")
    standIn.advance(120)
    expect((await execute(second.body.paymentID)).body).toMatchObject({ statusCode: "0000" })
  })

  test("a payment under an agreement without the shopper, unless the contract allows it", async () => {
    const agreement = await create({ mode: "0000", amount: undefined })
    await standIn.shop(String(agreement.body.bkashURL))
    const { body } = await post(`${CHECKOUT}/execute`, { paymentID: agreement.body.paymentID })
    expect(body).toMatchObject({ agreementStatus: "Completed" })
    expect((await post(`${CHECKOUT}/execute`, { paymentID: agreement.body.paymentID })).body).toMatchObject({
      statusCode: "2116",
    })
    const under = await create({ mode: "0001", agreementID: body.agreementID })
    expect((await post(`${CHECKOUT}/execute`, { paymentID: under.body.paymentID })).body).toMatchObject({
      statusCode: "2060",
    })
    const status = await post(`${CHECKOUT}/agreement/status`, { agreementID: body.agreementID })
    expect(status.body).toMatchObject({ agreementStatus: "Completed" })
  })

  test.each([
    ["a number", { refundAmount: 10 }, "2006"],
    ["more than was paid", { refundAmount: "100.01" }, "2072"],
    ["no SKU", { sku: "" }, "2065"],
    ["a long SKU", { sku: "1".repeat(256) }, "2075"],
    ["a long reason", { reason: "1".repeat(256) }, "2076"],
    ["another trxId", { trxId: "OTHER" }, "2077"],
    ["an unknown payment", { paymentId: "TR" }, "2002"],
    ["paymentID with a capital D", { paymentId: undefined, paymentID: "TR" }, "2025"],
  ])("refund: %s", async (_, changes, externalCode) => {
    const ids = await paid()
    const body = { ...ids, refundAmount: "10.00", sku: "s", reason: "r", ...changes }
    expect((await post(`${REFUND}/transaction`, body)).body).toMatchObject({ externalCode })
    expect(standIn.book.refunds).toEqual([])
  })

  test("an unknown fault", () => {
    expect(() => standIn.faults.add({ on: "create", kind: "typo" })).toThrow("Unknown fault typo")
  })

  test("a page that has ended, a wrong hash, an unknown button", async () => {
    const { body } = await create()
    const page = new URL(String(body.bkashURL))
    const act = (form: Record<string, string>) =>
      fetch(`${standIn.url}/redirect/tokenized/`, {
        method: "POST",
        body: new URLSearchParams(form),
        redirect: "manual",
      })
    const form = { ...Object.fromEntries(page.searchParams), wallet: "01770618575" }
    expect((await act({ ...form, action: "steal" })).status).toBe(400)
    expect((await act({ ...form, hash: "guessed", action: "pay" })).status).toBe(404)
    expect((await act({ ...form, action: "decline" })).headers.get("location")).toContain("status=failure")
    expect(await (await fetch(page)).text()).toContain("This payment has ended")
  })
})

test("bKash's stand-in runs in a process of its own: its book, faults and clock over HTTP", async () => {
  const child = spawn(process.execPath, [join(__dirname, "../serve.mjs")], { stdio: ["pipe", "pipe", "inherit"] })
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer]
    const { url, credentials } = JSON.parse(line.toString()) as { url: string; credentials: Record<string, string> }
    const control = (name: string, body?: object) =>
      fetch(`${url}/control/${name}`, body && { method: "POST", body: JSON.stringify(body) })
    const { app_key, app_secret, username, password } = credentials
    const grant = () =>
      fetch(`${url}${CHECKOUT}/token/grant`, {
        method: "POST",
        headers: { "content-type": "application/json", username, password },
        body: JSON.stringify({ app_key, app_secret }),
      })
    await control("faults", { on: "grant", kind: "http", status: 500 })
    expect((await grant()).status).toBe(500)
    expect((await grant()).status).toBe(200)
    expect((await control("clock", { advance_seconds: 60 })).status).toBe(200)
    expect(await (await control("book")).json()).toMatchObject({
      requests: [{ operation: "grant" }, { operation: "grant" }],
      movements: [],
    })
    child.stdin.end()
    expect(await once(child, "exit")).toEqual([0, null])
  } finally {
    child.kill()
  }
})
