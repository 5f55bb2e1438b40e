import { brief, fields, gatewayOf, newMerchant, type Answer, type ApiMerchant } from "../support/api"
import { tokenOf } from "../support/secrets"
import {
  DAY,
  MONTHLY,
  PLANS,
  someone,
  Subscriber,
  SUBSCRIPTIONS,
  subscriptionOf,
  type BillingRecord,
  type Subscription,
} from "../support/subscriptions"
import { useStore } from "../support/store"

const store = useStore({ production: true, prepare: async (booted) => void (merchant = await newMerchant(booted)) })
let merchant: ApiMerchant

const linesOf = (answer: Answer) => answer.body.data as unknown as Subscription[]
const createWith = (body: Record<string, unknown>, owner = merchant) => owner.call("POST", SUBSCRIPTIONS, body)

async function plan(changes: Record<string, unknown> = {}, owner = merchant): Promise<{ id: number; uuid: string }> {
  const answer = await owner.call("POST", PLANS, { plan_name: "Tea club", ...MONTHLY, ...changes })
  return answer.body as unknown as { id: number; uuid: string }
}

describe("a merchant without the service subscriptions", () => {
  it("takes no payment for one: an open checkout is refused, and another cannot be opened", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    const { session_id, transaction_id } = await subscriber.checkout()
    const tenant = { merchant_id: owner.id, environment: "sandbox" as const }
    await gatewayOf(store).merchants.configure(tenant, { services: ["checkout"] })
    expect(brief(await owner.pay(session_id))).toBe("403 SERVICE_NOT_ENABLED")
    expect(brief(await subscriber.call("POST", "/checkout"))).toBe("403 SERVICE_NOT_ENABLED")
    await expect(
      gatewayOf(store).subscriptionCheckouts.open(
        { ...tenant, now: new Date() },
        subscriber.uuid,
        {},
        { publicUrl: "" }
      )
    ).rejects.toMatchObject({ code: "SERVICE_NOT_ENABLED" })
    expect(await owner.book(transaction_id)).toEqual([])
    // An ordinary checkout does not appear in it.
    expect((await owner.pay((await owner.open()).session_id)).body.data.status).toBe("SUCCESS")
    await gatewayOf(store).merchants.configure(tenant, { services: ["subscriptions"] })
    expect((await owner.pay(session_id)).body.data.status).toBe("SUCCESS")
  })
})

