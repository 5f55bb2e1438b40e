import { ShurjopayAcquirer } from "../../../../src/modules/gateway/acquirers/shurjopay/adapter"
import type {
  AcquirerContext,
  AttemptRequest,
  PaymentRequest,
  References,
  RefundRequest,
} from "../../../../src/modules/gateway/acquirers/port"
import { paymentRequest } from "../../../support/acquirer"
import { contextOf, Kept, MemoryTokens } from "../../bkash/stand-in"
import { loadStandIn, type StandIn } from "../stand-in"

let standIn: StandIn
let credentials: Record<string, string>
let tokens: MemoryTokens
let acquirer: ShurjopayAcquirer
let kept: Kept
let request: PaymentRequest
const errors: string[] = []

beforeEach(async () => {
  const { startStandIn, CREDENTIALS } = await loadStandIn()
  standIn = await startStandIn()
  credentials = { ...CREDENTIALS }
  tokens = new MemoryTokens()
  acquirer = open()
  kept = new Kept()
  request = paymentRequest()
  errors.splice(0)
})
afterEach(() => standIn.close())

function open(changes: Partial<AcquirerContext> = {}): ShurjopayAcquirer {
  const logger = { warn: () => undefined, error: (line: string) => void errors.push(line) }
  return new ShurjopayAcquirer(contextOf(standIn, credentials, { logger, tokens, ...changes }))
}
const start = () => kept.of(acquirer.start(request))
const query = (more: References = {}, changes: Partial<AttemptRequest> = {}) =>
  acquirer.query({ ...request, references: { ...kept.references, ...more }, ...changes })
/** As after the shopper's return. */
const verify = () => query({ returned: "yes" })
const booked = () => standIn.book.payments.at(-1) as StandIn["book"]["payments"][number]
const sent = (operation: string) =>
  standIn.calls(operation).map(({ body }) => JSON.parse(body) as Record<string, unknown>)

async function page(): Promise<string> {
  const started = await start()
  if (started.result !== "redirect") {
    throw new Error(`no redirect: ${JSON.stringify(started)}`)
  }
  return started.url
}

describe("shurjoPay: the start", () => {
  test("what is sent and kept: the token in both places, an order number of this try, the return without a query", async () => {
    const url = await page()
    expect(url).toBe(`${standIn.url}/spaycheckout/${booked().sp_order_id}`)
    const [{ token, ...form }] = sent("create")
    expect(standIn.calls("create")[0].headers.authorization).toBe(`Bearer ${String(token)}`)
    expect(form).toEqual({
      prefix: "SPT",
      store_id: "7",
      order_id: expect.stringMatching(new RegExp(`^${request.key}[0-9a-f]{6}$`)),
      return_url: request.return_url,
      cancel_url: request.return_url,
      amount: "1250.50",
      currency: "BDT",
      client_ip: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/),
      customer_name: "Rahim Uddin",
      customer_phone: "01711111111",
      customer_email: "rahim@example.com",
      customer_address: "12 Lake Road",
      customer_city: "Dhaka",
      customer_postcode: "1205",
      customer_post_code: "1205",
      customer_country: "Bangladesh",
      value1: request.key,
    })
    expect(kept.references).toEqual({ order_id: form.order_id, sp_order_id: booked().sp_order_id })
  })

  test("a cart without name, address and phone, or with a phone of abroad, can be paid too", async () => {
    const customer = { name: "", email: "", address: "", city: "", postcode: "", country: "", phone: "+14155552671" }
    request = { ...request, customer }
    await page()
    expect(sent("create")[0]).toMatchObject({ customer_name: "N/A", customer_phone: "00000000000" })
  })

  test.each(["lost_before", "lost_after"])(
    "unanswered (%s): nobody has a page, so it is refused and tried again under another order number",
    async (kind) => {
      standIn.faults.add({ on: "create", kind })
      expect(await start()).toMatchObject({ result: "refused", code: "NETWORK_ERROR", trouble: "network", retry: true })
      expect([kept.references, await query()]).toEqual([{}, { result: "absent" }])
      await page()
      const [first, second] = sent("create").map(({ order_id }) => order_id)
      expect(first).not.toBe(second)
    }
  )

  test.each<[string, object, object]>([
    ["HTML", { kind: "html" }, { trouble: "maintenance" }],
    ["status 503", { kind: "http", status: 503 }, { trouble: "maintenance" }],
    ["status 429", { kind: "http", status: 429 }, { trouble: "rate_limited" }],
    ["1003", { kind: "error", code: "1003" }, { trouble: "credentials" }],
    ["2008", { kind: "error", code: "2008" }, { trouble: "credentials" }],
    ["1062", { kind: "error", code: "1062" }, { trouble: "bad_request" }],
    ["9999", { kind: "error", code: "9999" }, { trouble: "bad_request" }],
    ["1009", { kind: "error", code: "1009" }, { code: "LIMIT_EXCEEDED", reason: "limit_exceeded" }],
    ["a payment without a number", { kind: "change", fields: { sp_order_id: null } }, { trouble: "bad_request" }],
    ["another order", { kind: "change", fields: { customer_order_id: "other" } }, { trouble: "bad_request" }],
  ])("%s: refused for good, nobody has a page", async (_name, fault, expected) => {
    standIn.faults.add({ on: "create", ...fault } as never)
    const answer = await start()
    expect(answer).toMatchObject({ result: "refused", ...expected })
    expect(answer).not.toHaveProperty("retry", true)
  })

  test.each(["https://shurjopayment.com.evil.example/", "javascript:alert(1)", "http://127.0.0.1:1/"])(
    "nobody is sent to %j",
    async (checkout_url) => {
      standIn.faults.add({ on: "create", kind: "change", fields: { checkout_url } })
      expect(await start()).toMatchObject({ result: "refused", trouble: "bad_request" })
      expect(errors).toEqual([expect.stringContaining("nobody was sent there")])
    }
  )

  test("another currency is refused before anything is sent; a port that is closed may be tried again", async () => {
    expect(await acquirer.start({ ...request, currency: "USD" })).toMatchObject({ trouble: "bad_request" })
    expect(standIn.book.requests).toEqual([])
    const closed = open({ base_url: "http://127.0.0.1:1" })
    expect(await closed.start(request)).toMatchObject({ result: "refused", trouble: "network", retry: true })
  })
})

