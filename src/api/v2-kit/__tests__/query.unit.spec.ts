import { createRequire } from "node:module"
import { readQuery } from "../target"

type Qs = { parse(text: string, options: object): Record<string, unknown> }
const qs = createRequire(require.resolve("express"))("qs") as Qs

/** What an operation sees: text stays text, and what is not text is refused whatever it holds. */
const seen = (query: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, typeof value === "string" ? value : "no text"])
  )

describe("the query of a target is read as Express reads it", () => {
  it.each([
    "",
    "page=2&per_page=10",
    "status=PENDING%2CPAID&from=2026-01-01T00%3A00%3A00%2B06%3A00",
    "q=a+b%20c",
    "q=%E0%A6%9F%E0%A6%BE%E0%A6%95%E0%A6%BE",
    "q=%ff&page=%zz",
    "q=%00",
    "page",
    "page=&per_page",
    "page=1&page=2",
    "page[]=1",
    "page%5B%5D=1",
    "status[0]=A&status[1]=B",
    "filter[status]=PAID&page=3",
    "a=b=c",
    "&&page=4&",
    "__proto__=1&constructor=2&toString=3",
  ])("%p", (text) => {
    expect(seen(readQuery(`/payments?${text}`))).toEqual(seen(qs.parse(text, { allowPrototypes: true })))
  })

  it("a target without a query has none, and a fragment is no part of it", () => {
    expect(readQuery("/payments")).toEqual({})
    expect(readQuery("/payments?page=2#page=3")).toEqual({ page: "2" })
  })

  it("a name that is the prototype's changes nothing", () => {
    const query = readQuery("/payments?__proto__[polluted]=1&__proto__=2")
    expect(Object.keys(query)).toEqual([])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
