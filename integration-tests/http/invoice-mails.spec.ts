import { createHash } from "node:crypto"
import { gatewayOf, newMerchant, type Answer } from "../support/api"
import { expectLoggedErrors } from "../support/logged-errors"
import { pngOfTwoHeaders } from "../support/logos"
import { mailProviderOf, notificationsOf } from "../support/mails"
import { CARD, post, visit } from "../support/pages"
import { DAY, Subscriber } from "../support/subscriptions"
import { useStore } from "../support/store"

expectLoggedErrors(/e-mail \S+ failed and is given up: \w*Error"/)

/** In this process: the tests replace the mail provider and read what Medusa's notification module received. */
const store = useStore({ production: false })

const notifications = () => notificationsOf(store)
const provider = () => mailProviderOf(store)

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

  it("is in the language in which the customer has read the payment page", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    const page = `${store.url}/pay/${(await subscriber.checkout()).session_id}?lang=bn`
    await post(page, await visit(page), { ...CARD, card_number: "4000 0000 0000 0002" })
    await generate(subscriber)
    await owner.advance(0)
    const [{ data }] = await mailsTo(subscriber)
    expect(data).toMatchObject({ language: "bn", subject: expect.stringContaining("ইনভয়েস INV-000001: ৳৫০০.০০") })
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
    // Both by the merchant's clock: the admin shows them beside each other.
    const [reminder] = await store.db("gateway_invoice_mail").where({ merchant_id: owner.id, kind: "reminder" })
    expect(reminder.sent_at - reminder.due_at).toBeGreaterThanOrEqual(0)
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
    expect(mail.data.subject).toContain("Payment overdue")
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

  it("docs/decisions/12: no reminder while a payment's outcome is not known; it is sent as soon as that has failed", async () => {
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

  it("docs/decisions/15 — a stored logo that no PDF can hold: its own invoice is sent without it, and so is the next", async () => {
    const [bad, other] = [await newMerchant(store), await newMerchant(store)]
    const [unlucky, subscriber] = [await Subscriber.create(bad), await Subscriber.create(other)]
    await forgetOthers()
    const logo = `${createHash("sha256").update(bad.id).digest("hex")}.png`
    await store
      .db("gateway_merchant_logo")
      .insert({ id: `mlg_${bad.id}`, file: logo, content: pngOfTwoHeaders().toString("base64") })
    await store.db("gateway_merchant").where({ id: bad.id }).update({ profile: { logo } })
    const { payment_url } = await generate(unlucky)
    await generate(subscriber)
    await gatewayOf(store).invoiceMails.run(50)
    expect([await kindsTo(unlucky), await kindsTo(subscriber)]).toEqual([["invoice 0"], ["invoice 0"]])
    const file = await fetch(`${payment_url}/pdf`)
    const bytes = Buffer.from(await file.arrayBuffer()).toString("latin1")
    expect([file.status, bytes.startsWith("%PDF"), bytes.includes("/Subtype /Image")]).toEqual([200, true, false])
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
