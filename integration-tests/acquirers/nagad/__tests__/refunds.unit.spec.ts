import { NagadAcquirer } from "../../../../src/modules/gateway/acquirers/nagad/adapter"
import type { RefundRequest } from "../../../../src/modules/gateway/acquirers/port"
import { localDay } from "../../../../src/modules/gateway/kernel/money/calendar"
import { paymentRequest } from "../../../support/acquirer"
import { contextOf, Kept } from "../../bkash/stand-in"
import { loadStandIn, type StandIn } from "../stand-in"

describe("Nagad: refunds", () => {
  let standIn: StandIn
  let acquirer: NagadAcquirer
  let paid: RefundRequest["payment"]
  let kept: Kept
  const errors: string[] = []

  beforeEach(async () => {
    const { startStandIn, CREDENTIALS } = await loadStandIn()
    standIn = await startStandIn()
    const logger = { warn: () => undefined, error: (line: string) => void errors.push(line) }
    acquirer = new NagadAcquirer(contextOf(standIn, { ...CREDENTIALS }, { logger }))
    kept = new Kept()
    errors.splice(0)
    paid = await pay()
  })
  afterEach(() => standIn.close())

  /** A payment of 1,250.50 BDT, as the core keeps it. */
  async function pay(): Promise<RefundRequest["payment"]> {
    const attempt = new Kept()
    const request = paymentRequest({ service: "NAGAD", save: attempt.save })
    const started = await attempt.of(acquirer.start(request))
    if (started.result !== "redirect") {
      throw new Error("no redirect")
    }
    await standIn.shop(started.url)
    const done = await attempt.of(acquirer.query({ ...request, references: attempt.references }))
    expect(done.result).toBe("done")
    const { references } = attempt
    return { key: request.key, reference: references.issuerPaymentRefNo, amount: request.amount, references }
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
  const whole = (changes: Partial<RefundRequest> = {}) => refund({ amount: 125_050n, ...changes })
  const ask = (request = refund()) => kept.of(acquirer.refund(request))
  const status = (request = refund()) => kept.of(acquirer.refundStatus({ ...request, references: kept.references }))

  test("a part and the rest, each in the amount that Nagad reports, with the payment and its order named", async () => {
    const answer = await ask()
    const [booked] = standIn.book.refunds
    expect(answer).toMatchObject({
      ...{ result: "done", reference: booked.cancelTrxId, amount: 25_000n, currency: "BDT" },
      ...{ details: { status: "PartialCancelled" }, references: { request: "sent" } },
    })
    const { paymentReferenceId, orderId } = paid.references
    const query = new URL(standIn.calls("cancel")[0].path, standIn.url).searchParams
    expect(Object.fromEntries(query)).toEqual({ paymentRefId: paymentReferenceId, orderId })
    const rest = { key: "rfd_2", amount: 100_050n, references: {}, save: new Kept().save }
    expect(await acquirer.refund(refund(rest))).toMatchObject({ result: "done", details: { status: "Refunded" } })
    expect(await acquirer.refund(refund({ ...rest, key: "rfd_3" }))).toMatchObject({
      result: "refused",
      code: "REFUND_FAILED",
    })
  })

  test.each([
    ["দুটি টিন বাঁকা ছিল, তাই টাকা ফেরত দেওয়া হচ্ছে", /^,$|^Refund$/],
    ['He said: "never again" \\ ever\n', /^He said: never again ever$/],
    ["long ".repeat(100), /^(long )+lo?n?g?$/],
    ["  ", /^Refund$/],
  ])("a reason of %j is cut to what fits into the block, as ASCII and whole JSON", async (reason, words) => {
    expect(await ask(refund({ reason }))).toMatchObject({ result: "done" })
    expect(standIn.book.refunds[0].referenceMessage).toMatch(words)
  })

  test("the day is the payment's day in Dhaka, whatever the day of the refund", async () => {
    standIn.advance(-20 * 86_400)
    paid = await pay()
    expect(paid.references.paidOn).toBe(
      localDay(new Date(Date.now() - 20 * 86_400_000), "Asia/Dhaka").replaceAll("-", "")
    )
    expect(await ask()).toMatchObject({ result: "done" })
  })

  test("a refusal of the date needs an operator, and no other date is sent", async () => {
    paid = { ...paid, references: { ...paid.references, paidOn: "20200101" } }
    const answer = await ask()
    expect(answer).toMatchObject({ result: "unknown", needs_operator: true, message: /portal/ })
    expect(await status()).toMatchObject({ result: "unknown", needs_operator: true })
    expect(await ask()).toMatchObject({ result: "unknown", needs_operator: true })
    expect([standIn.calls("cancel").length, standIn.book.refunds]).toEqual([1, []])
  })

  test("the whole amount, acted and unanswered: Nagad's word about the payment settles it, and it is not sent again", async () => {
    standIn.faults.add({ on: "cancel", kind: "lost_after" })
    expect(await ask(whole())).toMatchObject({ result: "unknown", trouble: "network" })
    const [{ cancelTrxId }] = standIn.book.refunds
    expect(await status(whole())).toMatchObject({ result: "done", reference: cancelTrxId, amount: 125_050n })
    expect(await ask(whole({ references: kept.references }))).toMatchObject({ result: "done", reference: cancelTrxId })
    expect(standIn.calls("cancel")).toHaveLength(1)
  })

  test.each(["lost_before", "lost_after", "html_after", "empty_after"])(
    "a part, unanswered (%s): the sum cannot be read, so an operator decides, and it is never sent again",
    async (kind) => {
      standIn.faults.add({ on: "cancel", kind })
      expect(await ask()).toMatchObject({ result: "unknown" })
      expect(await status()).toMatchObject({ result: "unknown", needs_operator: true })
      expect(await ask(refund({ references: kept.references }))).toMatchObject({ needs_operator: true })
      expect(standIn.calls("cancel")).toHaveLength(1)
    }
  )

  test("the whole amount, lost on its way: the payment is still Success, and an operator decides", async () => {
    standIn.faults.add({ on: "cancel", kind: "lost_before" })
    await ask(whole())
    expect(await status(whole())).toMatchObject({ result: "unknown", needs_operator: true })
  })

  test("of a payment with another refund the whole amount says nothing about this one", async () => {
    standIn.faults.add({ on: "cancel", kind: "lost_after" })
    await ask(whole())
    expect(await status(whole({ other_refunds: [{ reference: "X" }] }))).toMatchObject({ needs_operator: true })
  })

  test.each(["forged", "unreadable"])("an answer that is %s is unknown and an alarm", async (kind) => {
    standIn.faults.add({ on: "cancel", kind })
    expect(await ask(whole())).toMatchObject({ result: "unknown", trouble: "credentials" })
    expect(errors).toEqual([expect.stringContaining("not signed with Nagad's")])
    expect(await status(whole())).toMatchObject({ result: "done" })
  })

  test.each([{ referenceNo: "another" }, { status: "Pending" }, { cancelAmount: null }])(
    "an answer with %j settles nothing",
    async (fields) => {
      standIn.faults.add({ on: "cancel", kind: "change", fields })
      expect(await ask()).toMatchObject({ result: "unknown" })
    }
  )

  test.each<[string, object]>([
    ["InactiveMerchant", { result: "refused", code: "REFUND_FAILED", trouble: "credentials" }],
    ["InvalidReferenceId", { result: "refused", code: "REFUND_FAILED", trouble: "bad_request" }],
    ["ServerError", { result: "unknown", trouble: "maintenance" }],
    ["SomethingNew", { result: "unknown" }],
  ])("%s", async (reason, expected) => {
    standIn.faults.add({ on: "cancel", kind: "error", reason })
    expect(await ask()).toMatchObject(expected)
  })

  test("a refund that never reached Nagad is asked for again", async () => {
    acquirer = new NagadAcquirer(contextOf({ url: "http://127.0.0.1:1" }, { ...(await loadStandIn()).CREDENTIALS }))
    expect(await ask()).toMatchObject({ result: "unknown", trouble: "network" })
    expect(await status()).toEqual({ result: "absent" })
  })

  test("a payment without Nagad's reference cannot be refunded", async () => {
    expect(await ask(refund({ payment: { ...paid, references: {} } }))).toMatchObject({ result: "refused" })
  })
})