describe("contract 4.6 — POST /payments/subscriptions", () => {
  it("of a plan: 201 with the bare, whole subscription, waiting for its first payment", async () => {
    const { id } = await plan()
    const customer = someone()
    const answer = await createWith({ subscription_plan_id: id, customer, meta_data: { ref: "A-1" } })
    const created = subscriptionOf(answer)
    expect(answer.status).toBe(201)
    expect(created).toEqual({
      id: expect.any(Number),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchant_id: (await gatewayOf(store).merchants.retrieve(merchant.id)).number,
      customer_id: created.customer.id,
      subscription_plan_id: id,
      status: "PENDING",
      amount: "500.00",
      currency: "BDT",
      interval_count: 1,
      interval_unit: "MONTH",
      next_billing_date: null,
      billing_cycle_count: 0,
      trial_end_date: null,
      failed_payment_count: 0,
      current_period_start: null,
      current_period_end: null,
      cancel_at_period_end: false,
      cancelled_at: null,
      cancellation_reason: null,
      cancellation_note: null,
      meta_data: { ref: "A-1" },
      created_at: expect.stringMatching(/Z$/),
      customer: { id: expect.any(Number), ...customer },
    })
  })

  it("what is given overrides the plan; a trial of 0 days is none", async () => {
    const { id } = await plan({ trial_period_days: 14 })
    const overridden = subscriptionOf(
      await createWith({
        subscription_plan_id: id,
        customer: someone(),
        amount: 750,
        interval_count: 2,
        interval_unit: "WEEK",
        trial_period_days: 0,
      })
    )
    expect(overridden).toMatchObject({ amount: "750.00", interval_count: 2, interval_unit: "WEEK", status: "PENDING" })
    expect(subscriptionOf(await createWith({ subscription_plan_id: id, customer: someone() }))).toMatchObject({
      status: "TRIALING",
    })
  })

  it("without a plan, with amount and interval of its own", async () => {
    expect(subscriptionOf(await createWith({ customer: someone(), ...MONTHLY }))).toMatchObject({
      subscription_plan_id: null,
      status: "PENDING",
      amount: "500.00",
    })
  })

  it.each<[string, Record<string, unknown>, string]>([
    ["no customer", { ...MONTHLY }, "422 MISSING_REQUIRED_FIELD customer"],
    [
      "no plan and no amount",
      { customer: someone(), interval_count: 1, interval_unit: "DAY" },
      "422 MISSING_REQUIRED_FIELD amount",
    ],
    ["a customer without e-mail", { ...MONTHLY, customer: { name: "K" } }, "422 MISSING_REQUIRED_FIELD customer.email"],
    ["a bad e-mail", { ...MONTHLY, customer: { name: "K", email: "k@" } }, "422 INVALID_EMAIL customer.email"],
    ["a bad phone", { ...MONTHLY, customer: { ...someone(), phone: "12" } }, "422 INVALID_PHONE customer.phone"],
    ["9.99", { ...MONTHLY, customer: someone(), amount: "9.99" }, "422 AMOUNT_TOO_LOW amount"],
    ["another currency", { ...MONTHLY, customer: someone(), currency: "EUR" }, "422 INVALID_CURRENCY currency"],
    ["an unknown plan", { subscription_plan_id: 2_147_483_647, customer: someone() }, "404 PLAN_NOT_FOUND"],
    ["an unknown customer", { ...MONTHLY, customer_id: 2_147_483_647 }, "404 CUSTOMER_NOT_FOUND"],
    ["366 days", { ...MONTHLY, customer: someone(), interval_count: 366 }, "422 VALIDATION_ERROR interval_count"],
  ])("refuses %s", async (_name, body, expected) => {
    const answer = await createWith(body)
    expect(brief(answer)).toBe(expected)
    expect(answer.body).toMatchObject({
      detail: answer.body.message,
      code: answer.body.error.code,
      status_code: answer.status,
    })
  })

  it("reports all failures at once", async () => {
    const answer = await createWith({ interval_unit: "HOUR", customer: { email: "x" } })
    expect([answer.body.error.code, fields(answer)]).toEqual([
      "VALIDATION_ERROR",
      ["customer.name", "customer.email", "interval_unit", "amount", "interval_count"],
    ])
  })

  it("another merchant's plan and customer are unknown, and nothing is left behind", async () => {
    const other = await newMerchant(store)
    const { id } = await plan({}, other)
    const owner = await newMerchant(store)
    expect(brief(await createWith({ subscription_plan_id: id, customer: someone() }, owner))).toBe("404 PLAN_NOT_FOUND")
    const { customer_id } = await (await Subscriber.create(other)).get()
    expect(brief(await createWith({ ...MONTHLY, customer_id }, owner))).toBe("404 CUSTOMER_NOT_FOUND")
    expect((await owner.call("GET", "/payments/customers")).body.meta).toMatchObject({ total: 0 })
  })

  it("contract 3.5: a new subscription cannot use an archived plan (409 PLAN_INACTIVE), and existing ones continue", async () => {
    const owner = await newMerchant(store)
    const { id } = await plan({}, owner)
    const subscribe = () => createWith({ subscription_plan_id: id, customer: someone() }, owner)
    const subscribers = [
      new Subscriber(owner, subscriptionOf(await subscribe()).uuid),
      new Subscriber(owner, subscriptionOf(await subscribe()).uuid),
    ]
    await subscribers[0].pay()
    await owner.call("DELETE", `${PLANS}/${id}`)
    expect(brief(await subscribe())).toBe("409 PLAN_INACTIVE subscription_plan_id")
    // One that nobody has paid yet can still begin.
    await subscribers[1].pay()
    await owner.advance(32 * DAY)
    for (const subscriber of subscribers) {
      expect([await subscriber.status(), (await subscriber.history()).map(({ status }) => status)]).toEqual([
        "ACTIVE",
        ["SUCCESS", "SUCCESS"],
      ])
    }
    await owner.call("POST", `${PLANS}/${id}/restore`)
    expect((await subscribe()).status).toBe(201)
  })

  it("decisions: a plan that changes leaves its subscriptions as they were created", async () => {
    const { id } = await plan()
    const subscriber = new Subscriber(
      merchant,
      subscriptionOf(await createWith({ subscription_plan_id: id, customer: someone() })).uuid
    )
    await merchant.call("PATCH", `${PLANS}/${id}`, { amount: "900.00" })
    expect(await subscriber.get()).toMatchObject({ amount: "500.00" })
  })

  it("decisions: Requests — one Idempotency-Key, one subscription, even when its answer was lost with the process", async () => {
    const owner = await newMerchant(store)
    const body = { ...MONTHLY, customer: someone() }
    const headers = { "Idempotency-Key": "sub-1" }
    const first = subscriptionOf(await owner.call("POST", SUBSCRIPTIONS, body, { headers }))
    await store
      .db("gateway_idempotency_key")
      .where({ merchant_id: owner.id })
      .update({ status: null, body: null, leased_until: new Date(0) })
    expect(subscriptionOf(await owner.call("POST", SUBSCRIPTIONS, body, { headers }))).toEqual(first)
    expect(linesOf(await owner.call("GET", SUBSCRIPTIONS))).toHaveLength(1)
    expect(await new Subscriber(owner, first.uuid).events()).toEqual(["created"])
  })
})

