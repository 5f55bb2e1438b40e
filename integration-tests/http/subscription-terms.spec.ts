import { randomInt } from "node:crypto"
import { done, refused, ScriptedAcquirer, servicesWith, unknown } from "../support/acquirer"
import { brief, newMerchant, type ApiMerchant } from "../support/api"
import { DAY, PLANS, someone, Subscriber, SUBSCRIPTIONS, subscriptionOf } from "../support/subscriptions"
import { useStore } from "../support/store"

const store = useStore({ production: true })

/** A yearly subscription with a trial that costs 50.00. */
async function withPaidTrial(owner: ApiMerchant): Promise<Subscriber> {
  const plan = await owner.call("POST", PLANS, {
    plan_name: "Tea club",
    amount: "500.00",
    interval_count: 1,
    interval_unit: "YEAR",
    trial_period_days: 14,
    trial_amount: "50.00",
  })
  const { id } = plan.body as unknown as { id: number }
  const own = { amount: undefined, interval_count: undefined, interval_unit: undefined }
  return Subscriber.create(owner, { subscription_plan_id: id, ...own })
}

describe("contract 4.6, decisions: Plans — a checkout pays the period that it offered, or nothing", () => {
  it.each(["before the first payment", "active", "past due"] as const)(
    "one that was made for a period of another length is refused, and charges nothing: %s",
    async (state) => {
      const owner = await newMerchant(store)
      const trial = state === "past due" ? { trial_period_days: 7 } : {}
      const subscriber = await Subscriber.create(owner, { interval_unit: "YEAR", ...trial })
      if (state === "active") {
        await subscriber.pay()
      }
      if (state === "past due") {
        await owner.advance(7 * DAY + 60)
      }
      const charged = (await subscriber.charges()).length
      const { session_id } = await subscriber.checkout()
      expect((await subscriber.call("PATCH", "", { interval_unit: "MONTH" })).status).toBe(200)
      const refused = await owner.pay(session_id)
      expect([brief(refused), refused.body.message]).toEqual([
        "409 INVALID_STATE_TRANSITION",
        "The length of the period has changed since this checkout was made; nothing was charged",
      ])
      expect((await subscriber.charges()).length).toBe(charged)
      await subscriber.call("PATCH", "", { interval_unit: "YEAR", interval_count: 2 })
      expect(brief(await owner.pay(session_id))).toBe("409 INVALID_STATE_TRANSITION")
      await subscriber.call("PATCH", "", { interval_count: 1 })
      expect((await owner.pay(session_id)).body.data.status).toBe("SUCCESS")
    }
  )

  it("a trial has a length of its own: its checkout is paid, whatever the interval is by then", async () => {
    const owner = await newMerchant(store)
    const subscriber = await withPaidTrial(owner)
    const { session_id } = await subscriber.checkout()
    await subscriber.call("PATCH", "", { interval_unit: "MONTH" })
    expect((await owner.pay(session_id)).body.data.status).toBe("SUCCESS")
    expect(await subscriber.status()).toBe("TRIALING")
  })
})

