import { Database } from "../../src/modules/gateway/kernel/database/database"
import { openBounds } from "../../src/modules/gateway/subscriptions/lifecycle"
import { InvoiceWriterService } from "../../src/modules/gateway/invoices/writer"
import { findSubscription } from "../../src/modules/gateway/subscriptions/records"
import { textOfPdf } from "../../src/modules/gateway/invoices/documents/__tests__/pdf-text"
import { brief, gatewayOf, newMerchant, type Answer, type ApiMerchant } from "../support/api"
import { expectDocumented } from "../support/documented"
import { DAY, PLANS, Subscriber, SUBSCRIPTIONS } from "../support/subscriptions"
import { useStore } from "../support/store"

type Invoice = {
  invoice_id: string
  uuid: string
  due_date: string
  payable_amount: number
  invoice_status: string
  period_start: string
  period_end: string
  payment_url: string
  paid_at: string | null
  subscription_uuid: string
}

const store = useStore({ production: true })
const invoiceOf = (answer: Answer) => answer.body as unknown as Invoice
const linesOf = (answer: Answer) => answer.body.data as unknown as Invoice[]

async function generate(subscriber: Subscriber): Promise<Invoice> {
  const answer = await subscriber.call("POST", "/generate-invoice")
  if (answer.status !== 200) {
    throw new Error(`generate-invoice: ${answer.status} ${answer.text}`)
  }
  return invoiceOf(answer)
}

const numbers = async (owner: ApiMerchant) =>
  (await store.db("gateway_invoice").where({ merchant_id: owner.id }).orderBy("number").select("number")).map(
    ({ number }) => number as number
  )
const oneTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
const rowOf = ({ uuid }: { uuid: string }) => store.db("gateway_invoice").where({ uuid }).first()

