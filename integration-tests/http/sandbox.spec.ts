import { brief, gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { useStore } from "../support/store"
import { DAY, Subscriber } from "../support/subscriptions"

const store = useStore({
  production: true,
  prepare: async (booted) => {
    merchant = await newMerchant(booted)
  },
})
let merchant: ApiMerchant

const card = (card_number: string) => ({ payment_method: "card", card_number })
const state = async (id: string): Promise<string> => (await store.db("gateway_transaction").where({ id }).first()).state

describe("contract 7.3, decisions: Sandbox — trigger amounts", () => {
  it.each([
    ["100.00", "SUCCESS", undefined],
    ["200.00", "FAILED", "INSUFFICIENT_FUNDS"],
    ["300.00", "FAILED", "CARD_DECLINED"],
    ["400.00", "FAILED", "NETWORK_ERROR"],
    ["99999.00", "FAILED", "LIMIT_EXCEEDED"],
    ["999.00", "SUCCESS", undefined],
    ["200.01", "SUCCESS", undefined],
    ["300", "FAILED", "CARD_DECLINED"],
  ])("%s: %s %s", async (order_amount, status, error_code) => {
    const { session_id, transaction_id } = await merchant.open({ order_amount })
    const answer = await merchant.pay(session_id)
    expect([answer.status, answer.body.success, answer.body.data.status]).toEqual([200, true, status])
    expect(await merchant.verified(transaction_id)).toMatchObject({
      status,
      verified: status === "SUCCESS",
      ...(error_code ? { error_code } : {}),
    })
  })

  it.each(["4000000000000002", "4000000000009995", "4000000000000069", "4000000000000127", "4100000000000019"])(
    "100.00 succeeds with the card %s, which is declined for other amounts",
    async (number) => {
      const { session_id, transaction_id } = await merchant.open({ order_amount: "100.00" })
      expect((await merchant.pay(session_id, card(number))).body.data.status).toBe("SUCCESS")
      expect(await merchant.verified(transaction_id)).toMatchObject({ status: "SUCCESS", verified: true })
    }
  )

  it("a renewal of 100.00 succeeds with such a card too; once the amount is another one, the card is declined", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner, { amount: "100.00" })
    await subscriber.pay(card("4000000000000002"))
    await owner.advance(32 * DAY)
    expect((await subscriber.history()).map(({ status }) => status)).toEqual(["SUCCESS", "SUCCESS"])
    await subscriber.call("PATCH", "", { amount: "150.00" })
    await owner.advance(32 * DAY)
    expect(await subscriber.status()).toBe("PAST_DUE")
  })

  it("an amount decides for every method, and over a card that would succeed", async () => {
    for (const payment_method of ["card", "mobile_banking", "internet_banking", "wallet"]) {
      const { session_id } = await merchant.open({ order_amount: "200.00" })
      expect((await merchant.pay(session_id, { payment_method })).body.data.status).toBe("FAILED")
    }
  })

  it("decisions: Sandbox — a network error is tried three times, then FAILED, with one event", async () => {
    const { session_id, transaction_id } = await merchant.open({ order_amount: "400.00" })
    await merchant.pay(session_id)
    expect(await merchant.book(transaction_id)).toEqual([{ outcome: "NETWORK_ERROR", tries: 3, amount_minor: 40_000 }])
    expect(await merchant.events(transaction_id)).toHaveLength(1)
  })

  it("other declines are not tried again", async () => {
    const { session_id, transaction_id } = await merchant.open({ order_amount: "300.00" })
    await merchant.pay(session_id)
    expect((await merchant.book(transaction_id))[0].tries).toBe(1)
  })
})

