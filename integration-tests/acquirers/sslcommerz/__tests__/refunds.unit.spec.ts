import { createHash } from "node:crypto"
import { refundTransId } from "../../../../src/modules/gateway/acquirers/sslcommerz/fields"
import { newRefundId } from "../../../../src/modules/gateway/kernel/text/ids"
import { kept, merged, refundRequest, useBench } from "../support"

const bench = useBench()
const poisha = (amount: string) => BigInt(amount.replace(".", ""))

/** The sum of the refunds that SSLCommerz has on its book for a payment. */
const booked = (reference: string) =>
  bench.standIn.book.refunds
    .filter(({ bank_tran_id, status }) => bank_tran_id === reference && status !== "cancelled")
    .reduce((sum, { amount }) => sum + poisha(amount), 0n)

describe("refund: what is sent", () => {
  it("names the bank's transaction, the amount, and an id that is always the same", async () => {
    const payment = await bench.paid()
    const request = refundRequest(payment, { amount: 25_000n })
    await bench.acquirer.refund(request)

    expect(bench.sent("refund")).toMatchObject([
      {
        method: "GET",
        is_password_right: true,
        fields: {
          bank_tran_id: payment.row.bank_tran_id,
          refund_trans_id: request.key.slice(4),
          refund_amount: "250.00",
          refund_remarks: "The tea was stale",
          refe_id: request.key,
          format: "json",
        },
      },
    ])
  })

  it("refund_trans_id: at most 30 letters and digits, whatever the key", () => {
    const key = newRefundId()

    expect(refundTransId(key)).toBe(key.slice(4))
    expect(refundTransId(key)).toMatch(/^[0-9a-f]{28}$/)
    expect(refundTransId("short_key")).toBe(createHash("sha256").update("short_key").digest("hex").slice(0, 30))
    expect(refundTransId("x".repeat(31))).toMatch(/^[0-9a-f]{30}$/)
  })

  it("a reason of any length and script, or none", async () => {
    const payment = await bench.paid()
    for (const reason of ["", "চা বাসি ছিল ".repeat(60)]) {
      expect(await bench.acquirer.refund(refundRequest(payment, { amount: 1_000n, reason }))).toMatchObject({
        references: { refund_ref_id: expect.any(String) },
      })
    }
    expect(bench.sent("refund")[0].fields.refund_remarks).toBe("Refund")
  })
})

describe("refund: what is answered", () => {
  it("success is only accepted; refunded is done, days later", async () => {
    const payment = await bench.paid()
    const request = refundRequest(payment)
    const accepted = await bench.acquirer.refund(request)
    const { refund_ref_id } = bench.standIn.book.refunds.at(-1)!
    const asked = merged(request, accepted.references)

    expect(accepted).toMatchObject({ result: "unknown", references: { refund_ref_id, sent: "yes" } })
    expect(accepted).not.toHaveProperty("trouble")
    expect(await bench.acquirer.refundStatus(asked)).toMatchObject({ result: "unknown" })
    bench.standIn.finishRefund(refund_ref_id, "refunded")
    expect(await bench.acquirer.refundStatus(asked)).toMatchObject({
      result: "done",
      reference: refund_ref_id,
      amount: 125_050n,
      currency: "BDT",
      details: { initiated_on: expect.any(String), refunded_on: expect.any(String) },
    })
    expect(bench.sent("refund")).toHaveLength(1)
  })

  it("cancelled: the money stays", async () => {
    const payment = await bench.paid()
    const request = refundRequest(payment)
    const { references } = await bench.acquirer.refund(request)
    bench.standIn.finishRefund(references!.refund_ref_id, "cancelled")

    expect(await bench.acquirer.refundStatus(merged(request, references))).toMatchObject({
      result: "refused",
      code: "REFUND_FAILED",
    })
  })

  it("several parts, up to the amount and not beyond", async () => {
    const payment = await bench.paid()
    for (const amount of [50_000n, 75_000n]) {
      expect(await bench.acquirer.refund(refundRequest(payment, { amount }))).toMatchObject({ result: "unknown" })
    }

    expect(await bench.acquirer.refund(refundRequest(payment, { amount: 51n }))).toMatchObject({
      result: "refused",
      code: "REFUND_FAILED",
    })
    expect(await bench.acquirer.refund(refundRequest(payment, { amount: 50n }))).toMatchObject({ result: "unknown" })
    expect(booked(payment.row.bank_tran_id)).toBe(125_050n)
  })

  it("failed: nothing is given back, and the reason is kept", async () => {
    const payment = await bench.paid()
    bench.standIn.faults.add("refund", "failed", { reason: "Refund window is over" })

    expect(await bench.acquirer.refund(refundRequest(payment))).toEqual({
      result: "refused",
      code: "REFUND_FAILED",
      message: "SSLCommerz refused the refund: Refund window is over",
    })
  })

  it("an IP address that is not registered: an admin has to act", async () => {
    const payment = await bench.paid()
    bench.standIn.faults.add("refund", "ip_refused")

    expect(await bench.acquirer.refund(refundRequest(payment))).toMatchObject({
      result: "refused",
      trouble: "credentials",
    })
  })

  it.each(["FAILED", "INACTIVE", "INVALID_REQUEST", "?"])("APIConnect %s: unknown", async (word) => {
    const payment = await bench.paid()
    bench.standIn.faults.add("refund", "api_connect", { word })

    expect(await bench.acquirer.refund(refundRequest(payment))).toMatchObject({ result: "unknown" })
  })
})

