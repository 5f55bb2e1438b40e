import { brief, gatewayOf, newMerchant, type Answer, type ApiMerchant, type Data } from "../support/api"
import { addEmi, storedPlan } from "../support/emi"
import { mailProviderOf, notificationsOf } from "../support/mails"
import { useStore } from "../support/store"
import { SandboxAuthorizing } from "../../src/modules/gateway/acquirers/sandbox-authorizing"
import { warnOfEndingAuthorizations } from "../../src/store/ending-authorizations"

const store = useStore({
  prepare: async (booted) => {
    merchant = await newMerchant(booted)
  },
})
let merchant: ApiMerchant

const DAY = 86_400
const CARD = { succeeds: "4242424242424242", captureFails: "4000000000003055", oneDay: "4000000000003063" }
const MANUAL = { payment_info: { capture: "manual" } }
const card = (card_number: string) => ({ payment_method: "card", card_number })
/** What the answers about captures have beside the members of other answers. */
type Captured = Data & {
  authorized: boolean
  authorized_amount: string
  captured_amount: string
  capture_before: string
  capture_id: string
  capture_amount: string
  capture_status: string
}
const data = (answer: Answer) => answer.body.data as Captured
const capture = (id: string, body?: object, owner = merchant) => owner.call("POST", `/payments/${id}/capture`, body)
const release = (id: string, owner = merchant) => owner.call("POST", `/payments/${id}/void`)
const verified = async (id: string, owner = merchant) => data(await owner.verify(id))
const types = async (id: string, owner = merchant) => (await owner.events(id)).map(({ event_type }) => event_type)

async function authorized(owner = merchant, number = CARD.succeeds, changes: object = {}) {
  const opened = await owner.open({ ...MANUAL, ...changes })
  const paid = await owner.pay(opened.session_id, card(number))
  return { ...opened, paid: data(paid) }
}

async function balance(owner: ApiMerchant): Promise<string> {
  return ((await owner.call("GET", "/payments/balance")).body as unknown as { data: { available: string } }).data
    .available
}

describe("decisions: Captures — authorised", () => {
  it("is PENDING with what is reserved, sends the shopper to success_url, and moves no money", async () => {
    const owner = await newMerchant(store)
    const { transaction_id, paid } = await authorized(owner)
    expect(paid).toMatchObject({ status: "PENDING" })
    expect(paid.redirect_url).toMatch(/^https:\/\/shop\.example\.com\/paid\?.*status=PENDING/)
    expect(await verified(transaction_id, owner)).toMatchObject({
      status: "PENDING",
      verified: false,
      authorized: true,
      amount: "1250.5000",
      authorized_amount: "1250.5000",
      captured_amount: "0.0000",
      capturable_amount: "1250.5000",
      charge_amount: "0.0000",
      payment_reference_id: "",
    })
    const pending = await owner.call("GET", "/payments?status=PENDING")
    expect(data(pending)).toMatchObject([{ transaction_id, status: "PENDING", charge_amount: "0.00" }])
    expect(await types(transaction_id, owner)).toEqual(["payment.authorized"])
    expect(await balance(owner)).toBe("0.00")
    expect(await store.db("gateway_ledger_entry").where({ transaction_id })).toEqual([])
  })

  it("a payment that is taken at once says nothing about captures", async () => {
    const { session_id, transaction_id } = await merchant.open()
    await merchant.pay(session_id, card(CARD.succeeds))
    expect(Object.keys(await verified(transaction_id))).not.toContain("authorized")
    expect(brief(await capture(transaction_id))).toBe("409 INVALID_STATE_TRANSITION")
    expect(brief(await release(transaction_id))).toBe("409 INVALID_STATE_TRANSITION")
  })

  it.each([
    [{ capture: "later" }, "422 VALIDATION_ERROR payment_info.capture"],
    [{ capture: "manual", requires_emi: true }, "422 VALIDATION_ERROR payment_info.capture"],
    [{ capture: "manual", is_recurring: true }, "422 VALIDATION_ERROR payment_info.capture"],
  ])("%p is refused at checkout: %s", async (payment_info, refusal) => {
    expect(brief(await merchant.checkout({ payment_info, order_amount: "12500.00" }))).toBe(refusal)
  })
})

