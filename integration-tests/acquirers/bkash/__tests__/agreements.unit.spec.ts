import { BkashAcquirer } from "../../../../src/modules/gateway/acquirers/bkash/adapter"
import type { ChargeRequest, PaymentRequest } from "../../../../src/modules/gateway/acquirers/port"
import { paymentRequest } from "../../../support/acquirer"
import { contextOf, Kept, loadStandIn, MemoryTokens, type StandIn } from "../stand-in"

const ALLOWED = { unattended_agreements: "yes" }

describe("bKash: agreements", () => {
  let standIn: StandIn
  let kept: Kept
  const tokens = { current: new MemoryTokens() }

  async function open({ unattended = true, allowed = true } = {}): Promise<BkashAcquirer> {
    const { startStandIn, CREDENTIALS } = await loadStandIn()
    await standIn?.close()
    standIn = await startStandIn({ unattended })
    tokens.current = new MemoryTokens()
    return new BkashAcquirer(
      contextOf(standIn, { ...CREDENTIALS, ...(allowed && ALLOWED) }, { tokens: tokens.current })
    )
  }

  beforeEach(() => {
    kept = new Kept()
  })
  afterAll(() => standIn.close())

  const first = (changes: Partial<PaymentRequest> = {}) =>
    paymentRequest({ service: "BKASH", keep: true, save: kept.save, ...changes })

  /** A first payment that keeps the wallet, up to the shopper's return. */
  async function agree(acquirer: BkashAcquirer, request = first()) {
    const started = await kept.of(acquirer.start(request))
    if (started.result !== "redirect") {
      throw new Error(`no redirect: ${JSON.stringify(started)}`)
    }
    await standIn.shop(started.url)
    return kept.of(acquirer.confirm({ ...request, references: kept.references }))
  }

  async function agreementOf(acquirer: BkashAcquirer): Promise<string> {
    const answer = await agree(acquirer)
    if (answer.result !== "done" || answer.kept === undefined) {
      throw new Error(`not kept: ${JSON.stringify(answer)}`)
    }
    kept = new Kept()
    return answer.kept.token
  }

  const charge = (token: string, changes: Partial<ChargeRequest> = {}): ChargeRequest => ({
    key: "chg0123456789abcdef0123456789a",
    amount: 50_000n,
    currency: "BDT",
    service: "BKASH",
    token,
    description: "Tea of the month",
    references: kept.references,
    now: new Date(),
    save: kept.save,
    ...changes,
  })

  describe("the contract does not allow payments without the shopper (the default)", () => {
    test("nothing is charged by the adapter, and a first payment keeps nothing: renewals go by pay link", async () => {
      const acquirer = await open({ allowed: false })
      expect(acquirer.charge).toBeUndefined()
      const answer = await agree(acquirer)
      expect(answer).toMatchObject({ result: "done" })
      expect(answer).not.toHaveProperty("kept")
      expect(standIn.book.payments).toMatchObject([{ mode: "0011" }])
    })

    test('"no" is no', async () => {
      const { CREDENTIALS } = await loadStandIn()
      const context = contextOf({ url: "http://127.0.0.1:9" }, { ...CREDENTIALS, unattended_agreements: "no" })
      expect(new BkashAcquirer(context).charge).toBeUndefined()
    })
  })

  test("a core that saves nothing: a first payment keeps nothing, and nothing is charged", async () => {
    const acquirer = await open()
    const answer = await agree(acquirer, first({ save: undefined }))
    expect(answer).not.toHaveProperty("kept")
    expect(await acquirer.charge?.(charge("any", { save: undefined, references: {} }))).toMatchObject({
      result: "refused",
    })
    expect(standIn.calls("create")).toHaveLength(1)
  })

  test("keep: mode 0000 on the page, then 0001 without a second redirect; the agreement is the token", async () => {
    const acquirer = await open()
    const request = first()
    const answer = await agree(acquirer, request)
    const [agreement, payment] = standIn.book.payments
    expect(agreement).toMatchObject({ mode: "0000", state: "Completed", trxID: null })
    expect(payment).toMatchObject({ mode: "0001", state: "Completed", invoice: request.key })
    expect(answer).toMatchObject({
      result: "done",
      reference: payment.trxID,
      amount: request.amount,
      currency: "BDT",
      kept: { token: standIn.book.agreements[0].agreementID },
      references: { paymentID: payment.paymentID, mode: "0001", agreementID: standIn.book.agreements[0].agreementID },
    })
    expect(standIn.movements()).toEqual([
      { type: "payment", id: payment.trxID, key: request.key, amount: request.amount },
    ])
  })

  test("before the shopper returns: waiting; left: closed without a request about a payment", async () => {
    const acquirer = await open()
    const request = first()
    await kept.of(acquirer.start(request))
    const asked = { ...request, references: kept.references }
    expect(await acquirer.query(asked)).toMatchObject({ result: "unknown", awaiting_shopper: true })
    expect(await acquirer.abandon(asked)).toMatchObject({ result: "refused", code: "CANCELLED" })
    expect(standIn.calls("query")).toEqual([])
  })

  test.each([
    ["the agreement's execute is lost", { on: "execute", kind: "lost_after" }],
    ["the agreement was executed before", { on: "execute", kind: "error", code: 2116 }],
    ["the agreement is not completed", { on: "execute", kind: "change", fields: { agreementStatus: "Initiated" } }],
    ["the agreement's execute is refused", { on: "execute", kind: "error", code: 2054 }],
  ])("%s: refused, nothing has moved", async (_, fault) => {
    const acquirer = await open()
    standIn.faults.add(fault)
    expect(await agree(acquirer)).toMatchObject({ result: "refused" })
    expect(standIn.movements()).toEqual([])
  })

  test("bKash wants the PIN after all: refused, so that the shopper pays by the pay link", async () => {
    const acquirer = await open({ unattended: false })
    expect(await agree(acquirer)).toMatchObject({ result: "refused", reason: "authentication_failed" })
    expect(standIn.movements()).toEqual([])
  })

  describe("charge", () => {
    test("executed without the shopper", async () => {
      const acquirer = await open()
      const token = await agreementOf(acquirer)
      expect(await acquirer.charge?.(charge(token))).toMatchObject({ result: "done", amount: 50_000n, currency: "BDT" })
      expect(JSON.parse(standIn.calls("create").at(-1)?.body ?? "")).toMatchObject({
        mode: "0001",
        agreementID: token,
        amount: "500.00",
        merchantInvoiceNumber: "chg0123456789abcdef0123456789a",
      })
    })

    test.each([
      ["its answer is lost", { on: "execute", kind: "lost_after" }],
      ["2117", { on: "execute", kind: "error_after", code: 2117 }],
    ])("%s: found by the query, and the same key again moves nothing", async (_, fault) => {
      const acquirer = await open()
      const token = await agreementOf(acquirer)
      standIn.faults.add(fault)
      standIn.faults.add({ on: "query", kind: "lost_before" })
      expect(await kept.of(acquirer.charge?.(charge(token)) ?? Promise.reject())).toMatchObject({ result: "unknown" })
      expect(await acquirer.charge?.(charge(token))).toMatchObject({ result: "done", amount: 50_000n })
      expect(standIn.movements()).toHaveLength(2)
    })

    test("a crash right before the execute: asked again, unknown, and nothing is opened a second time", async () => {
      const acquirer = await open()
      const token = await agreementOf(acquirer)
      const crash = async (references: Record<string, string>) => {
        await kept.save(references)
        throw new Error("killed")
      }
      await expect(acquirer.charge?.(charge(token, { save: crash }))).rejects.toThrow("killed")
      const opened = standIn.book.payments.length
      expect(await acquirer.charge?.(charge(token))).toMatchObject({ result: "unknown" })
      expect(standIn.book.payments).toHaveLength(opened)
    })

    test("a crash before anything was saved: charged once by the next call", async () => {
      const acquirer = await open()
      const token = await agreementOf(acquirer)
      const save = () => Promise.reject(new Error("killed"))
      await expect(acquirer.charge?.(charge(token, { save }))).rejects.toThrow("killed")
      expect(await acquirer.charge?.(charge(token))).toMatchObject({ result: "done" })
      expect(standIn.movements()).toHaveLength(2)
    })

    test.each([
      ["2060 needs the shopper", { on: "execute", kind: "error", code: 2060 }, "authentication_failed"],
      ["2023 balance", { on: "execute", kind: "error", code: 2023 }, "insufficient_funds"],
    ])("%s: refused", async (_, fault, reason) => {
      const acquirer = await open()
      const token = await agreementOf(acquirer)
      standIn.faults.add(fault)
      expect(await acquirer.charge?.(charge(token))).toMatchObject({ result: "refused", reason })
    })

    test("another currency, an unknown agreement: refused", async () => {
      const acquirer = await open()
      expect(await acquirer.charge?.(charge("any", { currency: "USD" }))).toMatchObject({ result: "refused" })
      expect(await acquirer.charge?.(charge("any"))).toMatchObject({
        result: "refused",
        message: expect.stringContaining("2051"),
      })
    })
  })

  test("forget: the agreement is cancelled; cancelled before is fine; anything else throws without secrets", async () => {
    const acquirer = await open()
    const token = await agreementOf(acquirer)
    await acquirer.forget(token)
    expect(standIn.book.agreements[0].state).toBe("Cancelled")
    await acquirer.forget(token)
    await expect(acquirer.forget("nobody's")).rejects.toThrow("The agreement was not cancelled: bKash 2051")
    expect(await acquirer.charge?.(charge(token))).toMatchObject({ result: "refused" })
  })
})
