import { daysIn } from "../../format"
import { localDigits } from "../../../../i18n/formats"
import { changeOf, draftOf, meansName, timesText } from "../parts"

const DHAKA = daysIn("Asia/Dhaka")
const ONE = {
  amount: "500.00",
  unit_amount: "500.00",
  quantity: 1,
  interval_count: 1,
  interval_unit: "MONTH",
  end: null,
} as const
const OPENED = draftOf(ONE, DHAKA)

describe("decision 11: the form of a subscription's terms sends what was changed in it", () => {
  it("and nothing else, so that it undoes no change that was made elsewhere meanwhile", () => {
    expect(changeOf(OPENED, OPENED, DHAKA)).toEqual({})
    expect(changeOf({ ...OPENED, amount: "600" }, OPENED, DHAKA)).toEqual({ amount: "600" })
  })

  it("count and unit of the interval together", () => {
    expect(changeOf({ ...OPENED, interval_unit: "YEAR" }, OPENED, DHAKA)).toEqual({
      interval_count: 1,
      interval_unit: "YEAR",
    })
    expect(changeOf({ ...OPENED, interval_count: "3" }, OPENED, DHAKA)).toEqual({
      interval_count: 3,
      interval_unit: "MONTH",
    })
    expect(changeOf({ ...OPENED, interval_count: "x" }, OPENED, DHAKA)).toEqual({
      interval_count: "x",
      interval_unit: "MONTH",
    })
  })
})

describe("decisions: Days — the day on which a subscription ends", () => {
  it.each([
    ["Asia/Dhaka", "2026-11-20T18:00:00.000Z"],
    ["America/New_York", "2026-11-21T05:00:00.000Z"],
    ["Australia/Lord_Howe", "2026-11-20T13:00:00.000Z"],
  ])("begins at midnight in %s, and is shown again", (zone, at) => {
    const days = daysIn(zone)
    expect(changeOf({ ...OPENED, ends_at: "2026-11-21" }, OPENED, days)).toEqual({ ends_at: at })
    const end = { cycles: null, paid: 0, at, last_period_end: null }
    expect(draftOf({ ...ONE, end }, days)).toMatchObject({ ends_at: "2026-11-21" })
  })

  it("a day's last second is the one before the next day, where summer time ends too", () => {
    expect(daysIn("America/New_York").endOf("2026-11-01")).toBe("2026-11-02T04:59:59.000Z")
    expect(daysIn("Asia/Dhaka").endOf("200000-01-01")).toBe("200000-01-01")
  })
})

describe("decisions: Quantity — in the admin", () => {
  it("the price of one is set where there are several, and the whole one of the store's goods", () => {
    const several = draftOf({ ...ONE, quantity: 5, unit_amount: "100.00" }, DHAKA)
    expect(several).toMatchObject({ amount: "100.00", price: "unit_amount" })
    expect(changeOf({ ...several, amount: "120" }, several, DHAKA)).toEqual({ unit_amount: "120" })
    expect(draftOf({ ...ONE, quantity: 3, unit_amount: null }, DHAKA)).toMatchObject({
      amount: "500.00",
      price: "amount",
    })
  })

  it.each([
    [1, "100.00", ""],
    [5, "100.00", "৫ × BDT 100.00"],
    [3, null, "× ৩"],
  ])("%p at %p reads %p", (quantity, unit_amount, text) => {
    const formats = {
      money: (amount: string, currency: string) => `${currency} ${amount}`,
      number: (count: number) => localDigits(String(count), "bn"),
    }
    expect(timesText(formats, { quantity, unit_amount, currency: "BDT" })).toBe(text)
  })
})

describe("decision 16: the last digits of a card or wallet", () => {
  it("are the reader's own, as on the pages of customers", () => {
    const inBangla = { digits: (text: string) => localDigits(text, "bn") }
    const card = { method: "card", service: "CARD", brand: "VISA", last_four: "4242", account: null }
    const wallet = { method: "mobile_banking", service: "BKASH", brand: null, last_four: null, account: "017****5678" }
    expect(meansName((key) => key, inBangla, card)).toMatch(/ Visa •••• ৪২৪২$/)
    expect(meansName((key) => key, inBangla, wallet)).toMatch(/ ০১৭\*{4}৫৬৭৮$/)
  })
})
