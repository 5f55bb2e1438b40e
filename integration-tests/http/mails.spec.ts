import type { INotificationModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { notifyDisabledEndpoints } from "../../src/store/notifications"
import { gatewayOf, newMerchant, type Answer, type ApiMerchant } from "../support/api"
import { expectLoggedErrors } from "../support/logged-errors"
import { useReceiver } from "../support/receiver"
import { paid, refund, refundData } from "../support/refunds"
import { DAY, Subscriber } from "../support/subscriptions"
import { useStore } from "../support/store"

expectLoggedErrors(/(e-mail|receipt) .* failed and is given up: [^]*(no such mailbox|the mail server is away)/)

/** In this process: the tests replace the mail provider and read what Medusa's notification module received. */
const store = useStore({ production: false })
const receiver = useReceiver()

type Provider = { send(provider: unknown, mail: Record<string, unknown>): Promise<unknown> }

const notifications = () => store.container.resolve(Modules.NOTIFICATION)
const provider = () =>
  (notifications() as INotificationModuleService & { notificationProviderService_: Provider })
    .notificationProviderService_

describe("contract 4.6 generate-invoice — the e-mail with the payment link, and reminders", () => {
  type Invoice = { uuid: string; due_date: string; payment_url: string; invoice_status: string }
  const linesOf = (answer: Answer) => answer.body.data as unknown as Invoice[]
  const oneTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
  const rowOf = ({ uuid }: { uuid: string }) => store.db("gateway_invoice").where({ uuid }).first()
  const generate = async (subscriber: Subscriber) =>
    (await subscriber.call("POST", "/generate-invoice")).body as unknown as Invoice
  /** Does what billing does to a subscription after a failed charge, without waiting for one. */
  const pastDue = (subscriber: Subscriber, since: string) =>
    store
      .db("gateway_subscription")
      .where({ uuid: subscriber.uuid })
      .update({ status: "PAST_DUE", past_due_since: since, failed_payment_count: 1, due_at: null })
  type Mail = {
    template: string
    status: string
    data: { subject: string; html: string; text: string; kind: string; step: number }
  }
  const mailsTo = async ({ uuid }: Subscriber): Promise<Mail[]> => {
    const { email } = await store
      .db("gateway_customer as c")
      .join("gateway_subscription as s", "s.customer_id", "c.id")
      .where("s.uuid", uuid)
      .first("c.email")
    return (await notifications().listNotifications(
      { to: email },
      { order: { created_at: "ASC" } }
    )) as unknown as Mail[]
  }
  const kindsTo = async (subscriber: Subscriber) =>
    (await mailsTo(subscriber)).map(({ data }) => `${data.kind} ${data.step}`)
  const plans = async ({ uuid }: Invoice) => {
    const { id } = await rowOf({ uuid })
    const rows = await store.db("gateway_invoice_mail").where({ invoice_id: id }).orderBy("due_at")
    return rows.map(({ kind, step, state }) => `${kind} ${step} ${state}`)
  }

  /** Removes the pending e-mails of other tests. */
  const forgetOthers = () => store.db("gateway_invoice_mail").where({ state: "pending" }).update({ state: "dropped" })

  it("is sent automatically: subject, HTML and text with the link, through Medusa's notification module, once", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    const { payment_url } = await generate(subscriber)
    expect((await owner.advance(0)).body.data.processed).toMatchObject({ invoice_mails: 1 })
    expect((await owner.advance(60)).body.data.processed).toMatchObject({ invoice_mails: 0 })
    const mails = await mailsTo(subscriber)
    expect(mails).toMatchObject([
      {
        template: "gateway-invoice",
        status: "success",
        data: { kind: "invoice", subject: "[Test mode] Invoice INV-000001 from Aarong Test & Söhne: ৳500.00" },
      },
    ])
    expect(mails[0].data.html).toContain(`href="${payment_url}"`)
    expect(mails[0].data.text).toContain(payment_url)
  })

  it("the provider gets the content and the PDF", async () => {
    const owner = await newMerchant(store)
    await generate(await Subscriber.create(owner))
    const send = jest.spyOn(provider(), "send")
    await owner.advance(0)
    const [[, mail]] = send.mock.calls
    send.mockRestore()
    expect(mail).toMatchObject({
      channel: "email",
      content: {
        subject: expect.any(String),
        html: expect.stringContaining("<!doctype html>"),
        text: expect.any(String),
      },
      attachments: [
        {
          filename: "INV-000001.pdf",
          content_type: "application/pdf",
          disposition: "attachment",
          content: expect.stringMatching(/^JVBER/),
        },
      ],
    })
  })

  it("a reminder three days before it is due, and after every failed retry while the subscription is past due", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner, { trial_period_days: 14 })
    await generate(subscriber)
    await owner.advance(11 * DAY - 60)
    expect(await kindsTo(subscriber)).toEqual(["invoice 0"])
    await owner.advance(120)
    expect(await kindsTo(subscriber)).toEqual(["invoice 0", "reminder 0"])
    await owner.advance(3 * DAY)
    expect([await subscriber.status(), await kindsTo(subscriber)]).toEqual(["PAST_DUE", ["invoice 0", "reminder 0"]])
    await owner.advance(DAY + 3_600)
    expect(await kindsTo(subscriber)).toEqual(["invoice 0", "reminder 0", "past_due 1"])
    await owner.advance(30 * DAY)
    expect(await kindsTo(subscriber)).toEqual(["invoice 0", "reminder 0", "past_due 1", "past_due 2", "past_due 3"])
    expect((await mailsTo(subscriber))[2].data.subject).toContain("Payment overdue")
    expect((await subscriber.invoices()).map(({ status }) => status)).toEqual(["VOID"])
  })

  it("decisions: Plans — a trial that ends with no instrument on file: an invoice with a payment link is sent, and what it asks for ends the dunning", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner, { trial_period_days: 7 })
    await owner.advance(7 * DAY + 60)
    const [invoice] = linesOf(await owner.call("GET", `/payments/invoices?subscription_id=${subscriber.uuid}`))
    const [mail] = await mailsTo(subscriber)
    expect([await subscriber.status(), invoice.invoice_status, mail.data.kind]).toEqual([
      "PAST_DUE",
      "PENDING",
      "invoice",
    ])
    expect(mail.data.text).toContain(invoice.payment_url)
    await subscriber.pay()
    await owner.advance(10 * DAY)
    expect([await subscriber.status(), await kindsTo(subscriber)]).toEqual(["ACTIVE", ["invoice 0"]])
  })

  it("no reminder for an invoice that is paid or void, or whose subscription is paused or has ended", async () => {
    const owner = await newMerchant(store)
    const make = async (then: (subscriber: Subscriber, invoice: Invoice) => Promise<unknown>) => {
      const subscriber = await Subscriber.create(owner, { interval_count: 30, interval_unit: "DAY" })
      await subscriber.pay()
      const invoice = await generate(subscriber)
      await owner.advance(0)
      await then(subscriber, invoice)
      return subscriber
    }
    const subscribers = [
      await make((subscriber) => subscriber.pay()),
      await make((_subscriber, { uuid }) => owner.call("POST", `/payments/invoices/${uuid}/void`)),
      await make((subscriber) => subscriber.call("POST", "/pause")),
      await make((subscriber) => subscriber.call("POST", "/cancel")),
    ]
    await owner.advance(45 * DAY)
    expect(await Promise.all(subscribers.map(kindsTo))).toEqual(Array(4).fill(["invoice 0"]))
  })

  it("docs/decisions/0019: no reminder while a payment's outcome is not known; it is sent as soon as that has failed", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner, { trial_period_days: 14 })
    const { due_date } = await generate(subscriber)
    const awaiting = async (awaiting_transaction_id: string | null) => {
      await store.db("gateway_subscription").where({ uuid: subscriber.uuid }).update({ awaiting_transaction_id })
    }
    await awaiting((await subscriber.checkout()).transaction_id)
    await owner.advance(11 * DAY + 60)
    expect(await kindsTo(subscriber)).toEqual(["invoice 0"])
    await awaiting(null)
    await owner.advance(60)
    expect(await kindsTo(subscriber)).toEqual(["invoice 0", "reminder 0"])
    await pastDue(subscriber, due_date)
    await awaiting((await subscriber.checkout()).transaction_id)
    await owner.advance(4 * DAY + 3_600)
    expect(await kindsTo(subscriber)).toEqual(["invoice 0", "reminder 0"])
    await awaiting(null)
    await owner.advance(60)
    expect(await kindsTo(subscriber)).toEqual(["invoice 0", "reminder 0", "past_due 1"])
  })

  it("the metrics count e-mails that are due and not done: none that lies ahead, is put off or waits for its next try", async () => {
    const owner = await newMerchant(store)
    const trial = async () => {
      const subscriber = await Subscriber.create(owner, { trial_period_days: 14 })
      return { subscriber, invoice_id: (await rowOf(await generate(subscriber))).id }
    }
    const [putOff, tried, due] = [await trial(), await trial(), await trial()]
    await owner.advance(8 * DAY)
    await trial()
    await gatewayOf(store).invoiceMails.run(50)
    await store
      .db("gateway_merchant_environment")
      .where({ merchant_id: owner.id, environment: "sandbox" })
      .update({ clock_offset_seconds: 13 * DAY })
    const { transaction_id } = await putOff.subscriber.checkout()
    await store
      .db("gateway_subscription")
      .where({ uuid: putOff.subscriber.uuid })
      .update({ awaiting_transaction_id: transaction_id })
    await store
      .db("gateway_invoice_mail")
      .where({ invoice_id: tried.invoice_id, state: "pending" })
      .update({ next_attempt_at: new Date(Date.now() + DAY * 1_000) })
    const others = store.db("gateway_invoice_mail").where({ state: "pending" }).whereNot({ merchant_id: owner.id })
    await others.update({ state: "dropped" })

    const { text } = await gatewayOf(store).metrics.render()
    const figure = (name: string) =>
      Number(new RegExp(`^${name}\\{queue="invoice_mails",environment="sandbox"\\} (.+)$`, "m").exec(text)?.[1])
    expect(figure("gateway_queue_depth")).toBe(1)
    expect(figure("gateway_queue_oldest_seconds")).toBeGreaterThan(DAY)
    expect(figure("gateway_queue_oldest_seconds")).toBeLessThan(3 * DAY)
    await gatewayOf(store).invoiceMails.run(50)
    const kinds = [putOff, tried, due].map(({ subscriber }) => kindsTo(subscriber))
    expect(await Promise.all(kinds)).toEqual([["invoice 0"], ["invoice 0"], ["invoice 0", "reminder 0"]])
  })

  it("after a long downtime not every e-mail is sent at once", async () => {
    const owner = await newMerchant(store)
    await forgetOthers()
    const subscriber = await Subscriber.create(owner, { interval_count: 30, interval_unit: "DAY" })
    await subscriber.pay()
    const invoice = await generate(subscriber)
    const { merchant_id } = await rowOf(invoice)
    await pastDue(subscriber, invoice.due_date)
    await store
      .db("gateway_invoice_mail")
      .where({ merchant_id })
      .update({ due_at: store.db.raw("due_at - interval '36 days'") })
    await gatewayOf(store).invoiceMails.run(50)
    expect(await kindsTo(subscriber)).toEqual(["past_due 3"])
    expect(await plans(invoice)).toEqual([
      "invoice 0 dropped",
      "reminder 0 dropped",
      "past_due 1 dropped",
      "past_due 2 dropped",
      "past_due 3 sent",
      "past_due 4 pending",
    ])
  })

  it("at least once: a provider that fails is asked again; a run that died after sending does not send twice", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    await forgetOthers()
    const { id } = await rowOf(await generate(subscriber))
    const again = (changes: Record<string, unknown> = {}) =>
      store
        .db("gateway_invoice_mail")
        .where({ invoice_id: id, kind: "invoice" })
        .update({ next_attempt_at: new Date(0), ...changes })
    const state = () =>
      store
        .db("gateway_invoice_mail")
        .where({ invoice_id: id, kind: "invoice" })
        .first("state", "attempts", "last_error")
    const send = jest.spyOn(provider(), "send").mockRejectedValueOnce(new Error("the mail server is away"))
    await gatewayOf(store).invoiceMails.run(50)
    expect(await state()).toEqual({
      state: "pending",
      attempts: 1,
      last_error: { kind: "said", params: { text: expect.stringContaining("the mail server is away") } },
    })
    expect((await owner.advance(60)).body.data.processed).toMatchObject({ invoice_mails: 0 })
    await again()
    await gatewayOf(store).invoiceMails.run(50)
    expect(await state()).toEqual({ state: "sent", attempts: 2, last_error: null })
    // The row as it was when the process died between the provider's answer and the update.
    await again({ state: "pending", sent_at: null })
    await gatewayOf(store).invoiceMails.run(50)
    expect([await state(), send.mock.calls.length]).toEqual([{ state: "sent", attempts: 3, last_error: null }, 2])
    send.mockRestore()
    expect((await mailsTo(subscriber)).map(({ status }) => status).sort()).toEqual(["failure", "success"])
  })

  it("many at once: each e-mail is sent by one of them", async () => {
    const owner = await newMerchant(store)
    const subscribers = await Promise.all(oneTo(12).map(() => Subscriber.create(owner)))
    await forgetOthers()
    await Promise.all(subscribers.map((subscriber) => generate(subscriber)))
    await Promise.all(oneTo(6).map(() => gatewayOf(store).invoiceMails.run(5)))
    await gatewayOf(store).invoiceMails.run(50)
    expect((await Promise.all(subscribers.map(kindsTo))).flat()).toEqual(Array(12).fill("invoice 0"))
  })

  it("given up after its last try, and it says why", async () => {
    await forgetOthers()
    const { id } = await rowOf(await generate(await Subscriber.create(await newMerchant(store))))
    await store.db("gateway_invoice_mail").where({ invoice_id: id }).update({ attempts: 6 })
    const send = jest.spyOn(provider(), "send").mockRejectedValueOnce(new Error("no such mailbox"))
    await gatewayOf(store).invoiceMails.run(50)
    send.mockRestore()
    expect(await store.db("gateway_invoice_mail").where({ invoice_id: id, kind: "invoice" }).first()).toMatchObject({
      state: "failed",
      last_error: { kind: "said", params: { text: expect.stringContaining("no such mailbox") } },
    })
  })
})

