import { newMerchant, type ApiMerchant } from "../support/api"
import { type Admin, prepareAdmin, ids, useAdminOf } from "../support/admin"
import { useStore } from "../support/store"
import { Subscriber, SUBSCRIPTIONS } from "../support/subscriptions"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("invoices", () => {
  async function invoiced() {
    const subscriber = await Subscriber.create(merchant, {
      customer: { name: "Shirin", email: `shirin-${merchant.id.slice(-6)}@example.com` },
    })
    const { invoice } = (await admin.post("/invoices", { subscription_id: subscriber.uuid })).body
    return { subscriber, invoice }
  }

  it("are generated once a period, listed, downloaded as PDF and voided, and the audit log says so", async () => {
    const { subscriber, invoice } = await invoiced()
    expect(invoice).toMatchObject({
      invoice_id: "INV-000001",
      status: "PENDING",
      amount: "500.00",
      subscription: { id: subscriber.uuid },
      payment_url: expect.stringMatching(new RegExp(`^${store.url}/pay/invoice/`)),
    })
    expect((await admin.post("/invoices", { subscription_id: subscriber.uuid })).body.invoice.id).toBe(invoice.id)
    const found = async (query: string) => ids((await admin.get(`/invoices?${query}`)).body.invoices)
    for (const query of [
      "",
      "q=inv-000001",
      "q=shirin-",
      `q=${invoice.id}`,
      "status=PENDING",
      `subscription_id=${subscriber.uuid}`,
      "from=2001-01-01T00:00:00Z",
    ]) {
      expect([query, await found(query)]).toEqual([query, [invoice.id]])
    }
    for (const query of [
      "q=INV-000002",
      "q=karim",
      "status=PAID,VOID",
      "subscription_id=x",
      "to=2001-01-01T00:00:00Z",
    ]) {
      expect([query, await found(query)]).toEqual([query, []])
    }
    const pdf = await admin.get(`/invoices/${invoice.id}/pdf?lang=bn`)
    expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, "%PDF-"])
    expect((await admin.post("/invoices/INV-000001/void")).body.invoice).toMatchObject({ status: "VOID" })
    expect((await admin.post(`/invoices/${invoice.id}/void`)).status).toBe(409)
    const other = (await merchant.call("POST", `${SUBSCRIPTIONS}/${subscriber.uuid}/generate-invoice`))
      .body as unknown as { uuid: string }
    await merchant.call("POST", `/payments/invoices/${other.uuid}/void`)
    const made = {
      action: "invoice.generated",
      changes: { status: { from: null, to: "PENDING" }, amount_minor: { from: null, to: 50_000 } },
    }
    const voided = { action: "invoice.voided", changes: { status: { from: "PENDING", to: "VOID" } } }
    expect(await admin.changes(invoice.id)).toMatchObject([
      { ...voided, actor: { type: "user" } },
      { ...made, actor: { type: "user" } },
    ])
    expect(await admin.changes(other.uuid)).toMatchObject([
      { ...voided, actor: { type: "merchant_key" } },
      { ...made, actor: { type: "merchant_key" } },
    ])
  })

  it("are sent again by e-mail: once for any number of clicks, and not when there is nothing to pay", async () => {
    const { invoice } = await invoiced()
    const mails = async () =>
      ((await admin.get(`/invoices/${invoice.id}`)).body.invoice.mails as { kind: string; status: string }[]).filter(
        ({ kind }) => kind === "invoice"
      )
    await store
      .db("gateway_invoice_mail")
      .where({ merchant_id: merchant.id, kind: "invoice" })
      .update({ state: "sent", sent_at: new Date() })
    const answers = await Promise.all(Array.from({ length: 4 }, () => admin.post(`/invoices/${invoice.id}/send`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await mails()).length).toBe(2)
    expect((await admin.changes(invoice.id)).map(({ action }) => action)).toEqual([
      "invoice.sent_again",
      "invoice.generated",
    ])
    await admin.post(`/invoices/${invoice.id}/void`)
    expect(await admin.post(`/invoices/${invoice.id}/send`)).toMatchObject({
      status: 409,
      body: { code: "INVALID_STATE_TRANSITION" },
    })
  })
})
