import { Client } from "@medusajs/framework/pg"
import { localDate } from "../../src/i18n/formats"
import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { blocked, holding } from "../support/locks"
import { expectLoggedErrors } from "../support/logged-errors"
import { mailProviderOf, notificationsOf } from "../support/mails"
import { CARD, post, visit } from "../support/pages"
import { paid, refund, refundData } from "../support/refunds"
import { DAY, PLANS, Subscriber } from "../support/subscriptions"
import { useStore } from "../support/store"

expectLoggedErrors(/receipt \S+ failed and is given up: \w*Error"/)

/** In this process: the tests replace the mail provider and read what Medusa's notification module received. */
const store = useStore({ production: false })

const notifications = () => notificationsOf(store)
const provider = () => mailProviderOf(store)

describe("docs/decisions/12 — receipts", () => {
  const DELAYED = "4000000000007734"
  type Mail = {
    to: string
    template: string
    status: string
    data: { subject: string; html: string; text: string; language: string; amount: string; order_number: string }
  }
  const mails = async (resource_id: string) =>
    (await notifications().listNotifications({ resource_id }, { order: { created_at: "ASC" } })) as unknown as Mail[]
  const receipts = () => gatewayOf(store).receipts
  const rows = (resource_id: string) => store.db("gateway_receipt").where({ resource_id }).orderBy("step")
  const sendAll = () => receipts().run(100)

  async function sender(settings: object = { receipts: true }): Promise<ApiMerchant> {
    const owner = await newMerchant(store)
    await gatewayOf(store).merchants.configure({ merchant_id: owner.id, environment: "sandbox" }, settings)
    return owner
  }
  const scopeOf = async ({ id }: ApiMerchant) => {
    const actor = { type: "user", id: "tests" } as const
    return { ...(await gatewayOf(store).merchants.scope(id, "sandbox")), actor }
  }

  it("a queued one wakes the worker at COMMIT, also of a merchant without an endpoint; none is queued, none wakes", async () => {
    const [owner, silent] = [await sender(), await newMerchant(store)]
    const client = new Client({ connectionString: store.databaseUrl })
    await client.connect()
    let wakes = 0
    client.on("notification", () => (wakes += 1))
    await client.query("LISTEN gateway_deliveries")
    await paid(silent)
    // What was sent before this connection's own statement has arrived with its answer.
    await client.query("SELECT 1")
    expect(wakes).toBe(0)
    await paid(owner)
    await client.query("SELECT 1")
    expect(wakes).toBeGreaterThan(0)
    await client.end()
    await sendAll()
  })

  it("one of each payment and of each refund, with the PDF, in the shop's language; none where they are off", async () => {
    const owner = await sender()
    const silent = await newMerchant(store)
    const session = await owner.open({ order_amount: "1000.00", payment_info: { language: "bn" } })
    const { transaction_id: quiet } = await paid(silent)
    const send = jest.spyOn(provider(), "send")
    await owner.pay(session.session_id, { payment_method: "card" })
    await sendAll()
    const [, sent] = send.mock.calls.find(([, { to }]) => to === "rahima@example.com") ?? []
    send.mockRestore()
    expect(sent).toMatchObject({
      channel: "email",
      content: { subject: expect.stringContaining("৳১,০০০.০০"), html: expect.any(String), text: expect.any(String) },
      attachments: [
        {
          filename: expect.stringMatching(/^receipt-T-[0-9a-f]+\.pdf$/),
          content_type: "application/pdf",
          content: expect.stringMatching(/^JVBER/),
        },
      ],
    })
    const { refund_id } = refundData(await refund(owner, session.transaction_id, { refund_amount: "250.00" }))
    await sendAll()
    expect(await mails(session.transaction_id)).toMatchObject([
      { template: "gateway-receipt", status: "success", data: { language: "bn", amount: "1000.00" } },
    ])
    expect(await mails(refund_id)).toMatchObject([
      { template: "gateway-refund-completed", data: { language: "bn", amount: "250.00" } },
    ])
    expect([await mails(quiet), await rows(quiet)]).toEqual([[], []])
  })

  it("they are in the language in which the shopper has read the page, also those of a refund", async () => {
    const owner = await sender()
    const { session_id, transaction_id } = await owner.open({ order_amount: "1000.00" })
    const page = `${store.url}/pay/${session_id}?lang=bn`
    const { status } = await post(page, await visit(page), CARD)
    expect(status).toBe(303)
    const { refund_id } = refundData(await refund(owner, transaction_id, { refund_amount: "250.00" }))
    await sendAll()
    for (const id of [transaction_id, refund_id]) {
      expect(await mails(id)).toMatchObject([{ data: { language: "bn" } }])
    }
  })

  // A repeated order locks both, the session first: a payment that held the other one would be a deadlock.
  it("the payment is not locked while its session takes the language", async () => {
    const owner = await sender()
    const { session_id } = await owner.open({ order_amount: "1000.00" })
    const page = `${store.url}/pay/${session_id}?lang=bn`
    const shown = await visit(page)
    const paying = await holding(store, "gateway_checkout_session", session_id, async () => {
      const pressed = post(page, shown, CARD)
      await blocked(store, 1)
      await store.db.raw("SELECT 1 FROM gateway_transaction WHERE session_id = ? FOR UPDATE NOWAIT", [session_id])
      return { pressed }
    })
    expect((await paying.pressed).status).toBe(303)
  })

  it("a refund that is switched on twice, by the merchant and by notify_customer, has one e-mail; a failed one none", async () => {
    const owner = await sender()
    const { transaction_id } = await paid(owner)
    const { transaction_id: unlucky } = await paid(owner, "999.00")
    const give = async (id: string) => refundData(await refund(owner, id, { notify_customer: true })).refund_id
    const [given, failed] = [await give(transaction_id), await give(unlucky)]
    const { transaction_id: slow } = await paid(owner, "1000.00", DELAYED)
    const later = await give(slow)
    await sendAll()
    expect((await Promise.all([given, failed, later].map(mails))).map(({ length }) => length)).toEqual([1, 0, 0])
    expect((await owner.advance(DAY)).body.data.processed).toMatchObject({ receipts: 1 })
    expect(await mails(later)).toHaveLength(1)
  })

  it("many workers at once: each receipt is sent by one of them, and one that died is sent by another", async () => {
    const owner = await sender()
    const ids = (await Promise.all(Array.from({ length: 8 }, () => paid(owner)))).map((one) => one.transaction_id)
    await Promise.all(Array.from({ length: 5 }, () => receipts().run(3)))
    await sendAll()
    expect((await Promise.all(ids.map(mails))).map(({ length }) => length)).toEqual(Array(8).fill(1))
    // The process died after the provider had taken the e-mail, before it wrote that down.
    await store
      .db("gateway_receipt")
      .where({ resource_id: ids[0] })
      .update({ state: "pending", sent_at: null, next_attempt_at: new Date(0) })
    await sendAll()
    expect([(await mails(ids[0])).length, (await rows(ids[0]))[0].state]).toEqual([1, "sent"])
  })

  it("a mail provider that fails costs no money: the payment is kept, the receipt is tried again and then given up", async () => {
    const owner = await sender()
    const { transaction_id } = await paid(owner)
    const send = jest.spyOn(provider(), "send").mockRejectedValue(new Error("the mail server is away"))
    await receipts().run(100)
    expect(await rows(transaction_id)).toMatchObject([
      { state: "pending", attempts: 1, last_error: { params: { text: expect.stringContaining("server is away") } } },
    ])
    expect(await owner.verified(transaction_id)).toMatchObject({ status: "SUCCESS" })
    await store
      .db("gateway_receipt")
      .where({ resource_id: transaction_id })
      .update({ attempts: 6, next_attempt_at: new Date(0) })
    await receipts().run(100)
    send.mockRestore()
    expect(await rows(transaction_id)).toMatchObject([{ state: "failed" }])
  })

  it("a refund whose money came back before it was sent is not reported", async () => {
    const owner = await sender()
    const { transaction_id } = await paid(owner)
    const { refund_id } = refundData(await refund(owner, transaction_id))
    const { state } = await store.db("gateway_refund").where({ id: refund_id }).first("state")
    await store.db("gateway_refund").where({ id: refund_id }).update({ state: "failed" })
    await sendAll()
    // What is checked after the tests is all of the money.
    await store.db("gateway_refund").where({ id: refund_id }).update({ state })
    expect([await mails(refund_id), (await rows(refund_id))[0].state]).toEqual([[], "dropped"])
  })

  it("decisions: Absent means absent — a cart's shopper without an e-mail address is sent nothing, and the receipt is there", async () => {
    const owner = await sender()
    const { transaction_id } = await paid(owner)
    await store.db.raw(
      `UPDATE gateway_checkout_session SET customer = customer || '{"email": ""}'
       WHERE id = (SELECT session_id FROM gateway_transaction WHERE id = ?)`,
      [transaction_id]
    )
    await sendAll()
    const of = { transaction_id, refund_id: null }
    const scope = await scopeOf(owner)
    await expect(receipts().sendAgain(scope, of)).rejects.toMatchObject({
      code: "INVALID_STATE_TRANSITION",
      message: expect.stringContaining("no e-mail address"),
    })
    expect([await mails(transaction_id), (await rows(transaction_id)).map(({ state }) => state)]).toEqual([
      [],
      ["dropped"],
    ])
    expect((await receipts().pdf(scope, of, "en")).bytes.length).toBeGreaterThan(1_000)
  })

  it("an admin sends a receipt again, also where receipts are off: clicks at once send one e-mail, and the audit log has it", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await paid(owner)
    const of = { transaction_id, refund_id: null }
    const scope = await scopeOf(owner)
    await Promise.all([1, 2, 3].map(() => receipts().sendAgain(scope, of)))
    await sendAll()
    await receipts().sendAgain(scope, of)
    await sendAll()
    expect((await mails(transaction_id)).map(({ to }) => to)).toEqual(["rahima@example.com", "rahima@example.com"])
    const audited = await store.db("gateway_audit_entry").where({ resource_id: transaction_id })
    expect(audited.map(({ action, actor_id, changes }) => [action, actor_id, changes.to])).toEqual(
      Array(2).fill(["payment.receipt_sent_again", "tests", { from: null, to: "rahima@example.com" }])
    )
  })

  it("there is none of an open payment, of a refund under way, or of what belongs to another merchant", async () => {
    const [owner, other] = [await newMerchant(store), await newMerchant(store)]
    const open = await owner.open()
    const { transaction_id } = await paid(owner, "1000.00", DELAYED)
    const { refund_id } = refundData(await refund(owner, transaction_id))
    const code = async (merchant: ApiMerchant, of: { transaction_id: string; refund_id: string | null }) => {
      const scope = await scopeOf(merchant)
      return Promise.all(
        [() => receipts().sendAgain(scope, of), () => receipts().pdf(scope, of, "en")].map((act) =>
          act().then(
            () => "sent",
            (error: { code: string }) => error.code
          )
        )
      )
    }
    const refused = Array(2).fill("INVALID_STATE_TRANSITION")
    expect(await code(owner, { transaction_id: open.transaction_id, refund_id: null })).toEqual(refused)
    expect(await code(owner, { transaction_id, refund_id })).toEqual(refused)
    expect(await code(other, { transaction_id, refund_id: null })).toEqual(Array(2).fill("TRANSACTION_NOT_FOUND"))
    expect(await code(owner, { transaction_id: open.transaction_id, refund_id })).toEqual(
      Array(2).fill("REFUND_NOT_FOUND")
    )
  })

  it("an automatic charge has one, with its invoice's number, beside no e-mail about the paid invoice", async () => {
    const owner = await sender()
    const subscriber = await Subscriber.create(owner)
    await subscriber.pay()
    await sendAll()
    await owner.advance(32 * DAY)
    const { email } = await store
      .db("gateway_customer as c")
      .join("gateway_subscription as s", "s.customer_id", "c.id")
      .where("s.uuid", subscriber.uuid)
      .first("c.email")
    const sent = (await notifications().listNotifications(
      { to: email },
      { order: { created_at: "ASC" } }
    )) as unknown as Mail[]
    expect(sent.map(({ template }) => template)).toEqual(["gateway-receipt", "gateway-receipt"])
    expect(sent[1].data.text).toContain("INV-000002")
  })
})

