import { done, moved, ScriptedAcquirer, servicesWith } from "../support/acquirer"
import { newMerchant, type ApiMerchant } from "../support/api"
import { type Admin, prepareAdmin, useAdminOf } from "../support/admin"
import { expectLoggedErrors } from "../support/logged-errors"
import { useStore } from "../support/store"

expectLoggedErrors(
  /the acquirer reports .* instead of .*; it stays open/,
  /came for the attempt .*, which is over; it is given back/
)

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("decisions: Checkout — paid twice, at the admin", () => {
  it("waits in the overview and in the list until it is given back, and the payment's page shows both", async () => {
    const own = await newMerchant(store)
    const at = admin.at(own.id)
    const answers = {
      start: () => ({ result: "redirect", url: "https://bank.example.com/pay/1" }) as const,
      query: () => ({ result: "unknown", message: "Not paid yet", awaiting_shopper: true }) as const,
    }
    const bank = new ScriptedAcquirer(
      "redirect",
      [answers.start],
      [answers.query, done],
      [() => ({ result: "absent" }), done]
    )
    const { payments, inquiries, surplus } = servicesWith(store, "sandbox", bank)
    const { session_id, transaction_id } = await own.open()
    const page_url = "http://pay.test/pay/x"
    await payments.pay({ session_id, instrument: { method: "wallet" }, page_url })
    await inquiries.leave({ session_id, page_url })
    await own.pay(session_id)
    const waiting = async () => (await at.get("/overview")).body.overview.attention.paid_twice
    const listed = async () => (await at.get("/payments?paid_twice=open")).body.payments.map(({ id }) => id)
    expect([await waiting(), await listed()]).toEqual([0, []])
    const [left] = await store.db("gateway_payment_attempt").where({ transaction_id }).orderBy("number")
    await inquiries.hinted(left.id, null)
    expect([await waiting(), await listed()]).toEqual([1, [transaction_id]])
    const surplusOf = async () =>
      (await at.get(`/payments/${transaction_id}`)).body.payment.timeline
        .filter(({ number }) => number === 1)
        .map(({ type, state, amount, acquirer, acquirer_reference }) => [
          type,
          state ?? amount,
          acquirer,
          acquirer_reference,
        ])
    const { acquirer_reference } = await store.db("gateway_payment_attempt").where({ id: left.id }).first()
    expect(await surplusOf()).toEqual([
      ["attempt", "SURPLUS", "scripted", undefined],
      ["surplus_received", "1250.50", "scripted", acquirer_reference],
    ])
    await surplus.due.run()
    expect([await waiting(), await listed()]).toEqual([0, []])
    expect(await surplusOf()).toEqual([
      ["attempt", "RETURNED", "scripted", undefined],
      ["surplus_received", "1250.50", "scripted", acquirer_reference],
      ["surplus_returned", "1250.50", "scripted", acquirer_reference],
    ])
    const { entries } = (await at.get("/ledger/entries?account=refunds")).body
    expect(entries.map(({ type, amount }) => [type, amount])).toEqual([
      ["surplus_returned", "-1250.50"],
      ["surplus_received", "1250.50"],
    ])
    expect((await at.get("/payments?paid_twice=maybe")).status).toBe(422)

    // decisions: Settlements. The acquirer's file has both, by its number of the payment; a later one by ours.
    const columns = { kind: "Type", reference: "Theirs", order_reference: "Ours", date: "Date", gross: "Amount" }
    const definition = { kind: "settlement", columns, kinds: { Sale: "payment", Refund: "refund" } }
    const made = await at.post("/settlements/templates", { name: "All", source: "scripted", definition })
    const { template } = made.body as unknown as { template: { id: string } }
    const day = new Date(Date.now() + 6 * 3_600_000).toISOString().slice(0, 10)
    const query = `template_id=${template.id}&file_name=all.csv&merchant_id=${own.id}&environment=sandbox`
    await fetch(`${store.url}/admin/gateway/settlements/imports?${query}`, {
      method: "POST",
      headers: { ...at.headers, "Content-Type": "application/octet-stream" },
      body: [
        "Type,Theirs,Ours,Date,Amount",
        `Sale,${acquirer_reference},,${day},1250.50`,
        `Refund,,${left.id},${day},-1250.50`,
        `Refund,${acquirer_reference},,${day},-1250.50`,
      ].join("\n"),
    })
    const { lines } = (await at.get("/settlements/lines?order=occurred_at")).body as unknown as {
      lines: { status: string; subject: string | null; reasons: string[] }[]
    }
    expect(lines.map(({ status, subject, reasons }) => [status, subject ?? reasons[0]]).sort()).toEqual([
      ["matched", `surplus:${left.id}`],
      ["matched", `surplus_returned:${left.id}`],
      ["unknown", "taken"],
    ])
    expect(await store.brokenInvariants()).toEqual([])
  })
})

describe("acquirers — another amount than was asked for, at the admin", () => {
  it("waits in the overview, and the payment's page says what is reported and what was asked for; a refund's likewise", async () => {
    const acquirer = new ScriptedAcquirer("inline", [() => moved(10_000n), done], undefined, [
      () => moved(125_050n, "USD"),
    ])
    const { payments, refunds } = servicesWith(store, "sandbox", acquirer)
    const instrument = { method: "card", card: { number: "4242424242424242" } } as const
    const [wrong, right] = [await merchant.open(), await merchant.open()]
    for (const { session_id } of [wrong, right]) {
      await payments.pay({ session_id, instrument, page_url: "http://pay.test/pay/x" })
    }
    const refund = await refunds.create({
      transaction_id: right.transaction_id,
      reason: "Broken",
      requested_by: "test",
      request_key: null,
    })
    expect((await admin.get("/overview")).body.overview.attention).toMatchObject({
      mismatched_payments: 1,
      mismatched_refunds: 1,
    })
    expect((await admin.at(merchant.id, "production").get("/overview")).body.overview.attention).toMatchObject({
      mismatched_payments: 0,
      mismatched_refunds: 0,
    })
    const mismatches = async (id: string) =>
      (await admin.get(`/payments/${id}`)).body.payment.timeline.filter(({ type }) => type === "amount_mismatch")
    expect(await mismatches(wrong.transaction_id)).toMatchObject([
      {
        reported_amount: "100.00",
        reported_currency: "BDT",
        amount: "1250.50",
        currency: "BDT",
        reference: expect.stringMatching(/^REF/),
        refund_id: null,
      },
    ])
    expect(await mismatches(right.transaction_id)).toMatchObject([
      {
        reported_amount: "1250.50",
        reported_currency: "USD",
        amount: "1250.50",
        currency: "BDT",
        refund_id: refund.id,
      },
    ])
    expect((await admin.changes(wrong.transaction_id)).map(({ action, actor }) => [action, actor.type])).toEqual([
      ["payment.amount_mismatched", "system"],
    ])
  })
})
