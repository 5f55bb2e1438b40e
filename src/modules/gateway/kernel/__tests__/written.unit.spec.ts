import fc from "fast-check"
import { localDigits } from "../../../../i18n/formats"
import { CURRENCIES } from "../money/currencies"
import { formatAmount } from "../money/money"
import { isShortened, readCurrency, readWrittenAmount, readWrittenDate, type DateFormat } from "../money/written"

const amount = (text: string, decimal: "." | "," = ".") => {
  const read = readWrittenAmount(text, decimal)
  return read === null ? null : "kind" in read ? read.kind : formatAmount(read.minor)
}

describe("an amount as files write it", () => {
  it.each([
    ["1234.5", "1234.50"],
    ["1234.50", "1234.50"],
    ["1234.5000", "1234.50"],
    ["1,234.50", "1234.50"],
    ["1,23,456.00", "123456.00"],
    ["1,234,567.89", "1234567.89"],
    ["1 234 567.89", "1234567.89"],
    ["1\u00a0234.50", "1234.50"],
    ["1'234.50", "1234.50"],
    ["১,২৩,৪৫৬.৭৮", "123456.78"],
    ["৳ ১,২৩৪.৫০", "1234.50"],
    ["৳1,234.50", "1234.50"],
    ["Tk. 500", "500.00"],
    ["500 Tk", "500.00"],
    ["৫০০ টাকা", "500.00"],
    ["500/-", "500.00"],
    ["BDT 500.00", "500.00"],
    ["500.00BDT", "500.00"],
    ["USD 12.34", "12.34"],
    ["$12.34", "12.34"],
    ["-500", "-500.00"],
    ["−500", "-500.00"],
    ["– 500", "-500.00"],
    ["+500", "500.00"],
    ["-৳500", "-500.00"],
    ["৳-500", "-500.00"],
    ["(500.00)", "-500.00"],
    ["(৳ 1,500.00)", "-1500.00"],
    ["500.00-", "-500.00"],
    ["1,500.00 CR", "1500.00"],
    ["1,500.00 Dr.", "-1500.00"],
    [".50", "0.50"],
    ["5.", "5.00"],
    ["0", "0.00"],
    ["-0.00", "0.00"],
    ["9999999999999.99", "9999999999999.99"],
  ])("%j is %s", (text, is) => {
    expect(amount(text)).toBe(is)
  })

  it.each([
    ["1.234,50", "1234.50"],
    ["1.23.456,00", "123456.00"],
    ["1 234,5", "1234.50"],
    ["10,50", "10.50"],
    ["1.234", "1234.00"],
    ["(৳ ১.২৩৪,৫০)", "-1234.50"],
  ])("with a decimal comma %j is %s", (text, is) => {
    expect(amount(text, ",")).toBe(is)
  })

  it.each(["", "  ", "-", "—", "--", "N/A", "n/a", "nil"])("%j says none", (text) => {
    expect(amount(text)).toBeNull()
  })

  it.each([
    ["1.23457E+15", "file.scientific"],
    ["1E5", "file.scientific"],
    ["-1.5e-3", "file.scientific"],
    ["1.005", "file.amount_decimals"],
    ["0.001", "file.amount_decimals"],
    ["10000000000000.00", "file.amount_max"],
    ["9".repeat(80), "file.amount_max"],
    ["9".repeat(81), "file.amount"],
    ["10,50", "file.amount"],
    ["1,2345", "file.amount"],
    [",234", "file.amount"],
    ["1,234,5", "file.amount"],
    ["1.234,50", "file.amount"],
    ["1.2.3", "file.amount"],
    [".", "file.amount"],
    ["--5", "file.amount"],
    ["-(5)", "file.amount"],
    ["(5", "file.amount"],
    ["5)", "file.amount"],
    ["-5 CR", "file.amount"],
    ["BDT 5 USD", "file.amount"],
    ["abc", "file.amount"],
    ["12abc", "file.amount"],
    ["2026-11-30", "file.amount"],
    ["5 5", "file.amount"],
    ["৳", "file.amount"],
  ])("%j is refused: %s", (text, kind) => {
    expect(amount(text)).toBe(kind)
  })

  it.each([
    ["1.234.5", "file.amount"],
    ["1,234.50", "file.amount"],
    ["1,2,3", "file.amount"],
    ["1234.50", "file.amount"],
    ["1,234", "file.amount_decimals"],
  ])("with a decimal comma %j is refused: %s", (text, kind) => {
    expect(amount(text, ",")).toBe(kind)
  })

  it("names the currency that is written with it, and the text that is none, up to a bound", () => {
    expect(readWrittenAmount("USD 5", ".")).toEqual({ minor: 500n, currency: "USD" })
    expect(readWrittenAmount("৳৫", ".")).toEqual({ minor: 500n, currency: "BDT" })
    expect(readWrittenAmount("5", ".")).toEqual({ minor: 500n, currency: null })
    const [value] = Object.values(Object(readWrittenAmount("x".repeat(5_000), ".")).params as { value: string })
    expect(value).toBe(`${"x".repeat(59)}…`)
  })

  it("comes back the same from every way of writing it", () => {
    const group = (integer: string, mark: string, lakh: boolean) => {
      const head = integer.slice(0, -3).replace(lakh ? /\B(?=(?:[0-9]{2})+$)/g : /\B(?=(?:[0-9]{3})+$)/g, mark)
      return head === "" ? integer : `${head}${mark}${integer.slice(-3)}`
    }
    const signs = [(text: string) => `-${text}`, (text: string) => `(${text})`, (text: string) => `${text}-`]
    const money = ["", "৳", "Tk ", "BDT ", "USD "]
    fc.assert(
      fc.property(
        fc.bigInt(0n, 10n ** 15n - 1n),
        fc.constantFrom(".", ","),
        fc.constantFrom("", "same", " "),
        fc.boolean(),
        fc.constantFrom("plain", ...signs),
        fc.constantFrom(...money),
        fc.boolean(),
        (minor, decimal, separator, isLakh, sign, currency, isBangla) => {
          const [integer, fraction] = formatAmount(minor).split(".")
          const mark = separator === "same" ? (decimal === "." ? "," : ".") : separator
          // Spaces part threes alone.
          const grouped = mark === "" ? integer : group(integer, mark, isLakh && mark !== " ")
          const bare = `${currency}${grouped}${decimal}${fraction}`
          const text = sign === "plain" ? bare : (sign as (text: string) => string)(bare)
          const read = readWrittenAmount(isBangla ? localDigits(text, "bn") : text, decimal as "." | ",")
          expect(read).toMatchObject({ minor: sign === "plain" ? minor : -minor })
        }
      )
    )
  })

  it("never throws, whatever stands there", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        readWrittenAmount(text, ".")
        readWrittenDate(text, "DD/MM/YYYY", "Asia/Dhaka", text)
      })
    )
  })

  it("is done at once with a cell as long as there can be", () => {
    const long = `5${" ".repeat(32_000)}x`
    expect(amount(long)).toBe("file.amount")
    expect(readWrittenDate(`2026-11-05 14:05${" ".repeat(32_000)}x`, "YYYY-MM-DD", "UTC")).toHaveProperty("kind")
    expect(readWrittenDate("2026-11-05", "YYYY-MM-DD", "UTC", long)).toHaveProperty("kind")
    expect(isShortened(long)).toBe(false)
  })

  it("a number that a spreadsheet has shortened is none, and no id of letters and digits is one", () => {
    expect(["1.23457E+15", "2E+12", "১.২৩E+১৫"].every(isShortened)).toBe(true)
    expect(["9E12345678", "AB1E+12", "1234567890123456", "1.5", "E+15"].some(isShortened)).toBe(false)
  })

  it.each([
    ["bdt", "BDT"],
    [" Tk. ", "BDT"],
    ["টাকা", "BDT"],
    ["৳", "BDT"],
    ["usd", "USD"],
    ["JPY", null],
    ["", null],
    ["x", null],
  ])("the currency %j is %s", (text, code) => {
    expect(readCurrency(text)).toBe(code)
  })

  it("every currency is read by its code", () => {
    expect(CURRENCIES.map(readCurrency)).toEqual(CURRENCIES)
  })
})