describe("docs/decisions/18 — an e-mail about a cancellation", () => {
  type Sent = { to: string; data: { subject: string; text: string; html: string; end: string; language: string } }
  const mails = async ({ uuid }: Subscriber) => {
    const sent = await notifications().listNotifications({ resource_id: uuid }, { order: { created_at: "ASC" } })
    return (sent as unknown as Sent[]).map(({ to, data }) => ({ to, ...data }))
  }
  const sendAll = () => gatewayOf(store).cancellationMails.run(100)
  const rows = async ({ uuid }: Subscriber) => {
    const { id } = await store.db("gateway_subscription").where({ uuid }).first()
    return store.db("gateway_cancellation_mail").where({ subscription_id: id }).orderBy("cancelled_at")
  }

  async function subscriber(settings: object = { receipts: true }, terms: object = {}): Promise<Subscriber> {
    const owner = await newMerchant(store)
    await gatewayOf(store).merchants.configure({ merchant_id: owner.id, environment: "sandbox" }, settings)
    const { body } = await owner.call("POST", PLANS, {
      ...{ plan_name: "Tea club", amount: "600.00", interval_count: 1, interval_unit: "MONTH" },
      meta_data: { plan_name_bn: "চায়ের ক্লাব" },
    })
    const own = { amount: undefined, interval_count: undefined, interval_unit: undefined, ...terms }
    const made = await Subscriber.create(owner, { subscription_plan_id: Object(body).id, ...own })
    await made.pay()
    return made
  }

  it("with the period's end: until when, and how it is undone; one, however often it is asked for and sent", async () => {
    const one = await subscriber()
    const asked = Array.from({ length: 4 }, () => one.call("POST", "/cancel", { cancel_at_period_end: true }))
    expect((await Promise.all(asked)).some(({ status }) => status === 200)).toBe(true)
    await Promise.all([sendAll(), sendAll()])
    await store
      .db("gateway_cancellation_mail")
      .update({ state: "pending", sent_at: null, next_attempt_at: new Date(0) })
    await sendAll()
    const [mail, ...others] = await mails(one)
    expect([others, await rows(one)]).toMatchObject([[], [{ state: "sent" }]])
    const { customer, current_period_end, status } = await one.get()
    const { merchant_id, name } = await merchantOf(one)
    const until = localDate(new Date(String(current_period_end)), "en", "Asia/Dhaka")
    expect([status, mail.to, mail.end]).toEqual(["CANCELLED", customer.email, "until"])
    expect(mail.subject).toBe(`[Test mode] Tea club at ${name} is cancelled`)
    expect(mail.text).toContain(`You can use it until ${until}, and nothing more is charged.`)
    expect(mail.text).toContain(`You can undo the cancellation until ${until}.`)
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain(`/portal/${merchant_id}/sandbox`)
    }
  })

  const merchantOf = async ({ uuid }: Subscriber) =>
    store
      .db("gateway_subscription AS s")
      .join("gateway_merchant AS m", "m.id", "s.merchant_id")
      .where("s.uuid", uuid)
      .first("m.id AS merchant_id", "m.name")

  it("at once, with what was given back; in Bangla for who has read the payment page in Bangla", async () => {
    const one = await subscriber()
    const [{ transaction_id }] = await one.history()
    await refund(one.merchant, transaction_id, { refund_amount: "150.00" })
    await store.db("gateway_checkout_session").where({ merchant_id: one.merchant.id }).update({ language: "bn" })
    await one.call("POST", "/cancel", { cancel_at_period_end: false })
    await sendAll()
    const [mail] = await mails(one)
    expect([mail.end, mail.language]).toEqual(["now", "bn"])
    expect(mail.subject).toContain("চায়ের ক্লাব বাতিল হয়েছে")
    expect(mail.text).not.toContain("ফিরিয়ে নিতে")
  })

  it("after the last failed charge, also when one leap of the clock brings it there", async () => {
    const one = await subscriber()
    const owner = one.merchant
    await one.call("PATCH", "", { amount: "300.00" })
    const moved = await owner.call("POST", "/sandbox/clock", { advance_seconds: 60 * DAY })
    expect(Object(moved.body.data).processed).toMatchObject({ cancellation_mails: 1 })
    const [mail, ...others] = await mails(one)
    expect([await one.status(), mail.end, others]).toEqual(["EXPIRED", "failed", []])
    expect(mail.text).toContain("because its payment failed at the last try too")
  })

  it("an undone cancellation has none, the next one has its own; and none where the merchant sends none", async () => {
    const [one, quiet] = [await subscriber(), await subscriber({ receipts: false })]
    await quiet.call("POST", "/cancel", { cancel_at_period_end: false })
    const until = { cancel_at_period_end: true }
    await one.call("POST", "/cancel", until)
    await one.call("POST", "/uncancel")
    await sendAll()
    expect([await mails(one), await mails(quiet), await rows(quiet)]).toEqual([[], [], []])
    await one.merchant.advance(60)
    await one.call("POST", "/cancel", until)
    await sendAll()
    expect([await rows(one), await mails(one)]).toMatchObject([[{ state: "dropped" }, { state: "sent" }], [{}]])
  })

  it("without a mail provider it is tried again, and a process that died with it leaves it to another", async () => {
    const one = await subscriber()
    await one.call("POST", "/cancel", { cancel_at_period_end: false })
    const sending = jest.spyOn(provider(), "send").mockRejectedValueOnce(new Error("no route to the mail server"))
    await sendAll()
    expect(await rows(one)).toMatchObject([{ state: "pending", attempts: 1, sent_at: null }])
    // As a claim whose process has died, and whose lease has run out.
    await store
      .db("gateway_cancellation_mail")
      .where({ merchant_id: one.merchant.id })
      .update({ next_attempt_at: new Date(0) })
    await sendAll()
    sending.mockRestore()
    expect([await rows(one), (await mails(one)).length]).toMatchObject([[{ state: "sent", attempts: 2 }], 2])
  })
})