describe("docs/decisions/12 — an invoice is void only when something else is to be paid", () => {
  /** An open invoice whose payment is under way, while the amount is changed; `end` reports its outcome to the gateway. */
  async function changedWhilePaid(outcome: typeof done | (() => ReturnType<typeof refused>)) {
    const owner = await newMerchant(store)
    const services = servicesWith(store, "sandbox", new ScriptedAcquirer("inline", [unknown], [outcome]))
    const subscriber = await Subscriber.create(owner)
    expect((await subscriber.call("POST", "/generate-invoice")).status).toBe(200)
    const { session_id } = await subscriber.checkout()
    const card = { number: "4242424242424242" }
    await services.payments.pay({ session_id, instrument: { method: "card", card }, page_url: "http://pay.test/pay/x" })
    expect((await subscriber.call("PATCH", "", { amount: "600.00" })).status).toBe(200)
    const end = async () => {
      await store
        .db("gateway_payment_attempt")
        .where({ merchant_id: owner.id })
        .update({ started_at: new Date(0), inquiry_at: new Date(0) })
      await services.reconciliation.run(10, { merchant_id: owner.id, until: new Date() })
    }
    return { owner, subscriber, end }
  }
  const invoices = async (subscriber: Subscriber) =>
    (await subscriber.invoices()).map(({ status, amount_minor }) => [status, amount_minor])

  it("a new amount while a payment is under way: the invoice is paid by it", async () => {
    const { subscriber, end } = await changedWhilePaid(done)
    expect(await invoices(subscriber)).toEqual([["PENDING", 50_000]])
    await end()
    expect([await subscriber.status(), await invoices(subscriber)]).toEqual(["ACTIVE", [["PAID", 50_000]]])
  })

  it("when that payment fails, the new amount holds, and the invoice is void then", async () => {
    const { subscriber, end } = await changedWhilePaid(() => refused())
    expect(await invoices(subscriber)).toEqual([["PENDING", 50_000]])
    await end()
    expect([await subscriber.status(), await invoices(subscriber)]).toEqual(["PENDING", [["VOID", 50_000]]])
    await subscriber.call("POST", "/generate-invoice")
    expect((await invoices(subscriber)).at(-1)).toEqual(["PENDING", 60_000])
  })

  it("a new amount during a trial that is not paid yet: the trial costs the same", async () => {
    const subscriber = await withPaidTrial(await newMerchant(store))
    await subscriber.call("POST", "/generate-invoice")
    await subscriber.call("PATCH", "", { amount: "650.00" })
    expect(await invoices(subscriber)).toEqual([["PENDING", 5_000]])
    await subscriber.pay()
    expect(await invoices(subscriber)).toEqual([["PAID", 5_000]])
  })
})

describe("contract 2.11 — the dates of a billing record", () => {
  it("are those of the payment that is under way or has paid, not of an earlier try", async () => {
    const owner = await newMerchant(store)
    const services = servicesWith(store, "sandbox", new ScriptedAcquirer("inline", [unknown]))
    const subscriber = await Subscriber.create(owner, { interval_unit: "WEEK" })
    await subscriber.pay({ payment_method: "card", card_number: "4000000000000002" })
    const dates = async () => {
      const { id } = await store.db("gateway_subscription").where({ uuid: subscriber.uuid }).first()
      const record = await store.db("gateway_billing_record").where({ subscription_id: id }).first()
      return ["billing_date", "period_start", "period_end"].map((name) => (record[name] as Date).getTime())
    }
    const first = await dates()
    await owner.advance(2 * DAY)
    const { session_id } = await subscriber.checkout()
    const card = { number: "4242424242424242" }
    await services.payments.pay({ session_id, instrument: { method: "card", card }, page_url: "http://pay.test/pay/x" })
    const second = await dates()
    expect(second.every((date, index) => date - first[index] >= 2 * DAY * 1_000)).toBe(true)
  })
})

