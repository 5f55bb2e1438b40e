import { DateTime } from "luxon"
import { brief, gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import {
  clockTo,
  day,
  PLANS,
  someone,
  Subscriber,
  SUBSCRIPTIONS,
  subscriptionOf,
  type Subscription,
} from "../support/subscriptions"
import { useStore } from "../support/store"

const store = useStore()

/** A merchant whose sandbox clock is at a future moment. */
async function merchantAt(when: string): Promise<ApiMerchant> {
  const merchant = await newMerchant(store)
  await clockTo(merchant, when)
  return merchant
}

async function subscribe(merchant: ApiMerchant, changes: Record<string, unknown> = {}): Promise<Subscriber> {
  const subscriber = await Subscriber.create(merchant, changes)
  if ((await subscriber.status()) === "PENDING") {
    await subscriber.pay()
  }
  return subscriber
}

const sandboxOf = ({ id }: ApiMerchant) => ({ merchant_id: id, environment: "sandbox" }) as const

/** What a clock in a zone shows, `2028-10-01 02:00`. */
const wall = (at: Date, timeZone: string) =>
  at.toLocaleString("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" })

/** Of its invoices, the oldest first. */
const tokens = async ({ uuid }: Subscriber): Promise<string[]> =>
  store
    .db("gateway_invoice")
    .where({ subscription_id: store.db("gateway_subscription").where({ uuid }).select("id") })
    .orderBy("number")
    .pluck("pay_token")

/** What the customer reads. */
const invoicePage = async (token: string) => (await fetch(`${store.url}/pay/invoice/${token}?lang=en`)).text()

const billed = async (subscriber: Subscriber) =>
  (await subscriber.history()).map(({ billing_date, status }) => `${day(billing_date)} ${status}`)

