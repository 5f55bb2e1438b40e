import { hintOf } from "../../../../src/modules/gateway/acquirers/stripe/notifications"
import { adapterOf, paid, sentTo, startStandIn, WEBHOOK_SECRET, type Event, type StandIn } from "../support"

const GET = "GET /v1/disputes/:id"
const UPDATE = "POST /v1/disputes/:id"
/** In poisha. */
const PART = 25_000
const CLOSE = "POST /v1/disputes/:id/close"

let standIn: StandIn
beforeEach(async () => {
  standIn = await startStandIn()
})
afterEach(() => standIn.close())

async function disputed(options = {}) {
  const payment = await paid(standIn)
  const dispute = await standIn.account.dispute(payment.reference, options)
  return { ...payment, dispute }
}

/** A report as text: bigint is no JSON. */
function shown(answer: object): object {
  return JSON.parse(
    JSON.stringify(answer, (_key, value: unknown) => (typeof value === "bigint" ? Number(value) : value))
  )
}

describe("what Stripe says of a dispute", () => {
  it("is in its own amount and currency, with fee, deadline and the payment that it is about", async () => {
    const { adapter, dispute, reference } = await disputed({ amount: PART, reason: "product_not_received" })
    expect(shown(await adapter.dispute(dispute.id))).toEqual({
      result: "found",
      dispute: {
        reference: dispute.id,
        payment: reference,
        state: "needs_response",
        is_submitted: false,
        reason: "product_not_received",
        amount: PART,
        currency: "BDT",
        fee: 1_500,
        fee_returned: false,
        opened_at: expect.any(String),
        due_by: new Date(dispute.evidence_details.due_by * 1_000).toISOString(),
      },
    })
  })

  it.each([
    ["warning_needs_response", { state: "inquiry", is_submitted: false }],
    ["warning_under_review", { state: "inquiry", is_submitted: true }],
    ["warning_closed", { state: "closed" }],
    ["needs_response", { state: "needs_response", is_submitted: false }],
    ["under_review", { state: "under_review", is_submitted: true }],
    ["won", { state: "won" }],
    ["lost", { state: "lost" }],
  ])("%s", async (status, expected) => {
    const { adapter, dispute } = await disputed()
    dispute.status = status
    expect(await adapter.dispute(dispute.id)).toMatchObject({ result: "found", dispute: expected })
  })

  it("a fee that comes back with the money is returned; one that does not is not", async () => {
    for (const feeReturned of [true, false]) {
      const { adapter, dispute } = await disputed()
      await standIn.account.decideDispute(dispute.id, "won", { feeReturned })
      expect(await adapter.dispute(dispute.id)).toMatchObject({
        dispute: { state: "won", fee: 1_500n, fee_returned: feeReturned },
      })
    }
  })

  it("an inquiry has no fee", async () => {
    const { adapter, dispute } = await disputed({ isInquiry: true })
    expect(await adapter.dispute(dispute.id)).toMatchObject({ dispute: { state: "inquiry", fee: 0n } })
  })

  it.each([
    ["without a withdrawal it ends as an inquiry", false, { state: "closed", fee: 0 }],
    ["with a withdrawal it is lost", true, { state: "lost", fee: 1_500 }],
  ])("prevented: %s", async (_name, isWithdrawn, expected) => {
    const { adapter, dispute } = await disputed({ isInquiry: !isWithdrawn })
    dispute.status = "prevented"
    expect(shown(await adapter.dispute(dispute.id))).toMatchObject({ result: "found", dispute: expected })
  })

  it("a status of next year: unknown, and nothing is applied", async () => {
    const { adapter, dispute } = await disputed()
    dispute.status = "a status of next year"
    expect(await adapter.dispute(dispute.id)).toMatchObject({ result: "unknown" })
  })

  it("one that does not exist is absent; no answer, and a test key in production, are unknown", async () => {
    const { adapter, dispute } = await disputed()
    expect(await adapter.dispute("du_unknown")).toEqual({ result: "absent" })
    standIn.faults.next("html", { on: GET })
    expect(await adapter.dispute(dispute.id)).toMatchObject({ result: "unknown" })
    const production = adapterOf(standIn, { environment: "production" })
    expect(await production.dispute(dispute.id)).toMatchObject({ result: "unknown", trouble: "credentials" })
  })
})