describe("docs/decisions/11: a cancellation is undone until it takes effect", () => {
  it("a cancellation at the period's end is undone until then, and nothing is charged twice or missed", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    await subscriber.pay()
    const before = await subscriber.get()
    const why = { cancellation_reason: "not_used", cancellation_note: "Back in spring" }
    const cancelled = subscriptionOf(await subscriber.call("POST", "/cancel", { cancel_at_period_end: true, ...why }))
    expect(cancelled).toMatchObject({ status: "CANCELLED", ...why })
    expect((await subscriber.emitted()).at(-1)?.data).toMatchObject(why)
    await owner.advance(10 * DAY)
    const undone = await subscriber.call("POST", "/uncancel")
    expect([undone.status, subscriptionOf(undone)]).toEqual([200, before])
    const again = await subscriber.call("POST", "/uncancel")
    expect([again.status, subscriptionOf(again)]).toEqual([200, before])
    const goesOn = expect.objectContaining({ status: "ACTIVE", next_billing_date: before.next_billing_date })
    // Who only knows the contract's events hears that it is active again.
    expect((await subscriber.emitted()).slice(-2).map(({ event_type, data }) => [event_type, data])).toEqual([
      ["subscription.uncancelled", goesOn],
      ["subscription.activated", goesOn],
    ])
    await owner.advance(55 * DAY)
    expect((await subscriber.get()).billing_cycle_count).toBe(3)
    expect((await subscriber.events()).filter((type) => type === "uncancelled")).toHaveLength(1)
  })

  it("one past due keeps its first failure and its schedule of retries, and gets its invoice again", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner, { trial_period_days: 7 })
    // Its trial ends with no instrument on file.
    await owner.advance(7 * DAY + 60)
    const schedule = () =>
      store
        .db("gateway_subscription")
        .where({ uuid: subscriber.uuid })
        .first("past_due_since", "retry_at", "failed_payment_count")
    const before = await schedule()
    await subscriber.call("POST", "/cancel", { cancel_at_period_end: true })
    const undone = subscriptionOf(await subscriber.call("POST", "/uncancel"))
    expect(undone).toMatchObject({ status: "PAST_DUE", failed_payment_count: 1 })
    expect(undone.next_billing_date).toBe(undone.current_period_start)
    expect(await schedule()).toEqual(before)
    expect((await subscriber.invoices()).map(({ status }) => status)).toEqual(["VOID", "PENDING"])
    await owner.advance(60)
    expect(await subscriber.get()).toMatchObject({ status: "PAST_DUE", failed_payment_count: 1 })
    await owner.advance(DAY)
    expect(await subscriber.get()).toMatchObject({ status: "PAST_DUE", failed_payment_count: 2 })
    await subscriber.pay()
    expect(await subscriber.get()).toMatchObject({ status: "ACTIVE", billing_cycle_count: 1 })
    expect((await subscriber.invoices()).map(({ status }) => status)).toEqual(["VOID", "PAID"])
  })

  it("a hook that has not run is withdrawn with its cancellation, and the next cancellation has its own", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    await subscriber.pay()
    const { id: resource_id } = await store.db("gateway_subscription").where({ uuid: subscriber.uuid }).first("id")
    const hooks = async () =>
      (await store.db("gateway_hook_call").where({ hook: "subscriptionCancelled", resource_id })).map(
        ({ input }) => input.reason
      )
    await subscriber.call("POST", "/cancel", { cancel_at_period_end: true, cancellation_reason: "First" })
    expect(await hooks()).toEqual(["First"])
    await subscriber.call("POST", "/uncancel")
    expect(await hooks()).toEqual([])
    await subscriber.call("POST", "/cancel", { cancel_at_period_end: true, cancellation_reason: "Second" })
    expect(await hooks()).toEqual(["Second"])
  })

  it("a trial that ended meanwhile, its first period paid, has become active by then", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner, { trial_period_days: 7 })
    await subscriber.pay()
    await subscriber.call("POST", "/cancel", { cancel_at_period_end: true })
    await owner.advance(8 * DAY)
    const undone = subscriptionOf(await subscriber.call("POST", "/uncancel"))
    expect(undone).toMatchObject({ status: "ACTIVE", current_period_start: undone.trial_end_date })
    expect(undone.current_period_end).toBe(undone.next_billing_date)
    expect((await subscriber.events()).slice(-3)).toEqual(["uncancelled", "trial_ended", "activated"])
    await owner.advance(DAY)
    expect((await subscriber.events()).slice(-3)).toEqual(["uncancelled", "trial_ended", "activated"])
  })

  it.each([
    ["that took effect at once", {}, 0],
    ["after the period's end", { cancel_at_period_end: true }, 32 * DAY],
  ])("a cancellation %s stays: 409 INVALID_STATE_TRANSITION", async (_name, how, wait) => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    await subscriber.pay()
    await subscriber.call("POST", "/cancel", how)
    await (wait > 0 && owner.advance(wait))
    const before = [await subscriber.get(), await subscriber.events()]
    expect(brief(await subscriber.call("POST", "/uncancel"))).toBe("409 INVALID_STATE_TRANSITION")
    expect([await subscriber.get(), await subscriber.events()]).toEqual(before)
  })
})

