import { GatewayError } from "../../../../src/modules/gateway/kernel/errors"
import { addressOf, sslcommerz } from "../../../../src/modules/gateway/acquirers/sslcommerz"
import type { Instrument } from "../../../../src/modules/gateway/acquirers/port"
import { paymentRequest } from "../../../support/acquirer"
import { question, useBench } from "../support"

const bench = useBench()

const EMI = {
  configuration_uuid: "b7",
  bank_name: "Demo Bank",
  months: 6,
  total: 618_000n,
  fee: 0n,
  monthly: 103_000n,
  last: 103_000n,
}

describe("create: what is sent", () => {
  it("is a form that SSLCommerz accepts, and leads to its page", async () => {
    const { request, url, asked } = await bench.started()

    const [sent] = bench.sent("create")
    expect(sent).toMatchObject({
      method: "POST",
      content_type: "application/x-www-form-urlencoded",
      is_password_right: true,
    })
    expect(sent.fields).toEqual({
      store_id: "demo_store",
      total_amount: "1250.50",
      currency: "BDT",
      tran_id: request.key,
      value_a: request.key,
      success_url: request.return_url,
      fail_url: request.return_url,
      cancel_url: request.return_url,
      ipn_url: request.notification_url,
      multi_card_name: "visacard,mastercard,amexcard",
      product_name: "Two tins of tea",
      product_category: "ecommerce",
      product_profile: "general",
      shipping_method: "NO",
      num_of_item: "1",
      emi_option: "0",
      cus_name: "Rahim Uddin",
      cus_email: "rahim@example.com",
      cus_add1: "12 Lake Road",
      cus_city: "Dhaka",
      cus_postcode: "1205",
      cus_country: "Bangladesh",
      cus_phone: "+8801711111111",
    })
    const { sessionkey } = bench.standIn.book.sessions.at(-1)!
    expect(asked.references).toEqual({ sessionkey })
    expect(url).toBe(`${bench.standIn.url}/gwprocess/v4/gw.php?Q=PAY&SESSIONKEY=${sessionkey}`)
    expect(await (await fetch(url)).text()).toContain("1250.50 BDT")
  })

  it.each([
    ["CARD", "visacard,mastercard,amexcard"],
    ["BKASH", "bkash"],
    ["NAGAD", "nagad"],
    ["ROCKET", "dbblmobilebanking"],
    ["UPAY", "upay"],
    ["INTERNET_BANKING", "internetbank"],
    ["WALLET", "mobilebank"],
  ])("multi_card_name of %s is %s", async (service, multi_card_name) => {
    await bench.started({ service })

    expect(bench.sent("create")[0].fields.multi_card_name).toBe(multi_card_name)
  })

  it("cuts long text to the fields' lengths, and never leaves a required field empty", async () => {
    const long = "দীর্ঘ নাম ".repeat(60)
    await bench.started({
      description: long,
      items: Array.from({ length: 40 }, () => ({})),
      customer: {
        name: long,
        email: `${"a".repeat(50)}@example.com`,
        address: " \n ",
        city: long,
        postcode: "",
        country: long,
        phone: "",
      },
    })

    const { fields } = bench.sent("create")[0]
    expect([...fields.product_name].length).toBeLessThanOrEqual(255)
    expect([...fields.cus_name].length).toBeLessThanOrEqual(50)
    expect(fields).toMatchObject({
      cus_email: "no-reply@example.com",
      cus_add1: "N/A",
      cus_postcode: "N/A",
      cus_phone: "N/A",
      num_of_item: "9",
    })
  })

  it("EMI: the chosen months, and nothing else to choose from", async () => {
    await bench.started({ amount: 600_000n, instalments: EMI })

    expect(bench.sent("create")[0].fields).toMatchObject({
      total_amount: "6000.00",
      emi_option: "1",
      emi_selected_inst: "6",
      emi_allow_only: "1",
    })
  })

  it.each([
    ["9.99 BDT", { amount: 999n }, "LIMIT_EXCEEDED"],
    ["500000.01 BDT", { amount: 50_000_001n }, "LIMIT_EXCEEDED"],
    ["another currency", { currency: "USD" }, "NETWORK_ERROR"],
    ["another service", { service: "CHEQUE" }, "NETWORK_ERROR"],
    ["a URL of 256 characters", { return_url: `https://shop.example.com/${"a".repeat(231)}` }, "NETWORK_ERROR"],
  ])("refuses %s without asking", async (_name, changes, code) => {
    expect(await bench.acquirer.start(paymentRequest(changes))).toMatchObject({ result: "refused", code })
    expect(bench.sent("create")).toEqual([])
  })

  it.each([1_000n, 50_000_000n])("asks for %d poisha, the ends of the range", async (amount) => {
    await bench.started({ amount })
  })
})

