import fc from "fast-check"
import { asksFor, invoiceData, invoiceId, invoiceNumber, invoiceOf, isCurrent, type InvoiceFacts } from "../rules"
import { MAIL_SECONDS } from "../../kernel/money/retry-schedule"
import { isMailWanted, planMails, saidBy } from "../mail-rules"
import {
  localDate,
  HOME_TIME_ZONE,
  localDateTime,
  localDigits,
  moneyOfText,
  taka,
  wholeNumber,
} from "../../../../i18n/formats"
import { INVOICE_STATES } from "../states"
import { SUBSCRIPTION_STATES } from "../../subscriptions/states"
import { begin, pause, payOpen } from "../../subscriptions/rules"

const at = (text: string) => new Date(text)
const TERMS = {
  time_zone: "UTC",
  amount_minor: 50_000,
  quantity: 1,
  interval_count: 1,
  interval_unit: "MONTH",
  trial_period_days: null,
  trial_amount_minor: null,
} as const
const NEW = begin(TERMS, at("2027-01-31T00:00:00Z")).next
const ACTIVE = payOpen(NEW, at("2027-01-31T00:00:00Z"), {
  start: at("2027-01-31T00:00:00Z"),
  end: at("2027-02-28T00:00:00Z"),
}).next

describe("contract 2.12 — invoice_id", () => {
  it.each([
    [1, "INV-000001"],
    [999_999, "INV-999999"],
    [1_000_000, "INV-1000000"],
  ])("%p is %p", (number, id) => {
    expect([invoiceId(number), invoiceNumber(id)]).toEqual([id, number])
  })

  it.each([
    "",
    "1",
    "INV-",
    "INV-1",
    "INV-000000",
    "inv-000001",
    "INV-000001 ",
    "INV-00000a",
    "INV-2147483648",
    "INV-99999999999",
    "INV-০০০০০১",
  ])("%p is none", (id) => {
    expect(invoiceNumber(id)).toBeNull()
  })

  it("every number there is comes back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), (number) =>
        expect(invoiceNumber(invoiceId(number))).toBe(number)
      )
    )
  })

  it("payable_amount is a number with exactly its two decimals at most, whatever the amount", () => {
    const facts = {
      due_date: at("2027-01-01T00:00:00Z"),
      period_start: at("2027-01-01T00:00:00Z"),
      period_end: at("2027-01-01T00:00:00Z"),
      opened_at: at("2027-01-01T00:00:00Z"),
      paid_at: null,
      voided_at: null,
    } as InvoiceFacts
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), (minor) => {
        const { payable_amount } = JSON.parse(
          JSON.stringify(invoiceData({ ...facts, number: 1, amount_minor: minor }, null))
        ) as { payable_amount: number }
        const [whole, fraction = ""] = String(payable_amount).split(".")
        expect(`${whole}${fraction.padEnd(2, "0")}`.replace(/^0+/, "")).toBe(String(minor))
      })
    )
  })
})

const COST = { amount_minor: 50_000, credit_minor: 0, quantity: 1 }