describe("decisions: Plans and subscriptions — a customer who changes: PATCH /payments/customers/{id}", () => {
  const customerOf = async (subscriber: Subscriber) => (await subscriber.get()).customer
  const change = (owner: ApiMerchant, id: number | string, body: unknown, headers: Record<string, string> = {}) =>
    owner.call("PATCH", `/payments/customers/${id}`, body, { headers })

  it("what is issued from now on has the new name and address; an invoice that was issued keeps its own", async () => {
    const owner = await newMerchant(store)
    const subscriber = await Subscriber.create(owner)
    const before = await customerOf(subscriber)
    await subscriber.pay()
    await subscriber.call("POST", "/generate-invoice")
    const moved = { name: "Karim Ahmed", email: `New-${before.email}`, phone: "+880 1912-345678" }
    const answer = await change(owner, before.id, moved)
    expect([answer.status, answer.body.data]).toEqual([200, expect.objectContaining({ id: before.id, ...moved })])
    expect(await customerOf(subscriber)).toEqual({ id: before.id, ...moved })
    const [{ id }] = await store.db("gateway_subscription").where({ uuid: subscriber.uuid })
    const invoices = () => store.db("gateway_invoice").where({ subscription_id: id }).orderBy("number")
    expect((await invoices()).map(({ customer_name, customer_email }) => [customer_name, customer_email])).toEqual([
      [before.name, before.email],
      [before.name, before.email],
    ])
    await owner.advance(32 * DAY)
    expect((await invoices()).at(-1)).toMatchObject({ customer_name: before.name })
    await owner.advance(32 * DAY)
    expect((await invoices()).at(-1)).toMatchObject({ customer_name: moved.name, customer_email: moved.email })
    const [charge] = await store
      .db("gateway_checkout_session")
      .where({ subscription_id: id })
      .orderBy("created_at", "desc")
    expect(charge.customer).toMatchObject({ name: moved.name, email: moved.email })
    // Searched by the new address, and a subscription that names it is this customer's.
    expect(await store.db("gateway_subscription").where({ id }).first("customer_email_key")).toEqual({
      customer_email_key: moved.email.toLowerCase(),
    })
    const again = await Subscriber.create(owner, { customer: { name: "Whoever", email: moved.email.toUpperCase() } })
    expect((await customerOf(again)).id).toBe(before.id)
  })

  it("what is absent or empty stays, the same change is written down once, and a key replays its answer", async () => {
    const owner = await newMerchant(store)
    const { id, name, phone } = await customerOf(await Subscriber.create(owner))
    const same = { email: "", phone: null, name: "Karim Two" }
    const key = { "Idempotency-Key": `move-${id}` }
    const first = await change(owner, id, same, key)
    const second = await change(owner, id, same, key)
    await change(owner, id, same)
    expect([first.body.data, second.body.data]).toEqual([
      expect.objectContaining({ name: "Karim Two", phone }),
      expect.objectContaining({ name: "Karim Two" }),
    ])
    const entries = await store
      .db("gateway_audit_entry")
      .where({ action: "customer.updated" })
      .andWhere("resource_id", await customerUuid(id))
    expect(entries.map(({ changes }) => changes)).toEqual([{ name: { from: name, to: "Karim Two" } }])
  })
  const customerUuid = async (number: number): Promise<string> =>
    (await store.db("gateway_customer").where({ number }).first("uuid")).uuid

  it.each([
    [{ email: "not-an-address" }, "422 INVALID_EMAIL email"],
    [{ phone: "12" }, "422 INVALID_PHONE phone"],
    [{ name: "x".repeat(300) }, "422 VALIDATION_ERROR name"],
  ])("refuses %j: %s", async (body, expected) => {
    const owner = await newMerchant(store)
    const { id } = await customerOf(await Subscriber.create(owner))
    expect(brief(await change(owner, id, body))).toBe(expected)
  })

  it("another customer's address is refused, also of two at once; another merchant's customer is not found", async () => {
    const owner = await newMerchant(store)
    const one = await customerOf(await Subscriber.create(owner))
    const other = await customerOf(await Subscriber.create(owner))
    const taken = await change(owner, one.id, { email: other.email.toUpperCase() })
    expect(brief(taken)).toBe("409 CUSTOMER_EXISTS email")
    const free = `free-${other.email}`
    const both = await Promise.all([one, other].map(({ id }) => change(owner, id, { email: free })))
    expect(both.map(brief).sort()).toEqual(["200", "409 CUSTOMER_EXISTS email"])
    const stranger = await newMerchant(store)
    expect(brief(await change(stranger, one.id, { name: "Mine" }))).toBe("404 CUSTOMER_NOT_FOUND")
  })
})