describe("contract 4.6 generate-invoice, 2.12 — the invoice", () => {
  it("answers 200 with the bare invoice: numbered, PENDING, for the open period, with the link that pays it", async () => {
    const owner = await newMerchant(store)
    const { id } = (
      await owner.call("POST", PLANS, {
        plan_name: "Tea club",
        amount: "750.50",
        interval_count: 1,
        interval_unit: "MONTH",
      })
    ).body as unknown as { id: number }
    const subscriber = await Subscriber.create(owner, {
      subscription_plan_id: id,
      amount: undefined,
      interval_count: undefined,
      interval_unit: undefined,
    })
    const answer = await subscriber.call("POST", "/generate-invoice")
    const subscription = await subscriber.get()
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      invoice_id: "INV-000001",
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      business_name: "Aarong Test & Söhne",
      invoice_type: "SUBSCRIPTION",
      due_date: expect.stringMatching(/Z$/),
      payable_amount: 750.5,
      invoice_status: "PENDING",
      currency: "BDT",
      lines: [
        {
          type: "plan",
          description: "Tea club",
          quantity: 1,
          amount: "750.50",
          discount_amount: "0.00",
          tax_amount: null,
        },
      ],
      subscription_id: subscription.id,
      subscription_uuid: subscriber.uuid,
      customer_id: subscription.customer_id,
      period_start: expect.stringMatching(/Z$/),
      period_end: expect.stringMatching(/Z$/),
      payment_url: expect.stringMatching(new RegExp(`^${store.url}/pay/invoice/inp_[0-9a-f]{32}$`)),
      paid_at: null,
      voided_at: null,
      created_at: expect.stringMatching(/Z$/),
    })
  })

  it("decisions: Plans — asked again, the same one answers, by either id of the subscription, and under a race too", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    const { id } = await subscriber.get()
    const answers = await Promise.all(
      oneTo(24).map((index) =>
        owner.call("POST", `${SUBSCRIPTIONS}/${index % 2 === 0 ? id : subscriber.uuid}/generate-invoice`)
      )
    )
    expect(new Set(answers.map((answer) => `${answer.status} ${invoiceOf(answer).uuid}`)).size).toBe(1)
    await owner.advance(3 * DAY)
    expect((await generate(subscriber)).uuid).toBe(invoiceOf(answers[0]).uuid)
    expect(await numbers(owner)).toEqual([1])
  })

  it("asks for the next period when this one is paid, due on its billing date", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    await subscriber.pay()
    const { next_billing_date } = await subscriber.get()
    expect(await generate(subscriber)).toMatchObject({
      invoice_id: "INV-000002",
      due_date: next_billing_date,
      period_start: next_billing_date,
    })
  })

  it("decisions: Plans — a changed amount: the invoice that no longer says what is to be paid gives way to another", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    const first = await generate(subscriber)
    await subscriber.call("PATCH", "", { amount: "650.00" })
    expect(await generate(subscriber)).toMatchObject({
      invoice_id: "INV-000002",
      payable_amount: 650,
      invoice_status: "PENDING",
    })
    expect(invoiceOf(await owner.call("GET", `/payments/invoices/${first.uuid}`))).toMatchObject({
      invoice_status: "VOID",
    })
  })

  it.each(["before the first payment", "active", "paused"] as const)(
    "decisions: Plans — a changed interval, %s: the invoice of a period that is no longer sold gives way to another",
    async (state) => {
      const owner = await newMerchant(store)
      const subscriber = await Subscriber.create(owner, { interval_unit: "YEAR" })
      if (state !== "before the first payment") {
        await subscriber.pay()
      }
      if (state === "paused") {
        await subscriber.call("POST", "/pause")
      }
      const year = await generate(subscriber)
      expect((await subscriber.call("PATCH", "", { interval_unit: "MONTH" })).status).toBe(200)
      const month = await generate(subscriber)
      const days = ({ period_start, period_end }: Invoice) =>
        (Date.parse(period_end) - Date.parse(period_start)) / (DAY * 1_000)
      expect([days(year) >= 365, days(month) <= 31, month.payable_amount]).toEqual([true, true, year.payable_amount])
      expect((await subscriber.invoices()).map(({ status }) => status).slice(-2)).toEqual(["VOID", "PENDING"])
      await subscriber.pay()
      expect(invoiceOf(await owner.call("GET", `/payments/invoices/${month.uuid}`)).invoice_status).toBe("PAID")
    }
  )

  it("decisions: Plans — an interval that is changed while a charge is retried leaves the open invoice as it is", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner, { trial_period_days: 7 })
    await owner.advance(7 * DAY + 60)
    expect(await subscriber.status()).toBe("PAST_DUE")
    const overdue = await generate(subscriber)
    await subscriber.call("PATCH", "", { interval_unit: "YEAR" })
    expect((await generate(subscriber)).uuid).toBe(overdue.uuid)
    await subscriber.pay()
    expect(invoiceOf(await owner.call("GET", `/payments/invoices/${overdue.uuid}`))).toMatchObject({
      invoice_status: "PAID",
      period_start: overdue.period_start,
      period_end: overdue.period_end,
    })
  })

  it("decisions: Plans — a paused subscription's dates move with the payment, so its invoice stays the same", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    await subscriber.pay()
    await subscriber.call("POST", "/pause")
    const paused = await generate(subscriber)
    await owner.advance(5 * DAY)
    expect((await generate(subscriber)).uuid).toBe(paused.uuid)
    await subscriber.pay()
    const { current_period_end, next_billing_date } = await subscriber.get()
    const paid = invoiceOf(await owner.call("GET", `/payments/invoices/${paused.invoice_id}`))
    expect(paid).toMatchObject({
      invoice_status: "PAID",
      period_start: current_period_end,
      period_end: next_billing_date,
    })
    expect(paid.period_start).not.toBe(paused.period_start)
  })

  it("is PAID in the transaction of the payment, and what is paid without one gets one", async () => {
    const owner = await newMerchant(store)
    const [asked, unasked] = [await Subscriber.create(owner), await Subscriber.create(owner)]
    const invoice = await generate(asked)
    await asked.pay()
    await unasked.pay()
    expect(invoiceOf(await owner.call("GET", `/payments/invoices/${invoice.uuid}`))).toMatchObject({
      invoice_status: "PAID",
      paid_at: expect.stringMatching(/Z$/),
    })
    expect(await unasked.invoices()).toMatchObject([{ number: 2, status: "PAID" }])
  })

  it("decisions: Webhooks — invoice.created carries the invoice, once each", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    const invoice = await generate(subscriber)
    await generate(subscriber)
    const events = (await owner.call("GET", "/events?event_type=invoice.created")).body.data
    expect(events).toMatchObject([
      {
        event_type: "invoice.created",
        merchant_id: expect.any(Number),
        occurred_at: expect.any(String),
        data: invoice,
      },
    ])
  })

  it("contract 7.1 — refusals come in both shapes: unknown, another merchant's, ended", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    const stranger = await newMerchant(store)
    const asked = (who: ApiMerchant, id: string) => who.call("POST", `${SUBSCRIPTIONS}/${id}/generate-invoice`)
    for (const answer of [
      await asked(owner, "0b8c0a52-6f5b-4a8e-9d0e-0a4b6b1f9a10"),
      await asked(owner, "x"),
      await asked(stranger, subscriber.uuid),
    ]) {
      expect(brief(answer)).toBe("404 SUBSCRIPTION_NOT_FOUND")
      expect(answer.body).toMatchObject({
        code: "SUBSCRIPTION_NOT_FOUND",
        status_code: 404,
        detail: answer.body.message,
      })
    }
    await subscriber.call("POST", "/cancel")
    const ended = await asked(owner, subscriber.uuid)
    expect([brief(ended), ended.body.code]).toEqual(["409 INVALID_STATE_TRANSITION", "INVALID_STATE_TRANSITION"])
    expect(await numbers(owner)).toEqual([])
  })
})