describe("contract 4.6 generate-invoice — the period that is open", () => {
  const now = at("2027-02-10T00:00:00Z")

  it("of a new subscription is the first, from now on", () => {
    expect(invoiceOf(NEW, COST, now)).toEqual({
      period: 1,
      bounds: { start: now, end: at("2027-03-10T00:00:00Z") },
      ...COST,
      due_date: now,
    })
  })

  it("of an active one is the next, due on its billing date, on the anchor", () => {
    const start = at("2027-02-28T00:00:00Z")
    expect(invoiceOf(ACTIVE, COST, now)).toEqual({
      period: 2,
      bounds: { start, end: at("2027-03-31T00:00:00Z") },
      ...COST,
      due_date: start,
    })
  })

  it("of a paused one is as if it were paid now: the days that were left come first", () => {
    const paused = pause(ACTIVE, at("2027-02-05T00:00:00Z")).next
    expect(invoiceOf(paused, COST, now).due_date).toEqual(at("2027-03-05T00:00:00Z"))
  })

  it.each(["CANCELLED", "EXPIRED"] as const)("%s: nothing is left to be invoiced", (status) => {
    expect(() => invoiceOf({ ...ACTIVE, status }, COST, now)).toThrow(
      expect.objectContaining({ code: "INVALID_STATE_TRANSITION" })
    )
  })

  const LATER = { period_start: at("2027-02-27T00:00:00Z") }
  const LONGER = { period_end: at("2028-02-28T00:00:00Z") }
  const YEARLY = { interval_unit: "YEAR" } as const
  const open = () => {
    const content = invoiceOf(ACTIVE, COST, now)
    const { start: period_start, end: period_end } = content.bounds
    const dates = { period_start, period_end }
    return { content, invoice: { amount_minor: 50_000, ...dates, interval_count: 1, interval_unit: "MONTH" } as const }
  }

  it.each([
    ["the same", {}, "ACTIVE", true],
    ["another amount", { amount_minor: 60_000 }, "ACTIVE", false],
    ["another start", LATER, "PAST_DUE", false],
    ["another start, of a trial", LATER, "TRIALING", false],
    ["another start before the first payment", LATER, "PENDING", true],
    ["another start while it rests", LATER, "PAUSED", true],
    ["another end", LONGER, "ACTIVE", false],
    ["another end, of a trial", LONGER, "TRIALING", false],
    ["another interval", { ...LONGER, ...YEARLY }, "ACTIVE", false],
    ["another interval before the first payment", { ...LONGER, ...YEARLY }, "PENDING", false],
    ["another interval while it rests", { ...LONGER, ...YEARLY }, "PAUSED", false],
    ["another interval after the period has begun", YEARLY, "PAST_DUE", true],
  ] as const)("%s: still current %p", (_name, changes, status, expected) => {
    const { content, invoice } = open()
    expect(isCurrent({ ...invoice, ...changes }, { ...content, row: { ...ACTIVE, status } })).toBe(expected)
  })

  it.each([
    ["other dates", { ...LATER, ...LONGER }, true],
    ["another amount", { amount_minor: 60_000 }, false],
    ["another length", { ...LONGER, ...YEARLY }, false],
    ["the same period, of a subscription that has another interval since", YEARLY, true],
  ] as const)("an open invoice with %s: whether it asks for what was paid", (_name, changes, expected) => {
    const { content, invoice } = open()
    expect(asksFor({ ...invoice, ...changes }, { ...content, row: ACTIVE })).toBe(expected)
  })
})

describe("issue: reminders before and during dunning", () => {
  const due = at("2027-03-01T00:00:00Z")
  const named = (now: string) =>
    planMails({ due_date: due, time_zone: "Asia/Dhaka" }, at(now), [1, 3, 5, 7]).map(
      ({ kind, step, due_at }) => `${kind} ${step} ${due_at.toISOString().slice(0, 13)}`
    )

  it("an invoice in good time: itself, three days before, and an hour after each retry", () => {
    expect(named("2027-02-10T08:00:00Z")).toEqual([
      "invoice 0 2027-02-10T08",
      "reminder 0 2027-02-26T00",
      "past_due 1 2027-03-02T01",
      "past_due 2 2027-03-04T01",
      "past_due 3 2027-03-06T01",
      "past_due 4 2027-03-08T01",
    ])
  })

  it("days are those of the invoice's time zone, so each reminder follows its retry when clocks are set back, too", () => {
    const invoice = { due_date: at("2027-11-05T14:00:00Z"), time_zone: "America/New_York" }
    const mails = planMails(invoice, at("2027-10-20T00:00:00Z"), [1, 3])
    expect(mails.slice(1).map(({ due_at }) => due_at.toISOString().slice(0, 13))).toEqual([
      "2027-11-02T14",
      "2027-11-06T15",
      "2027-11-08T16",
    ])
  })

  it("what would follow within a day is left out", () => {
    expect(named("2027-02-25T00:00:01Z")).toHaveLength(5)
    expect(named("2027-02-25T00:00:00Z")).toHaveLength(6)
    expect(named("2027-03-01T00:00:00Z")).toEqual([
      "invoice 0 2027-03-01T00",
      "past_due 1 2027-03-02T01",
      "past_due 2 2027-03-04T01",
      "past_due 3 2027-03-06T01",
      "past_due 4 2027-03-08T01",
    ])
    expect(named("2028-01-01T00:00:00Z")).toEqual(["invoice 0 2028-01-01T00"])
  })

  it("only an open invoice is written about, and each kind where it makes sense", () => {
    const wanted = (kind: "invoice" | "reminder" | "past_due") =>
      SUBSCRIPTION_STATES.filter((subscription) => isMailWanted(kind, { invoice: "PENDING", subscription }))
    expect(wanted("invoice")).toEqual(["PENDING", "TRIALING", "ACTIVE", "PAST_DUE", "PAUSED"])
    expect(wanted("reminder")).toEqual(["PENDING", "TRIALING", "ACTIVE"])
    expect(wanted("past_due")).toEqual(["PAST_DUE"])
    const closed = INVOICE_STATES.filter((state) => state !== "PENDING")
    expect(
      closed.flatMap((invoice) =>
        SUBSCRIPTION_STATES.map((subscription) => isMailWanted("past_due", { invoice, subscription }))
      )
    ).not.toContain(true)
  })

  it("an invoice that a failed charge has left open says so at once", () => {
    const overdue = SUBSCRIPTION_STATES.filter((subscription) => saidBy("invoice", subscription) === "past_due")
    expect(overdue).toEqual(["PAST_DUE"])
    expect(saidBy("reminder", "PAST_DUE")).toBe("reminder")
  })

  it("an e-mail that cannot be sent is tried again, less and less often, and given up", () => {
    const waits = [0, 1, 2, 3, 4, 5].map((failures) => MAIL_SECONDS.after(failures) ?? 0)
    expect([...waits].sort((left, right) => left - right)).toEqual(waits)
    expect(waits[0]).toBeGreaterThan(0)
    expect(MAIL_SECONDS.after(6)).toBeNull()
  })
})