describe("decisions: Plans and subscriptions — customers", () => {
  it("are matched by e-mail whatever its case, per merchant; one that exists keeps its name", async () => {
    const owner = await newMerchant(store)
    const customer = { name: "Karim", email: "Karim@Example.com" }
    const first = subscriptionOf(await createWith({ ...MONTHLY, customer }, owner))
    const again = subscriptionOf(
      await createWith(
        { ...MONTHLY, customer: { name: "K. Uddin", email: "karim@example.COM", phone: "01812345678" } },
        owner
      )
    )
    expect(again.customer).toEqual({
      id: first.customer_id,
      name: "Karim",
      email: "Karim@Example.com",
      phone: "01812345678",
    })
    const elsewhere = subscriptionOf(await createWith({ ...MONTHLY, customer }, await newMerchant(store)))
    expect(elsewhere.customer_id).not.toBe(first.customer_id)
  })

  it("customer_id wins over customer", async () => {
    const { customer_id } = await (await Subscriber.create(merchant)).get()
    expect(
      subscriptionOf(await createWith({ ...MONTHLY, customer_id, customer: { email: "not even looked at" } }))
        .customer_id
    ).toBe(customer_id)
  })

  it("the same new address in ten requests at once makes one customer", async () => {
    const owner = await newMerchant(store)
    const customer = someone()
    const answers = await Promise.all(Array.from({ length: 10 }, () => createWith({ ...MONTHLY, customer }, owner)))
    expect(new Set(answers.map((answer) => subscriptionOf(answer).customer_id)).size).toBe(1)
  })

  it("GET /payments/customers lists them newest first and finds one by e-mail; GET …/{id} by either id", async () => {
    const owner = await newMerchant(store)
    const [one, two] = [await Subscriber.create(owner), await Subscriber.create(owner)]
    const [first, second] = [(await one.get()).customer, (await two.get()).customer]
    const listed = (await owner.call("GET", "/payments/customers")).body
    const rows = listed.data as unknown as { id: number; uuid: string; created_at: string }[]
    expect([rows.map(({ id }) => id), listed.meta]).toEqual([
      [second.id, first.id],
      { total: 2, page: 1, per_page: 20 },
    ])
    const found = (await owner.call("GET", `/payments/customers?email=${first.email.toUpperCase()}`)).body.data
    expect(found).toEqual([{ ...first, uuid: rows[1].uuid, created_at: rows[1].created_at }])
    for (const id of [first.id, rows[1].uuid]) {
      expect((await owner.call("GET", `/payments/customers/${id}`)).body.data).toEqual(
        (found as unknown as unknown[])[0]
      )
    }
    expect(brief(await merchant.call("GET", `/payments/customers/${first.id}`))).toBe("404 CUSTOMER_NOT_FOUND")
  })
})