describe("decisions: Captures — captured", () => {
  it("decisions: EMI — the cost of absorbed instalments is posted once, with the first part of a reservation", async () => {
    const owner = await newMerchant(store)
    const emi_configuration_id = await addEmi(store, owner.id, { tenure: 3, merchant_bleeding: true })
    const opened = await owner.open({ order_amount: "12000.00" })
    await owner.pay(opened.session_id, { payment_method: "card", emi_configuration_id })
    const plan = await storedPlan(store, opened.transaction_id)
    // The gateway never asks for a reservation in instalments: this is an acquirer that only reserves all the same.
    const { transaction_id } = await authorized(owner, CARD.succeeds, { order_amount: "12000.00" })
    const { attempt_id } = await store.db("gateway_transaction").where({ id: transaction_id }).first()
    const schedule = JSON.stringify(plan?.schedule)
    await store.db("gateway_emi_plan").insert({ ...plan, id: "gep_reserved", transaction_id, attempt_id, schedule })
    const costs = async () => {
      const { emi_costs, acquirer_fees } = await gatewayOf(store).ledger.balances(
        { merchant_id: owner.id, environment: "sandbox" },
        "BDT"
      )
      return [emi_costs, acquirer_fees].map(Number)
    }
    expect(await costs()).toEqual([-144_000, 144_000])
    await capture(transaction_id, { amount: "500.00" }, owner)
    expect(await costs()).toEqual([-288_000, 288_000])
    await capture(transaction_id, { amount: "700.00" }, owner)
    expect(await costs()).toEqual([-288_000, 288_000])
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("whole: SUCCESS with its amount, the fee and the ledger follow, and a second capture finds nothing", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await authorized(owner)
    expect(data(await capture(transaction_id, undefined, owner))).toMatchObject({
      capture_amount: "1250.50",
      capture_status: "completed",
      status: "SUCCESS",
      captured_amount: "1250.50",
    })
    expect(await verified(transaction_id, owner)).toMatchObject({
      status: "SUCCESS",
      verified: true,
      authorized: false,
      amount: "1250.5000",
      charge_amount: "31.2600",
    })
    expect(await types(transaction_id, owner)).toEqual(["payment.authorized", "payment.succeeded", "payment.captured"])
    expect(await balance(owner)).toBe("1219.24")
    expect(brief(await capture(transaction_id, undefined, owner))).toBe("409 INVALID_STATE_TRANSITION")
    expect(brief(await release(transaction_id, owner))).toBe("409 INVALID_STATE_TRANSITION")
  })

  it("in parts: `amount` is their sum, refunds are bounded by it, and the fee is that of the sum", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await authorized(owner)
    await capture(transaction_id, { amount: "500.00" }, owner)
    expect(await verified(transaction_id, owner)).toMatchObject({
      amount: "500.0000",
      captured_amount: "500.0000",
      capturable_amount: "750.5000",
    })
    const refund = (refund_amount: string) =>
      owner.call("POST", "/payments/refund", { transaction_id, refund_amount, refund_reason: "returned" })
    expect(brief(await refund("500.01"))).toBe("400 REFUND_EXCEEDED refund_amount")
    expect((await refund("100.00")).status).toBe(200)
    expect(brief(await capture(transaction_id, { amount: "750.51" }, owner))).toBe("422 VALIDATION_ERROR amount")
    await capture(transaction_id, { amount: "750.50" }, owner)
    expect(await verified(transaction_id, owner)).toMatchObject({ amount: "1250.5000", charge_amount: "31.2600" })
    expect(await types(transaction_id, owner)).toEqual(expect.arrayContaining(["payment.captured", "payment.captured"]))
    expect(
      (await owner.events(transaction_id)).filter(({ event_type }) => event_type === "payment.succeeded")
    ).toHaveLength(1)
  })

  it("a part that was refunded in full does not keep the rest from being captured, not even one under way", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await authorized(owner)
    await capture(transaction_id, { amount: "400.00" }, owner)
    await lostAnswer(owner, transaction_id, { amount: "600.00" })
    const refund = { transaction_id, refund_reason: "returned" }
    expect((await owner.call("POST", "/payments/refund", refund)).status).toBe(200)
    await owner.advance(2 * DAY)
    expect(await verified(transaction_id, owner)).toMatchObject({ status: "REFUNDED", amount: "400.0000" })
    await store
      .db("gateway_capture")
      .where({ transaction_id })
      .whereNotNull("inquiry_at")
      .update({ inquiry_at: new Date(0) })
    await gatewayOf(store).captures.due.run({})
    expect(await verified(transaction_id, owner)).toMatchObject({ status: "SUCCESS", amount: "1000.0000" })
    await capture(transaction_id, undefined, owner)
    expect(await verified(transaction_id, owner)).toMatchObject({ status: "SUCCESS", amount: "1250.5000" })
  })

  it("the rest is voided: the payment stays of what was captured", async () => {
    const { transaction_id } = await authorized()
    await capture(transaction_id, { amount: "1000.00" })
    expect(data(await release(transaction_id))).toMatchObject({ status: "SUCCESS", captured_amount: "1000.00" })
    expect(await verified(transaction_id)).toMatchObject({
      status: "SUCCESS",
      amount: "1000.0000",
      capturable_amount: "0.0000",
    })
    expect(brief(await capture(transaction_id))).toBe("409 INVALID_STATE_TRANSITION")
    expect((await merchant.events(transaction_id)).at(-1)).toMatchObject({
      event_type: "payment.voided",
      data: { released_amount: "250.50", captured_amount: "1000.00" },
    })
  })

  it("twenty at once never take more than is reserved", async () => {
    const { transaction_id } = await authorized()
    const answers = await Promise.all(Array.from({ length: 20 }, () => capture(transaction_id, { amount: "100.00" })))
    const done = answers.filter(({ status }) => status === 200)
    expect(done).toHaveLength(12)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(8)
    expect(await verified(transaction_id)).toMatchObject({ amount: "1200.0000" })
  })

  it("a capture and a void at once: one of them wins, and the books agree", async () => {
    const { transaction_id } = await authorized()
    const [taken, voided] = await Promise.all([capture(transaction_id), release(transaction_id)])
    const { status } = await verified(transaction_id)
    expect([taken.status, voided.status, status]).toEqual(
      taken.status === 200 ? [200, 409, "SUCCESS"] : [409, 200, "CANCELLED"]
    )
  })

  it("the same Idempotency-Key captures once", async () => {
    const { transaction_id } = await authorized()
    const headers = { "Idempotency-Key": `capture-${transaction_id}` }
    const once = () => merchant.call("POST", `/payments/${transaction_id}/capture`, { amount: "100.00" }, { headers })
    const [first, second] = [await once(), await once()]
    expect(data(second).capture_id).toBe(data(first).capture_id)
    expect(await verified(transaction_id)).toMatchObject({ amount: "100.0000" })
  })

  it("a capture that the acquirer refuses moves nothing, and the payment can still be voided", async () => {
    const { transaction_id } = await authorized(merchant, CARD.captureFails)
    expect(brief(await capture(transaction_id))).toBe("400 PAYMENT_FAILED")
    expect(await verified(transaction_id)).toMatchObject({ status: "PENDING", authorized: true })
    expect(data(await release(transaction_id))).toMatchObject({ status: "CANCELLED" })
  })

  it("one whose process died after the acquirer was asked is settled by the reconciler, once", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await authorized(owner)
    const { acquirer } = await lostAnswer(owner, transaction_id)
    expect(await verified(transaction_id, owner)).toMatchObject({ status: "PENDING" })
    await store
      .db("gateway_capture")
      .where({ transaction_id })
      .update({ inquiry_at: new Date(0) })
    await gatewayOf(store).captures.due.run({})
    expect(await verified(transaction_id, owner)).toMatchObject({ status: "SUCCESS", amount: "1250.5000" })
    expect(await store.db("gateway_sandbox_operation").where({ kind: "capture", charge_key: acquirer })).toHaveLength(1)
  })

  it.each([
    ["0.00", "422 VALIDATION_ERROR amount"],
    ["-1.00", "422 VALIDATION_ERROR amount"],
    ["1.005", "422 VALIDATION_ERROR amount"],
    [["1.00"], "422 VALIDATION_ERROR amount"],
  ])("an amount of %p is refused", async (amount, refusal) => {
    const { transaction_id } = await authorized()
    expect(brief(await capture(transaction_id, { amount }))).toBe(refusal)
  })

  it("another merchant finds no such transaction", async () => {
    const { transaction_id } = await authorized()
    const other = await newMerchant(store)
    expect(brief(await capture(transaction_id, undefined, other))).toBe("404 TRANSACTION_NOT_FOUND")
    expect(brief(await release(transaction_id, other))).toBe("404 TRANSACTION_NOT_FOUND")
  })
})