describe("refund: lost answers", () => {
  it("processing without a refund_ref_id: unknown, and an admin has to look", async () => {
    const payment = await bench.paid()
    const request = refundRequest(payment)
    bench.standIn.faults.add("refund", "lost_after")
    const lost = await bench.acquirer.refund(request)
    bench.standIn.faults.add("refund", "processing_without_reference")
    const again = await bench.acquirer.refundStatus(merged(request, lost.references))

    expect(again).toMatchObject({ result: "unknown", trouble: "bad_request" })
    expect(kept(again)).not.toHaveProperty("refund_ref_id")
    expect(booked(payment.row.bank_tran_id)).toBe(125_050n)
  })

  it("failed after a lost answer decides nothing: the first request may be under way", async () => {
    const payment = await bench.paid()
    const request = refundRequest(payment)
    bench.standIn.faults.add("refund", "lost_after")
    const lost = await bench.acquirer.refund(request)
    bench.standIn.faults.add("refund", "failed", { reason: "Already requested" })

    expect(await bench.acquirer.refundStatus(merged(request, lost.references))).toMatchObject({
      result: "unknown",
      trouble: "bad_request",
      message: expect.stringContaining("Already requested"),
    })
    // The process ended before it could keep anything.
    bench.standIn.faults.add("refund", "failed", { reason: "Already requested" })
    expect(await bench.acquirer.refundStatus(request)).toMatchObject({ result: "unknown" })
  })

  it("not reached: the next request is the first one, so its refusal is final", async () => {
    const payment = await bench.paid()
    const request = refundRequest(payment)
    const offline = bench.connect({ base_url: "http://127.0.0.1:1" })
    const unsent = await offline.refund(request)
    expect(unsent).toMatchObject({ result: "unknown", trouble: "network", references: { sent: "no" } })
    const stillUnsent = await offline.refundStatus(merged(request, unsent.references))
    expect(stillUnsent).toMatchObject({ result: "unknown", references: { sent: "no" } })
    bench.standIn.faults.add("refund", "failed", { reason: "No refunds for this store" })

    expect(await bench.acquirer.refundStatus(merged(request, unsent.references))).toMatchObject({ result: "refused" })
  })

  it("another refund's refund_ref_id is not taken over", async () => {
    const payment = await bench.paid()
    const first = await bench.acquirer.refund(refundRequest(payment, { amount: 10_000n }))
    const { refund_ref_id } = first.references!
    bench.standIn.faults.add("refund", "other_reference", { refund_ref_id })
    const second = refundRequest(payment, { amount: 20_000n, other_refunds: [first.references!] })
    const answer = await bench.acquirer.refund(second)

    expect(answer).toMatchObject({ result: "unknown", trouble: "bad_request", needs_operator: true })
    expect(answer.references).not.toHaveProperty("refund_ref_id")
  })

  it("a number of another payment's refund is not taken over", async () => {
    const payment = await bench.paid()
    const request = refundRequest(payment)
    await bench.acquirer.refund(request)
    const { refund_ref_id } = bench.standIn.book.refunds.at(-1)!
    const other = refundRequest(await bench.paid(), { references: { refund_ref_id } })
    bench.standIn.finishRefund(refund_ref_id, "refunded")

    expect(await bench.acquirer.refundStatus(other)).toMatchObject({ result: "unknown" })
    expect(
      await bench.acquirer.refundStatus({ ...request, references: { refund_ref_id: "unheard-of" } })
    ).toMatchObject({ result: "unknown" })
  })

  it.each([
    ["word", { status: "queued" }, undefined],
    ["word", { status: "" }, undefined],
    ["lost_before", {}, "network"],
    ["html", {}, "maintenance"],
    ["api_connect", { word: "FAILED" }, "credentials"],
  ])("status %s %j: unknown", async (name, details, trouble) => {
    const payment = await bench.paid()
    const request = refundRequest(payment)
    const { references } = await bench.acquirer.refund(request)
    bench.standIn.finishRefund(references!.refund_ref_id, "refunded")
    bench.standIn.faults.add("refund_status", name, details)
    const answer = await bench.acquirer.refundStatus(merged(request, references))

    expect(answer).toMatchObject({ result: "unknown" })
    expect((answer as { trouble?: string }).trouble).toBe(trouble)
  })
})