describe("decisions: Sandbox — test cards", () => {
  it.each([
    ["4242424242424242", "SUCCESS", undefined],
    ["4111111111111111", "SUCCESS", undefined],
    ["5555555555554444", "SUCCESS", undefined],
    ["378282246310005", "SUCCESS", undefined],
    ["4242 4242-4242 4242", "SUCCESS", undefined],
    ["4000000000000002", "FAILED", "CARD_DECLINED"],
    ["4000000000009995", "FAILED", "INSUFFICIENT_FUNDS"],
    ["4000000000000069", "FAILED", "EXPIRED_CARD"],
    ["4000000000000127", "FAILED", "INVALID_CVV"],
    ["4100000000000019", "FAILED", "FRAUD_SUSPECTED"],
    ["4000000000007726", "SUCCESS", undefined],
    ["4000000000007734", "SUCCESS", undefined],
    ["4000000000005126", "SUCCESS", undefined],
  ])("%s: %s %s", async (number, status, error_code) => {
    const { session_id, transaction_id } = await merchant.open()
    expect((await merchant.pay(session_id, card(number))).body.data.status).toBe(status)
    expect(await merchant.verified(transaction_id)).toMatchObject({ status, ...(error_code ? { error_code } : {}) })
  })

  it.each(["4242424242424241", "5105105105105100", "41", "4242424242424242424", "abcd", "৪২৪২৪২৪২৪২৪২৪২৪২"])(
    "%s is no test card: 422 card_number, and the attempt is not used up",
    async (number) => {
      const { session_id, transaction_id } = await merchant.open()
      const refused = await merchant.pay(session_id, card(number))
      expect(brief(refused)).toBe("422 VALIDATION_ERROR card_number")
      expect(refused.body.message + JSON.stringify(refused.body.error.details)).not.toContain(number)
      expect(await state(transaction_id)).toBe("OPEN")
      expect(await merchant.book(transaction_id)).toEqual([])
      expect((await merchant.pay(session_id)).body.data.status).toBe("SUCCESS")
    }
  )

  it("no card number is stored anywhere: brand and last four are", async () => {
    const { session_id, transaction_id } = await merchant.open()
    await merchant.pay(session_id, card("378282246310005"))
    const row = await store.db("gateway_transaction").where({ id: transaction_id }).first()
    expect(row.instrument).toEqual({ brand: "AMEX", last_four: "0005" })
    for (const table of ["gateway_transaction", "gateway_sandbox_operation", "gateway_event"]) {
      const { rows } = await store.db.raw(
        `SELECT id FROM ${table} AS stored WHERE stored::text LIKE '%378282246310005%'`
      )
      expect([table, rows]).toEqual([table, []])
    }
  })
})

describe("decisions: Sandbox — mobile banking, as the hosted page passes it on", () => {
  const pay = (session_id: string, mobile: { number: string; otp: string; pin: string }, final = false) =>
    gatewayOf(store).payments.pay({
      session_id,
      final,
      page_url: "",
      instrument: { method: "mobile_banking", payment_service: "BKASH", mobile },
    })

  it.each([
    ["01712345678", "123456", "12345", "SUCCESS", null],
    ["+880 1812-345678", "123456", "12345", "SUCCESS", null],
    ["01712345678", "654321", "12345", "FAILED", "AUTHENTICATION_FAILED"],
    ["01712345678", "123456", "54321", "FAILED", "AUTHENTICATION_FAILED"],
    ["01712345678", "", "", "FAILED", "AUTHENTICATION_FAILED"],
  ])("%s with OTP %p and PIN %p: %s", async (number, otp, pin, status, error_code) => {
    const [{ session_id, transaction_id }, other] = [await merchant.open(), await merchant.open()]
    expect(await pay(session_id, { number, otp, pin }, true)).toMatchObject({ status, error_code })
    for (const row of [
      await store.db("gateway_transaction").where({ id: transaction_id }).first(),
      await store.db("gateway_payment_attempt").where({ transaction_id }).first(),
    ]) {
      expect(JSON.stringify(row.instrument)).not.toContain(number.replace(/\D/g, ""))
    }
    expect(await pay(other.session_id, { number, otp, pin })).toMatchObject(
      status === "SUCCESS" ? { status, declined: null } : { status: "PENDING", error_code: null, declined: error_code }
    )
  })

  it.each(["+14155552671", "0171234567", "02-9123456", ""])(
    "%p is no Bangladeshi mobile number: 422, the attempt is kept",
    async (number) => {
      const { session_id, transaction_id } = await merchant.open()
      await expect(pay(session_id, { number, otp: "123456", pin: "12345" })).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
        field: "mobile_number",
      })
      expect(await state(transaction_id)).toBe("OPEN")
    }
  )
})