describe("a date as files write it", () => {
  const date = (text: string, format: DateFormat, zone = "Asia/Dhaka", time = "") => {
    const read = readWrittenDate(text, format, zone, time)
    return read instanceof Date ? read.toISOString() : read.kind
  }
  const MIDNIGHT = "2026-11-04T18:00:00.000Z"
  const AFTERNOON = "2026-11-05T08:05:09.000Z"

  it.each<[string, DateFormat]>([
    ["2026-11-05", "YYYY-MM-DD"],
    ["2026/11/5", "YYYY-MM-DD"],
    ["২০২৬-১১-০৫", "YYYY-MM-DD"],
    ["05/11/2026", "DD/MM/YYYY"],
    ["5/11/26", "DD/MM/YYYY"],
    ["05-11-2026", "DD/MM/YYYY"],
    ["05.11.2026", "DD/MM/YYYY"],
    ["০৫/১১/২০২৬", "DD/MM/YYYY"],
    ["5 November 2026", "DD/MM/YYYY"],
    ["11/05/2026", "MM/DD/YYYY"],
    ["05-Nov-2026", "DD-MMM-YYYY"],
    ["05-NOV-26", "DD-MMM-YYYY"],
    ["05 Nov, 2026", "DD-MMM-YYYY"],
    ["৫ নভেম্বর ২০২৬", "DD-MMM-YYYY"],
    ["Nov 5, 2026", "MMM DD, YYYY"],
    ["November 05 2026", "MMM DD, YYYY"],
    ["20261105", "YYYYMMDD"],
    // What a cell of a spreadsheet becomes.
    ["2026-11-05", "DD/MM/YYYY"],
    ["2026-11-05", "MM/DD/YYYY"],
  ])("%j in %s is a day in Dhaka", (text, format) => {
    expect(date(text, format)).toBe(MIDNIGHT)
  })

  it.each<[string, DateFormat]>([
    ["2026-11-05T14:05:09", "YYYY-MM-DD"],
    ["2026-11-05 14:05:09.123", "YYYY-MM-DD"],
    ["2026-11-05T08:05:09Z", "YYYY-MM-DD"],
    ["2026-11-05T14:05:09+06:00", "YYYY-MM-DD"],
    ["2026-11-05T03:05:09-0500", "YYYY-MM-DD"],
    ["2026-11-05T14:05:09:123 GMT+0600", "YYYY-MM-DD"],
    ["05/11/2026 14:05:09", "DD/MM/YYYY"],
    ["05/11/2026, 2:05:09 PM", "DD/MM/YYYY"],
    ["05/11/2026 02:05:09 p.m.", "DD/MM/YYYY"],
    ["০৫/১১/২০২৬ ১৪:০৫:০৯", "DD/MM/YYYY"],
    ["Nov 5, 2026 02:05:09pm", "MMM DD, YYYY"],
    ["20261105140509", "YYYYMMDD"],
    ["20261105 14:05:09", "YYYYMMDD"],
  ])("%j in %s has its time", (text, format) => {
    expect(date(text, format)).toBe(AFTERNOON)
  })

  it("a time in a column of its own counts, and the zone that is told", () => {
    expect(date("05/11/2026", "DD/MM/YYYY", "Asia/Dhaka", "14:05:09")).toBe(AFTERNOON)
    expect(date("05/11/2026", "DD/MM/YYYY", "Asia/Dhaka", "02:05:09 PM")).toBe(AFTERNOON)
    expect(date("05/11/2026", "DD/MM/YYYY", "UTC")).toBe("2026-11-05T00:00:00.000Z")
    expect(date("05/11/2026 00:30", "DD/MM/YYYY", "Europe/Berlin")).toBe("2026-11-04T23:30:00.000Z")
    expect(date("05/07/2026 00:30", "DD/MM/YYYY", "Europe/Berlin")).toBe("2026-07-04T22:30:00.000Z")
    // Its clocks change at 01:00 UTC.
    expect(date("29/03/2026 01:30", "DD/MM/YYYY", "Europe/Berlin")).toBe("2026-03-29T00:30:00.000Z")
    expect(date("29/03/2026 03:30", "DD/MM/YYYY", "Europe/Berlin")).toBe("2026-03-29T01:30:00.000Z")
    expect(date("05/11/2026 12:00 am", "DD/MM/YYYY")).toBe(MIDNIGHT)
  })

  it.each<[string, DateFormat]>([
    ["31/02/2026", "DD/MM/YYYY"],
    ["29/02/2027", "DD/MM/YYYY"],
    ["05/13/2026", "DD/MM/YYYY"],
    ["13/05/2026", "MM/DD/YYYY"],
    ["00/11/2026", "DD/MM/YYYY"],
    ["05/11/1926", "DD/MM/YYYY"],
    ["05/11/226", "DD/MM/YYYY"],
    ["05/11", "DD/MM/YYYY"],
    ["05/11/2026 25:00", "DD/MM/YYYY"],
    ["05/11/2026 13:00 PM", "DD/MM/YYYY"],
    ["05/11/2026 at noon", "DD/MM/YYYY"],
    ["05-Now-2026", "DD-MMM-YYYY"],
    ["46331", "DD/MM/YYYY"],
    ["20261305", "YYYYMMDD"],
    ["20261105", "DD/MM/YYYY"],
    ["", "DD/MM/YYYY"],
    ["Total", "DD/MM/YYYY"],
  ])("%j in %s is refused", (text, format) => {
    expect(date(text, format)).toBe("file.date")
  })

  it("a wrong time in a column of its own is named as such", () => {
    expect(date("05/11/2026", "DD/MM/YYYY", "Asia/Dhaka", "25:00")).toBe("file.time")
  })

  it("every day comes back the same from every format", () => {
    const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    fc.assert(
      fc.property(fc.date({ min: new Date("2000-01-01"), max: new Date("2099-12-31"), noInvalidDate: true }), (at) => {
        const [year, month, day] = at.toISOString().slice(0, 10).split("-")
        const name = months[at.getUTCMonth()]
        const written: Record<DateFormat, string> = {
          "YYYY-MM-DD": `${year}-${month}-${day}`,
          "DD/MM/YYYY": `${day}/${month}/${year}`,
          "MM/DD/YYYY": `${month}/${day}/${year}`,
          "DD-MMM-YYYY": `${day}-${name}-${year}`,
          "MMM DD, YYYY": `${name} ${day}, ${year}`,
          YYYYMMDD: `${year}${month}${day}`,
        }
        for (const [format, text] of Object.entries(written)) {
          expect(date(text, format as DateFormat, "UTC").slice(0, 10)).toBe(at.toISOString().slice(0, 10))
          expect(date(localDigits(text, "bn"), format as DateFormat, "UTC").slice(0, 10)).toBe(
            at.toISOString().slice(0, 10)
          )
        }
      })
    )
  })
})