describe("shurjoPay: tokens", () => {
  test("one token serves many payments and questions; it is kept for a quarter of an hour, whatever the answer says", async () => {
    await Promise.all(Array.from({ length: 5 }, () => acquirer.start(paymentRequest())))
    await page()
    await query()
    expect(standIn.calls("token")).toHaveLength(1)
    expect(sent("token")).toEqual([{ username: credentials.username, password: credentials.password }])
    const life = (tokens.kept?.expires_at.getTime() ?? 0) - Date.now()
    expect(life).toBeGreaterThan(14 * 60_000)
    expect(life).toBeLessThanOrEqual(15 * 60_000)
  })

  test("a token that is turned down in the middle is fetched anew once, and the request sent once more", async () => {
    await page()
    standIn.revoke()
    expect(await query()).toMatchObject({ result: "unknown", awaiting_shopper: true })
    expect([standIn.calls("token").length, standIn.calls("status").length]).toEqual([2, 2])
  })

  test.each([
    ["401", { kind: "error", code: "1064", status: 401 }],
    ["1064 in an answer with 200", { kind: "error", code: "1064" }],
  ])("%s twice: credentials, and no third request", async (_name, fault) => {
    standIn.faults.add({ on: "create", times: 5, ...fault })
    expect(await start()).toMatchObject({ result: "refused", trouble: "credentials" })
    expect([standIn.calls("token").length, standIn.calls("create").length]).toEqual([2, 2])
  })

  test.each<[string, object, string]>([
    ["a wrong password", { kind: "error", code: "1003" }, "credentials"],
    ["no store", { kind: "change", fields: { store_id: null } }, "credentials"],
    ["HTML", { kind: "html" }, "maintenance"],
    ["status 429", { kind: "http", status: 429 }, "rate_limited"],
    ["nothing", { kind: "lost_after" }, "network"],
  ])("no token, because of %s: nothing is sent, and a payment stays open", async (_name, fault, trouble) => {
    standIn.faults.add({ on: "token", times: 2, ...fault } as never)
    const answer = await start()
    expect(answer).toMatchObject({ result: "refused", code: "NETWORK_ERROR", trouble })
    expect(JSON.stringify(answer)).not.toContain(credentials.password)
    expect(await query({ sp_order_id: "SPT1" })).toMatchObject({ result: "unknown", trouble })
    expect([standIn.calls("create"), standIn.calls("status")]).toEqual([[], []])
  })

  test("1000 in place of 200, and an address for calls on another host, change nothing", async () => {
    const fields = { sp_code: "1000", execute_url: "https://evil.example/api/secret-pay" }
    standIn.faults.add({ on: "token", kind: "change", fields })
    await page()
  })
})