describe("contract 4.6 — reading subscriptions", () => {
  it("by uuid and by the integer id; another merchant's is unknown to every operation", async () => {
    const subscriber = await Subscriber.create(merchant)
    const whole = await subscriber.get()
    expect(subscriptionOf(await merchant.call("GET", `${SUBSCRIPTIONS}/${whole.id}`))).toEqual(whole)
    const stranger = await newMerchant(store)
    const calls = [
      ["GET", ""],
      ["PATCH", "", { amount: 20 }],
      ["POST", "/pause"],
      ["POST", "/resume"],
      ["POST", "/cancel"],
      ["GET", "/billing-history"],
      ["POST", "/checkout"],
    ] as const
    for (const [method, suffix, body] of calls) {
      expect(brief(await stranger.call(method, `${SUBSCRIPTIONS}/${whole.uuid}${suffix}`, body))).toBe(
        "404 SUBSCRIPTION_NOT_FOUND"
      )
    }
    expect(await subscriber.get()).toEqual(whole)
  })

  it("lists the shorter subset, newest first, by customer and by status", async () => {
    const owner = await newMerchant(store)
    const [one, two] = [await Subscriber.create(owner), await Subscriber.create(owner, { trial_period_days: 7 })]
    const [first, second] = [await one.get(), await two.get()]
    const answer = await owner.call("GET", SUBSCRIPTIONS)
    const {
      id,
      uuid,
      merchant_id,
      customer_id,
      status,
      amount,
      currency,
      next_billing_date,
      billing_cycle_count,
      created_at,
    } = { ...second, currency: "BDT" }
    expect(linesOf(answer)[0]).toEqual({
      id,
      uuid,
      merchant_id,
      customer_id,
      status,
      amount,
      currency,
      next_billing_date,
      billing_cycle_count,
      created_at,
    })
    expect([linesOf(answer).map((line) => line.id), answer.body.meta]).toEqual([
      [second.id, first.id],
      { total: 2, page: 1, per_page: 20 },
    ])
    const ids = async (query: string) =>
      linesOf(await owner.call("GET", `${SUBSCRIPTIONS}?${query}`)).map((line) => line.id)
    expect(await ids(`customer_id=${first.customer_id}`)).toEqual([first.id])
    expect(await ids("subscription_status=TRIALING")).toEqual([second.id])
    expect(await ids(`subscription_status=TRIALING&customer_id=${first.customer_id}`)).toEqual([])
    expect(await ids("per_page=1&page=2")).toEqual([first.id])
    expect(await ids("customer_id=2147483647")).toEqual([])
  })

  it.each([
    ["subscription_status=active", "subscription_status"],
    ["customer_id=x", "customer_id"],
    ["customer_id=99999999999", "customer_id"],
    ["page=0", "page"],
  ])("%s: 422", async (query, field) => {
    expect(brief(await merchant.call("GET", `${SUBSCRIPTIONS}?${query}`))).toBe(`422 VALIDATION_ERROR ${field}`)
  })
})