describe("the merchant of a disabled endpoint is notified by e-mail (decisions: Webhooks)", () => {
  type Endpoint = { id: number; uuid: string }
  const register = async (merchant: ApiMerchant): Promise<Endpoint> => {
    const answer = await merchant.call("POST", "/merchants/webhooks", {
      endpoint_url: `${receiver.url}/gone`,
      event_types: ["*"],
    })
    return answer.body.data as unknown as Endpoint
  }
  const pay = async (merchant: ApiMerchant) => merchant.pay((await merchant.open()).session_id)
  const TEMPLATE = "gateway-webhook-endpoint-disabled"

  async function disabled(email?: string): Promise<{ merchant: ApiMerchant; endpoint: Endpoint }> {
    const merchant = await newMerchant(store)
    await gatewayOf(store).merchants.update(merchant.id, { email })
    const endpoint = await register(merchant)
    receiver.answer = (response) => response.writeHead(410).end()
    await pay(merchant)
    await merchant.advance(1)
    return { merchant, endpoint }
  }

  const mails = (to: string) => notifications().listNotifications({ to })
  const notifiedAt = async ({ uuid }: Endpoint) =>
    (await store.db("gateway_webhook_endpoint").where({ uuid }).first("disabled_notified_at")).disabled_notified_at

  it("once, through Medusa's notification module; and again when it is disabled again", async () => {
    const to = "once@merchant.example"
    const { merchant, endpoint } = await disabled(to)
    await notifyDisabledEndpoints(store.container)
    await notifyDisabledEndpoints(store.container)
    expect(await mails(to)).toMatchObject([
      {
        channel: "email",
        template: TEMPLATE,
        status: "success",
        data: {
          endpoint_url: `${receiver.url}/gone`,
          reason: "The receiver answered 410 Gone",
          environment: "sandbox",
          merchant_name: expect.any(String),
        },
      },
    ])
    // The process died after sending and before the update: the same e-mail is not sent twice.
    await store.db("gateway_webhook_endpoint").where({ uuid: endpoint.uuid }).update({ disabled_notified_at: null })
    await notifyDisabledEndpoints(store.container)
    expect(await mails(to)).toHaveLength(1)
    await merchant.call("PATCH", `/merchants/webhooks/${endpoint.id}`, { is_active: true })
    await pay(merchant)
    await merchant.advance(1)
    await notifyDisabledEndpoints(store.container)
    expect(await mails(to)).toHaveLength(2)
  })

  it("not when the merchant switched it off itself, and a merchant without an address is not asked about for ever", async () => {
    const merchant = await newMerchant(store)
    await gatewayOf(store).merchants.update(merchant.id, { email: "self@merchant.example" })
    const own = await register(merchant)
    await merchant.call("PATCH", `/merchants/webhooks/${own.id}`, { is_active: false })
    const { endpoint } = await disabled()
    await notifyDisabledEndpoints(store.container)
    expect(await mails("self@merchant.example")).toHaveLength(0)
    expect([await notifiedAt(own), await notifiedAt(endpoint)]).toEqual([null, expect.any(Date)])
  })

  it("later, when the e-mail could not be sent at first; the others are notified meanwhile", async () => {
    const [first, second] = [await disabled("first@merchant.example"), await disabled("second@merchant.example")]
    const working = provider().send.bind(provider())
    let isAway = true
    // Several go out at the same time, in no order.
    const send = jest.spyOn(provider(), "send").mockImplementation((id, mail) => {
      const fails = isAway && mail.to === "first@merchant.example"
      isAway &&= !fails
      return fails ? Promise.reject(new Error("the mail server is away")) : working(id, mail)
    })
    await notifyDisabledEndpoints(store.container)
    expect([await notifiedAt(first.endpoint), await notifiedAt(second.endpoint)]).toEqual([null, expect.any(Date)])
    await store
      .db("gateway_webhook_endpoint")
      .where({ uuid: first.endpoint.uuid })
      .update({ locked_until: new Date(0) })
    await notifyDisabledEndpoints(store.container)
    expect(await notifiedAt(first.endpoint)).toEqual(expect.any(Date))
    expect(send).toHaveBeenCalledTimes(3)
    send.mockRestore()
  })
})