describe("shurjoPay: the outcome", () => {
  test.each([
    ["the reconciler, which asks payment-status", query, ["status"]],
    ["the return, after which verification is asked", verify, ["verification"]],
  ] as const)("paid, found by %s: compared, and kept without names and card numbers", async (_name, ask, calls) => {
    await standIn.shop(await page())
    expect(await ask()).toEqual({
      result: "done",
      reference: booked().sp_order_id,
      amount: 125_050n,
      currency: "BDT",
      references: { bank_trx_id: booked().bank_trx_id },
      details: {
        method: "Visa",
        bank_status: "Success",
        invoice_no: "INV100",
        date_time: expect.any(String),
        payable_amount: "1250.5000",
        received_amount: "1225.4900",
      },
      instrument: { brand: "Visa", last_four: "1111" },
    })
    expect(calls.map((operation) => sent(operation))).toEqual([[{ order_id: booked().sp_order_id }]])
  })

  test.each<[string, object, object]>([
    ["as an object, not a list", { kind: "object" }, { result: "done", amount: 125_050n }],
    ["verified before (208)", { kind: "change", fields: { sp_code: 208 } }, { result: "done", amount: 125_050n }],
    ["in the other spelling", { kind: "change", fields: { received_amount: "1250.5000" } }, { result: "done" }],
    ["another amount", { kind: "change", fields: { amount: "1250.4900" } }, { result: "done", amount: 125_049n }],
    ["a number for an amount", { kind: "change", fields: { amount: 1250.5 } }, { result: "done", amount: 125_050n }],
    ["a part of a poisha", { kind: "change", fields: { amount: "1250.5010" } }, { result: "unknown" }],
    ["another currency", { kind: "change", fields: { currency: "USD" } }, { result: "done", currency: "USD" }],
    [
      "a discount (of the misspelt field)",
      { kind: "change", fields: { discsount_amount: "50.5000" } },
      { result: "done", amount: 120_000n },
    ],
    [
      "a discount (of the other field)",
      { kind: "change", fields: { discount_amount: "0.5000" } },
      { result: "done", amount: 125_000n },
    ],
    ["no currency", { kind: "change", fields: { currency: null } }, { result: "unknown" }],
    ["no bank_trx_id", { kind: "change", fields: { bank_trx_id: null } }, { result: "unknown" }],
    [
      "another order of ours",
      { kind: "change", fields: { customer_order_id: "other" } },
      { result: "unknown", trouble: "bad_request" },
    ],
    [
      "another number of theirs",
      { kind: "change", fields: { order_id: "SPTother" } },
      { result: "unknown", trouble: "bad_request" },
    ],
    ["two payments", { kind: "twice" }, { result: "unknown", trouble: "maintenance" }],
    ["an empty list", { kind: "none" }, { result: "unknown", trouble: "maintenance" }],
    ["no code", { kind: "change", fields: { sp_code: null } }, { result: "unknown", trouble: "bad_request" }],
    ["a code that is no text", { kind: "change", fields: { sp_code: { a: 1 } } }, { result: "unknown" }],
    ["HTML", { kind: "html" }, { result: "unknown", trouble: "maintenance" }],
    ["status 500", { kind: "http", status: 500 }, { result: "unknown", trouble: "maintenance" }],
    ["nothing", { kind: "lost_after" }, { result: "unknown", trouble: "network" }],
  ])("a paid payment, answered with %s", async (_name, fault, expected) => {
    await standIn.shop(await page())
    standIn.faults.add({ on: "status", ...fault } as never)
    expect(await query()).toMatchObject(expected)
    expect(errors).toHaveLength(_name.startsWith("another order") || _name.startsWith("another number") ? 1 : 0)
    expect(await query()).toMatchObject({ result: "done", amount: 125_050n })
  })

  test.each<[string, object]>([
    ["1002", { result: "refused", code: "CANCELLED" }],
    ["1004", { result: "refused", code: "EXPIRED" }],
    ["1006", { result: "refused", code: "CARD_DECLINED", reason: "wrong_otp" }],
    ["1007", { result: "refused", code: "CARD_DECLINED", reason: "wrong_pin" }],
    ["1008", { result: "refused", code: "INSUFFICIENT_FUNDS", reason: "insufficient_funds" }],
    ["1009", { result: "refused", code: "LIMIT_EXCEEDED", reason: "limit_exceeded" }],
    ["1061", { result: "refused", code: "LIMIT_EXCEEDED", reason: "repeated_in_ten_minutes" }],
    ["2009", { result: "refused", code: "CARD_DECLINED", reason: "account_blocked" }],
    ["1066", { result: "unknown", awaiting_shopper: true }],
    ["1068", { result: "unknown", awaiting_shopper: true }],
    ["1003", { result: "unknown", trouble: "credentials" }],
    ["2008", { result: "unknown", trouble: "credentials" }],
    ["1010", { result: "unknown", trouble: "bad_request" }],
    ["1062", { result: "unknown", trouble: "bad_request" }],
  ])("%s", async (code, expected) => {
    await page()
    booked().state = code
    expect(await query()).toMatchObject(expected)
    expect(errors).toEqual([])
  })

  test.each(["1065", "2005", "2007", "7777", ""])(
    "%j leaves the payment open, long after our session too, and does not say that the shopper has yet to pay",
    async (code) => {
      await page()
      booked().state = code
      const answers = [await query(), await verify(), await query({}, { now: new Date(Date.now() + 30 * 86_400_000) })]
      answers.forEach((answer) => {
        expect(answer).toMatchObject({ result: "unknown" })
        expect(answer).not.toHaveProperty("awaiting_shopper", true)
      })
    }
  )

  test.each(["1001", "1005", "1012", "1063", "1067"])(
    "%s: the shopper may try again on the same page, so it is a refusal only after the return or at the end",
    async (code) => {
      await page()
      booked().state = code
      expect(await query()).toMatchObject({ result: "unknown", awaiting_shopper: true })
      expect(await verify()).toMatchObject({ result: "refused", code: "CARD_DECLINED" })
      expect(await query({}, { now: request.expires_at })).toMatchObject({ result: "refused", code: "CARD_DECLINED" })
      booked().state = "waiting"
      await standIn.shop(`${standIn.url}/spaycheckout/${booked().sp_order_id}`)
      expect(await query()).toMatchObject({ result: "done" })
      expect(acquirer.pageStaysOpen).toBe(true)
    }
  )

  test("1011 for a payment that shurjoPay has opened is an alarm, and never an absence", async () => {
    await page()
    expect(await query({ sp_order_id: "SPT0000000000000" })).toMatchObject({
      result: "unknown",
      trouble: "bad_request",
    })
    expect(errors).toEqual([expect.stringContaining("does not know the payment")])
  })

  test.each<[string, boolean, boolean]>([
    // Code, whether it is an alarm for one that we have not seen paid, and for one that we have.
    ["2000", true, false],
    ["2001", true, false],
    ["2002", true, false],
    ["2006", false, false],
    ["3000", true, true],
  ])("%s was paid", async (code, alarmsFirst, alarmsLater) => {
    await standIn.shop(await page())
    const { bank_trx_id } = booked()
    booked().state = code
    for (const [seen, alarms] of [
      [{}, alarmsFirst],
      [{ bank_trx_id: bank_trx_id ?? "" }, alarmsLater],
    ] as const) {
      errors.splice(0)
      const answer = await query(seen)
      expect(answer).toMatchObject({ result: "done", amount: 125_050n })
      expect([errors.length, "risk" in answer]).toEqual(alarms ? [1, true] : [0, false])
    }
  })

  test.each([
    ["a wallet", "01711223344", { account: "017****3344" }],
    ["a whole card number", "4111 1111 1111 1111", { last_four: "1111" }],
    ["nothing", null, {}],
  ])("of %s only the end is kept", async (_name, card_number, kept) => {
    await standIn.shop(await page(), "pay", "bKash")
    booked().card_number = card_number
    const answer = await query()
    expect(answer).toMatchObject({ result: "done" })
    expect((answer as { instrument?: unknown }).instrument).toEqual({ brand: "bKash", ...kept })
  })
})

