import { Admin, prepareAdmin, signIn } from "../support/admin"
import { brief, newMerchant, type ApiMerchant, type Data } from "../support/api"
import { useReceiver } from "../support/receiver"
import { paid, refund, refundData } from "../support/refunds"
import { useStore } from "../support/store"

const store = useStore({ production: true, prepare: prepareAdmin })
const receiver = useReceiver()
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = new Admin(store, await signIn(store), merchant.id)
})
afterEach(async () => expect(await store.brokenInvariants()).toEqual([]))

const DAY = 86_400
const PDF = Buffer.from("%PDF-1.7 the courier's receipt")
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
const oneTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
let references = 0

function record({ transaction_id }: Pick<Data, "transaction_id">, changes: Record<string, unknown> = {}, by = admin) {
  return by.post("/disputes", { transaction_id, reference: `CB-${++references}`, ...changes })
}
async function recorded(payment: Data, changes: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await record(payment, changes)
  expect([status, body.message]).toEqual([200, undefined])
  return body.dispute.id
}
const decide = (id: string, on: string, more: object = {}) => admin.post(`/disputes/${id}/decide`, { on, ...more })
const eventsOf = async (id: string) =>
  (await store.db("gateway_event").where({ resource_id: id }).orderBy("id").select("event_type", "data")).map(
    ({ event_type, data }) => `${event_type} ${data.status}`
  )
async function accounts(): Promise<Record<string, string>> {
  const { body } = await merchant.call("GET", "/payments/balance")
  return (body.data as unknown as { accounts: Record<string, string> }).accounts
}

async function upload(id: string, content: Buffer, query = "kind=receipt&name=receipt.pdf", as = admin) {
  const url = `${store.url}/admin/gateway/disputes/${id}/files?${query}&merchant_id=${as.merchant_id}&environment=sandbox`
  const headers = { ...(await signIn(store)), "Content-Type": "application/octet-stream" }
  const response = await fetch(url, { method: "POST", headers, body: new Uint8Array(content) })
  return { status: response.status, body: (await response.json()) as Record<string, never> }
}