describe("contract 4.6, decisions: Plans — a subscription checkout is an ordinary session", () => {
  it("200 Envelope A; paying it activates the subscription, and everything of it is written at once", async () => {
    const subscriber = await Subscriber.create(merchant)
    const answer = await subscriber.call("POST", "/checkout", {
      success_url: "https://shop.example.com/ok?x=1",
      metadata: { a: 1 },
    })
    const { checkout_url, session_id, transaction_id, expires_at } = answer.body.data
    expect(answer.body).toMatchObject({ success: true, meta: {} })
    expect([checkout_url, expires_at]).toEqual([`${store.url}/pay/${session_id}`, expect.stringMatching(/Z$/)])
    const paid = await merchant.pay(session_id)
    expect(paid.body.data.redirect_url).toMatch(
      /^https:\/\/shop\.example\.com\/ok\?x=1&transaction_id=txn[0-9a-f]{32}&status=SUCCESS&order_id=sub_/
    )
    const { id, ...active } = await subscriber.get()
    expect(active).toMatchObject({
      status: "ACTIVE",
      billing_cycle_count: 1,
      current_period_start: expect.any(String),
      next_billing_date: active.current_period_end,
    })
    expect(await subscriber.history()).toEqual([
      {
        id: expect.any(Number),
        uuid: expect.any(String),
        subscription_id: id,
        billing_date: expect.any(String),
        amount: "500.00",
        currency: "BDT",
        status: "SUCCESS",
        payment_session_id: session_id,
        transaction_id,
        created_at: expect.any(String),
      },
    ])
    expect(await subscriber.invoices()).toEqual([
      { number: expect.any(Number), status: "PAID", period: 1, amount_minor: 50_000 },
    ])
    expect(await subscriber.events()).toEqual(["created", "payment_succeeded", "activated"])
    expect(await merchant.verified(transaction_id)).toMatchObject({
      status: "SUCCESS",
      verified: true,
      amount: "500.0000",
      payment_method: "CARD",
    })
  })

  it("contract 6.1 — payment_succeeded has the contract's members", async () => {
    const subscriber = await Subscriber.create(merchant)
    const { session_id, transaction_id } = await subscriber.pay()
    const { id, uuid, customer_id, next_billing_date } = await subscriber.get()
    const event = (await subscriber.emitted()).find(({ event_type }) => event_type === "subscription.payment_succeeded")
    expect(event?.data).toEqual({
      subscription_uuid: uuid,
      subscription_id: id,
      customer_id,
      amount: "500.00",
      currency: "BDT",
      billing_cycle: 1,
      payment_session_id: session_id,
      transaction_id,
      next_billing_date,
    })
  })

  it("keeps the instrument: the acquirer's token, brand, last four and expiry, and no number anywhere", async () => {
    const subscriber = await Subscriber.create(merchant)
    await subscriber.pay({ payment_method: "card", card_number: "5555555555554444" })
    const rows = await store
      .db("gateway_instrument as i")
      .join("gateway_subscription as s", "s.instrument_id", "i.id")
      .where("s.uuid", subscriber.uuid)
      .select("i.*")
    expect(rows).toEqual([
      expect.objectContaining({
        acquirer: "sandbox",
        token: expect.stringMatching(/^enc:v1:tests:/),
        method: "card",
        service: "CARD",
        brand: "MASTERCARD",
        last_four: "4444",
      }),
    ])
    expect(tokenOf(store, rows[0])).toMatch(/^sbt_/)
    for (const table of ["gateway_sandbox_instrument", "gateway_instrument", "gateway_transaction"]) {
      const { rows: found } = await store.db.raw(
        "SELECT 1 FROM ?? AS one WHERE one::text LIKE '%5555555555554444%' LIMIT 1",
        [table]
      )
      expect(found).toEqual([])
    }
  })

  it("without URLs of its own it takes the merchant's, and without those its own page, which leads nowhere else", async () => {
    const owner = await newMerchant(store)
    const own = await (await Subscriber.create(owner)).checkout()
    const paid = (await owner.pay(own.session_id)).body.data.redirect_url
    expect(paid).toMatch(new RegExp(`^${own.checkout_url}\\?transaction_id=`))
    const page = await (await fetch(paid)).text()
    expect(page).toContain("Payment received")
    expect(page).not.toContain("Return to ")
    await gatewayOf(store).merchants.configure(
      { merchant_id: owner.id, environment: "sandbox" },
      { success_url: "https://shop.example.com/thanks" }
    )
    const theirs = await (await Subscriber.create(owner)).checkout()
    expect((await owner.pay(theirs.session_id)).body.data.redirect_url).toMatch(
      /^https:\/\/shop\.example\.com\/thanks\?/
    )
  })

  it.each([["success_url"], ["fail_url"], ["cancel_url"], ["ipn_url"]])(
    "a bad %s is 400 INVALID_CALLBACK_URL, in both shapes",
    async (field) => {
      const answer = await (
        await Subscriber.create(merchant)
      ).call("POST", "/checkout", { [field]: "ftp://shop.example.com" })
      expect(brief(answer)).toBe(`400 INVALID_CALLBACK_URL ${field}`)
      expect(answer.body.code).toBe("INVALID_CALLBACK_URL")
    }
  )

  it("decisions: Requests — bad URLs alone answer INVALID_CALLBACK_URL, with an ordinary failure VALIDATION_ERROR", async () => {
    const subscriber = await Subscriber.create(merchant)
    const urls = { success_url: "ftp://shop.example.com", ipn_url: "nonsense" }
    const alone = await subscriber.call("POST", "/checkout", urls)
    expect([brief(alone), fields(alone)]).toEqual(["400 INVALID_CALLBACK_URL success_url", ["success_url", "ipn_url"]])
    const beside = await subscriber.call("POST", "/checkout", { ...urls, metadata: "x", fail_url: 1 })
    expect([brief(beside), fields(beside)]).toEqual([
      "422 VALIDATION_ERROR fail_url",
      ["fail_url", "metadata", "success_url", "ipn_url"],
    ])
  })

  it("decisions: Requests — one Idempotency-Key, one checkout, even when its answer was lost with the process", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    const headers = { "Idempotency-Key": "checkout-1" }
    const first = (await subscriber.call("POST", "/checkout", {}, { headers })).body.data
    await store
      .db("gateway_idempotency_key")
      .where({ merchant_id: owner.id })
      .update({ status: null, body: null, leased_until: new Date(0) })
    expect((await subscriber.call("POST", "/checkout", {}, { headers })).body.data).toEqual(first)
  })

  it("a decline leaves the subscription as it was, waiting for another checkout", async () => {
    const subscriber = await Subscriber.create(merchant)
    await subscriber.pay({ payment_method: "card", card_number: "4000000000000002" })
    expect([await subscriber.status(), (await subscriber.history())[0].status, await subscriber.invoices()]).toEqual([
      "PENDING",
      "PENDING",
      [],
    ])
    await subscriber.pay()
    expect([await subscriber.status(), (await subscriber.history()).map(({ status }) => status)]).toEqual([
      "ACTIVE",
      ["SUCCESS"],
    ])
  })

  it("several checkouts of one period: the first pays it once; the others are refused and charge nothing", async () => {
    const subscriber = await Subscriber.create(merchant)
    const sessions = [await subscriber.checkout(), await subscriber.checkout(), await subscriber.checkout()]
    const answers = await Promise.all(sessions.map(({ session_id }) => merchant.pay(session_id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await subscriber.charges()).length).toBe(1)
    expect([await subscriber.status(), (await subscriber.get()).billing_cycle_count]).toEqual(["ACTIVE", 1])
    expect(brief(await merchant.pay(sessions[answers.findIndex(({ status }) => status === 409)].session_id))).toBe(
      "409 INVALID_STATE_TRANSITION"
    )
  })

  it("a checkout made for another amount is refused: the customer pays what is asked now", async () => {
    const subscriber = await Subscriber.create(merchant)
    const { session_id } = await subscriber.checkout()
    await subscriber.call("PATCH", "", { amount: "650.00" })
    expect(brief(await merchant.pay(session_id))).toBe("409 INVALID_STATE_TRANSITION")
    await subscriber.pay()
    expect((await subscriber.history())[0].amount).toBe("650.00")
  })

  it("a paid trial: the trial's amount first, then it is TRIALING", async () => {
    const { id } = await plan({ trial_period_days: 14, trial_amount: "50.00" })
    const subscriber = new Subscriber(
      merchant,
      subscriptionOf(await createWith({ subscription_plan_id: id, customer: someone() })).uuid
    )
    expect(await subscriber.status()).toBe("PENDING")
    const { transaction_id } = await subscriber.pay()
    expect(await merchant.verified(transaction_id)).toMatchObject({ amount: "50.0000" })
    const trial = await subscriber.get()
    expect(trial).toMatchObject({ status: "TRIALING", billing_cycle_count: 0, amount: "500.00" })
    expect(trial.trial_end_date).toBe(trial.next_billing_date)
    expect(await subscriber.events()).toEqual(["created", "payment_succeeded", "trial_started"])
  })

  it("TRIALING: the first full period, in advance; ACTIVE: the next one, in advance", async () => {
    const trial = await Subscriber.create(merchant, { trial_period_days: 14 })
    await trial.pay()
    expect(await trial.get()).toMatchObject({ status: "TRIALING", billing_cycle_count: 1 })
    const active = await Subscriber.create(merchant)
    await active.pay()
    const before = await active.get()
    await active.pay()
    const after = await active.get()
    expect(after).toMatchObject({
      status: "ACTIVE",
      billing_cycle_count: 2,
      current_period_end: before.current_period_end,
    })
    expect(Date.parse(String(after.next_billing_date))).toBeGreaterThan(Date.parse(String(before.next_billing_date)))
  })

  it.each([false, true])(
    "refused (409) once it is cancelled, also for a checkout made before (at period end: %p)",
    async (cancel_at_period_end) => {
      const subscriber = await Subscriber.create(merchant)
      await subscriber.pay()
      const { session_id } = await subscriber.checkout()
      await subscriber.call("POST", "/cancel", { cancel_at_period_end })
      expect(brief(await subscriber.call("POST", "/checkout"))).toBe("409 INVALID_STATE_TRANSITION")
      expect(brief(await merchant.pay(session_id))).toBe("409 INVALID_STATE_TRANSITION")
      expect(await subscriber.charges()).toHaveLength(1)
    }
  )

  it("a refund in full makes the billing record REFUNDED", async () => {
    const subscriber = await Subscriber.create(merchant)
    const { transaction_id } = await subscriber.pay()
    await gatewayOf(store).refunds.create({ transaction_id, reason: "test", requested_by: "test", request_key: "r1" })
    expect((await subscriber.history()).map(({ status }) => status)).toEqual(["REFUNDED"])
    expect(await subscriber.status()).toBe("ACTIVE")
  })
})