describe("issue: invoices are numbered without gaps per merchant", () => {
  it("64 at once take 1 to 64, each once", async () => {
    const owner = await newMerchant(store)
    const subscribers = await Promise.all(oneTo(64).map(() => Subscriber.create(owner)))
    const invoices = await Promise.all(subscribers.map((subscriber) => generate(subscriber)))
    expect(invoices.map(({ invoice_id }) => Number(invoice_id.slice(4))).sort((left, right) => left - right)).toEqual(
      oneTo(64)
    )
    expect(await numbers(owner)).toEqual(oneTo(64))
  })

  it("a transaction that is rolled back gives its numbers back, also among others at the same time", async () => {
    const owner = await newMerchant(store)
    const tenant = { merchant_id: owner.id, environment: "sandbox" } as const
    const subscribers = await Promise.all(oneTo(32).map(() => Subscriber.create(owner)))
    const database = new Database(store.db)
    const invoices = new InvoiceWriterService({
      gatewayOptions: gatewayOf(store).options,
      database,
      secretBox: gatewayOf(store) as never,
      logger: gatewayOf(store) as never,
    })
    const outcomes = await Promise.allSettled(
      subscribers.map(({ uuid }, index) =>
        database.transaction(async (sql) => {
          const row = await findSubscription(sql, tenant, uuid, "FOR UPDATE OF s")
          const at = new Date()
          await invoices.write(sql, [
            {
              row,
              period: 1,
              bounds: openBounds(row, at),
              amount_minor: 50_000,
              credit_minor: 0,
              quantity: 1,
              due_date: at,
              at,
              paid: false,
            },
          ])
          if (index % 2 === 0) {
            throw new Error("the process that did this is gone")
          }
        })
      )
    )
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(16)
    expect(await numbers(owner)).toEqual(oneTo(16))
    expect(await generate(await Subscriber.create(owner))).toMatchObject({ invoice_id: "INV-000017" })
  })

  it("each merchant counts for itself", async () => {
    const [first, second] = [await newMerchant(store), await newMerchant(store)]
    await generate(await Subscriber.create(first))
    expect(await generate(await Subscriber.create(second))).toMatchObject({ invoice_id: "INV-000001" })
  })

  it("the database is the last guard: no number twice, no second invoice that counts for a period", async () => {
    const owner = await newMerchant(store)
    const row = await rowOf(await generate(await Subscriber.create(owner)))
    const again = (changes: Record<string, unknown>) =>
      store.db("gateway_invoice").insert({
        ...row,
        id: `inv_${Math.random()}`,
        uuid: `${Math.random()}`,
        pay_token: `${Math.random()}`,
        ...changes,
      })
    await expect(again({ period: 2 })).rejects.toThrow(/number_unique/)
    await expect(again({ number: 2 })).rejects.toThrow(/period_revision_unique/)
    await expect(again({ number: 2, period: 2, status: "PAID" })).rejects.toThrow(/gateway_invoice_state/)
  })
})