describe("decisions: Captures — voided and expired", () => {
  it("voided: CANCELLED, the bank releases the money, and nothing can be captured or paid any more", async () => {
    const { transaction_id, session_id } = await authorized()
    expect(data(await release(transaction_id))).toMatchObject({ status: "CANCELLED", captured_amount: "0.00" })
    expect(data(await release(transaction_id))).toMatchObject({ status: "CANCELLED" })
    expect(await types(transaction_id)).toEqual(["payment.authorized", "payment.voided"])
    expect(brief(await capture(transaction_id))).toBe("409 INVALID_STATE_TRANSITION")
    expect(brief(await merchant.pay(session_id))).toBe("409 INVALID_STATE_TRANSITION")
    const [{ state }] = await store.db("gateway_authorization").where({ transaction_id })
    expect(state).toBe("released")
  })

  it("not captured in time: EXPIRED at that moment, and the money is released", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await authorized(owner, CARD.oneDay)
    const { capture_before } = await verified(transaction_id, owner)
    await owner.advance(DAY - 60)
    expect(await verified(transaction_id, owner)).toMatchObject({ status: "PENDING", authorized: true })
    await owner.advance(120)
    expect(await verified(transaction_id, owner)).toMatchObject({ status: "EXPIRED", authorized: false })
    const [, expired] = await owner.events(transaction_id)
    expect(expired).toMatchObject({ event_type: "payment.authorization_expired", data: { status: "EXPIRED" } })
    expect(expired.occurred_at.toISOString()).toBe(capture_before)
    expect(brief(await capture(transaction_id, undefined, owner))).toBe("409 INVALID_STATE_TRANSITION")
  })

  it("a part was captured: it stays SUCCESS, and only the rest is lost", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await authorized(owner, CARD.oneDay)
    await capture(transaction_id, { amount: "50.50" }, owner)
    await owner.advance(2 * DAY)
    expect(await verified(transaction_id, owner)).toMatchObject({ status: "SUCCESS", amount: "50.5000" })
    expect((await owner.events(transaction_id)).at(-1)).toMatchObject({
      event_type: "payment.authorization_expired",
      data: { released_amount: "1200.00" },
    })
  })
})

