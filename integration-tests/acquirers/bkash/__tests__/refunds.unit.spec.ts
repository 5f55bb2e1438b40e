import { BkashAcquirer } from "../../../../src/modules/gateway/acquirers/bkash/adapter"
import { BkashClient } from "../../../../src/modules/gateway/acquirers/bkash/client"
import { BkashRefunds } from "../../../../src/modules/gateway/acquirers/bkash/refunds"
import type { References, RefundRequest } from "../../../../src/modules/gateway/acquirers/port"
import { paymentRequest } from "../../../support/acquirer"
import { contextOf, Kept, loadStandIn, type StandIn } from "../stand-in"

describe("bKash: refunds", () => {
  let standIn: StandIn
  let acquirer: BkashAcquirer
  let paid: RefundRequest["payment"]
  let kept: Kept

  beforeEach(async () => {
    const { startStandIn, CREDENTIALS } = await loadStandIn()
    standIn = await startStandIn()
    acquirer = new BkashAcquirer(contextOf(standIn, { ...CREDENTIALS }))
    kept = new Kept()
    paid = await pay()
  })
  afterEach(() => standIn.close())

  /** A payment of 1,250.50 BDT, as the core keeps it. */
  async function pay(): Promise<RefundRequest["payment"]> {
    const attempt = new Kept()
    const request = paymentRequest({ service: "BKASH", save: attempt.save })
    const started = await attempt.of(acquirer.start(request))
    if (started.result !== "redirect") {
      throw new Error("no redirect")
    }
    await standIn.shop(started.url)
    const { result } = await attempt.of(acquirer.confirm({ ...request, references: attempt.references }))
    expect(result).toBe("done")
    const { references } = attempt
    return { key: request.key, reference: references.trxID, amount: request.amount, references }
  }

  const refund = (changes: Partial<RefundRequest> = {}): RefundRequest => ({
    key: "rfd_000000000001",
    amount: 25_000n,
    currency: "BDT",
    references: kept.references,
    reason: "Two tins were dented",
    payment: paid,
    other_refunds: [],
    now: new Date(),
    save: kept.save,
    ...changes,
  })
  const refunded = () => standIn.book.refunds.map(({ amount }) => amount)

  test("Completed: refunded, in the amount that bKash reports; paymentId and trxId with a small d", async () => {
    const answer = await acquirer.refund(refund())
    const [booked] = standIn.book.refunds
    expect(answer).toEqual({
      result: "done",
      reference: booked.refundTrxId,
      amount: 25_000n,
      currency: "BDT",
      references: { request: "sent", refundTrxId: booked.refundTrxId },
      details: { completedTime: expect.stringMatching(/GMT\+0600$/) },
    })
    expect(standIn.calls("refund")[0].path).toBe("/v2/tokenized-checkout/refund/payment/transaction")
    expect(JSON.parse(standIn.calls("refund")[0].body)).toEqual({
      paymentId: paid.references.paymentID,
      trxId: paid.reference,
      refundAmount: "250.00",
      sku: "rfd_000000000001",
      reason: "Two tins were dented",
    })
  })

  test("long and empty reasons fit bKash's 255 characters", async () => {
    await acquirer.refund(refund({ key: "a", references: {}, reason: `${"long ".repeat(100)}\nend` }))
    await acquirer.refund(refund({ key: "b", references: {}, reason: "   " }))
    expect(refunded()).toEqual([25_000n, 25_000n])
  })

  test("several partial refunds up to the whole amount, and none above it", async () => {
    const known: References[] = []
    for (const amount of [25_000n, 25_000n, 75_050n]) {
      const answer = await acquirer.refund(
        refund({ key: `rfd_${known.length}`, amount, references: {}, other_refunds: known })
      )
      expect(answer).toMatchObject({ result: "done", amount })
      known.push(answer.references ?? {})
    }
    const above = await acquirer.refund(refund({ key: "rfd_4", amount: 100n, references: {}, other_refunds: known }))
    expect(above).toMatchObject({ result: "refused", code: "REFUND_FAILED", trouble: "bad_request" })
    expect(above).toMatchObject({ message: "bKash 2072: Invalid refund amount", references: { request: "refused" } })
    expect(refunded()).toEqual([25_000n, 25_000n, 75_050n])
  })

  test("the eleventh partial refund is refused", async () => {
    for (let count = 1; count <= 10; count++) {
      expect(await acquirer.refund(refund({ key: `rfd_${count}`, amount: 100n, references: {} }))).toMatchObject({
        result: "done",
      })
    }
    const eleventh = await acquirer.refund(refund({ key: "rfd_11", amount: 100n, references: {} }))
    expect(eleventh).toMatchObject({ result: "refused", code: "REFUND_FAILED" })
    expect(refunded()).toHaveLength(10)
  })

  test("after bKash's window: refused", async () => {
    standIn.advance(16 * 86_400)
    const late = new BkashAcquirer(contextOf(standIn, (await loadStandIn()).CREDENTIALS))
    expect(await late.refund(refund())).toMatchObject({ result: "refused", message: expect.stringContaining("2071") })
  })

  test.each([
    ["status", 2023],
    ["error", 2077],
    ["refund", 2080],
    ["refund", 2033],
  ] as const)("a refusal as %s: code %s", async (shape, code) => {
    standIn.faults.add({ on: "refund", kind: "error", code, shape, message: "Said by bKash" })
    expect(await acquirer.refund(refund())).toMatchObject({
      result: "refused",
      code: "REFUND_FAILED",
      message: `bKash ${code}: Said by bKash`,
    })
    expect(refunded()).toEqual([])
  })

  test("the payment has no ids of bKash: refused without a request", async () => {
    const before = standIn.book.requests.length
    const payment = { ...paid, references: {} }
    expect(await acquirer.refund(refund({ payment }))).toMatchObject({ result: "refused", trouble: "bad_request" })
    expect(standIn.book.requests).toHaveLength(before)
  })

  describe("the answer is not clear", () => {
    test.each([
      ["the connection breaks", { kind: "lost_after" }],
      ["HTML", { kind: "html_after" }],
      ["a body with only a message", { kind: "message_only_after" }],
      ["2020 exception", { kind: "error_after", code: 2020, shape: "refund" as const }],
      ["2029 duplicate", { kind: "error_after", code: 2029, shape: "refund" as const }],
      ["2074 refunded already", { kind: "error_after", code: 2074, shape: "refund" as const }],
      ["2075 duplicate", { kind: "error_after", code: 2075, shape: "refund" as const }],
      ["2034 already reversed", { kind: "error_after", code: 2034, shape: "refund" as const }],
      ["503 maintenance", { kind: "error_after", code: 503, shape: "error" as const }],
      ["an unlisted code", { kind: "error_after", code: 4711, shape: "refund" as const }],
      ["no refundTrxId", { kind: "change", fields: { refundTrxId: null } }],
      ["another trxId", { kind: "change", fields: { originalTrxId: "OTHER" } }],
      ["no amount", { kind: "change", fields: { refundAmount: null } }],
      ["no currency", { kind: "change", fields: { currency: null } }],
    ])("%s after the money went back: unknown, and the status finds it by its amount", async (_, fault) => {
      const earlier = await acquirer.refund(refund({ key: "rfd_0" }))
      standIn.faults.add({ on: "refund", ...fault })
      const request = refund({ references: {}, other_refunds: [earlier.references ?? {}] })
      expect(await kept.of(acquirer.refund(request))).toMatchObject({ result: "unknown" })
      const found = await acquirer.refundStatus({ ...request, references: kept.references })
      expect(found).toMatchObject({ result: "done", reference: standIn.book.refunds[1].refundTrxId, amount: 25_000n })
      expect(refunded()).toHaveLength(2)
    })

    test("lost before bKash acted: unknown, not absent, because it may be listed later", async () => {
      standIn.faults.add({ on: "refund", kind: "lost_before" })
      await kept.of(acquirer.refund(refund()))
      expect(await acquirer.refundStatus(refund())).toMatchObject({
        result: "unknown",
        message: expect.stringContaining("does not list it"),
        needs_operator: true,
      })
    })

    test("docs/decisions/03 — an entry that an admin has given to another refund is not taken for this one", async () => {
      const earlier = await acquirer.refund(refund({ key: "rfd_0" }))
      expect(earlier.result).toBe("done")
      const reference = standIn.book.refunds[0].refundTrxId
      standIn.faults.add({ on: "refund", kind: "lost_before" })
      const request = refund({ references: {}, other_refunds: [{ request: "sent", reference }] })
      await kept.of(acquirer.refund(request))
      expect(await acquirer.refundStatus({ ...request, references: kept.references })).toMatchObject({
        result: "unknown",
        needs_operator: true,
      })
    })

    test("sent again by an admin: refunded once, whatever became of the first request", async () => {
      standIn.faults.add({ on: "refund", kind: "lost_after" })
      await kept.of(acquirer.refund(refund()))
      expect(await acquirer.refund(refund())).toMatchObject({ result: "done", amount: 25_000n })
      expect(standIn.calls("refund")).toHaveLength(1)
      expect(refunded()).toEqual([25_000n])
    })

    test("sent again by an admin after it was lost on the way: refunded", async () => {
      standIn.faults.add({ on: "refund", kind: "lost_before" })
      await kept.of(acquirer.refund(refund()))
      expect(await acquirer.refund(refund())).toMatchObject({ result: "done" })
      expect(refunded()).toEqual([25_000n])
    })

    test("sent again while the list cannot be read: not sent", async () => {
      standIn.faults.add({ on: "refund", kind: "lost_after" })
      await kept.of(acquirer.refund(refund()))
      standIn.faults.add({ on: "refund_status", kind: "html" })
      expect(await acquirer.refund(refund())).toMatchObject({ result: "unknown" })
      expect(standIn.calls("refund")).toHaveLength(1)
    })

    test("bKash cannot be reached: unknown, and it may be requested again", async () => {
      const away = new BkashAcquirer({
        ...contextOf(standIn, (await loadStandIn()).CREDENTIALS),
        base_url: "http://127.0.0.1:9",
      })
      expect(await kept.of(away.refund(refund()))).toMatchObject({ result: "unknown", trouble: "network" })
      expect(await acquirer.refundStatus(refund())).toEqual({ result: "absent" })
    })

    test("so late that the core may have given up: not sent, and it may be requested again", async () => {
      const refunds = new BkashRefunds(new BkashClient(contextOf(standIn, (await loadStandIn()).CREDENTIALS)))
      const late = await kept.of(refunds.refund(refund(), performance.now() - 16_000))
      expect(late).toMatchObject({ result: "unknown", references: { request: "not_sent" } })
      expect(standIn.calls("refund")).toEqual([])
      expect(await acquirer.refundStatus(refund())).toEqual({ result: "absent" })
    })

    test("the answer names an earlier refund: unknown", async () => {
      const earlier = await acquirer.refund(refund({ key: "rfd_0" }))
      standIn.faults.add({ on: "refund", kind: "change", fields: { ...earlier.references, request: null } })
      const request = refund({ references: {}, other_refunds: [earlier.references ?? {}] })
      expect(await acquirer.refund(request)).toMatchObject({ result: "unknown" })
    })
  })

  describe("status", () => {
    test("never sent: absent, without a request", async () => {
      const before = standIn.book.requests.length
      expect(await acquirer.refundStatus(refund())).toEqual({ result: "absent" })
      expect(standIn.book.requests).toHaveLength(before)
    })

    test("a core that saves nothing: never absent", async () => {
      expect(await acquirer.refundStatus(refund({ save: undefined }))).toMatchObject({ result: "unknown" })
    })

    test("Pending: unknown; Completed later: refunded; Failed later: unknown, for an admin", async () => {
      standIn.faults.add({ on: "refund", kind: "pending" })
      expect(await kept.of(acquirer.refund(refund()))).toMatchObject({
        result: "unknown",
        message: expect.stringContaining("Pending"),
        references: { refundTrxId: standIn.book.refunds[0].refundTrxId },
      })
      expect(await acquirer.refundStatus(refund())).toMatchObject({ result: "unknown" })
      standIn.book.refunds[0].state = "Completed"
      expect(await acquirer.refundStatus(refund())).toMatchObject({ result: "done", amount: 25_000n, currency: "BDT" })
      standIn.book.refunds[0].state = "Failed"
      expect(await acquirer.refundStatus(refund())).toMatchObject({
        result: "unknown",
        message: expect.stringContaining("Failed"),
      })
    })

    test("several that could be it: unknown", async () => {
      await acquirer.refund(refund({ key: "rfd_a" }))
      await acquirer.refund(refund({ key: "rfd_b", references: {} }))
      const references = { request: "sent" }
      expect(await acquirer.refundStatus(refund({ references }))).toMatchObject({ result: "unknown" })
    })

    test.each([
      ["another trxId", { kind: "change", fields: { originalTrxId: "OTHER" } }],
      ["no list", { kind: "change", fields: { refundTransactions: null } }],
      ["status 500", { kind: "http", status: 500 }],
      ["nothing", { kind: "lost_before" }],
      ["a refusal", { kind: "error", code: 2033, shape: "refund" as const }],
    ])("%s: unknown", async (_, fault) => {
      await kept.of(acquirer.refund(refund()))
      standIn.faults.add({ on: "refund_status", ...fault })
      expect(await acquirer.refundStatus(refund())).toMatchObject({ result: "unknown" })
    })
  })
})