describe("how people read amounts and dates", () => {
  it.each([
    [1, "৳0.01", "৳০.০১"],
    [100_000, "৳1,000.00", "৳১,০০০.০০"],
    [1_234_567_890, "৳1,23,45,678.90", "৳১,২৩,৪৫,৬৭৮.৯০"],
  ])("%p poisha", (minor, en, bn) => {
    expect([taka(minor, "en"), taka(minor, "bn")]).toEqual([en, bn])
  })

  it.each([
    ["1100", "BDT", "৳1,100.00", "৳১,১০০.০০"],
    ["100000.5", "BDT", "৳1,00,000.50", "৳১,০০,০০০.৫০"],
    ["1100.0000", "BDT", "৳1,100.00", "৳১,১০০.০০"],
    ["-0.05", "BDT", "-৳0.05", "-৳০.০৫"],
    ["90071992547409931.07", "BDT", "৳90,07,19,92,54,74,09,931.07", "৳৯০,০৭,১৯,৯২,৫৪,৭৪,০৯,৯৩১.০৭"],
    ["1234.50", "USD", "$1,234.50", "$১,২৩৪.৫০"],
    ["twelve", "BDT", "twelve", "twelve"],
    ["1.005", "BDT", "1.005", "1.005"],
  ])("the API's %s of %s: digits are neither lost nor rounded", (text, currency, en, bn) => {
    expect([moneyOfText(text, currency, "en"), moneyOfText(text, currency, "bn")]).toEqual([en, bn])
  })

  it("a number of things is grouped as amounts are", () => {
    expect([wholeNumber(123_456, "bn"), wholeNumber(12, "en"), wholeNumber(-1000, "en")]).toEqual([
      "১,২৩,৪৫৬",
      "12",
      "-1,000",
    ])
  })

  it("a date is the day of Bangladesh's calendar, wherever the server is", () => {
    expect(localDate(at("2028-02-29T17:59:59.999Z"), "en", HOME_TIME_ZONE)).toBe("29 Feb 2028")
    expect(localDate(at("2028-02-29T17:59:59.999Z"), "bn", HOME_TIME_ZONE)).toBe("২৯ ফেব্রুয়ারি ২০২৮")
    expect(localDate(at("2028-02-29T18:00:00Z"), "en", HOME_TIME_ZONE)).toBe("1 Mar 2028")
    expect(localDate(at("2027-12-31T18:00:00Z"), "bn", HOME_TIME_ZONE)).toBe("১ জানুয়ারি ২০২৮")
    expect(localDateTime(at("2028-02-29T18:05:00Z"), "en", HOME_TIME_ZONE)).toBe("1 Mar 2028, 00:05")
    expect(localDateTime(at("2028-02-29T18:05:00Z"), "en", "America/New_York")).toBe("29 Feb 2028, 13:05")
    expect(localDateTime(at("2028-03-12T07:00:00Z"), "bn", "America/New_York")).toBe("১২ মার্চ ২০২৮, ০৩:০০")
    expect(localDate(at("2028-02-29T18:20:00Z"), "en", "Asia/Kathmandu")).toBe("1 Mar 2028")
    expect(localDateTime(at("2028-02-29T18:00:00Z"), "en", "Asia/Dhaka")).toBe("1 Mar 2028, 00:00")
    expect(localDateTime(at("2028-02-29T08:05:00Z"), "bn", HOME_TIME_ZONE)).toBe("২৯ ফেব্রুয়ারি ২০২৮, ১৪:০৫")
    expect(localDigits("INV 2", "en")).toBe("INV 2")
  })
})