describe("create: what is answered", () => {
  it("FAILED with wrong credentials: an admin has to act", async () => {
    const acquirer = bench.connect({ store_passwd: "another@ssl" })

    expect(await acquirer.start(paymentRequest())).toMatchObject({
      result: "refused",
      code: "NETWORK_ERROR",
      trouble: "credentials",
      message: expect.stringContaining("Store Credential Error"),
    })
  })

  it("FAILED: EMI below 5000.00 is refused, nothing has moved", async () => {
    const answer = await bench.acquirer.start(paymentRequest({ amount: 300_000n, instalments: EMI }))

    expect(answer).toMatchObject({ result: "refused", reason: "method_unavailable", trouble: "bad_request" })
    expect(answer).not.toHaveProperty("retry")
  })

  it("FAILED with 200: refused with its reason, cut to 200 characters", async () => {
    bench.standIn.faults.add("create", "failed", { reason: "x".repeat(1_000) })
    const answer = await bench.acquirer.start(paymentRequest())

    expect(answer).toMatchObject({ result: "refused", trouble: "bad_request" })
    expect(answer).toHaveProperty("message", expect.stringMatching(/x{200}$/))
  })

  it.each([
    ["no_page", {}],
    ["other_page", { url: "javascript:alert(1)" }],
    ["other_page", { url: "http://phish.example.com/" }],
    ["html", {}],
    ["garbage", {}],
    ["status", { status: 500 }],
    ["lost_before", {}],
    ["lost_after", {}],
    ["api_connect", { word: "DONE" }],
  ])("%s %j: unknown, and the shopper is not sent anywhere", async (name, details) => {
    bench.standIn.faults.add("create", name, details)
    const request = paymentRequest()

    expect(await bench.acquirer.start(request)).toMatchObject({ result: "unknown" })
    // Nobody has seen the page: the list without rows proves that nothing will move.
    expect(await bench.acquirer.query(question(request))).toEqual({ result: "absent" })
    expect(bench.sent("create")).toHaveLength(1)
  })

  it.each([
    [200, "maintenance"],
    [401, "credentials"],
    [403, "credentials"],
    [429, "rate_limited"],
    [500, "network"],
    [502, "network"],
    [503, "maintenance"],
  ])("a web page with HTTP %d is %s trouble", async (status, trouble) => {
    bench.standIn.faults.add("create", "status", { status })

    expect(await bench.acquirer.start(paymentRequest())).toMatchObject({ result: "unknown", trouble })
  })

  it("not reached: nothing was sent, so it may be tried again", async () => {
    const acquirer = bench.connect({ base_url: "http://127.0.0.1:1" })

    expect(await acquirer.start(paymentRequest())).toMatchObject({ result: "refused", retry: true, trouble: "network" })
    expect(await acquirer.query(question(paymentRequest()))).toMatchObject({ result: "unknown", trouble: "network" })
  })

  it("a slow answer is still an answer", async () => {
    bench.standIn.faults.add("create", "slow", { ms: 50 })

    expect(await bench.acquirer.start(paymentRequest())).toMatchObject({ result: "redirect" })
  })
})

describe("the account", () => {
  it("test: a query for a payment that cannot exist, answered DONE", async () => {
    expect(await bench.acquirer.test!()).toEqual({ works: true })
    expect(bench.sent("query")).toMatchObject([
      { method: "GET", fields: { tran_id: "connection-test", format: "json" } },
    ])
  })

  it.each([
    ["FAILED", "credentials"],
    ["INACTIVE", "credentials"],
    ["INVALID_REQUEST", "bad_request"],
    ["SOMETHING", "bad_request"],
  ])("test: APIConnect %s is %s trouble", async (word, trouble) => {
    bench.standIn.faults.add("query", "api_connect", { word })

    expect(await bench.acquirer.test!()).toEqual({
      works: false,
      trouble,
      message: `SSLCommerz answered APIConnect ${word}`,
    })
  })

  it.each([
    ["wrong credentials", { store_passwd: "another@ssl" }, "credentials"],
    ["another store", { store_id: "another" }, "credentials"],
    ["nobody there", { base_url: "http://127.0.0.1:1" }, "network"],
  ])("test: %s", async (_name, changes, trouble) => {
    expect(await bench.connect(changes).test!()).toMatchObject({ works: false, trouble })
  })

  it("goes to SSLCommerz's own address, unless it is given a stand-in's", () => {
    expect(addressOf("sandbox")).toBe("https://sandbox.sslcommerz.com")
    expect(addressOf("production")).toBe("https://securepay.sslcommerz.com")
    expect(addressOf("production", "http://127.0.0.1:8090/")).toBe("http://127.0.0.1:8090")
  })

  it("needs store_id and store_passwd, of which only the second is secret", () => {
    expect(sslcommerz).toMatchObject({ id: "sslcommerz", name: "SSLCommerz", currencies: ["BDT"] })
    expect(sslcommerz.services).toEqual(["CARD", "BKASH", "NAGAD", "ROCKET", "UPAY", "INTERNET_BANKING", "WALLET"])
    expect(sslcommerz.credentials.map(({ name, variable, secret }) => [name, variable, secret])).toEqual([
      ["store_id", "SSLCOMMERZ_STORE_ID", false],
      ["store_passwd", "SSLCOMMERZ_STORE_PASSWORD", true],
    ])
  })

  it("check: refuses a service that SSLCommerz does not have, and names the field", () => {
    const check = (instrument: Instrument) => () => bench.acquirer.check(instrument)

    expect(check({ method: "card", payment_service: "CARD" })).not.toThrow()
    expect(check({ method: "card" })).not.toThrow()
    expect(check({ method: "card", payment_service: "CHEQUE" })).toThrow(GatewayError)
    expect(check({ method: "card", payment_service: "constructor" })).toThrow(GatewayError)
  })
})