describe("a subscription on its schedule, for months and years", () => {
  it.each<[string, Record<string, unknown>, string, string, string[]]>([
    [
      "the 31st, monthly, through a leap February",
      { interval_unit: "MONTH" },
      "2028-01-31",
      "2028-05-31",
      ["2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30", "2028-05-31"],
    ],
    [
      "29 February, yearly",
      { interval_unit: "YEAR" },
      "2028-02-29",
      "2032-02-29",
      ["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"],
    ],
    [
      "weekly, over a change of year",
      { interval_unit: "WEEK" },
      "2027-12-24",
      "2028-01-07",
      ["2027-12-24", "2027-12-31", "2028-01-07"],
    ],
    [
      "every ten days",
      { interval_unit: "DAY", interval_count: 10 },
      "2028-02-20",
      "2028-03-11",
      ["2028-02-20", "2028-03-01", "2028-03-11"],
    ],
  ])("%s: each period is charged once, on its day", async (_name, terms, start, end, dates) => {
    const merchant = await merchantAt(`${start}T10:00:00Z`)
    const subscriber = await subscribe(merchant, terms)
    await clockTo(merchant, `${end}T10:30:00Z`)
    const history = await subscriber.history()
    expect(history.map(({ billing_date, status }) => [day(billing_date), status])).toEqual(
      dates.map((date) => [date, "SUCCESS"])
    )
    expect(await subscriber.charges()).toHaveLength(dates.length)
    expect(await subscriber.get()).toMatchObject({
      status: "ACTIVE",
      billing_cycle_count: dates.length,
      failed_payment_count: 0,
    })
    expect((await subscriber.invoices()).map(({ status, period }) => [status, period])).toEqual(
      dates.map((_date, index) => ["PAID", index + 1])
    )
    expect(await subscriber.events()).toEqual([
      "created",
      "payment_succeeded",
      "activated",
      ...dates.slice(1).map(() => "payment_succeeded"),
    ])
  })

  const monthly = (...days: number[]) =>
    days.map((date, month) => `2028-${String(month + 1).padStart(2, "0")}-${String(date).padStart(2, "0")}`)
  const FIRSTS = monthly(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
  const LASTS = monthly(31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

  it.each<[string, string, string[], string, string]>([
    ["Asia/Dhaka", "2027-12-31T20:10:00Z", FIRSTS, "1 Jan 2028 – 1 Feb 2028", "1 Dec 2028 – 1 Jan 2029"],
    ["America/New_York", "2028-01-31T05:10:00Z", LASTS, "31 Jan 2028 – 29 Feb 2028", "31 Dec 2028 – 31 Jan 2029"],
    ["Australia/Lord_Howe", "2027-12-31T15:10:00Z", FIRSTS, "1 Jan 2028 – 1 Feb 2028", "1 Dec 2028 – 1 Jan 2029"],
  ])("decisions: Plans: a year in %s, by its own calendar", async (zone, start, dates, first, last) => {
    const merchant = await merchantAt(start)
    await gatewayOf(store).merchants.configure(sandboxOf(merchant), { time_zone: zone })
    const subscriber = await subscribe(merchant)
    await clockTo(merchant, "2028-12-31T12:00:00Z")
    const records = await store
      .db("gateway_billing_record")
      .where({ subscription_id: store.db("gateway_subscription").where({ uuid: subscriber.uuid }).select("id") })
      .orderBy("period")
      .select("billing_date", "period_start", "period_end", "status")
    expect(records.map(({ status, billing_date: at }) => [wall(at, zone).slice(0, 10), status])).toEqual(
      dates.map((date) => [date, "SUCCESS"])
    )
    // Clocks on Lord Howe Island jump from 02:00 to 02:30 on 1 October 2028.
    const time = wall(records[0].billing_date, zone).slice(11)
    const jumped = time.replace(":1", ":4")
    expect(records.map(({ billing_date: at }) => wall(at, zone).slice(11))).toEqual(
      dates.map((date) => (zone === "Australia/Lord_Howe" && date === "2028-10-01" ? jumped : time))
    )
    expect(records.slice(1).map(({ period_start }) => period_start)).toEqual(
      records.slice(0, -1).map(({ period_end }) => period_end)
    )
    expect(await subscriber.charges()).toHaveLength(12)
    const shown = await Promise.all((await tokens(subscriber)).map(invoicePage))
    expect([shown[0].includes(first), shown[11].includes(last)]).toEqual([true, true])
    expect(shown[0].includes("Bangladesh time (UTC+6)")).toBe(zone === "Asia/Dhaka")
  })

  it("decisions: Plans: days of trials and retries are days of the merchant's time zone, over a change of the clocks", async () => {
    const merchant = await merchantAt("2028-10-27T14:00:00Z")
    await gatewayOf(store).merchants.configure(sandboxOf(merchant), { time_zone: "America/New_York" })
    const subscriber = await subscribe(merchant, { trial_period_days: 7 })
    await clockTo(merchant, "2028-11-20")
    const failures = (await subscriber.emitted()).filter(
      ({ event_type }) => event_type === "subscription.payment_failed"
    )
    expect(failures.map(({ occurred_at }) => wall(occurred_at, "America/New_York").slice(0, 13))).toEqual(
      ["03", "04", "06", "08", "10"].map((date) => `2028-11-${date} 10`)
    )
  })

  it("decisions: Plans: another time zone moves no date: what follows is counted from its day there", async () => {
    const merchant = await merchantAt("2028-09-30T20:00:00Z")
    const tenant = sandboxOf(merchant)
    await gatewayOf(store).merchants.configure(tenant, { time_zone: "UTC" })
    const subscriber = await subscribe(merchant)
    const { next_billing_date } = await subscriber.get()
    expect(day(next_billing_date)).toBe("2028-10-30")
    await gatewayOf(store).merchants.configure(tenant, { time_zone: "Asia/Dhaka" })
    expect(await subscriber.get()).toMatchObject({ next_billing_date })
    await clockTo(merchant, "2029-02-28T21:00:00Z")
    const charged = (await subscriber.history()).map(({ billing_date }) => wall(new Date(billing_date), "Asia/Dhaka"))
    expect(charged.map((date) => date.slice(0, 13))).toEqual(
      ["2028-10-01", "2028-10-31", "2028-11-30", "2028-12-31", "2029-01-31", "2029-02-28"].map((date) => `${date} 02`)
    )
    const [before, after] = [
      await invoicePage((await tokens(subscriber))[0]),
      await invoicePage((await tokens(subscriber))[1]),
    ]
    // The first invoice was issued while the days were those of UTC, and stays as it is.
    expect(before).toContain("30 Sep 2028 – 30 Oct 2028")
    expect(after).toContain("31 Oct 2028 – 30 Nov 2028")
  })

  it.each([
    ["Asia/Dhaka", "2028-01-31T02:00"],
    ["America/New_York", "2028-01-31T00:30"],
    ["Australia/Lord_Howe", "2028-01-31T00:30"],
  ])(
    "docs/decisions/11: three years of switches in %s: what was charged is what was served, by local days",
    async (zone, begin) => {
      const start = DateTime.fromISO(begin, { zone })
      const merchant = await newMerchant(store)
      await gatewayOf(store).merchants.configure(sandboxOf(merchant), { time_zone: zone })
      const at = (month: number, days = 0) => start.plus({ months: month }).plus({ days })
      const goTo = (moment: DateTime) => clockTo(merchant, moment.toUTC().toISO() as string)
      await goTo(start)
      const plans = new Map<number, string>()
      for (const [amount, interval_unit] of [
        ["617.00", "MONTH"],
        ["899.00", "MONTH"],
        ["1243.00", "MONTH"],
        ["5000.00", "YEAR"],
      ]) {
        const { body } = await merchant.call("POST", PLANS, {
          plan_name: amount,
          amount,
          interval_count: 1,
          interval_unit,
        })
        plans.set(Number(amount), String((body as unknown as { id: number }).id))
      }
      const subscriber = await subscribe(merchant, { amount: "617.00" })
      const change = async (price: number, when: string) => {
        const subscription_plan_id = Number(plans.get(price))
        const answer = await subscriber.call("POST", "/change", { subscription_plan_id, when })
        expect(brief(answer)).toBe("200")
      }

      let price = 617
      let served = 0
      let switches = 0
      for (let month = 0; month < 24; month++) {
        const days = Math.round(
          at(month + 1)
            .startOf("day")
            .diff(at(month).startOf("day"), "days").days
        )
        const kind = month % 6
        const other = price === 1243 ? 617 : price === 617 ? 899 : 1243
        const day = 1 + ((month * 7) % 25)
        await goTo(at(month, day))
        if (kind === 3 || kind === 4) {
          await change(other, "period_end")
          served += price
          if (kind === 3) {
            price = other
          } else {
            expect((await subscriber.call("DELETE", "/change")).status).toBe(200)
          }
        } else if (kind === 0) {
          served += price
        } else {
          await change(other, "now")
          served += (price * day + other * (days - day)) / days
          price = other
          switches += 1
        }
      }
      const days = Math.round(at(25).startOf("day").diff(at(24).startOf("day"), "days").days)
      await goTo(at(24, 10))
      await change(5000, "now")
      served += (price * 10) / days + 2 * 5000
      await goTo(at(24, 10).plus({ years: 1, days: 1 }))

      const { status, credit_balance = "0.00" } = (await subscriber.get()) as Subscription & { credit_balance?: string }
      const charged = (await subscriber.charges()).reduce((sum, { amount_minor }) => sum + amount_minor, 0)
      expect(status).toBe("ACTIVE")
      // Each switch rounds twice, by at most half a poisha.
      expect(Math.abs(charged - Number(credit_balance) * 100 - served * 100)).toBeLessThanOrEqual(switches + 1)
      const periods = await store
        .db("gateway_billing_record")
        .where({ subscription_id: store.db("gateway_subscription").where({ uuid: subscriber.uuid }).select("id") })
        .orderBy("period")
      expect(new Set(periods.map((one) => one.status))).toEqual(new Set(["SUCCESS"]))
      expect(periods.slice(1).map((one) => one.period_start)).toEqual(periods.slice(0, -1).map((one) => one.period_end))
      expect(periods.map((one) => wall(one.period_start, zone).slice(11))).toEqual(periods.map(() => begin.slice(11)))
      expect(periods.length).toBe(24 + switches + 3)
    }
  )

  it("an automatic charge is a payment like any other: verified, with its fee and events, refundable", async () => {
    const merchant = await merchantAt("2028-03-05")
    const subscriber = await subscribe(merchant, { amount: "1000.00" })
    await clockTo(merchant, "2028-04-06")
    const [, renewal] = await subscriber.history()
    const verified = await merchant.verified(renewal.transaction_id)
    expect(verified).toMatchObject({
      status: "SUCCESS",
      verified: true,
      amount: "1000.0000",
      charge_amount: "25.0000",
      payment_method: "CARD",
    })
    expect(verified.customer).toMatchObject({ name: "Karim Uddin", address: "", metadata: {} })
    expect(
      (await merchant.events(renewal.transaction_id)).map(({ event_type, data }) => [event_type, data.session_id])
    ).toEqual([["payment.succeeded", renewal.payment_session_id]])
    const event = (await subscriber.emitted())
      .filter(({ event_type }) => event_type === "subscription.payment_succeeded")
      .at(-1)
    expect(event?.data).toMatchObject({
      billing_cycle: 2,
      transaction_id: renewal.transaction_id,
      payment_session_id: renewal.payment_session_id,
      amount: "1000.00",
    })
    expect([event?.occurred_at.toISOString().slice(0, 10), day(String(event?.data.next_billing_date))]).toEqual([
      "2028-04-05",
      "2028-05-05",
    ])
    const refund = await merchant.call("POST", "/payments/refund", {
      transaction_id: renewal.transaction_id,
      refund_reason: "Too dear",
    })
    expect(refund.status).toBe(200)
    expect(await merchant.verified(renewal.transaction_id)).toMatchObject({ status: "REFUNDED" })
    expect((await subscriber.history())[1].status).toBe("REFUNDED")
    expect(await subscriber.status()).toBe("ACTIVE")
  })

  it("invoices of a merchant are numbered without a gap across customers", async () => {
    const merchant = await merchantAt("2028-03-05")
    const subscribers = [
      await subscribe(merchant),
      await subscribe(merchant, { interval_unit: "WEEK" }),
      await subscribe(merchant, { interval_unit: "DAY" }),
    ]
    await clockTo(merchant, "2028-05-06")
    const numbers = (await Promise.all(subscribers.map((subscriber) => subscriber.invoices())))
      .flat()
      .map(({ number }) => number)
    expect(numbers.sort((left, right) => left - right)).toEqual(numbers.map((_number, index) => index + 1))
    expect(numbers.length).toBeGreaterThan(70)
  })
})

describe("contract 3.1, 6.1 — trials: trial_started, trial_ending, trial_ended, activated", () => {
  it("contract 6.1, 8: a free trial to ACTIVE: trial_ending three days before its end, charged at its end", async () => {
    const merchant = await merchantAt("2028-01-17")
    const subscriber = await subscribe(merchant, { trial_period_days: 14 })
    expect(await subscriber.get()).toMatchObject({ status: "TRIALING", billing_cycle_count: 0 })
    await subscriber.pay()
    expect(await subscriber.status()).toBe("TRIALING")
    await clockTo(merchant, "2028-01-27T23:50:00Z")
    expect(await subscriber.events()).toEqual(["created", "trial_started", "payment_succeeded"])
    await clockTo(merchant, "2028-01-28T00:10:00Z")
    expect(await subscriber.events()).toEqual(["created", "trial_started", "payment_succeeded", "trial_ending"])
    await clockTo(merchant, "2028-01-31T00:10:00Z")
    expect(await subscriber.events()).toEqual([
      "created",
      "trial_started",
      "payment_succeeded",
      "trial_ending",
      "trial_ended",
      "activated",
    ])
    await clockTo(merchant, "2028-02-29T00:10:00Z")
    expect(await subscriber.get()).toMatchObject({ status: "ACTIVE", billing_cycle_count: 2 })
    expect(await billed(subscriber)).toEqual(["2028-01-31 SUCCESS", "2028-02-29 SUCCESS"])
  })

  it("a paid trial to ACTIVE: the instrument that paid the trial is charged at its end", async () => {
    const merchant = await merchantAt("2028-01-01")
    const plan = await merchant.call("POST", PLANS, {
      plan_name: "Trial",
      amount: "500",
      interval_count: 1,
      interval_unit: "MONTH",
      trial_period_days: 30,
      trial_amount: "50.00",
    })
    const { id } = plan.body as unknown as { id: number }
    const subscriber = new Subscriber(
      merchant,
      subscriptionOf(await merchant.call("POST", SUBSCRIPTIONS, { subscription_plan_id: id, customer: someone() })).uuid
    )
    await subscriber.pay()
    await clockTo(merchant, "2028-01-31T01:00:00Z")
    expect(await subscriber.get()).toMatchObject({ status: "ACTIVE", billing_cycle_count: 1 })
    expect(
      (await subscriber.charges()).map(({ amount_minor }) => amount_minor).sort((left, right) => left - right)
    ).toEqual([5_000, 50_000])
    expect(await subscriber.events()).toEqual([
      "created",
      "payment_succeeded",
      "trial_started",
      "trial_ending",
      "trial_ended",
      "payment_succeeded",
      "activated",
    ])
  })

  it("a trial that ends with no instrument on file is PAST_DUE, with an open invoice; a checkout recovers it, on its anchor", async () => {
    const merchant = await merchantAt("2028-01-17")
    const subscriber = await subscribe(merchant, { trial_period_days: 14 })
    await clockTo(merchant, "2028-01-31T00:10:00Z")
    expect(await subscriber.get()).toMatchObject({ status: "PAST_DUE", failed_payment_count: 1 })
    expect((await subscriber.events()).slice(-2)).toEqual(["trial_ended", "payment_failed"])
    expect(await subscriber.invoices()).toEqual([{ number: 1, status: "PENDING", period: 1, amount_minor: 50_000 }])
    expect((await subscriber.history())[0]).toMatchObject({
      status: "FAILED",
      transaction_id: "",
      payment_session_id: "",
    })
    await clockTo(merchant, "2028-02-02T08:00:00Z")
    await subscriber.pay()
    const recovered = await subscriber.get()
    expect(recovered).toMatchObject({ status: "ACTIVE", failed_payment_count: 0, billing_cycle_count: 1 })
    expect([day(recovered.current_period_start), day(recovered.next_billing_date)]).toEqual([
      "2028-01-31",
      "2028-02-29",
    ])
    expect((await subscriber.events()).slice(-2)).toEqual(["payment_succeeded", "activated"])
    expect(await subscriber.invoices()).toEqual([{ number: 1, status: "PAID", period: 1, amount_minor: 50_000 }])
    await clockTo(merchant, "2028-02-29T00:10:00Z")
    expect(await billed(subscriber)).toEqual(["2028-01-31 SUCCESS", "2028-02-29 SUCCESS"])
  })

  it("a trial that ends past due and is never paid: tried on days 1, 3, 5 and 7, cancelled, expired", async () => {
    const merchant = await merchantAt("2028-01-17")
    const subscriber = await subscribe(merchant, { trial_period_days: 14 })
    await clockTo(merchant, "2028-02-20")
    expect(await subscriber.get()).toMatchObject({
      status: "EXPIRED",
      failed_payment_count: 5,
      cancellation_reason: "payment_failed",
    })
    const failures = (await subscriber.emitted()).filter(
      ({ event_type }) => event_type === "subscription.payment_failed"
    )
    expect(failures.map(({ occurred_at }) => day(occurred_at.toISOString()))).toEqual([
      "2028-01-31",
      "2028-02-01",
      "2028-02-03",
      "2028-02-05",
      "2028-02-07",
    ])
    expect((await subscriber.events()).slice(-3)).toEqual(["payment_failed", "cancelled", "expired"])
    expect(await subscriber.charges()).toEqual([])
    expect((await subscriber.invoices()).map(({ status }) => status)).toEqual(["VOID"])
    expect(brief(await subscriber.call("POST", "/checkout"))).toBe("409 INVALID_STATE_TRANSITION")
  })

  it("decisions: Plans — without a first payment: EXPIRED after seven days", async () => {
    const merchant = await merchantAt("2028-01-01")
    const subscriber = await Subscriber.create(merchant)
    await clockTo(merchant, "2028-01-07T23:59:00Z")
    expect(await subscriber.status()).toBe("PENDING")
    await clockTo(merchant, "2028-01-08T00:01:00Z")
    expect([await subscriber.status(), await subscriber.events()]).toEqual(["EXPIRED", ["created", "expired"]])
  })
})

describe("contract 3.1, 6.1 — charges that fail: payment_failed, cancelled, expired", () => {
  it("the card is declined from the second month on: retries, then cancelled and expired; each try is a failed payment", async () => {
    const merchant = await merchantAt("2028-01-31")
    const subscriber = await subscribe(merchant)
    await subscriber.call("PATCH", "", { amount: "300.00" })
    await clockTo(merchant, "2028-02-29T12:00:00Z")
    expect(await subscriber.get()).toMatchObject({ status: "PAST_DUE", failed_payment_count: 1 })
    const [, failed] = await subscriber.history()
    expect(failed).toMatchObject({ status: "FAILED", amount: "300.00" })
    expect(await merchant.verified(failed.transaction_id)).toMatchObject({
      status: "FAILED",
      verified: false,
      error_code: "CARD_DECLINED",
      charge_amount: "0.0000",
    })
    const event = (await subscriber.emitted()).at(-1)
    expect(event).toMatchObject({
      event_type: "subscription.payment_failed",
      data: {
        error_code: "CARD_DECLINED",
        status: "PAST_DUE",
        failed_payment_count: 1,
        next_retry_at: expect.stringMatching(/^2028-03-01T00:00/),
      },
    })
    await clockTo(merchant, "2028-03-20")
    expect(await subscriber.status()).toBe("EXPIRED")
    const tries = await store
      .db("gateway_transaction as t")
      .join("gateway_checkout_session as s", "s.id", "t.session_id")
      .where({ "s.source": "billing" })
      .whereIn("s.subscription_id", store.db("gateway_subscription").where({ uuid: subscriber.uuid }).select("id"))
      .select("t.state", "t.finished_at", "t.order_id", "s.order_number")
    expect(tries.map(({ state, finished_at }) => `${day(finished_at.toISOString())} ${state}`).sort()).toEqual(
      ["2028-02-29", "2028-03-01", "2028-03-03", "2028-03-05", "2028-03-07"].map((date) => `${date} FAILED`)
    )
    expect(tries.map(({ order_number }) => order_number)).toEqual(
      tries.map(({ order_id }) => order_id.slice(-8).toUpperCase())
    )
    expect(await billed(subscriber)).toEqual(["2028-01-31 SUCCESS", "2028-02-29 FAILED"])
  })

  it("past due and recovered by a checkout: its failed period keeps its amount, the new one holds from the next cycle", async () => {
    const merchant = await merchantAt("2028-01-17")
    const subscriber = await subscribe(merchant, { trial_period_days: 14 })
    await clockTo(merchant, "2028-02-01T12:00:00Z")
    await subscriber.call("PATCH", "", { amount: "700.00" })
    await subscriber.pay()
    await clockTo(merchant, "2028-03-01")
    expect((await subscriber.history()).map(({ amount, status }) => [amount, status])).toEqual([
      ["500.00", "SUCCESS"],
      ["700.00", "SUCCESS"],
    ])
  })

  it("decisions: Plans — a merchant may have its own retries, and stay PAST_DUE after the last", async () => {
    const merchant = await merchantAt("2028-01-17")
    await gatewayOf(store).merchants.configure(
      { merchant_id: merchant.id, environment: "sandbox" },
      { retry_days: [2, 4], after_last_retry: "past_due" }
    )
    const subscriber = await subscribe(merchant, { trial_period_days: 14 })
    await clockTo(merchant, "2028-06-01")
    expect(await subscriber.get()).toMatchObject({ status: "PAST_DUE", failed_payment_count: 3 })
    const failures = (await subscriber.emitted()).filter(
      ({ event_type }) => event_type === "subscription.payment_failed"
    )
    expect(failures.map(({ occurred_at }) => day(occurred_at.toISOString()))).toEqual([
      "2028-01-31",
      "2028-02-02",
      "2028-02-04",
    ])
    await subscriber.pay()
    await clockTo(merchant, "2028-06-01T00:01:00Z")
    expect((await billed(subscriber)).slice(0, 5)).toEqual(
      ["2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30", "2028-05-31"].map((date) => `${date} SUCCESS`)
    )
  })
})

/** The days that a pause leaves are exact to the second: at midnight a slow machine would see the day before. */
const MORNING = "T10:00:00Z"

describe("contract 3.1, 6.1 — pause, change and the end: paused, resumed, cancelled, expired", () => {
  it("a pause over a billing date: nothing is charged, and the days that were left are left again", async () => {
    const merchant = await merchantAt(`2028-01-31${MORNING}`)
    const subscriber = await subscribe(merchant)
    await clockTo(merchant, `2028-02-19${MORNING}`)
    await subscriber.call("POST", "/pause")
    await clockTo(merchant, `2028-04-19${MORNING}`)
    expect(await billed(subscriber)).toEqual(["2028-01-31 SUCCESS"])
    await subscriber.call("POST", "/resume")
    expect(day((await subscriber.get()).next_billing_date)).toBe("2028-04-29")
    expect((await subscriber.events()).slice(-2)).toEqual(["paused", "resumed"])
    await clockTo(merchant, `2028-06-05${MORNING}`)
    expect(await billed(subscriber)).toEqual(["2028-01-31 SUCCESS", "2028-04-29 SUCCESS", "2028-05-29 SUCCESS"])
  })

  it("decisions: Plans: after a resume the new billing date is the anchor: a pause to 4 March bills 4 April", async () => {
    const merchant = await merchantAt(`2027-01-29${MORNING}`)
    const subscriber = await subscribe(merchant)
    await clockTo(merchant, `2027-02-10${MORNING}`)
    await subscriber.call("POST", "/pause")
    await clockTo(merchant, `2027-02-14${MORNING}`)
    await subscriber.call("POST", "/resume")
    await clockTo(merchant, `2027-05-05${MORNING}`)
    expect(await billed(subscriber)).toEqual([
      "2027-01-29 SUCCESS",
      "2027-03-04 SUCCESS",
      "2027-04-04 SUCCESS",
      "2027-05-04 SUCCESS",
    ])
  })

  it("paying while paused resumes", async () => {
    const merchant = await merchantAt(`2028-01-31${MORNING}`)
    const subscriber = await subscribe(merchant)
    await clockTo(merchant, `2028-02-10${MORNING}`)
    await subscriber.call("POST", "/pause")
    await clockTo(merchant, `2028-02-20${MORNING}`)
    await subscriber.pay()
    const resumed = await subscriber.get()
    expect([resumed.status, day(resumed.current_period_end), day(resumed.next_billing_date)]).toEqual([
      "ACTIVE",
      "2028-03-10",
      "2028-04-10",
    ])
    expect((await subscriber.events()).slice(-2)).toEqual(["payment_succeeded", "resumed"])
    const invoices = (await merchant.call("GET", `/payments/invoices?subscription_id=${subscriber.uuid}`)).body
    const [invoice] = invoices.data as unknown as { period_start: string; due_date: string }[]
    expect([day(invoice.period_start), day(invoice.due_date)]).toEqual(["2028-03-10", "2028-03-10"])
    await clockTo(merchant, `2028-04-11${MORNING}`)
    expect(await subscriber.charges()).toHaveLength(3)
  })

  it("an amount and an interval changed in mid-cycle hold from the next cycle on", async () => {
    const merchant = await merchantAt("2028-01-31")
    const subscriber = await subscribe(merchant)
    await clockTo(merchant, "2028-02-10")
    await subscriber.call("PATCH", "", { amount: "650.00", interval_unit: "WEEK" })
    await clockTo(merchant, "2028-03-15")
    expect((await subscriber.history()).map(({ billing_date, amount }) => [day(billing_date), amount])).toEqual([
      ["2028-01-31", "500.00"],
      ["2028-02-29", "650.00"],
      ["2028-03-07", "650.00"],
      ["2028-03-14", "650.00"],
    ])
  })

  it("cancelled at the period's end: usable until then, not charged again, then EXPIRED", async () => {
    const merchant = await merchantAt("2028-01-31")
    const subscriber = await subscribe(merchant)
    await subscriber.call("POST", "/cancel", { cancel_at_period_end: true })
    await clockTo(merchant, "2028-02-28T23:59:00Z")
    expect(await subscriber.status()).toBe("CANCELLED")
    await clockTo(merchant, "2028-03-05")
    expect(await subscriber.status()).toBe("EXPIRED")
    const expired = (await subscriber.emitted()).at(-1)
    expect([expired?.event_type, expired?.occurred_at.toISOString()]).toEqual([
      "subscription.expired",
      (await subscriber.get()).current_period_end,
    ])
    expect(day((await subscriber.get()).current_period_end)).toBe("2028-02-29")
    expect(await subscriber.charges()).toHaveLength(1)
  })

  it("cancelled now: EXPIRED by the next run", async () => {
    const merchant = await merchantAt("2028-01-31")
    const subscriber = await subscribe(merchant)
    await subscriber.call("POST", "/cancel")
    await merchant.advance(0)
    expect(await subscriber.status()).toBe("EXPIRED")
  })

  it("the plan is archived: what is subscribed is billed on", async () => {
    const merchant = await merchantAt("2028-01-31")
    const plan = await merchant.call("POST", PLANS, {
      plan_name: "Tea",
      amount: "500",
      interval_count: 1,
      interval_unit: "MONTH",
    })
    const { id } = plan.body as unknown as { id: number }
    const subscriber = await subscribe(merchant, { subscription_plan_id: id })
    await merchant.call("DELETE", `${PLANS}/${id}`)
    await clockTo(merchant, "2028-03-31T01:00:00Z")
    expect(await billed(subscriber)).toEqual(["2028-01-31 SUCCESS", "2028-02-29 SUCCESS", "2028-03-31 SUCCESS"])
  })
})

describe("decisions: Sandbox — the clock does everything in the order of its due times", () => {
  it("whatever the subscriptions are, their events are in the order in which they fell due; the answer counts them", async () => {
    const merchant = await merchantAt("2028-01-17")
    const made = [
      await subscribe(merchant, { interval_unit: "DAY", interval_count: 2 }),
      await subscribe(merchant, { trial_period_days: 14 }),
      await subscribe(merchant, { interval_unit: "WEEK" }),
    ]
    const processed = await clockTo(merchant, "2028-03-01")
    expect(processed.subscriptions).toBeGreaterThan(30)
    const ids = store
      .db("gateway_subscription")
      .whereIn(
        "uuid",
        made.map(({ uuid }) => uuid)
      )
      .select("id")
    const events: { occurred_at: Date }[] = await store
      .db("gateway_event")
      .whereIn("resource_id", ids)
      .orderBy([{ column: "created_at" }, { column: "id" }])
      .select("occurred_at")
    const times = events.map(({ occurred_at }) => occurred_at.getTime())
    expect(times).toEqual([...times].sort((left, right) => left - right))
  })
})

describe("decisions: Environments — sandbox data older than seven days is purged, plans stay", () => {
  const tables = [
    "gateway_subscription",
    "gateway_billing_record",
    "gateway_invoice",
    "gateway_instrument",
    "gateway_customer",
    "gateway_plan",
  ]

  it("old subscriptions go with all that hangs on them, however young; younger ones stay", async () => {
    const [old, young] = [await merchantAt("2028-01-31"), await merchantAt("2028-01-31")]
    for (const merchant of [old, young]) {
      const plan = await merchant.call("POST", PLANS, {
        plan_name: "Tea",
        amount: "500",
        interval_count: 1,
        interval_unit: "MONTH",
      })
      await subscribe(merchant, { subscription_plan_id: (plan.body as unknown as { id: number }).id })
      await clockTo(merchant, "2028-03-01")
    }
    const aged = ["gateway_subscription", "gateway_instrument", "gateway_customer", "gateway_plan"]
    await Promise.all(
      aged.map((table) =>
        store
          .db(table)
          .where({ merchant_id: old.id })
          .update({ created_at: new Date(Date.now() - 7.01 * 86_400_000) })
      )
    )
    await gatewayOf(store).sandboxPurge.run()
    const left = async (merchant: ApiMerchant) =>
      Promise.all(tables.map(async (table) => (await store.db(table).where({ merchant_id: merchant.id })).length))
    expect(await left(old)).toEqual([0, 0, 0, 0, 0, 1])
    expect(await left(young)).toEqual([1, 2, 2, 1, 1, 1])
    const sessions = await store.db("gateway_checkout_session").where({ merchant_id: old.id }).select("subscription_id")
    expect(sessions).toEqual([{ subscription_id: null }, { subscription_id: null }])
  })
})