describe("GET /payments/invoices, GET …/{id}, POST …/{id}/void", () => {
  it("Envelope A, newest first, with exact totals, by subscription and by status", async () => {
    const owner = await newMerchant(store)
    const [paid, open] = [await Subscriber.create(owner), await Subscriber.create(owner)]
    await paid.pay()
    await generate(open)
    await generate(paid)
    const all = await owner.call("GET", "/payments/invoices?per_page=2")
    expect(all.body).toMatchObject({ success: true, message: "Invoices", meta: { total: 3, page: 1, per_page: 2 } })
    expect(linesOf(all).map(({ invoice_id }) => invoice_id)).toEqual(["INV-000003", "INV-000002"])
    const { id } = await paid.get()
    for (const name of [paid.uuid, String(id)]) {
      const own = await owner.call("GET", `/payments/invoices?subscription_id=${name}`)
      expect([linesOf(own).map(({ invoice_id }) => invoice_id), own.body.meta.total]).toEqual([
        ["INV-000003", "INV-000001"],
        2,
      ])
    }
    const pending = await owner.call("GET", `/payments/invoices?status=PENDING&subscription_id=${paid.uuid}`)
    expect(linesOf(pending).map(({ invoice_id }) => invoice_id)).toEqual(["INV-000003"])
    expect(linesOf(await owner.call("GET", "/payments/invoices?subscription_id=nothing"))).toEqual([])
    expect(
      linesOf(await (await newMerchant(store)).call("GET", `/payments/invoices?subscription_id=${paid.uuid}`))
    ).toEqual([])
  })

  it.each([
    ["/payments/invoices?status=OPEN", "422 VALIDATION_ERROR status"],
    ["/payments/invoices?per_page=101", "422 VALIDATION_ERROR per_page"],
    ["/payments/invoices/INV-000009", "404 INVOICE_NOT_FOUND"],
    ["/payments/invoices/1", "404 INVOICE_NOT_FOUND"],
    ["/payments/invoices/0b8c0a52-6f5b-4a8e-9d0e-0a4b6b1f9a10", "404 INVOICE_NOT_FOUND"],
    ["/payments/invoices/INV-000001/pdf?lang=fr", "422 VALIDATION_ERROR lang"],
    ["/payments/invoices/%ff", "404 INVOICE_NOT_FOUND"],
  ])("GET %s: %s, in the main shape", async (path, expected) => {
    const owner = await newMerchant(store)
    await generate(await Subscriber.create(owner))
    const answer = await owner.call("GET", path)
    expect(brief(answer)).toBe(expected)
    expect(answer.body.detail).toBeUndefined()
  })

  it("another merchant's invoice is unknown", async () => {
    const { uuid } = await generate(await Subscriber.create(await newMerchant(store)))
    const stranger = await newMerchant(store)
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/pdf"],
      ["POST", "/void"],
    ]) {
      expect(brief(await stranger.call(method, `/payments/invoices/${uuid}${path}`))).toBe("404 INVOICE_NOT_FOUND")
    }
  })

  it("void: the open one is called back, its number stays used, and the period may have another; a paid one stays", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    const { uuid } = await generate(subscriber)
    const answers = await Promise.all(oneTo(8).map(() => owner.call("POST", `/payments/invoices/${uuid}/void`)))
    expect(answers.map(brief).sort()).toEqual(["200", ...Array(7).fill("409 INVALID_STATE_TRANSITION")])
    const next = await generate(subscriber)
    expect(next).toMatchObject({ invoice_id: "INV-000002", invoice_status: "PENDING" })
    await subscriber.pay()
    expect(brief(await owner.call("POST", `/payments/invoices/${next.uuid}/void`))).toBe("409 INVALID_STATE_TRANSITION")
    expect((await subscriber.invoices()).map(({ status }) => status)).toEqual(["VOID", "PAID"])
  })

  it("the PDF is a file of its name", async () => {
    const owner = await newMerchant(store)
    const { invoice_id } = await generate(await Subscriber.create(owner))
    for (const query of ["", "?lang=bn"]) {
      const response = await fetch(`${store.url}/api/v2/payments/invoices/${invoice_id}/pdf${query}`, {
        headers: { "X-Merchant-API-Key": owner.key },
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      expectDocumented({
        method: "GET",
        target: response.url,
        status: response.status,
        headers: response.headers,
        text: bytes.toString("latin1"),
      })
      expect([
        response.status,
        response.headers.get("content-type"),
        response.headers.get("content-disposition"),
      ]).toEqual([200, "application/pdf", 'attachment; filename="INV-000001.pdf"'])
      expect([bytes.subarray(0, 5).toString(), bytes.length]).toEqual([
        "%PDF-",
        Number(response.headers.get("content-length")),
      ])
    }
  })
})