describe("docs/decisions/11 — lists have what stands beside the contract, where it is set", () => {
  type Listed = Record<string, unknown> & { uuid: string }
  const listed = async (owner: ApiMerchant, path: string) =>
    (await owner.call("GET", path)).body.data as unknown as Listed[]
  const CONTRACT = ["id", "uuid", "merchant_id", "customer_id", "status", "amount", "currency", "next_billing_date"]
  const OF_LINE = [...CONTRACT, "billing_cycle_count", "created_at"].sort()

  it("an end, a quantity, a scheduled change, a credit: as the single answers have them; nothing else (contract 2.10, 4.5)", async () => {
    const owner = await newMerchant(store)
    const month = { interval_count: 1, interval_unit: "MONTH" }
    const plan = async (more: object) => (await owner.call("POST", PLANS, { amount: "600.00", ...month, ...more })).body
    const seats = (await plan({ plan_name: "Seats", family: "office", billing_cycles: 12 })) as unknown as Listed
    await plan({ plan_name: "Plain" })
    const [plain, limited] = await listed(owner, PLANS)
    expect(limited).toMatchObject({ family: "office", billing_cycles: 12 })
    expect(Object.keys(plain).filter((name) => name === "family" || name === "billing_cycles")).toEqual([])

    const none = { amount: undefined, interval_count: undefined, interval_unit: undefined }
    const many = await Subscriber.create(owner, { ...none, subscription_plan_id: seats.id, quantity: 3 })
    await many.pay()
    await many.call("POST", "/change", { quantity: 1, when: "now" })
    await many.call("POST", "/change", { quantity: 2, when: "period_end" })
    const dated = await Subscriber.create(owner, { ends_at: new Date(Date.now() + 200 * DAY * 1000).toISOString() })
    await Subscriber.create(owner)
    const [simple, ending, counted] = await listed(owner, SUBSCRIPTIONS)
    expect(Object.keys(simple).sort()).toEqual(OF_LINE)
    const members = (of: object) =>
      ["scheduled_change", "credit_balance", ...END].map((name) => [name, Object(of)[name]])
    expect(members(counted)).toEqual(members(await many.get()))
    expect(counted).toMatchObject({ scheduled_change: { quantity: 2 }, credit_balance: "1200.00", billing_cycles: 12 })
    expect(members(ending)).toEqual(members(await dated.get()))
    expect(ending.ends_at).toBeDefined()
  })

  const END = ["billing_cycles", "billing_cycles_paid", "ends_at", "last_period_end", "quantity", "unit_amount"]
})

