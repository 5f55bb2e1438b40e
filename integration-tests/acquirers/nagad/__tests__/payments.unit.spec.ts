import { NagadAcquirer } from "../../../../src/modules/gateway/acquirers/nagad/adapter"
import type { AcquirerContext, AttemptRequest, PaymentRequest } from "../../../../src/modules/gateway/acquirers/port"
import { paymentRequest } from "../../../support/acquirer"
import { contextOf, Kept } from "../../bkash/stand-in"
import { loadStandIn, type StandIn } from "../stand-in"

describe("Nagad: payments", () => {
  let standIn: StandIn
  let credentials: Record<string, string>
  let acquirer: NagadAcquirer
  let kept: Kept
  let request: PaymentRequest
  const errors: string[] = []

  beforeEach(async () => {
    const { startStandIn, CREDENTIALS } = await loadStandIn()
    standIn = await startStandIn()
    credentials = { ...CREDENTIALS }
    acquirer = open()
    kept = new Kept()
    request = paymentRequest({ service: "NAGAD", save: kept.save })
    errors.splice(0)
  })
  afterEach(() => standIn.close())

  function open(changes: Partial<AcquirerContext> = {}): NagadAcquirer {
    const logger = { warn: () => undefined, error: (line: string) => void errors.push(line) }
    return new NagadAcquirer(contextOf(standIn, credentials, { logger, ...changes }))
  }
  const start = () => kept.of(acquirer.start(request))
  const query = (changes: Partial<AttemptRequest> = {}) =>
    acquirer.query({ ...request, references: kept.references, ...changes })
  const later = (seconds: number) => new Date(request.now.getTime() + seconds * 1_000)
  const booked = () => standIn.book.payments.at(-1) as StandIn["book"]["payments"][number]

  async function page(): Promise<string> {
    const started = await start()
    if (started.result !== "redirect") {
      throw new Error(`no redirect: ${JSON.stringify(started)}`)
    }
    return started.url
  }

  test("a payment from the start to the money: what is sent, kept and answered", async () => {
    const url = await page()
    expect(url).toBe(`${standIn.url}/check-out/${encodeURIComponent(booked().paymentRefId)}`)
    const [initialize, complete] = [standIn.calls("initialize")[0], standIn.calls("complete")[0]]
    expect(initialize.headers).toMatchObject({
      "x-km-api-version": "v-0.2.0",
      "x-km-ip-v4": "203.0.113.7",
      "x-km-mc-id": credentials.merchant_id,
      "x-km-client-type": "PC_WEB",
    })
    expect(Object.keys(JSON.parse(initialize.body) as object)).toEqual([
      ...["accountNumber", "dateTime", "sensitiveData", "signature"],
    ])
    expect(JSON.parse(complete.body)).toMatchObject({ merchantCallbackURL: request.return_url })
    expect(kept.references).toEqual({
      orderId: booked().orderId,
      paymentReferenceId: booked().paymentRefId,
      startedAt: request.now.toISOString(),
      page: "shown",
    })
    const back = new URL(await standIn.shop(url))
    const incoming = { method: "GET", headers: {}, body: Buffer.alloc(0) }
    const target = `/gateway/acquirers/nagad/return/${request.key}${back.search}`
    const paymentReferenceId = booked().paymentRefId
    expect(acquirer.readReturn({ ...incoming, target })).toEqual({
      ...{ about: "payment", references: { paymentReferenceId }, claims: "paid" },
    })
    expect(await query()).toEqual({
      result: "done",
      reference: booked().issuerPaymentRefNo,
      amount: 125_050n,
      currency: "BDT",
      references: { issuerPaymentRefNo: booked().issuerPaymentRefNo, paidOn: expect.stringMatching(/^20\d{6}$/) },
      details: { orderDateTime: expect.any(String), issuerPaymentDateTime: expect.any(String) },
      instrument: { brand: "Nagad", account: "017****3344" },
    })
  })

  test("the reference is saved before the second step; if saving fails, the second step is not sent", async () => {
    const save = () => Promise.reject(new Error("the database is away"))
    await expect(acquirer.start({ ...request, save })).rejects.toThrow("the database is away")
    expect([standIn.calls("initialize").length, standIn.calls("complete").length]).toEqual([1, 0])
    expect(await acquirer.start({ ...request, save: undefined })).toMatchObject({
      result: "refused",
      trouble: "bad_request",
    })
    expect(standIn.calls("initialize")).toHaveLength(1)
  })

  test("a reference that is lost needs an operator, because Nagad cannot be asked by the order number", async () => {
    await page()
    const { orderId } = kept.references
    expect(await query({ references: { orderId } })).toMatchObject({ result: "unknown", needs_operator: true })
    expect(await query({ references: {} })).toEqual({ result: "absent" })
    expect(standIn.calls("verify")).toEqual([])
  })

  test.each(["lost_before", "lost_after", "slow_is_no_fault"])(
    "an unanswered first step (%s) is refused and tried again with another order number",
    async (kind) => {
      if (kind !== "slow_is_no_fault") {
        standIn.faults.add({ on: "initialize", kind })
        expect(await start()).toMatchObject({ result: "refused", trouble: "network", retry: true })
        expect(kept.references).toEqual({})
      }
      await page()
      const orders = standIn.calls("initialize").map(({ path }) => path)
      expect(new Set(orders).size).toBe(orders.length)
    }
  )

  test.each([
    ["an order number that Nagad has", { kind: "error", reason: "DuplicateOrderId" }, "bad_request", true],
    ["a failing server", { kind: "error", reason: "ServerError", status: 500 }, "maintenance", true],
    ["an unknown merchant", { kind: "error", reason: "InvalidMerchant" }, "credentials", undefined],
    [
      "a wrong key",
      { kind: "error", reason: "1004", message: "Order request failed. Decryption failed." },
      "credentials",
      undefined,
    ],
    [
      "a wrong clock",
      { kind: "error", reason: "1005", message: "Please verify provided data and try again. Call 16167 for help." },
      "bad_request",
      undefined,
    ],
    ["a page of HTML", { kind: "html" }, "maintenance", undefined],
    ["nothing", { kind: "empty" }, "credentials", undefined],
    ["null", { kind: "null" }, "credentials", undefined],
  ])("the first step answers %s: refused, nobody has a page", async (_name, fault, trouble, retry) => {
    standIn.faults.add({ on: "initialize", ...fault })
    const answer = await start()
    expect(answer).toMatchObject({ result: "refused", code: "NETWORK_ERROR", trouble })
    expect([(answer as { retry?: boolean }).retry, standIn.calls("complete").length]).toEqual([retry, 0])
  })

  test("an empty answer says that Nagad must register the server's address, also in the connection test", async () => {
    standIn.faults.add({ on: "initialize", kind: "empty", times: 2 })
    const message = expect.stringMatching(/register the address 203\.0\.113\.7 of this server, and the callback/)
    expect(await start()).toMatchObject({ message })
    expect(await acquirer.test()).toEqual({ works: false, trouble: "credentials", message })
  })

  test.each(["forged", "unreadable"])(
    "an answer that is %s is unknown and an alarm, never a redirect; the next question says that nothing was opened",
    async (kind) => {
      standIn.faults.add({ on: "initialize", kind })
      expect(await start()).toMatchObject({ result: "unknown", trouble: "credentials" })
      expect(errors).toEqual([expect.stringContaining("not signed with Nagad's")])
      expect([standIn.calls("complete").length, await query()]).toEqual([0, { result: "absent" }])
    }
  )

  test.each(["lost_before", "lost_after", "html_after", "empty_after"])(
    "the second step is not answered (%s): nobody has the page, so the attempt is refused once Nagad has been asked",
    async (kind) => {
      standIn.faults.add({ on: "complete", kind })
      expect(await start()).toMatchObject({ result: "unknown" })
      expect(kept.references.paymentReferenceId).toBe(booked().paymentRefId)
      // The call that opens the page may be under way, and its answer would still send the shopper there.
      expect(await query({ now: later(59) })).toMatchObject({ result: "unknown" })
      expect(await query({ now: later(60) })).toMatchObject({ result: "refused", code: "NETWORK_ERROR", retry: true })
    }
  )

  test("a clear refusal of the second step is one; a failing server leaves it open", async () => {
    standIn.faults.add({ on: "complete", kind: "error", reason: "InvalidCurrency" })
    expect(await start()).toMatchObject({ result: "refused", trouble: "bad_request" })
    standIn.faults.add({ on: "complete", kind: "error", reason: "ServerError", status: 500 })
    expect(await start()).toMatchObject({ result: "unknown", trouble: "maintenance" })
  })

  test.each(["https://payment.mynagad.com/check-out/1", "javascript:alert(1)", "http://127.0.0.1:1/check-out/1", ""])(
    "nobody is sent to %j",
    async (callBackUrl) => {
      standIn.faults.add({ on: "complete", kind: "change", fields: { callBackUrl } })
      expect(await start()).toMatchObject({ result: "refused", trouble: "bad_request" })
      expect(errors).toEqual([expect.stringContaining("nobody was sent there")])
    }
  )

  test("a request that does not fit into one block is refused before anything is sent", async () => {
    credentials.merchant_id = "6".repeat(200)
    acquirer = open()
    expect(await start()).toMatchObject({ result: "refused", trouble: "bad_request", message: /one block/ })
    expect(standIn.book.requests).toEqual([])
    expect(await acquirer.start({ ...request, currency: "USD" })).toMatchObject({ result: "refused" })
  })

  test.each<[string, Record<string, unknown>, object]>([
    ["an amount without decimals", { amount: "16" }, { result: "done", amount: 1_600n }],
    ["another amount", { amount: "1.00" }, { result: "done", amount: 100n }],
    ["an amount that is none", { amount: "1,250" }, { result: "unknown" }],
    ["no number of the payment", { issuerPaymentRefNo: null }, { result: "unknown" }],
    ["another code", { statusCode: "001" }, { result: "unknown" }],
    ["another order", { orderId: "aaaaaaaaaaaaaaaaaaaa" }, { result: "unknown", trouble: "bad_request" }],
    ["another merchant", { merchantId: "1" }, { result: "unknown", trouble: "bad_request" }],
    ["a word that is not known", { status: "Settled" }, { result: "unknown" }],
    ["a status that is no text", { status: { a: 1 } }, { result: "unknown" }],
  ])("a paid payment with %s", async (_name, fields, expected) => {
    await standIn.shop(await page())
    standIn.faults.add({ on: "verify", kind: "change", fields })
    expect(await query()).toMatchObject(expected)
    expect(errors).toHaveLength("orderId" in fields || "merchantId" in fields ? 1 : 0)
  })

  test.each<[string, object]>([
    ["OrderInitiated", { result: "unknown", awaiting_shopper: true }],
    ["Ready", { result: "unknown", awaiting_shopper: true }],
    ["InProgress", { result: "unknown", awaiting_shopper: true }],
    ["TransactionInProgress", { result: "unknown", awaiting_shopper: true }],
    ["OtpSent", { result: "unknown", awaiting_shopper: true }],
    ["OtpVerified", { result: "unknown", awaiting_shopper: true }],
    ["Aborted", { result: "refused", code: "CANCELLED" }],
    ["Cancelled", { result: "refused", code: "CANCELLED" }],
    ["Failed", { result: "refused", code: "CARD_DECLINED" }],
    ["Fraud", { result: "refused", code: "FRAUD_SUSPECTED", reason: "fraud_suspected" }],
    ["InvalidRequest", { result: "unknown", trouble: "bad_request" }],
  ])("%s, without a number of a payment", async (status, expected) => {
    await page()
    booked().status = status
    expect(await query()).toMatchObject(expected)
  })

  test.each(["Cancelled", "PartialCancelled", "Refunded", "PartialRefunded"])(
    "%s with a number of the payment means that it was paid and given back: done, with an alarm if we had not seen it paid",
    async (status) => {
      await standIn.shop(await page())
      booked().status = status
      expect(await query()).toMatchObject({ result: "done", amount: 125_050n, risk: expect.stringContaining(status) })
      expect(errors).toEqual([expect.stringContaining("no refund was asked")])
      const issuerPaymentRefNo = booked().issuerPaymentRefNo ?? ""
      const known = await query({ references: { ...kept.references, issuerPaymentRefNo } })
      expect([known.result, "risk" in known, errors.length]).toEqual(["done", false, 1])
    }
  )

  test("PinGiven: money may be moving, so it never expires, and an operator looks after a week", async () => {
    await page()
    booked().status = "PinGiven"
    const answers = [await query(), await query({ now: later(86_400) }), await query({ now: later(8 * 86_400) })]
    expect(answers.map((answer) => [answer.result, "awaiting_shopper" in answer, "needs_operator" in answer])).toEqual([
      ["unknown", false, false],
      ["unknown", false, false],
      ["unknown", false, true],
    ])
    await kept.save({})
    booked().status = "OrderInitiated"
  })

  test("UnKnownFailed is open for an hour, and may turn into Success", async () => {
    await standIn.shop(await page())
    const paid = booked().status
    booked().status = "UnKnownFailed"
    expect(await query({ now: later(3_000) })).toMatchObject({ result: "unknown" })
    expect(await query({ now: later(3_601) })).toMatchObject({ result: "refused", code: "CARD_DECLINED" })
    booked().status = paid
    expect(await query()).toMatchObject({ result: "done" })
    expect(acquirer.pageStaysOpen).toBe(true)
  })

  test("an order that nobody has begun to pay expires half an hour after our session, when its page has ended, too", async () => {
    await page()
    const ended = request.expires_at.getTime()
    expect(await query({ now: new Date(ended + 1_799_000) })).toMatchObject({ awaiting_shopper: true })
    expect(await query({ now: new Date(ended + 1_800_000) })).toMatchObject({ result: "refused", code: "EXPIRED" })
  })

  test("without notifications it is asked early: after 30 seconds, 2, 5 and 10 minutes, then as usual", async () => {
    expect(await start()).toMatchObject({ result: "redirect", ask_again_at: later(30) })
    const next = async (seconds: number) =>
      ((await query({ now: later(seconds) })) as { ask_again_at?: Date }).ask_again_at
    expect(await Promise.all([1, 30, 120, 300, 600].map(next))).toEqual([...[30, 120, 300, 600].map(later), undefined])
    const soonOver = await query({ now: later(121), expires_at: later(200) })
    expect(soonOver).toMatchObject({ ask_again_at: later(200) })
  })

  test.each<[string, string, object]>([
    ["html", "maintenance", {}],
    ["empty", "credentials", {}],
    ["null", "credentials", {}],
    ["http", "maintenance", { status: 503 }],
    ["lost_before", "network", {}],
    ["error", "bad_request", { reason: "InvalidReferenceId" }],
  ])("a question that is answered with %s leaves the payment open (%s)", async (kind, trouble, more) => {
    await standIn.shop(await page())
    standIn.faults.add({ on: "verify", kind, ...more })
    const answer = await query()
    expect(answer).toMatchObject({ result: "unknown", trouble })
    expect(JSON.stringify(answer)).not.toContain(booked().paymentRefId)
    expect(await query()).toMatchObject({ result: "done" })
  })

  test("a callback that is doubled, incomplete, or about another attempt or merchant says nothing", async () => {
    const callback = new URL(await standIn.shop(await page(), "cancel"))
    const read = (search: string, key = request.key) =>
      acquirer.readReturn({ method: "GET", target: `/return/${key}${search}`, headers: {}, body: Buffer.alloc(0) })
    expect(read(callback.search)).toMatchObject({ claims: "cancelled" })
    expect(read(callback.search.replaceAll("%2B", "+"))).toMatchObject({ claims: "cancelled" })
    expect(read(callback.search.replace("Cancelled", "Failed"))).toMatchObject({ claims: "not_paid" })
    const others = [
      "",
      "?status=Success",
      `${callback.search}&status=Success`,
      callback.search.replace("Cancelled", "?"),
    ]
    expect(others.map((search) => read(search))).toEqual([null, null, null, null])
    expect(read(callback.search, "pay000000000000000000000000000")).toBeNull()
    credentials.merchant_id = "111111111111111"
    acquirer = open()
    expect(read(callback.search)).toBeNull()
  })

  test("the connection test opens an order that nobody completes", async () => {
    expect(await acquirer.test()).toEqual({ works: true })
    expect([booked().amount, standIn.calls("complete").length]).toEqual([null, 0])
    credentials.merchant_id = "111111111111111"
    expect(await open().test()).toMatchObject({ works: false, trouble: "credentials" })
  })
})