describe("docs/decisions/12 — an invoice keeps what it was issued with", () => {
  const BEFORE = {
    name_bn: "আড়ং টেস্ট",
    legal_name: "Aarong Test Limited",
    address: "House 12\nDhaka 1205",
    bin: "001234567-0101",
  }
  const AFTER = {
    name_bn: "শাপলা",
    legal_name: "Aarong Holdings",
    address: "Road 9\nChattogram 4000",
    bin: "009876543-0202",
  }

  async function pdfs(owner: ApiMerchant, { invoice_id }: { invoice_id: string }): Promise<string[]> {
    const texts = ["en", "bn"].map(async (language) => {
      const response = await fetch(`${store.url}/api/v2/payments/invoices/${invoice_id}/pdf?lang=${language}`, {
        headers: { "X-Merchant-API-Key": owner.key },
      })
      return textOfPdf(Buffer.from(await response.arrayBuffer()))
        .replace(/\s+/g, " ")
        .normalize("NFC")
    })
    return Promise.all(texts)
  }

  it("whatever becomes of the terms, the plan, the customer and the merchant; the next one has the new", async () => {
    const owner = await newMerchant(store)
    const gateway = gatewayOf(store)
    await gateway.merchantProfiles.change(owner.id, BEFORE)
    const plan = { plan_name: "Tea club", amount: "750.50", interval_count: 1, interval_unit: "YEAR" }
    const meta_data = { plan_name_bn: "চায়ের আসর" }
    const { id: plan_id } = (await owner.call("POST", PLANS, { ...plan, meta_data })).body as unknown as { id: number }
    const customer = { name: "Karim Uddin", email: "karim@example.com" }
    const terms = { amount: undefined, interval_count: undefined, interval_unit: undefined }
    const subscriber = await Subscriber.create(owner, { subscription_plan_id: plan_id, ...terms, customer })
    const paid = await generate(subscriber)
    await subscriber.pay()
    const issued = await pdfs(owner, paid)
    for (const part of ["Aarong Test & Söhne", "Aarong Test Limited", "Dhaka 1205", "001234567-0101", "Every year"]) {
      expect(issued[0]).toContain(part)
    }
    expect([issued[0].includes("Tea club"), issued[1].includes("চায়ের আসর")]).toEqual([true, true])
    // docs/decisions/15: each language has the name of its own.
    expect(issued.map((text) => [text.includes("Söhne"), text.includes("আড়ং টেস্ট".normalize("NFC"))])).toEqual([
      [true, false],
      [false, true],
    ])

    await subscriber.call("PATCH", "", { interval_unit: "MONTH" })
    const renamed = { plan_name: "Coffee club", meta_data: { plan_name_bn: "কফির আসর" } }
    expect((await owner.call("PATCH", `${PLANS}/${plan_id}`, renamed)).status).toBe(200)
    await Subscriber.create(owner, { customer: { ...customer, phone: "01812345678" } })
    await gateway.merchants.update(owner.id, { name: "Shapla" })
    await gateway.merchantProfiles.change(owner.id, AFTER)
    expect(await pdfs(owner, paid)).toEqual(issued)
    expect(invoiceOf(await owner.call("GET", `/payments/invoices/${paid.uuid}`))).toMatchObject({
      invoice_status: "PAID",
      business_name: "Aarong Test & Söhne",
    })

    const next = await generate(subscriber)
    const [english, bangla] = await pdfs(owner, next)
    for (const part of ["Shapla", "Aarong Holdings", "Chattogram", "009876543-0202", "Every month", "Coffee club"]) {
      expect(english).toContain(part)
    }
    expect([english.includes("01812345678"), bangla.includes("কফির আসর")]).toEqual([true, true])
  })

  it("how its reader reaches the merchant is today's", async () => {
    const owner = await newMerchant(store)
    const { merchantProfiles } = gatewayOf(store)
    const invoice = await generate(await Subscriber.create(owner))
    await merchantProfiles.change(owner.id, { support_email: "help@shapla.example" })
    expect((await pdfs(owner, invoice))[0]).toContain("help@shapla.example")
  })
})