describe("decisions: Captures — the merchant is warned two days before reserved money is lost", () => {
  const mails = (to: string) => notificationsOf(store).listNotifications({ to })
  async function warned(to: string): Promise<ApiMerchant> {
    const owner = await newMerchant(store)
    await gatewayOf(store).merchants.update(owner.id, { email: to })
    return owner
  }

  it("by one e-mail with what can still be captured, and not before", async () => {
    const to = "reserved@merchant.example"
    const owner = await warned(to)
    const { transaction_id } = await authorized(owner)
    const { capture_before, order_id } = await verified(transaction_id, owner)
    await capture(transaction_id, { amount: "50.50" }, owner)
    await warnOfEndingAuthorizations(store.container)
    expect(await mails(to)).toEqual([])
    await owner.advance(Math.ceil((new Date(capture_before).getTime() - Date.now()) / 1_000) - 2 * DAY + 60)
    await Promise.all([1, 2].map(() => warnOfEndingAuthorizations(store.container)))
    await warnOfEndingAuthorizations(store.container)
    const sent = await mails(to)
    expect(sent).toMatchObject([
      {
        template: "gateway-authorization-ending",
        status: "success",
        data: {
          transaction_id,
          order_number: order_id,
          amount: "1250.50",
          capturable_amount: "1200.00",
          capture_before,
          environment: "sandbox",
          subject: expect.stringContaining("৳1,200.00") as string,
          text: expect.stringMatching(/press Capture.*\n\nThis is a test/s) as string,
        },
      },
    ])
  })

  it("not when nothing is left to capture, and later when it could not be sent", async () => {
    const to = "later@merchant.example"
    const owner = await warned(to)
    await capture((await authorized(owner, CARD.oneDay)).transaction_id, undefined, owner)
    const { transaction_id } = await authorized(owner, CARD.oneDay)
    const send = jest.spyOn(mailProviderOf(store), "send").mockRejectedValueOnce(new Error("the mail server is away"))
    await warnOfEndingAuthorizations(store.container)
    const warnedAt = async () =>
      (await store.db("gateway_authorization").where({ transaction_id }).first("warned_at")).warned_at
    expect(await warnedAt()).toBeNull()
    await store
      .db("gateway_authorization")
      .where({ transaction_id })
      .update({ locked_until: new Date(0) })
    await warnOfEndingAuthorizations(store.container)
    send.mockRestore()
    expect(await warnedAt()).toEqual(expect.any(Date))
    expect((await mails(to)).map(({ data }) => data?.transaction_id)).toContain(transaction_id)
    expect(new Set((await mails(to)).map(({ data }) => data?.transaction_id)).size).toBe(1)
  })
})

const realCapture = SandboxAuthorizing.prototype.capture

/** The acquirer has captured, and the process that asked it died before it wrote that down. */
async function lostAnswer(owner: ApiMerchant, transaction_id: string, body?: object): Promise<{ acquirer: string }> {
  const asking = jest.spyOn(SandboxAuthorizing.prototype, "capture")
  asking.mockImplementation(async function (this: SandboxAuthorizing, request) {
    await realCapture.call(this, request)
    return { result: "unknown", message: "the connection was lost" }
  })
  try {
    expect(data(await capture(transaction_id, body, owner))).toMatchObject({ capture_status: "processing" })
  } finally {
    asking.mockRestore()
  }
  const [{ id }] = await store.db("gateway_authorization").where({ transaction_id })
  return { acquirer: id }
}
