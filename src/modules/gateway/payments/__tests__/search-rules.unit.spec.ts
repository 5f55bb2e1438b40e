import type { Database } from "../../kernel/database/database"
import { once } from "../../kernel/database/paging"
import type { Cradle } from "../../kernel/types"
import { PaymentListService } from "../list"
import { foundPayments, limitedSearch, searchToRead } from "../search"
import { readSearch } from "../search-rules"

const TENANTS = { merchant_ids: ["m"], environments: ["sandbox"] }

describe("docs/decisions/19: what is typed to find a payment", () => {
  it.each([
    ["1,100", 110_000n],
    ["1100.00", 110_000n],
    ["1100", 110_000n],
    ["৳1,100.00", 110_000n],
    ["1,10,000.50", 11_000_050n],
    ["BDT 77.7", 7_770n],
    ["Tk. 500", 50_000n],
    ["500/-", 50_000n],
    ["১,১০০.৫০", 110_050n],
    ["৳১১০০", 110_000n],
  ])("%s is an amount", (text, amount) => expect(readSearch(text).amount).toBe(amount))

  it.each(["0", "1,1", "11,00,0", "1.234", "-5", "ORD-1", "", "99999999999", "1e5", "12 34"])(
    "%p is no amount",
    (text) => expect(readSearch(text).amount).toBeNull()
  )

  it.each([
    ["01712345678", "+8801712345678"],
    ["+880 1712-345678", "+8801712345678"],
    ["+880.1712345678", "+8801712345678"],
    ["+880 (0)1712345678", "+8801712345678"],
    ["8801712345678", "+8801712345678"],
    ["1712345678", "+8801712345678"],
    ["০১৭১২৩৪৫৬৭৮", "+8801712345678"],
    ["01712", "+8801712"],
    ["017 12", "+8801712"],
    ["+1 415 55", "+141555"],
  ])("%s is a phone, or how one begins", (text, phone) => expect(readSearch(text).phone).toBe(phone))

  it.each(["0171", "karim", "01712345678x", "1,100"])("%s is no phone", (text) =>
    expect(readSearch(text).phone).toBeNull()
  )

  it.each([
    ["4242", "4242"],
    ["•••• 4242", "4242"],
    ["**** **** **** 4242", "4242"],
    ["xxxx-4242", "4242"],
    ["৪২৪২", "4242"],
    ["424", null],
    ["42424", null],
  ])("%s: the last four digits are %s", (text, digits) => expect(readSearch(text).last_four).toBe(digits))

  it.each([
    ["bfd90jrlst", ["bfd90jrlst", "BFD90JRLST", "bfd90jrlst"]],
    [" pi_3Nabc9 ", ["pi_3Nabc9", "PI_3NABC9", "pi_3nabc9"]],
    ["151114132150", ["151114132150", "151114132150", "151114132150"]],
    ["Rahima", null],
    ["A1", null],
    ["Md. Rahim 7", null],
    ["karim1@example.com", null],
  ])("%s: the acquirer's number is %j", (text, reference) => expect(readSearch(text).reference).toEqual(reference))

  it("reads the number of an order with and without its sign, and the words of a name", () => {
    expect(readSearch(" #1042 ")).toMatchObject({ number: "1042", words: [] })
    expect(readSearch("7QK2M9XP").number).toBe("7qk2m9xp")
    expect(readSearch("Md. Rahim U").words).toEqual(["md", "rahim"])
    expect(readSearch("রহিম উদ্দিন").words).toEqual(["রহিম", "উদ্দিন"])
    expect(readSearch("karim@example.com").words).toEqual([])
  })

  it("finds nothing by nothing, and asks nobody", async () => {
    const sql = { query: () => Promise.reject(new Error("asked")) }
    const nothing = { sql: "false", values: [] }
    expect(await searchToRead(sql, " ", TENANTS)).toEqual(nothing)
    expect(await limitedSearch(sql, " ", TENANTS, 1)).toEqual(nothing)
  })

  it("is done once for a list that is read to its end, and for each page that somebody turns to", async () => {
    const asked: string[] = []
    const query = (text: string) => {
      asked.push(text.includes("string_agg") ? "search" : "page")
      return Promise.resolve([{ count: 1, ids: "txn_1", page_key: ["2027-01-01", "txn_1"] }])
    }
    const database = { query, cancelledBy: () => ({ query }) } as unknown as Database
    const list = new PaymentListService({ database } as Cradle)
    const scope = { merchant_id: "m", environment: "sandbox", now: new Date() } as const
    const filter = { q: "karim", order: { by: "created_at", descending: true } } as const
    const reading = { signal: new AbortController().signal, once: once() }
    const first = await list.list(scope, filter, { limit: 1, offset: 0, reading: { ...reading, after: null } })
    await list.list(scope, filter, { limit: 1, offset: 1, reading: { ...reading, after: first.next ?? null } })
    expect(asked).toEqual(["search", "page", "page"])
    await list.list(scope, filter, { limit: 1, offset: 0 })
    await list.list(scope, filter, { limit: 1, offset: 1 })
    expect(asked.slice(3).filter((what) => what === "search")).toHaveLength(2)
  })

  it("has a value for each placeholder, whatever is typed", () => {
    const typed = [
      "1100",
      "9HX1ABC2DE",
      "4242",
      "01712345678",
      "#",
      "%_\\",
      "it's",
      "'':*",
      "রহিম",
      "karim@",
      "12 a b c",
      "🙂",
    ]
    for (const text of typed) {
      const { sql, values } = foundPayments(text, TENANTS, { where: "t.state = $1", values: ["SUCCESS"] })
      const numbers = [...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
      expect([text, [...new Set(numbers)].sort((one, other) => one - other)]).toEqual([
        text,
        values.map((_, index) => index + 1),
      ])
    }
  })
})