describe("the public page of an invoice", () => {
  async function visit(url: string, headers: Record<string, string> = {}) {
    const response = await fetch(url, { headers, redirect: "manual" })
    const text = await response.text()
    const cookie = (response.headers.get("set-cookie") ?? "").split(";")[0]
    return { response, text, cookie, token: /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? "" }
  }
  async function press(url: string, headers: Record<string, string> = {}, seen?: { cookie: string; token: string }) {
    const { cookie, token } = seen ?? (await visit(url))
    return fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        "Sec-Fetch-Site": "same-origin",
        Cookie: cookie,
        ...headers,
      },
      body: new URLSearchParams({ csrf_token: token }),
    })
  }

  it("shows it in both languages, and Pay leads through a checkout back to it, paid", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    const { payment_url } = await generate(subscriber)
    const { response, text } = await visit(payment_url)
    expect([response.status, response.headers.get("content-security-policy")]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ])
    for (const part of ["INV-000001", "৳500.00", "Aarong Test &amp; Söhne", "To be paid", "Test mode", "Karim Uddin"]) {
      expect(text).toContain(part)
    }
    expect((await visit(`${payment_url}?lang=bn`)).text).toContain("৳৫০০.০০ পরিশোধ করুন")
    const open = await visit(payment_url)
    const pressed = await press(payment_url)
    const location = pressed.headers.get("location") ?? ""
    expect([pressed.status, location]).toEqual([303, expect.stringMatching(/^\/pay\/ses_/)])
    const paid = await owner.pay(location.slice("/pay/".length))
    expect(paid.body.data.redirect_url).toMatch(
      new RegExp(`^${payment_url.replace("?", "\\?")}\\?transaction_id=txn.*&status=SUCCESS`)
    )
    const after = await visit(paid.body.data.redirect_url)
    expect([after.text.includes("Thank you"), after.token]).toEqual([true, ""])
    expect(await subscriber.status()).toBe("ACTIVE")
    expect((await press(payment_url, {}, open)).headers.get("location")).toBe(new URL(payment_url).pathname)
  })

  it("32 presses at once open one checkout; another press finds it, until it has ended or its time runs out", async () => {
    const owner = await newMerchant(store)
    const { payment_url } = await generate(await Subscriber.create(owner))
    const seen = await visit(payment_url)
    const again = async () => (await press(payment_url, {}, seen)).headers.get("location") ?? ""
    const sessions = await Promise.all(oneTo(32).map(again))
    expect([new Set(sessions).size, sessions[0]]).toEqual([1, expect.stringMatching(/^\/pay\/ses_/)])
    expect(await store.db("gateway_checkout_session").where({ merchant_id: owner.id })).toHaveLength(1)
    await owner.advance(15 * 60)
    expect(await again()).toBe(sessions[0])
    await owner.advance(10 * 60)
    const later = await again()
    expect(later).not.toBe(sessions[0])
    await owner.pay(later.slice("/pay/".length), { payment_method: "card", card_number: "4000000000000002" })
    const third = await again()
    expect([third, later]).not.toEqual([later, third])
    expect((await owner.pay(third.slice("/pay/".length))).body.data.status).toBe("SUCCESS")
  })

  it("decisions: Plans — its checkout is not found again once the subscription has another interval", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner, { trial_period_days: 7, interval_unit: "YEAR" })
    await owner.advance(7 * DAY + 60)
    const { payment_url } = await generate(subscriber)
    const session = async () => ((await press(payment_url)).headers.get("location") ?? "").slice("/pay/".length)
    const year = await session()
    await subscriber.call("PATCH", "", { interval_unit: "MONTH" })
    const month = await session()
    expect([month === year, await session()]).toEqual([false, month])
    expect((await owner.pay(month)).body.data.status).toBe("SUCCESS")
  })

  it("a checkout that a merchant opened for the subscription, with addresses of its own, is not taken for the invoice's", async () => {
    const subscriber = await Subscriber.create(await newMerchant(store))
    const { payment_url } = await generate(subscriber)
    const { session_id } = await subscriber.checkout()
    expect((await press(payment_url)).headers.get("location")).not.toBe(`/pay/${session_id}`)
  })

  it("a failed payment is shown to the returning shopper; one that is being confirmed, to every visitor", async () => {
    const subscriber = await Subscriber.create(await newMerchant(store))
    const { payment_url } = await generate(subscriber)
    expect((await visit(`${payment_url}?transaction_id=x&status=FAILED&order_id=y`)).text).toContain(
      "nothing was charged"
    )
    const open = await visit(`${payment_url}?status=<script>`)
    expect(open.text).not.toContain("<script>")
    const { transaction_id } = await subscriber.checkout()
    await store
      .db("gateway_subscription")
      .where({ uuid: subscriber.uuid })
      .update({ awaiting_transaction_id: transaction_id })
    const pending = await visit(payment_url)
    expect([pending.text.includes("is being confirmed"), pending.token]).toEqual([true, ""])
    expect((await press(payment_url, {}, open)).headers.get("location")).toBe(new URL(payment_url).pathname)
  })

  it("an invoice that no longer says what is to be paid leads to the one that does", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    await subscriber.pay()
    const { payment_url } = await generate(subscriber)
    await subscriber.call("POST", "/pause")
    await owner.advance(5 * DAY)
    await subscriber.call("POST", "/resume")
    const location = (await press(payment_url)).headers.get("location") ?? ""
    expect(location).toMatch(/^\/pay\/invoice\/inp_/)
    expect((await visit(store.url + location)).text).toContain("INV-000003")
    expect((await visit(payment_url)).text).toContain("This invoice is void")
  })

  it.each(["suspended", "service off"])(
    "a shop that may not take payments (%s) says so in both languages; a button pressed late leads back to that",
    async (how) => {
      const owner = await newMerchant(store)
      const { payment_url } = await generate(await Subscriber.create(owner))
      const open = await visit(payment_url)
      const gateway = gatewayOf(store)
      await (how === "suspended"
        ? gateway.merchants.update(owner.id, { status: "suspended" })
        : gateway.merchants.configure({ merchant_id: owner.id, environment: "sandbox" }, { services: ["checkout"] }))
      const late = await press(payment_url, {}, open)
      expect([late.status, late.headers.get("location")]).toEqual([303, new URL(payment_url).pathname])
      const english = await visit(`${payment_url}?lang=en`)
      expect([english.response.status, english.token]).toEqual([200, ""])
      expect(english.text).toContain("This shop cannot take payments at the moment")
      expect((await visit(`${payment_url}?lang=bn`)).text).toContain("এই দোকান এখন পেমেন্ট নিতে পারছে না")
      expect(await store.db("gateway_checkout_session").where({ merchant_id: owner.id })).toEqual([])
    }
  )

  it("void, ended, suspended: shown, and nothing to press", async () => {
    const owner = await newMerchant(store)
    const [first, second, third] = await Promise.all(oneTo(3).map(() => Subscriber.create(owner)))
    const [called, ended, suspended] = [await generate(first), await generate(second), await generate(third)]
    await owner.call("POST", `/payments/invoices/${called.uuid}/void`)
    await second.call("POST", "/cancel")
    await gatewayOf(store).merchants.update(owner.id, { status: "suspended" })
    for (const { payment_url } of [called, ended, suspended]) {
      const page = await visit(payment_url)
      expect([page.response.status, page.token]).toEqual([200, ""])
      expect((await press(payment_url)).status).toBe(403)
    }
  })

  it("the PDF in the page's language", async () => {
    const { payment_url } = await generate(await Subscriber.create(await newMerchant(store)))
    const response = await fetch(`${payment_url}/pdf?lang=bn`)
    expect([response.status, response.headers.get("content-type"), response.headers.get("cache-control")]).toEqual([
      200,
      "application/pdf",
      "no-store",
    ])
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 5)
        .toString()
    ).toBe("%PDF-")
  })

  it("a form from elsewhere is refused; other addresses and methods meet our own page", async () => {
    const { payment_url } = await generate(await Subscriber.create(await newMerchant(store)))
    expect((await press(payment_url, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403)
    expect((await press(payment_url, { Cookie: "" })).status).toBe(403)
    const unknown = `${store.url}/pay/invoice/inp_${"0".repeat(32)}`
    for (const [url, method, status] of [
      [unknown, "GET", 404],
      [`${unknown}/pdf`, "GET", 404],
      [`${store.url}/pay/invoice/x`, "GET", 404],
      [`${payment_url}/x`, "GET", 404],
      [payment_url, "DELETE", 405],
      [`${payment_url}/pdf`, "POST", 405],
    ] as const) {
      const response = await fetch(url, { method })
      expect([
        response.status,
        response.headers.get("content-type"),
        (await response.text()).includes("<!doctype html>"),
      ]).toEqual([status, "text/html; charset=utf-8", true])
    }
  })
})