describe("evidence", () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff, 0x80, 0x0d, 0x0a])

  it("text and files are submitted at once, byte for byte", async () => {
    const { adapter, dispute } = await disputed()
    const files = [
      { kind: "receipt", name: "receipt.png", media_type: "image/png", content: png },
      { kind: "other", name: "note.pdf", media_type: "application/pdf", content: Buffer.from("%PDF-1.4\r\n\r\nx") },
    ]
    expect(await adapter.submitEvidence({ reference: dispute.id, text: "It was delivered.", files })).toEqual({
      result: "accepted",
    })
    const [receipt, note] = [...standIn.book.files.values()]
    expect(receipt).toMatchObject({
      filename: "receipt.png",
      purpose: "dispute_evidence",
      data: png.toString("base64"),
    })
    expect(Buffer.from(note.data, "base64").toString()).toBe("%PDF-1.4\r\n\r\nx")
    expect(dispute).toMatchObject({
      status: "under_review",
      evidence: { uncategorized_text: "It was delivered.", receipt: receipt.id, uncategorized_file: note.id },
    })
  })

  it("twice: Stripe refuses, and the bank has the first", async () => {
    const { adapter, dispute } = await disputed()
    await adapter.submitEvidence({ reference: dispute.id, text: "First", files: [] })
    expect(await adapter.submitEvidence({ reference: dispute.id, text: "Second", files: [] })).toMatchObject({
      result: "refused",
    })
    expect(dispute.evidence.uncategorized_text).toBe("First")
  })

  it.each(["unauthorized", "rate_limited", "maintenance", "html"])(
    "%s: unknown, because the bank may have it",
    async (fault) => {
      const { adapter, dispute } = await disputed()
      standIn.faults.next(fault, { on: UPDATE })
      const evidence = { reference: dispute.id, text: "It was delivered.", files: [] }
      expect(await adapter.submitEvidence(evidence)).toMatchObject({ result: "unknown" })
      expect(dispute.status).toBe("needs_response")
    }
  )
})

describe("giving up", () => {
  it("loses the dispute; once it is over Stripe refuses", async () => {
    const { adapter, dispute } = await disputed()
    expect(await adapter.acceptDispute(dispute.id)).toEqual({ result: "accepted" })
    expect(dispute.status).toBe("lost")
    expect(await adapter.acceptDispute(dispute.id)).toMatchObject({ result: "refused" })
    expect(sentTo(standIn, CLOSE)).toHaveLength(2)
  })
})

describe("notifications", () => {
  it("name the dispute, and claim nothing", async () => {
    await disputed()
    const sent = [...standIn.book.events.values()].filter(({ type }) => type.startsWith("charge.dispute."))
    expect(sent.map(({ type }) => type)).toEqual(["charge.dispute.created", "charge.dispute.funds_withdrawn"])
    const [dispute] = standIn.book.disputes.keys()
    sent.forEach((event) =>
      expect(hintOf(event as never)).toEqual({ about: "dispute", key: dispute, claims: "unclear" })
    )
  })

  it("are irrelevant of another mode, and of another kind", () => {
    const adapter = adapterOf(standIn)
    const event: Event = {
      id: "evt_1",
      type: "charge.dispute.created",
      livemode: true,
      data: { object: { id: "du_1", status: "needs_response", metadata: {} } },
    }
    const { body, headers } = standIn.notifier.message({ object: "event", ...event }, { secrets: [WEBHOOK_SECRET] })
    const incoming = { method: "POST", target: "/", headers, body: Buffer.from(body) }
    return expect(adapter.readNotification(incoming)).resolves.toEqual({ result: "irrelevant" })
  })
})