describe("contract 4.8 sandbox behaviour, decisions: Sandbox — what the cards and 999.00 mean for refunds", () => {
  it.each([
    ["4242424242424242", "1000.00", "completed"],
    ["4000000000007726", "1000.00", "completed"],
    ["4000000000007734", "1000.00", "processing"],
    ["4000000000005126", "1000.00", "failed"],
    ["4242424242424242", "999.00", "failed"],
    ["4000000000007726", "999.00", "failed"],
  ])("%s and %s: the refund is %s", async (number, order_amount, expected) => {
    const { session_id, transaction_id } = await merchant.open({ order_amount })
    await merchant.pay(session_id, card(number))
    const refund = await gatewayOf(store).refunds.create({
      transaction_id,
      reason: "test",
      requested_by: "test",
      request_key: "one",
    })
    expect(refund.state).toBe(expected)
    const row = await store.db("gateway_transaction").where({ id: transaction_id }).first()
    expect(row.refunded_minor).toBe(expected === "failed" ? 0 : row.amount_minor)
    expect((await merchant.verified(transaction_id)).status).toBe(expected === "completed" ? "REFUNDED" : "SUCCESS")
  })
})

describe("decisions: Sandbox — POST /sandbox/sessions/{session_id}/pay", () => {
  it("answers { success, message, data: { transaction_id, status, redirect_url } }", async () => {
    const { session_id, transaction_id } = await merchant.open({ order_id: "S-1" })
    const { body } = await merchant.pay(session_id)
    const redirect_url = `https://shop.example.com/paid?transaction_id=${transaction_id}&status=SUCCESS&order_id=S-1`
    expect(body).toMatchObject({
      success: true,
      message: expect.any(String),
      data: { transaction_id, status: "SUCCESS", redirect_url },
    })
  })

  it.each([
    ["nothing", {}, "422 MISSING_REQUIRED_FIELD payment_method"],
    ["an unknown method", { payment_method: "cash" }, "422 VALIDATION_ERROR payment_method"],
    [
      "a service of another method",
      { payment_method: "card", payment_service: "BKASH" },
      "422 VALIDATION_ERROR payment_service",
    ],
    [
      "an unknown service",
      { payment_method: "wallet", payment_service: "PIGEON" },
      "422 VALIDATION_ERROR payment_service",
    ],
    [
      "a card number that is no text",
      { payment_method: "card", card_number: 4242424242424242 },
      "422 VALIDATION_ERROR card_number",
    ],
  ])("%s: %o is %s", async (_name, body, expected) => {
    const { session_id, transaction_id } = await merchant.open()
    expect(brief(await merchant.pay(session_id, body))).toBe(expected)
    expect(await state(transaction_id)).toBe("OPEN")
  })

  it("contract 2.5: a method the order does not allow: 422 payment_method", async () => {
    const { session_id } = await merchant.open({ payment_info: { allowed_payment_methods: ["mobile_banking"] } })
    expect(brief(await merchant.pay(session_id))).toBe("422 VALIDATION_ERROR payment_method")
    expect((await merchant.pay(session_id, { payment_method: "mobile_banking" })).body.data.status).toBe("SUCCESS")
  })

  it("decisions: Checkout — payment_service_id preselects, a named service wins", async () => {
    const preselected = { payment_info: { payment_service_id: 4 } }
    const [first, second] = [await merchant.open(preselected), await merchant.open(preselected)]
    await merchant.pay(first.session_id, { payment_method: "mobile_banking" })
    await merchant.pay(second.session_id, { payment_method: "mobile_banking", payment_service: "UPAY" })
    expect((await merchant.verified(first.transaction_id)).payment_method).toBe("ROCKET")
    expect((await merchant.verified(second.transaction_id)).payment_method).toBe("UPAY")
  })

  it.each(["ses_unknown", `ses_${"A".repeat(32)}`, "%ff", "%00", "$&", "..%2f"])(
    "session %s: 404 SESSION_NOT_FOUND",
    async (id) => {
      expect(brief(await merchant.pay(id))).toBe("404 SESSION_NOT_FOUND")
      expect(brief(await merchant.cancel(id))).toBe("404 SESSION_NOT_FOUND")
    }
  )
})
