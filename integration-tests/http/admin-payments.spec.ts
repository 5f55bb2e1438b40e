import { randomUUID } from "node:crypto"
import { orderNumberOf } from "../../src/modules/gateway/kernel/text/ids"
import { comparedRows, foundPayments } from "../../src/modules/gateway/payments/search"
import { CUSTOMER, gatewayOf, newMerchant, orderId, type ApiMerchant } from "../support/api"
import { ADMIN, type Admin, prepareAdmin, type Row, ids, useAdminOf } from "../support/admin"
import { addEmi } from "../support/emi"
import { useReceiver } from "../support/receiver"
import { useStore } from "../support/store"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
const receiver = useReceiver()
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("payments", () => {
  it("are found by order, e-mail, transaction, status and service, and sorted by time and amount", async () => {
    const open = async (amount: string, order_id: string) =>
      (await merchant.open({ order_amount: amount, order_id })).transaction_id
    const dear = await open("900.00", `DEAR-${merchant.id.slice(-8)}`)
    const cheap = await merchant.open({ order_amount: "20.00", customer: { ...CUSTOMER, email: "Karim@Example.com" } })
    await merchant.pay(cheap.session_id, { payment_method: "mobile_banking", payment_service: "BKASH" })
    const found = async (query: string) => ids((await admin.get(`/payments?${query}`)).body.payments)
    const [both, newest] = [
      [dear, cheap.transaction_id],
      [cheap.transaction_id, dear],
    ]
    expect(await found("")).toEqual(newest)
    expect(await found("order=created_at")).toEqual(both)
    expect(await found("order=-amount")).toEqual(both)
    expect(await found("limit=1&offset=1")).toEqual([dear])
    expect(await found("q=DEAR-")).toEqual([dear])
    expect(await found("q=karim@ex")).toEqual([cheap.transaction_id])
    expect(await found(`q=${dear}`)).toEqual([dear])
    expect(await found(`q=${cheap.session_id}`)).toEqual([cheap.transaction_id])
    expect(await found("q=%25")).toEqual([])
    expect(await found("status=SUCCESS")).toEqual([cheap.transaction_id])
    expect(await found("status=PENDING")).toEqual([dear])
    expect(await found("status=SUCCESS,PENDING")).toEqual(newest)
    expect(await found("service=BKASH,NAGAD")).toEqual([cheap.transaction_id])
    expect(await found(`to=${new Date(Date.now() - 3_600_000).toISOString()}`)).toEqual([])
    await merchant.advance(1_800)
    expect(await found("status=EXPIRED")).toEqual([dear])
    expect(await found("status=PENDING")).toEqual([])
    expect((await admin.get("/payments")).body.payments[0]).toMatchObject({
      status: "SUCCESS",
      amount: "20.00",
      charge_amount: "0.30",
      payment_service: "BKASH",
      customer: { email: "Karim@Example.com" },
    })
  })

  /** One payment that every search below must find, and one that none of them may. */
  async function oneAndAnother(): Promise<{ sought: string; number: string }> {
    const customer = { ...CUSTOMER, name: "Md. Karim রহমান", email: "karim@example.com", phone: "01898765432" }
    const one = await merchant.open({ order_amount: "1100.00", customer })
    await merchant.pay(one.session_id, { payment_method: "card", card_number: "4111111111111111" })
    await merchant.pay((await merchant.open({ order_amount: "2200.00" })).session_id)
    const number = "104277"
    await store.db("gateway_checkout_session").where({ id: one.session_id }).update({ order_number: number })
    return { sought: one.transaction_id, number }
  }

  it("docs/decisions/19 — are found by order number, name, phone, last four digits and amount, however they are written", async () => {
    const { sought, number } = await oneAndAnother()
    const found = async (q: string) => ids((await admin.get(`/payments?${new URLSearchParams({ q })}`)).body.payments)
    /** How a text is searched that very many payments match. */
    const compared = async (q: string) => {
      const { sql, values } = comparedRows(q)
      const text = `SELECT t.id FROM gateway_transaction t WHERE t.merchant_id = ? AND ${sql}`
      const { rows } = await store.db.raw<{ rows: { id: string }[] }>(text, [merchant.id, ...(values as string[])])
      return ids(rows)
    }
    const spellings = [number, `#${number}`, "Karim", "karim md", "রহ", "KARIM@exam"]
    const phones = ["01898765432", "+880 1898-765432", "8801898765432", "+880 (0)1898 765432", "০১৮৯৮৭৬৫৪৩২", "018987"]
    const rest = ["1111", "•••• 1111", "1,100", "1100.00", "৳1,100.00", "1100", "১,১০০"]
    for (const q of [...spellings, ...phones, ...rest]) {
      expect([q, await found(q)]).toEqual([q, [sought]])
      expect([q, await compared(q)]).toEqual([q, [sought]])
    }
    for (const q of [number.slice(0, -1), "Kar Rahima", "01898765433", "2222", "1,100.01", "'", "|&!:*", "\\"]) {
      expect([q, await found(q)]).toEqual([q, []])
      expect([q, await compared(q)]).toEqual([q, []])
    }
    const other = await newMerchant(store)
    expect((await admin.at(other.id).get("/payments?q=Karim")).body.payments).toEqual([])
    expect((await admin.get("/payments?q=Karim")).body.payments[0]).toMatchObject({ order_number: number })
  })

  it("docs/decisions/19 — are found by the acquirer's numbers, a declined card or wallet, and the order's id in capital or small letters", async () => {
    const order_id = `W-${merchant.id.slice(-8)}`
    const paid = await merchant.open({ order_id })
    await merchant.pay(paid.session_id)
    const declined = await merchant.open()
    await merchant.pay(declined.session_id, { payment_method: "card", card_number: "4000000000009995" })
    const { acquirer_reference } = await store
      .db("gateway_payment_attempt")
      .where({ transaction_id: paid.transaction_id })
      .first<{ acquirer_reference: string }>("acquirer_reference")
    const charge = `ch_3Ab${merchant.id.slice(-8)}`
    await store
      .db("gateway_payment_attempt")
      .where({ transaction_id: declined.transaction_id })
      .update({ acquirer_ids: JSON.stringify({ payment_intent: "pi_1", charge }) })
    const found = async (q: string, of = admin) =>
      ids((await of.get(`/payments?${new URLSearchParams({ q })}`)).body.payments)
    const compared = async (q: string) => {
      const { sql, values } = comparedRows(q)
      const text = `SELECT t.id FROM gateway_transaction t WHERE t.merchant_id = ? AND ${sql}`
      return ids((await store.db.raw<{ rows: Row[] }>(text, [merchant.id, ...(values as string[])])).rows)
    }
    const numbers = [acquirer_reference, acquirer_reference.toLowerCase(), ` ${acquirer_reference} `]
    for (const q of [...numbers, order_id.toLowerCase(), order_id.toUpperCase()]) {
      expect([q, await found(q)]).toEqual([q, [paid.transaction_id]])
      expect([q, await compared(q)]).toEqual([q, [paid.transaction_id]])
    }
    expect(await found(charge)).toEqual([declined.transaction_id])
    expect(await compared(charge)).toEqual([declined.transaction_id])
    expect(await found(charge.toUpperCase())).toEqual([])
    const { body: listed } = await admin.get(`/payments?q=${charge}`)
    const { body: shown } = await admin.get(`/payments/${declined.transaction_id}`)
    expect([listed.payments[0].charge_reference, shown.payment.charge_reference]).toEqual([charge, charge])
    expect(await found("9995")).toEqual([declined.transaction_id])
    const wallet = await merchant.open({ order_amount: "200.00" })
    await merchant.pay(wallet.session_id, { payment_method: "mobile_banking", payment_service: "BKASH" })
    expect(await found("0000")).toEqual([wallet.transaction_id])
    expect(await found(acquirer_reference.slice(0, -1))).toEqual([])
    expect(await found(acquirer_reference, admin.at((await newMerchant(store)).id))).toEqual([])
    expect(await found(acquirer_reference, admin.at(merchant.id, "production"))).toEqual([])
  })

  it("docs/decisions/19 — what a shopper read as the order's number before paying finds the payment after it", async () => {
    const { session_id, transaction_id } = await merchant.open()
    await merchant.pay(session_id)
    const found = async (q: string) => ids((await admin.get(`/payments?${new URLSearchParams({ q })}`)).body.payments)
    const cart_id = `cart_${randomUUID().replaceAll("-", "").slice(8).toUpperCase()}`
    const code = orderNumberOf(cart_id)
    const session = store.db("gateway_checkout_session").where({ id: session_id })
    await session.clone().update({ source: "cart", cart_id, order_number: code })
    expect(await found(code)).toEqual([transaction_id])
    // As the order's completion writes it.
    await session.clone().update({ order_number: "104277" })
    expect([await found(code), await found(`#${code.toLowerCase()}`), await found("#104277")]).toEqual([
      [transaction_id],
      [transaction_id],
      [transaction_id],
    ])
    expect(await found(code.slice(1))).toEqual([])
  })

  it("docs/decisions/19 — every part of a search is read along an index", async () => {
    const tenants = { merchant_ids: [merchant.id], environments: ["sandbox"] }
    for (const q of [
      "Karim",
      "#1042",
      "N3C42XRB",
      "ORD-1",
      "01712345678",
      "4242",
      "1,100.00",
      "karim@example.com",
      "9HX1ABC2DE",
      "ch_3AbC1",
    ]) {
      const { sql, values } = foundPayments(q, tenants)
      const plan = await store.db.transaction(async (transaction): Promise<{ rows: Record<string, string>[] }> => {
        // The tables of a test are so small that reading all of one is cheaper than any index of it.
        await transaction.raw("SET LOCAL enable_seqscan = off")
        const bindings = values as readonly string[]
        return transaction.raw(`EXPLAIN ${sql.replace(/\$\d+/g, "?")}`, bindings)
      })
      const lines = plan.rows.map((row) => row["QUERY PLAN"])
      expect([q, lines.filter((line) => line.includes("Seq Scan"))]).toEqual([q, []])
      expect([q, lines.some((line) => line.includes("_search_"))]).toEqual([q, true])
    }
  })

  it("docs/decisions/19 — are found in Medusa's search, of every merchant and beside Medusa's own results", async () => {
    const { sought } = await oneAndAnother()
    const search = async (query: string) => {
      const response = await fetch(`${store.url}/admin/search?${query}`, { headers: admin.headers })
      const { results } = (await response.json()) as { results?: { entity: string; count: number; data: Row[] }[] }
      return { status: response.status, results }
    }
    const phone = `q=${encodeURIComponent("+880 1898-765432")}`
    const alone = await search(`${phone}&entity=gateway_payment&limit=100`)
    expect(alone.results?.[0].data.find(({ id }) => id === sought)).toMatchObject({
      merchant_id: merchant.id,
      environment: "sandbox",
      status: "SUCCESS",
      amount: "1100.00",
      customer: { name: "Md. Karim রহমান" },
    })
    for (const entity of [
      "entity=order,gateway_payment,customer",
      "entity[]=order&entity[]=gateway_payment&entity[]=customer",
    ]) {
      const { status, results } = await search(`${phone}&${entity}`)
      expect([status, results?.map((group) => group.entity)]).toEqual([200, ["order", "customer", "gateway_payment"]])
    }
    expect((await search(phone)).results?.map((group) => group.entity)).not.toContain("gateway_payment")
    expect((await search(`${phone}&entity=order,nothing`)).status).toBe(404)
    for (const hostile of ["q=%00", "q=", "q=%20", `q=${"a".repeat(300)}`, "q=%27"]) {
      const { status, results } = await search(`${hostile}&entity=gateway_payment`)
      expect([hostile, status, results?.[0].data]).toEqual([hostile, 200, []])
    }
    for (const refused of ["q=%27&limit=1000000", "q=a&offset=-1", "q[]=a"]) {
      expect([refused, (await search(`${refused}&entity=gateway_payment`)).status]).toEqual([refused, 400])
    }
    expect((await fetch(`${store.url}/admin/search?${phone}&entity=gateway_payment`)).status).toBe(401)
  })

  it("docs/decisions/19 — show the EMI plan with its schedule, and why the last attempt failed", async () => {
    await addEmi(store, merchant.id, { bank_name: "Padma Demo Bank", processing_fee: "100" })
    const { session_id, transaction_id } = await merchant.open({ order_amount: "12000.00", order_id: orderId() })
    const [configuration] = await store.db("gateway_emi_configuration").where({ merchant_id: merchant.id })
    await merchant.pay(session_id, { payment_method: "card", emi_configuration_id: configuration.uuid })
    const { payment } = (await admin.get(`/payments/${transaction_id}`)).body
    const emi = payment.emi as Record<string, unknown> & { schedule: { due_month: string; amount: string }[] }
    expect(emi).toMatchObject({ bank: "Padma Demo Bank", months: 12, fee: "100.00", merchant_absorbs: false })
    expect(emi.schedule).toHaveLength(12)
    expect(emi.schedule[0].amount).toBe(emi.first_payment)
    const sum = emi.schedule.reduce((total, { amount }) => total + Math.round(Number(amount) * 100), 0)
    expect((sum / 100).toFixed(2)).toBe(emi.total_with_fee)
    expect((await admin.get(`/payments?q=${String(emi.total_with_fee)}`)).body.payments).toMatchObject([
      { id: transaction_id, emi: { bank: "Padma Demo Bank", months: 12, total_with_fee: emi.total_with_fee } },
    ])
    expect(emi.merchant_cost).toBe("0.00")
    const own = { tenure: 9, merchant_bleeding: true, processing_fee: "575" }
    const absorbed = await addEmi(store, merchant.id, own)
    const other = await merchant.open({ order_amount: "12000.00", order_id: orderId() })
    await merchant.pay(other.session_id, { payment_method: "card", emi_configuration_id: absorbed })
    expect((await admin.get(`/payments/${other.transaction_id}`)).body.payment).toMatchObject({
      emi: { interest: "0.00", fee: "0.00", merchant_cost: "2015.00" },
    })
    const csv = (await admin.get(`/payments?format=csv&q=${other.transaction_id}`)).text
    expect(csv).toContain("2015.00")
    const declined = await merchant.open()
    await merchant.pay(declined.session_id, { payment_method: "card", card_number: "4000000000009995", final: false })
    expect((await admin.get(`/payments?q=${declined.transaction_id}`)).body.payments).toMatchObject([
      { status: "PENDING", emi: null, decline: { code: "INSUFFICIENT_FUNDS" } },
    ])
  })

  it("have notes of admins, which the audit log keeps", async () => {
    const { transaction_id } = await merchant.open()
    const path = `/payments/${transaction_id}`
    const longest = "ক".repeat(1_000)
    for (const note of ["  The customer called.  ", longest]) {
      expect((await admin.post(`${path}/notes`, { note })).status).toBe(200)
    }
    const { payment } = (await admin.get(path)).body
    expect(payment.notes).toMatchObject([
      { text: "The customer called.", by_name: ADMIN.email, created_at: expect.any(String) },
      { text: longest },
    ])
    const [last, first] = await admin.changes(transaction_id)
    expect([first.action, first.actor.type, first.changes]).toEqual([
      "payment.noted",
      "user",
      { note: { from: null, to: "The customer called." } },
    ])
    expect(last.changes).toEqual({ note: { from: null, to: longest } })
    for (const note of ["", "  ", `${longest}x`, 7]) {
      expect(await admin.post(`${path}/notes`, { note })).toMatchObject({ status: 422, body: { field: "note" } })
    }
    const other = admin.at((await newMerchant(store)).id)
    expect((await other.post(`${path}/notes`, { note: "not theirs" })).status).toBe(404)
    expect((await admin.changes(transaction_id)).length).toBe(2)
  })

  it("an OPEN one whose time is up counts as EXPIRED before any job has run", async () => {
    const { transaction_id } = await merchant.open()
    await store
      .db("gateway_transaction")
      .where({ id: transaction_id })
      .update({ expires_at: new Date(Date.now() - 1_000) })
    expect((await admin.get("/payments?status=EXPIRED")).body.payments).toMatchObject([
      { id: transaction_id, status: "EXPIRED" },
    ])
    expect((await admin.get("/payments?status=PENDING")).body.count).toBe(0)
  })

  it("have a timeline from the opened session to every delivery and refund", async () => {
    await admin.post("/webhooks", { endpoint_url: `${receiver.url}/hook`, event_types: ["*"] })
    const { session_id, transaction_id } = await merchant.open({ ipn_url: `${receiver.url}/ipn` })
    await merchant.pay(session_id)
    await gatewayOf(store).refunds.create({
      transaction_id,
      amount: 5_000n,
      reason: "a scratch",
      requested_by: "the test",
      request_key: "one",
    })
    await gatewayOf(store).webhookDispatch.drain(merchant.id)
    const { payment } = (await admin.get(`/payments/${transaction_id}`)).body
    expect(payment).toMatchObject({
      id: transaction_id,
      status: "SUCCESS",
      refunded_amount: "50.00",
      customer: { email: "rahima@example.com" },
    })
    expect(payment.timeline.map(({ type, status, event_type }) => event_type ?? status ?? type)).toEqual([
      "session_opened",
      "attempt",
      "SUCCESS",
      "payment.succeeded",
      "refund_requested",
      "refund.initiated",
      "refund.processing",
      "completed",
      "refund.completed",
    ])
    const [event] = payment.timeline.filter(({ event_type }) => event_type === "payment.succeeded")
    expect(event.deliveries.map(({ kind, status }) => [kind, status]).sort()).toEqual([
      ["ipn", "delivered"],
      ["webhook", "delivered"],
    ])
    expect(JSON.stringify(payment)).not.toMatch(/whsec_|acquirer_ids|return_key/)
  })

  it("declined and moved clocks: what happened stays in order", async () => {
    await merchant.advance(86_400)
    const { session_id, transaction_id } = await merchant.open({ order_amount: "300.00" })
    await merchant.pay(session_id)
    const { timeline } = (await admin.get(`/payments/${transaction_id}`)).body.payment
    expect(timeline.map(({ type }) => type)).toEqual(["session_opened", "attempt", "settled", "event"])
    expect(timeline[2]).toMatchObject({ status: "FAILED", error_code: "CARD_DECLINED" })
  })

  it("decisions: Checkout — every attempt with its service, its decline and its end, also by a clock that runs ahead", async () => {
    await merchant.advance(86_400)
    const { session_id, transaction_id } = await merchant.open()
    for (const card_number of ["4000000000000002", "4000000000009995"]) {
      await merchant.pay(session_id, { payment_method: "card", card_number, final: false })
    }
    await merchant.pay(session_id, { payment_method: "wallet", final: false })
    const { timeline } = (await admin.get(`/payments/${transaction_id}`)).body.payment
    const shown = timeline.map(({ type, number, state, payment_service, error_code }) =>
      [type, number, state, payment_service, error_code].filter((part) => part !== undefined && part !== null)
    )
    expect(shown).toEqual([
      ["session_opened"],
      ["attempt", 1, "DECLINED", "CARD"],
      ["attempt_ended", 1, "DECLINED", "CARD", "CARD_DECLINED"],
      ["attempt", 2, "DECLINED", "CARD"],
      ["attempt_ended", 2, "DECLINED", "CARD", "INSUFFICIENT_FUNDS"],
      ["attempt", 3, "SUCCEEDED", "WALLET"],
      ["settled"],
      ["event"],
    ])
    expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => at).sort())
  })

  it("decisions: Checkout — left after a decline: the decline at its time, and the payment's own end later", async () => {
    const { session_id, transaction_id } = await merchant.open()
    await merchant.pay(session_id, { payment_method: "card", card_number: "4000000000000002", final: false })
    await merchant.cancel(session_id)
    const { timeline } = (await admin.get(`/payments/${transaction_id}`)).body.payment
    expect(timeline.map(({ type, status }) => status ?? type)).toEqual([
      "session_opened",
      "attempt",
      "attempt_ended",
      "FAILED",
      "event",
    ])
  })
})