describe("contract 3.1 — pause, resume, cancel", () => {
  it("pause and resume return the updated subscription and emit events", async () => {
    const subscriber = await Subscriber.create(merchant)
    await subscriber.pay()
    const before = await subscriber.get()
    const paused = await subscriber.call("POST", "/pause")
    expect([paused.status, subscriptionOf(paused)]).toEqual([200, { ...before, status: "PAUSED" }])
    const resumed = subscriptionOf(await subscriber.call("POST", "/resume"))
    expect(resumed).toMatchObject({ status: "ACTIVE", id: before.id })
    expect(resumed).toEqual(await subscriber.get())
    expect(await subscriber.events()).toEqual(["created", "payment_succeeded", "activated", "paused", "resumed"])
  })

  it("cancel now: its period ends now; a reason is kept", async () => {
    const subscriber = await Subscriber.create(merchant)
    await subscriber.pay()
    const cancelled = subscriptionOf(await subscriber.call("POST", "/cancel", { cancellation_reason: "Too dear" }))
    expect(cancelled).toMatchObject({
      status: "CANCELLED",
      cancel_at_period_end: false,
      cancellation_reason: "Too dear",
      next_billing_date: null,
    })
    expect(cancelled.current_period_end).toBe(cancelled.cancelled_at)
  })

  it("decisions: Found by real clients: without a reason cancellation_reason is null, in the event too", async () => {
    const subscriber = await Subscriber.create(merchant)
    const cancelled = subscriptionOf(await subscriber.call("POST", "/cancel", []))
    expect(cancelled).toMatchObject({ status: "CANCELLED", cancellation_reason: null })
    const event = await store
      .db("gateway_event")
      .where({ event_type: "subscription.cancelled" })
      .whereRaw("data ->> 'subscription_uuid' = ?", [cancelled.uuid])
      .first()
    expect(event.data).toMatchObject({ cancellation_reason: null })
  })

  it("cancel at period end: CANCELLED at once, usable until current_period_end", async () => {
    const subscriber = await Subscriber.create(merchant)
    await subscriber.pay()
    const { current_period_end } = await subscriber.get()
    const cancelled = subscriptionOf(await subscriber.call("POST", "/cancel", { cancel_at_period_end: true }))
    expect(cancelled).toMatchObject({ status: "CANCELLED", cancel_at_period_end: true, current_period_end })
  })

  it.each([
    [{ cancel_at_period_end: "yes" }, "cancel_at_period_end"],
    [{ cancellation_reason: "x".repeat(501) }, "cancellation_reason"],
  ])("cancel refuses %p", async (body, field) => {
    expect(brief(await (await Subscriber.create(merchant)).call("POST", "/cancel", body))).toBe(
      `422 VALIDATION_ERROR ${field}`
    )
  })

  const states: Record<string, (subscriber: Subscriber) => Promise<unknown>> = {
    PENDING: async () => undefined,
    ACTIVE: (subscriber) => subscriber.pay(),
    PAUSED: async (subscriber) => (await subscriber.pay(), subscriber.call("POST", "/pause")),
    CANCELLED: async (subscriber) => subscriber.call("POST", "/cancel"),
    // Its trial ends with no instrument on file.
    PAST_DUE: ({ merchant: owner }) => owner.advance(7 * DAY + 60),
  }

  it.each([
    ["PENDING", "/pause"],
    ["PENDING", "/resume"],
    ["TRIALING", "/pause"],
    ["TRIALING", "/resume"],
    ["ACTIVE", "/resume"],
    ["PAUSED", "/pause"],
    ["CANCELLED", "/pause"],
    ["CANCELLED", "/resume"],
    ["CANCELLED", "/cancel"],
  ])("decisions: %s%s is 409 INVALID_STATE_TRANSITION and changes nothing", async (state, operation) => {
    const subscriber = await Subscriber.create(merchant, state === "TRIALING" ? { trial_period_days: 7 } : {})
    await states[state]?.(subscriber)
    const [before, events] = [await subscriber.get(), await subscriber.events()]
    const answer = await subscriber.call("POST", operation)
    expect([before.status, brief(answer), answer.body.status_code]).toEqual([
      state,
      "409 INVALID_STATE_TRANSITION",
      409,
    ])
    expect([await subscriber.get(), await subscriber.events()]).toEqual([before, events])
  })

  it.each(["PENDING", "TRIALING", "ACTIVE", "PAST_DUE", "PAUSED"])("decisions: cancel works from %s", async (state) => {
    const trial = state === "TRIALING" || state === "PAST_DUE" ? { trial_period_days: 7 } : {}
    const subscriber = await Subscriber.create(await newMerchant(store), trial)
    await states[state]?.(subscriber)
    expect(await subscriber.status()).toBe(state)
    expect(subscriptionOf(await subscriber.call("POST", "/cancel"))).toMatchObject({ status: "CANCELLED" })
    expect((await subscriber.events()).at(-1)).toBe("cancelled")
  })

  it("twenty pauses at once: one of them is it", async () => {
    const subscriber = await Subscriber.create(merchant)
    await subscriber.pay()
    const answers = await Promise.all(Array.from({ length: 20 }, () => subscriber.call("POST", "/pause")))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await subscriber.events()).filter((event) => event === "paused")).toHaveLength(1)
  })
})