describe("decisions: One trial — over /api/v2", () => {
  const TRIAL = { amount: "500.00", interval_count: 1, interval_unit: "MONTH", trial_period_days: 14 }
  const PAID = { ...TRIAL, trial_amount: "50.00" }

  /** A merchant who limits all trials, unless another mode is given. */
  async function limited(one_trial_per_customer: "all" | "store" | "off" = "all"): Promise<ApiMerchant> {
    const owner = await newMerchant(store)
    const tenant = { merchant_id: owner.id, environment: "sandbox" } as const
    await store.gateway.merchants.configure(tenant, { one_trial_per_customer })
    return owner
  }

  async function planOf(owner: ApiMerchant, terms: object): Promise<number> {
    const answer = await owner.call("POST", PLANS, { plan_name: "Tea club", ...terms })
    return (answer.body as unknown as { id: number }).id
  }

  type Made = ReturnType<typeof subscriptionOf> & { trial_refused?: string }
  const customerOf = () => ({ ...someone(), phone: `018${randomInt(10_000_000, 99_999_999)}` })
  async function make(owner: ApiMerchant, plan: number, customer: object, more: object = {}): Promise<Made> {
    const answer = await owner.call("POST", SUBSCRIPTIONS, { subscription_plan_id: plan, customer, ...more })
    expect(answer.status).toBe(201)
    return subscriptionOf(answer) as Made
  }

  it("the second subscription of a customer begins at the plan's price, and the answer says why", async () => {
    const owner = await limited()
    const [plan, customer] = [await planOf(owner, TRIAL), customerOf()]
    const first = await make(owner, plan, customer)
    expect([first.status, "trial_refused" in first]).toEqual(["TRIALING", false])
    const second = await make(owner, plan, { ...customer, email: customer.email.toUpperCase() })
    expect(second).toMatchObject({ status: "PENDING", trial_end_date: null, trial_refused: "had_trial" })
    const { checkout_url } = await new Subscriber(owner, second.uuid).checkout()
    const page = await (await fetch(String(checkout_url))).text()
    expect(page).toContain("Each customer gets one trial, so there is no further one: ৳500.00 is due now.")
    await new Subscriber(owner, second.uuid).pay()
    expect(await new Subscriber(owner, second.uuid).get()).toMatchObject({
      status: "ACTIVE",
      trial_refused: "had_trial",
    })
    const asked = await make(owner, plan, customer, { trial_period_days: 3 })
    expect([asked.status, "trial_refused" in asked]).toEqual(["TRIALING", false])
  })

  it("a client that only uses the contract sees no difference: the rule is of the store at first", async () => {
    const owner = await newMerchant(store)
    const [plan, customer] = [await planOf(owner, TRIAL), customerOf()]
    const made = [await make(owner, plan, customer), await make(owner, plan, customer)]
    expect(made.map(({ status }) => status)).toEqual(["TRIALING", "TRIALING"])
    expect(made.some((one) => "trial_refused" in one)).toBe(false)
  })

  it.each<[string, (owner: ApiMerchant, made: Made) => Promise<unknown>, string]>([
    [
      "is cancelled within the trial",
      (owner, { uuid }) => new Subscriber(owner, uuid).call("POST", "/cancel"),
      "PENDING",
    ],
    ["has ended", (owner) => owner.advance(30 * DAY), "PENDING"],
  ])("a trial counts when its subscription %s", async (_name, end, expected) => {
    const owner = await limited()
    const [plan, customer] = [await planOf(owner, TRIAL), customerOf()]
    await end(owner, await make(owner, plan, customer))
    expect((await make(owner, plan, customer)).status).toBe(expected)
  })

  it("a paid trial counts once it is paid; of two that wait for it one is paid", async () => {
    const owner = await limited()
    const [plan, customer] = [await planOf(owner, PAID), customerOf()]
    const waiting = [await make(owner, plan, customer), await make(owner, plan, customer)]
    expect(waiting.map(({ status, trial_refused }) => [status, trial_refused])).toEqual([
      ["PENDING", undefined],
      ["PENDING", undefined],
    ])
    const checkouts = await Promise.all(waiting.map(({ uuid }) => new Subscriber(owner, uuid).checkout()))
    const paid = await Promise.all(checkouts.map(({ session_id }) => owner.pay(session_id)))
    expect(paid.map(({ status }) => status).sort()).toEqual([200, 409])
    const refused = paid.find(({ status }) => status === 409)
    expect(refused?.body.message).toContain("make a new subscription")
    const states = await Promise.all(waiting.map(({ uuid }) => new Subscriber(owner, uuid).status()))
    expect(states.sort()).toEqual(["PENDING", "TRIALING"])
    expect((await make(owner, plan, customer)).trial_refused).toBe("had_trial")
  })

  it("of many requests at once one gets the trial, also by the phone number alone", async () => {
    const owner = await limited()
    const [plan, { phone }] = [await planOf(owner, TRIAL), customerOf()]
    const made = await Promise.all([1, 2, 3, 4, 5, 6].map(() => make(owner, plan, { ...customerOf(), phone })))
    expect(made.filter(({ status }) => status === "TRIALING")).toHaveLength(1)
    expect(made.filter(({ trial_refused }) => trial_refused === "had_trial")).toHaveLength(5)
  })

  it("plans of one family share the trial; another family, merchant or environment has its own", async () => {
    const owner = await limited()
    const customer = customerOf()
    const family = { ...TRIAL, family: "tea" }
    await make(owner, await planOf(owner, family), customer)
    expect((await make(owner, await planOf(owner, family), customer)).trial_refused).toBe("had_trial")
    expect((await make(owner, await planOf(owner, { ...TRIAL, family: "coffee" }), customer)).status).toBe("TRIALING")
    expect((await make(owner, await planOf(owner, TRIAL), customer)).status).toBe("TRIALING")
    const other = await limited()
    expect((await make(other, await planOf(other, family), customer)).status).toBe("TRIALING")
  })

  it("a switch of plan in a trial is no new trial, and the plan that it began on counts", async () => {
    const owner = await limited()
    const customer = customerOf()
    const family = { ...TRIAL, family: "tea" }
    const [small, large] = [await planOf(owner, family), await planOf(owner, { ...family, amount: "900.00" })]
    const { uuid, trial_end_date } = await make(owner, small, customer)
    const subscriber = new Subscriber(owner, uuid)
    await owner.advance(5 * DAY)
    const switched = await subscriber.call("POST", "/change", { subscription_plan_id: large, when: "now" })
    expect(switched.status).toBe(200)
    expect(await subscriber.get()).toMatchObject({ status: "TRIALING", amount: "900.00", trial_end_date })
    expect((await make(owner, small, customer)).trial_refused).toBe("had_trial")
  })
})
