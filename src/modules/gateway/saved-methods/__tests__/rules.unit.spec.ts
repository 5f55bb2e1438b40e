import { isExpired, offeredMethods, copiesOf, withoutCopies, type SavedMethod } from "../rules"

const NOW = new Date("2026-11-22T10:00:00.000Z")

function saved(changes: Partial<SavedMethod> = {}): SavedMethod {
  return {
    id: "0b0a4a8e-0000-4000-8000-000000000001",
    acquirer: "stripe",
    method: "card",
    service: "CARD",
    brand: "VISA",
    last_four: "4242",
    account: null,
    expiry_month: 12,
    expiry_year: 2030,
    opened_at: NOW,
    ...changes,
  }
}

const everything = { services: ["CARD", "BKASH"], canCharge: () => true, now: NOW }

describe("docs/decisions/07 — which saved methods are offered", () => {
  it.each([
    [11, 2026, "2026-11-30T17:59:59.999Z", false],
    [11, 2026, "2026-11-30T18:00:00.000Z", true],
    [12, 2026, "2026-12-31T17:59:59.999Z", false],
    [12, 2026, "2026-12-31T18:00:00.000Z", true],
    [1, 2020, "2026-11-22T10:00:00.000Z", true],
  ])("a card of %d/%d at %s has expired in Bangladesh: %p", (expiry_month, expiry_year, now, expired) => {
    expect(isExpired(saved({ expiry_month, expiry_year }), new Date(now))).toBe(expired)
  })

  it("an account without an expiry does not expire", () => {
    const account = saved({ expiry_month: null, expiry_year: null, account: "017****5678", service: "BKASH" })
    expect(offeredMethods([account], everything)).toEqual([account])
  })

  it("only those of a payment service that the order allows", () => {
    expect(offeredMethods([saved()], { ...everything, services: ["BKASH"] })).toEqual([])
  })

  it("only those whose own acquirer can charge them now, whoever else serves the payment service", () => {
    const here = saved({ id: "0b0a4a8e-0000-4000-8000-000000000002", acquirer: "sandbox" })
    const canCharge = (acquirer: string, service: string) => acquirer === "sandbox" && service === "CARD"
    expect(offeredMethods([saved(), here], { ...everything, canCharge })).toEqual([here])
  })

  it("ten at most, in their order", () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      saved({ id: `id-${index}`, last_four: String(1_000 + index) })
    )
    expect(offeredMethods(many, everything).map(({ id }) => id)).toEqual(many.slice(0, 10).map(({ id }) => id))
  })

  it("a card that was saved twice is offered once: the newest that can be charged", () => {
    const [newest, older, other] = [
      saved({ id: "newest", acquirer: "closed" }),
      saved({ id: "older" }),
      saved({ id: "other", expiry_year: 2031 }),
    ]
    const canCharge = (acquirer: string) => acquirer === "stripe"
    expect(withoutCopies([newest, older, other])).toEqual([newest, other])
    expect(offeredMethods([newest, older, other], { ...everything, canCharge })).toEqual([older, other])
    expect(copiesOf([newest, older, other], older)).toEqual([newest, older])
  })

  it("methods of which nothing may be shown stay apart", () => {
    const nameless = ["one", "two"].map((id) => saved({ id, last_four: null, brand: null }))
    expect(withoutCopies(nameless)).toEqual(nameless)
  })
})