describe("contract 4.6 — PATCH", () => {
  it("changes what is given and answers the whole subscription", async () => {
    const subscriber = await Subscriber.create(merchant)
    const answer = await subscriber.call("PATCH", "", {
      amount: 600,
      interval_count: 2,
      interval_unit: "WEEK",
      meta_data: { a: [1] },
    })
    expect(answer.status).toBe(200)
    expect(subscriptionOf(answer)).toMatchObject({
      amount: "600.00",
      interval_count: 2,
      interval_unit: "WEEK",
      meta_data: { a: [1] },
    })
    expect(await subscriber.get()).toEqual(subscriptionOf(answer))
    expect(subscriptionOf(await subscriber.call("PATCH", "", { amount: null }))).toEqual(subscriptionOf(answer))
  })

  it("the current period keeps its dates: new terms hold from the next cycle on", async () => {
    const subscriber = await Subscriber.create(merchant)
    await subscriber.pay()
    const { current_period_end } = await subscriber.get()
    expect(subscriptionOf(await subscriber.call("PATCH", "", { interval_unit: "DAY" }))).toMatchObject({
      current_period_end,
      next_billing_date: current_period_end,
    })
  })

  it.each([
    [{ amount: "1" }, "422 AMOUNT_TOO_LOW amount"],
    [{ interval_count: 0 }, "422 VALIDATION_ERROR interval_count"],
    [{ interval_unit: "CENTURY" }, "422 VALIDATION_ERROR interval_unit"],
    [{ meta_data: 5 }, "422 VALIDATION_ERROR meta_data"],
  ])("refuses %p", async (body, expected) => {
    expect(brief(await (await Subscriber.create(merchant)).call("PATCH", "", body))).toBe(expected)
  })

  it("the length of a period is not changed while its payment is under way: it is what the payer agreed to", async () => {
    const subscriber = await Subscriber.create(merchant, { interval_unit: "YEAR" })
    await subscriber.pay()
    const { id } = await store.db("gateway_subscription").where({ uuid: subscriber.uuid }).first()
    const records = () => store.db("gateway_billing_record").where({ subscription_id: id })
    const paid = (await records())[0]
    const open = { ...paid, id: `sbr_${id.slice(-20)}`, uuid: id, transaction_id: null, session_id: null }
    await store.db("gateway_billing_record").insert({ ...open, period: 2, status: "PROCESSING" })
    expect(brief(await subscriber.call("PATCH", "", { amount: 200, interval_unit: "MONTH" }))).toBe(
      "409 INVALID_STATE_TRANSITION"
    )
    expect(await subscriber.get()).toMatchObject({ amount: "500.00", interval_unit: "YEAR" })
    expect((await subscriber.call("PATCH", "", { amount: 200 })).status).toBe(200)
    await records().where({ period: 2 }).update({ status: "FAILED" })
    expect((await subscriber.call("PATCH", "", { interval_unit: "MONTH" })).status).toBe(200)
  })

  it("409 once it has ended", async () => {
    const subscriber = await Subscriber.create(merchant)
    await subscriber.call("POST", "/cancel")
    expect(brief(await subscriber.call("PATCH", "", { amount: "600.00" }))).toBe("409 INVALID_STATE_TRANSITION")
  })
})

describe("contract 4.6 — billing history", () => {
  it("newest first, in pages", async () => {
    const subscriber = await Subscriber.create(merchant, { interval_unit: "DAY" })
    await subscriber.pay()
    await subscriber.pay()
    await subscriber.pay()
    const answer = await subscriber.call("GET", "/billing-history?per_page=2")
    const rows = answer.body.data as unknown as BillingRecord[]
    expect([rows.length, answer.body.meta]).toEqual([2, { total: 3, page: 1, per_page: 2 }])
    expect(Date.parse(rows[0].billing_date) - Date.parse(rows[1].billing_date)).toBe(DAY * 1000)
    expect(brief(await subscriber.call("GET", "/billing-history?per_page=0"))).toBe("422 VALIDATION_ERROR per_page")
  })
})