describe("shurjoPay: hints", () => {
  const incoming = { method: "GET", target: "/x", headers: {}, body: Buffer.alloc(0) }
  const form = (text: string) => ({ ...incoming, method: "POST", body: Buffer.from(text) })
  const json = (text: string) => ({ ...form(text), headers: { "content-type": "application/json; charset=utf-8" } })

  test("the way back says only that the shopper is back", async () => {
    const back = new URL(await standIn.shop(await page(), "cancel"))
    expect(`${back.origin}${back.pathname}`).toBe(request.return_url)
    const { sp_order_id } = kept.references
    const hint = { about: "payment", references: { sp_order_id, returned: "yes" }, claims: "unclear" }
    expect(acquirer.readReturn({ ...incoming, target: back.pathname + back.search })).toEqual(hint)
    expect(acquirer.readReturn(form(`order_id=${sp_order_id}`))).toEqual(hint)
    expect(acquirer.readReturn(incoming)).toBeNull()
  })

  test.each([
    ["the query", { ...incoming, target: "/n?order_id=SPT1" }],
    ["a form", form("order_id=SPT1&status=paid")],
    ["JSON", json('{"order_id":"SPT1"}')],
    ["both", { ...form("order_id=SPT1"), target: "/n?order_id=SPT1" }],
  ])("a notification in %s makes the core ask about the payment of that number", async (_name, message) => {
    expect(await acquirer.readNotification(message)).toEqual({
      result: "hint",
      hint: { about: "payment", references: { sp_order_id: "SPT1" }, claims: "paid" },
    })
    expect(standIn.book.requests).toEqual([])
  })

  test.each([
    ["nothing", incoming],
    ["two numbers", { ...form("order_id=SPT1"), target: "/n?order_id=SPT2" }],
    ["no number of theirs", form(`order_id=${encodeURIComponent("' OR 1=1")}`)],
    ["broken JSON", json("{")],
    ["an object", json('{"order_id":{"a":1}}')],
  ])("a notification with %s is about nothing of ours", async (_name, message) => {
    expect(await acquirer.readNotification(message)).toEqual({ result: "irrelevant" })
  })
})

