import { PAGE_LIMITS } from "../../kernel/http/abuse-limits"
import { closedAs, judgeCards, unnoticedCards } from "../card-testing-rules"

const { cardsPerAddress, cardsPerSession } = PAGE_LIMITS
const course = (limit: number, underAttack = false) =>
  Array.from({ length: limit + 1 }, (_, failures) => judgeCards(failures, limit, underAttack))

describe("decisions: Card testing", () => {
  it.each([
    ["leave", "CARD_DECLINED", "CARD_DECLINED"],
    ["leave", "INSUFFICIENT_FUNDS", "INSUFFICIENT_FUNDS"],
    ["leave", "EXPIRED", "CANCELLED"],
    ["leave", "WHATEVER", "CANCELLED"],
    ["leave", "NETWORK_ERROR", "CANCELLED"],
    ["expire", "CARD_DECLINED", "EXPIRED"],
    ["fail", "EXPIRED", "CARD_DECLINED"],
    ["lost", "CANCELLED", "NETWORK_ERROR"],
  ] as const)(
    "a page that is closed to %s, answered with %s, is %s: a decline before it stays one",
    (why, code, closed) => expect(closedAs(why, code)).toBe(closed)
  )

  it("who mistypes twice notices nothing; then it is slowed down, and in the end refused", () => {
    expect(course(cardsPerSession)).toEqual([
      "try",
      "try",
      "try",
      { pace: 2 },
      { pace: 4 },
      { pace: 8 },
      { pace: 16 },
      { pace: 32 },
      "refuse",
    ])
    expect(unnoticedCards(cardsPerAddress)).toBe(10)
    expect(course(cardsPerAddress).at(-2)).toEqual({ pace: 60 })
  })

  it("while the merchant is under attack, what goes unnoticed otherwise is all there is", () => {
    expect(course(cardsPerSession, true)).toEqual(["try", "try", "try", ...Array(6).fill("refuse")])
  })

  it.each([
    [1, ["try", "refuse"]],
    [2, ["try", "try", "refuse"]],
  ])("a limit of %d is one", (limit, expected) => {
    expect(course(limit)).toEqual(expected)
  })

  it("0 is off", () => {
    expect([judgeCards(1_000, 0, true), judgeCards(1_000, 0, false)]).toEqual(["try", "try"])
  })
})