describe("contract 4.8 — notify_customer", () => {
  const DELAYED = "4000000000007734"
  const mails = (resource_id: string) => notifications().listNotifications({ resource_id })

  it("the customer gets one e-mail when the money has gone back, and none of a refund that failed or did not ask for it", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await paid(owner)
    const { transaction_id: unlucky } = await paid(owner, "999.00")
    const give = async (id: string, changes: object) => refundData(await refund(owner, id, { ...changes })).refund_id
    const [notified, quiet, failed] = [
      await give(transaction_id, { refund_amount: "250.00", notify_customer: true }),
      await give(transaction_id, { refund_amount: "1.00" }),
      await give(unlucky, { notify_customer: true }),
    ]
    const later = await give((await paid(owner, "1000.00", DELAYED)).transaction_id, { notify_customer: true })
    await Promise.all([1, 2].map(() => gatewayOf(store).receipts.run(50)))
    await gatewayOf(store).receipts.run(50)
    expect(await mails(notified)).toEqual([
      expect.objectContaining({
        to: "rahima@example.com",
        channel: "email",
        template: "gateway-refund-completed",
        data: expect.objectContaining({
          order_number: expect.stringMatching(/^T-/),
          amount: "250.00",
          currency: "BDT",
          reason: "Broken",
          merchant_name: "Aarong Test & Söhne",
          customer_name: "Rahima Khatun",
        }),
      }),
    ])
    expect([await mails(quiet), await mails(failed), await mails(later)]).toEqual([[], [], []])
    await owner.advance(DAY)
    await gatewayOf(store).receipts.run(50)
    expect(await mails(later)).toHaveLength(1)
  })
})

describe("docs/decisions/0056 — receipts", () => {
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