describe("shurjoPay: refunds, which it takes in its panel only", () => {
  const refund = (changes: Partial<RefundRequest> = {}): RefundRequest => ({
    key: "rfd_000000000001",
    amount: 125_050n,
    currency: "BDT",
    references: {},
    reason: "Dented",
    payment: { key: request.key, reference: "", amount: 125_050n, references: kept.references },
    other_refunds: [],
    now: new Date(),
    ...changes,
  })
  beforeEach(async () => {
    await standIn.shop(await page())
    await kept.of(query())
  })

  test("an admin has to make it: nothing is sent, and the reconciler may ask at once", async () => {
    const before = standIn.book.requests.length
    const asked = refund()
    expect(await acquirer.refund(asked)).toEqual({
      result: "unknown",
      needs_operator: true,
      message: `shurjoPay takes refunds in its panel only: refund ${booked().sp_order_id} there, then say here that it was done`,
      references: { refund: "by_hand", sp_order_id: booked().sp_order_id },
      ask_again_at: asked.now,
    })
    expect(standIn.book.requests).toHaveLength(before)
    expect(await acquirer.refundStatus(asked)).toMatchObject({ result: "unknown", needs_operator: true })
  })

  test("the whole amount, made in the panel, is found; of a part the sum cannot be read", async () => {
    standIn.refundInPanel(booked().sp_order_id)
    expect(await acquirer.refundStatus(refund())).toEqual({
      ...{ result: "done", reference: booked().sp_order_id, amount: 125_050n, currency: "BDT" },
    })
    expect(await acquirer.refundStatus(refund({ amount: 25_000n }))).toMatchObject({ needs_operator: true })
    expect(errors).toEqual([])
  })

  test.each([
    ["asked for", { kind: "change", fields: { sp_code: "2000" } }],
    ["another order", { kind: "change", fields: { customer_order_id: "other", sp_code: "2002" } }],
    ["another amount", { kind: "change", fields: { amount: "1.0000", sp_code: "2002" } }],
    ["no answer", { kind: "lost_after" }],
  ])("%s: an admin still decides", async (_name, fault) => {
    standIn.faults.add({ on: "status", ...fault })
    expect(await acquirer.refundStatus(refund())).toMatchObject({
      ...{ result: "unknown", needs_operator: true, references: { refund: "by_hand" } },
    })
  })
})

describe("shurjoPay: the connection test", () => {
  test("asks about a payment that does not exist, and moves nothing", async () => {
    expect(await acquirer.test()).toEqual({ works: true })
    expect(standIn.book.payments).toEqual([])
  })

  test("wrong credentials, no answer, and another answer do not work", async () => {
    credentials.password = "wrong"
    expect(await open().test()).toEqual({
      ...{ works: false, trouble: "credentials" },
      message: "No token: shurjoPay 1003: Invalid username or password",
    })
    credentials.password = (await loadStandIn()).CREDENTIALS.password
    standIn.faults.add({ on: "status", kind: "lost_before" })
    expect(await open().test()).toMatchObject({ works: false, trouble: "network" })
    standIn.faults.add({ on: "status", kind: "error", code: "2008" })
    expect(await open().test()).toMatchObject({ works: false, trouble: "credentials" })
  })
})