describe("docs/decisions/10 — a dispute recorded by hand", () => {
  it("takes amount and fee from the balance, and is read over the API and in the admin", async () => {
    const payment = await paid(merchant)
    const before = await accounts()
    const due_by = inSeconds(7 * DAY)
    const id = await recorded(payment, { amount: "400.00", fee: "15.00", reason: "product_not_received", due_by })
    expect((await accounts()).merchant_balance).toBe((Number(before.merchant_balance) - 415).toFixed(2))
    expect(await accounts()).toMatchObject({
      disputes: "400.00",
      dispute_claims: "-400.00",
      acquirer_clearing: "-585.00",
    })
    const { body } = await merchant.call("GET", `/payments/disputes/${id}`)
    expect(body.data).toMatchObject({
      dispute_id: id,
      transaction_id: payment.transaction_id,
      status: "needs_response",
      reason: "product_not_received",
      amount: "400.00",
      fee_amount: "15.00",
      evidence_due_by: due_by,
      is_overdue: false,
      accepted: false,
      closed_at: null,
    })
    const listed = await merchant.call("GET", "/payments/disputes?status=needs_response")
    expect([listed.body.data, listed.body.meta]).toMatchObject([[{ dispute_id: id }], { total: 1 }])
    expect((await merchant.call("GET", "/payments/disputes?status=won")).body.meta).toMatchObject({ total: 0 })
    expect((await admin.get("/overview")).body.overview.attention.disputes_to_answer).toBe(1)
    expect((await admin.get("/disputes?format=csv")).text).toContain("400.00")
    expect(await eventsOf(id)).toEqual(["dispute.created needs_response"])
    expect((await merchant.verified(payment.transaction_id)).status).toBe("SUCCESS")
  })

  it.each([
    ["won", [["submit"], ["win"]], ["under_review", "won"], "0.00"],
    ["won, with its fee", [["submit"], ["win", { fee_returned: true }]], ["under_review", "won"], "15.00"],
    ["lost", [["submit"], ["lose"]], ["under_review", "lost"], "-1000.00"],
    ["lost, and won after all", [["lose"], ["reinstate"]], ["lost", "won"], "0.00"],
    ["an inquiry that became one", [["escalate"], ["win"]], ["needs_response", "won"], "0.00"],
  ] as const)("%s: the balance says what it cost", async (name, steps, states, difference) => {
    const payment = await paid(merchant)
    const isInquiry = name.startsWith("an inquiry")
    const before = Number((await accounts()).merchant_balance) - (isInquiry ? 0 : 15)
    const id = await recorded(payment, { fee: isInquiry ? undefined : "15.00", is_inquiry: isInquiry })
    for (const [on, more] of steps) {
      expect((await decide(id, on, more)).status).toBe(200)
    }
    const seen = (await eventsOf(id)).map((event) => event.split(" ")[1])
    expect(seen.slice(1)).toEqual(states)
    const after = await accounts()
    expect(after.merchant_balance).toBe((before + Number(difference)).toFixed(2))
    expect([after.disputes, after.dispute_claims]).toEqual(["0.00", "0.00"])
  })

  it("the admin's list shows, sorts and filters by the day on which the bank opened it", async () => {
    const [old, recent] = [inSeconds(-40 * DAY), inSeconds(-2 * DAY)]
    const first = await recorded(await paid(merchant), { opened_at: recent })
    const second = await recorded(await paid(merchant), { opened_at: old })
    const listed = async (query = "") =>
      (await admin.get(`/disputes${query}`)).body.disputes.map(({ id, opened_at }) => `${id} ${opened_at}`)
    expect(await listed()).toEqual([`${first} ${recent}`, `${second} ${old}`])
    expect(await listed("?order=opened_at")).toEqual([`${second} ${old}`, `${first} ${recent}`])
    expect(await listed(`?from=${inSeconds(-7 * DAY)}`)).toEqual([`${first} ${recent}`])
    expect((await admin.get("/disputes?order=created_at")).status).toBe(422)
  })

  it("given up is lost, and an inquiry that ends has moved nothing", async () => {
    const id = await recorded(await paid(merchant))
    expect((await admin.post(`/disputes/${id}/accept`)).body.dispute).toMatchObject({ status: "lost", accepted: true })
    expect((await admin.post(`/disputes/${id}/accept`)).status).toBe(409)
    const payment = await paid(merchant)
    const before = await accounts()
    const inquiry = await recorded(payment, { is_inquiry: true, amount: "70.00" })
    const sums = { open_amount: "0.00", lost_amount: "1000.00", fee_amount: "0.00" }
    expect((await admin.get("/disputes?totals=true")).body.totals).toEqual([{ currency: "BDT", ...sums }])
    await decide(inquiry, "end")
    expect(await accounts()).toEqual(before)
    expect(await eventsOf(inquiry)).toEqual(["dispute.created inquiry", "dispute.closed closed"])
    expect((await admin.changes(inquiry)).map(({ action }) => action)).toEqual(["dispute.ended", "dispute.opened"])
  })

  it("an inquiry is answered once, however many admins say so at once", async () => {
    const id = await recorded(await paid(merchant), { is_inquiry: true })
    const answers = await Promise.all(oneTo(4).map(() => decide(id, "submit")))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect((await decide(id, "submit")).body).toMatchObject({ code: "INVALID_STATE_TRANSITION" })
    expect(await eventsOf(id)).toEqual(["dispute.created inquiry", "dispute.updated inquiry"])
    expect((await decide(id, "end")).status).toBe(200)
  })

  it.each([
    ["more than was paid", { amount: "1000.01" }, "400 DISPUTE_EXCEEDED amount"],
    ["nothing", { amount: "0" }, "422 VALIDATION_ERROR amount"],
    ["at a fee beyond the largest order", { fee: "500000.01" }, "422 VALIDATION_ERROR fee"],
    ["at a fee that no column holds", { fee: "9999999999999.99" }, "422 VALIDATION_ERROR fee"],
    ["without a reference", { reference: " " }, "422 VALIDATION_ERROR reference"],
    ["for another reason", { reason: "bored" }, "422 VALIDATION_ERROR reason"],
    ["opened tomorrow", { opened_at: inSeconds(DAY) }, "422 VALIDATION_ERROR opened_at"],
    ["of no payment", { transaction_id: `txn${"0".repeat(32)}` }, "404 TRANSACTION_NOT_FOUND"],
  ])("%s: refused", async (_name, changes, expected) => {
    const { status, body } = await record(await paid(merchant), changes)
    expect([status, body.code, body.field].filter(Boolean).join(" ")).toBe(expected)
  })

  it("one reference is one dispute, under a race too; unpaid payments have none", async () => {
    const payment = await paid(merchant)
    const answers = await Promise.all(oneTo(6).map(() => record(payment, { reference: "ONCE", amount: "10.00" })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect((await record(await paid(merchant), { reference: "ONCE" })).body.code).toBe("DUPLICATE_DISPUTE")
    expect((await record(await merchant.open())).body.code).toBe("DISPUTE_NOT_ALLOWED")
  })
})

describe("docs/decisions/10 — refunds and disputes of one payment", () => {
  it("what is disputed cannot be refunded, until the dispute is won", async () => {
    // With the card whose refunds complete at once.
    const payment = await paid(merchant, "1000.00", "4000000000007726")
    const id = await recorded(payment, { amount: "700.00" })
    expect(brief(await refund(merchant, payment.transaction_id, { refund_amount: "300.01" }))).toBe(
      "400 REFUND_EXCEEDED refund_amount"
    )
    const rest = refundData(await refund(merchant, payment.transaction_id))
    expect([rest.refund_amount, rest.refund_status]).toEqual(["300.00", "processing"])
    expect(brief(await refund(merchant, payment.transaction_id))).toBe("400 REFUND_NOT_ALLOWED")
    await decide(id, "win")
    expect(refundData(await refund(merchant, payment.transaction_id)).refund_amount).toBe("700.00")
    expect((await merchant.verified(payment.transaction_id)).status).toBe("REFUNDED")
  })

  it("what is refunded cannot be disputed by hand, and an inquiry stops no refund", async () => {
    const payment = await paid(merchant)
    const id = await recorded(payment, { is_inquiry: true })
    await refund(merchant, payment.transaction_id, { refund_amount: "600.00" })
    expect((await record(payment, { amount: "400.01" })).body.code).toBe("DISPUTE_EXCEEDED")
    expect((await decide(id, "escalate")).body.code).toBe("DISPUTE_EXCEEDED")
    await recorded(payment, { amount: "400.00" })
    expect((await record(payment, { amount: "0.01" })).body.code).toBe("DISPUTE_NOT_ALLOWED")
  })

  it("racing for the same money, they take it once", async () => {
    for (const payment of await Promise.all(oneTo(4).map(() => paid(merchant)))) {
      const [disputes, refunds] = await Promise.all([
        Promise.all(oneTo(4).map(() => record(payment, { amount: "300.00" }))),
        Promise.all(oneTo(4).map(() => refund(merchant, payment.transaction_id, { refund_amount: "300.00" }))),
      ])
      const taken =
        disputes.filter(({ status }) => status === 200).length + refunds.filter((r) => r.status === 200).length
      expect(taken).toBe(3)
      const [row] = await store.db("gateway_transaction").where({ id: payment.transaction_id })
      expect(row.refunded_minor + row.disputed_minor).toBe(90_000)
    }
  })

  it("the database itself refuses a refund that takes what a dispute has taken", async () => {
    const { transaction_id: id } = await paid(merchant)
    await recorded({ transaction_id: id } as Data, { amount: "700.00" })
    const update = store.db("gateway_transaction").where({ id }).update({ refunded_minor: 30_001 })
    await expect(update).rejects.toThrow(/must not exceed/)
  })

  it("of several decisions at once, one counts", async () => {
    const id = await recorded(await paid(merchant))
    const answers = await Promise.all(["win", "lose", "win", "lose"].map((on) => decide(id, on)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await eventsOf(id)).filter((event) => event.startsWith("dispute.closed"))).toHaveLength(1)
  })
})

describe("docs/decisions/10 — evidence", () => {
  it("text and files are kept, downloaded as attachments, and fixed once they are submitted", async () => {
    const id = await recorded(await paid(merchant))
    await admin.post(`/disputes/${id}/evidence`, { evidence_text: "Delivered on Tuesday." })
    expect(await upload(id, PDF, "kind=receipt&name=Receipt%2012.exe")).toMatchObject({ status: 200 })
    const { dispute } = (await admin.get(`/disputes/${id}`)).body
    expect(dispute).toMatchObject({
      evidence_text: "Delivered on Tuesday.",
      files: [{ kind: "receipt", size_bytes: PDF.length }],
    })
    const path = `/admin/gateway/disputes/${id}/files/${dispute.files[0].id}`
    const file = await fetch(`${store.url}${path}?merchant_id=${merchant.id}&environment=sandbox`, {
      headers: await signIn(store),
    })
    expect(Buffer.from(await file.arrayBuffer()).equals(PDF)).toBe(true)
    expect(
      ["content-type", "content-disposition", "x-content-type-options"].map((name) => file.headers.get(name))
    ).toEqual(["application/pdf", 'attachment; filename="Receipt-12.pdf"', "nosniff"])
    expect((await admin.post(`/disputes/${id}/submit`)).body.dispute).toMatchObject({ status: "under_review" })
    expect((await upload(id, PDF, "kind=other")).status).toBe(409)
    expect((await admin.post(`/disputes/${id}/evidence`, { evidence_text: "Changed" })).status).toBe(409)
    expect((await admin.delete(`/disputes/${id}/files/${dispute.files[0].id}`)).status).toBe(409)
    expect((await admin.changes(id)).map(({ action }) => action).sort()).toEqual([
      "dispute.evidence_written",
      "dispute.file_added",
      "dispute.opened",
      "dispute.submitted",
    ])
  })

  it("what is no PDF, JPEG or PNG, too large, or a second of its kind is refused", async () => {
    const id = await recorded(await paid(merchant))
    const fault = ({ status, body }: Awaited<ReturnType<typeof upload>>) => [status, body.field].join(" ")
    expect(fault(await upload(id, Buffer.from("<html><script>alert(1)</script>")))).toBe("422 file")
    expect(fault(await upload(id, Buffer.alloc(0)))).toBe("422 file")
    expect(fault(await upload(id, PDF, "kind=selfie"))).toBe("422 kind")
    const large = Buffer.concat([PDF, Buffer.alloc(3_000_000)])
    expect((await upload(id, large)).status).toBe(200)
    expect(fault(await upload(id, large, "kind=other"))).toBe("422 file")
    expect(fault(await upload(id, Buffer.concat([PDF, Buffer.alloc(4_500_000)]), "kind=other"))).toBe("422 file")
    expect(fault(await upload(id, PDF))).toBe("422 kind")
    const { dispute } = (await admin.get(`/disputes/${id}`)).body
    expect((await admin.delete(`/disputes/${id}/files/${dispute.files[0].id}`)).body.dispute.files).toEqual([])
  })

  it("another merchant reads neither dispute nor file", async () => {
    const id = await recorded(await paid(merchant))
    await upload(id, PDF)
    const [file] = (await admin.get(`/disputes/${id}`)).body.dispute.files
    const other = await newMerchant(store)
    const stranger = admin.at(other.id)
    expect(brief(await other.call("GET", `/payments/disputes/${id}`))).toBe("404 DISPUTE_NOT_FOUND")
    expect((await stranger.get(`/disputes/${id}/files/${file.id}`)).status).toBe(404)
    expect((await upload(id, PDF, "kind=other", stranger)).status).toBe(404)
    const own = (await record(await paid(other), {}, stranger)).body.dispute.id
    expect((await stranger.get(`/disputes/${own}/files/${file.id}`)).status).toBe(404)
    expect((await stranger.delete(`/disputes/${own}/files/${file.id}`)).status).toBe(404)
  })
})

describe("docs/decisions/10 — deadlines and events", () => {
  it("a deadline reminds three days before, is marked when it passes, and decides nothing", async () => {
    const id = await recorded(await paid(merchant), { due_by: inSeconds(7 * DAY) })
    const noticeOf = async () => (await store.db("gateway_dispute").where({ id }).first("notice")).notice
    expect(await noticeOf()).toBe("opened")
    await merchant.advance(4 * DAY - 600)
    expect(await noticeOf()).toBe("opened")
    await merchant.advance(660)
    expect(await noticeOf()).toBe("reminder")
    await merchant.advance(3 * DAY)
    expect(await noticeOf()).toBe("missed")
    const { body } = await merchant.call("GET", `/payments/disputes/${id}`)
    expect(body.data).toMatchObject({ status: "needs_response", is_overdue: true })
    expect(await eventsOf(id)).toEqual(["dispute.created needs_response", "dispute.updated needs_response"])
    await store.gateway.disputeDeadlines.run(100)
    expect(await eventsOf(id)).toHaveLength(2)
    expect((await decide(id, "win")).status).toBe(200)
  })

  it("an endpoint of the contract's events gets none of them; one that names them, or all, does", async () => {
    for (const event_types of [["payment.succeeded", "refund.completed"], ["dispute.created"], ["*"]]) {
      const endpoint_url = `${receiver.url}/${event_types.length}-${event_types[0]}`
      expect((await admin.post("/webhooks", { endpoint_url, event_types })).status).toBe(200)
    }
    const id = await recorded(await paid(merchant))
    await decide(id, "lose")
    const rows = await store
      .db("gateway_webhook_delivery as d")
      .join("gateway_event as v", "v.event_id", "d.event_id")
      .join("gateway_webhook_endpoint as e", "e.id", "d.endpoint_id")
      .where("v.resource_id", id)
      .select("d.event_type", "e.event_types")
    expect(rows.map((row) => `${row.event_type} ${row.event_types}`).sort()).toEqual([
      "dispute.closed *",
      "dispute.created *",
      "dispute.created dispute.created",
    ])
  })

  it("a payment's disputes go with it when a sandbox is purged", async () => {
    const payment = await paid(merchant)
    const id = await recorded(payment)
    await upload(id, PDF)
    const old = new Date(Date.now() - 8 * DAY * 1_000)
    await store.db("gateway_transaction").where({ id: payment.transaction_id }).update({ created_at: old })
    await store.gateway.sandboxPurge.run()
    expect(await store.db("gateway_dispute").where({ id })).toEqual([])
    expect(await store.db("gateway_dispute_file").where({ dispute_id: id })).toEqual([])
  })
})
