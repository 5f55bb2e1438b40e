import fc from "fast-check"
import { LIMITS } from "../limits"
import { fromNearerEnd } from "../paging"

const ORDER = "t.created_at DESC, t.id DESC"

/** What PostgreSQL answers to the window of a list of `count` rows, in the list's own order. */
function rowsOf(count: number, window: { by: string; limit: number; offset: number }): number[] {
  const listed = Array.from({ length: count }, (_, index) => index)
  const isReversed = window.by !== ORDER
  const read = (isReversed ? listed.reverse() : listed).slice(window.offset, window.offset + window.limit)
  return isReversed ? read.reverse() : read
}

describe("a window of a list that is counted", () => {
  it("has the same rows from whichever end it is read, and skips at most half of the list", () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(80), fc.integer({ min: 1, max: 20 }), (count, offset, limit) => {
        const read = fromNearerEnd(ORDER, { limit, offset }, count)
        expect(rowsOf(count, read)).toEqual(rowsOf(count, { by: ORDER, limit, offset }))
        expect(offset >= count || read.offset <= count / 2).toBe(true)
      })
    )
  })

  it("is read from the end in the opposite order", () => {
    expect(fromNearerEnd(ORDER, { limit: 20, offset: 980 }, 1_000)).toEqual({
      by: "t.created_at ASC, t.id ASC",
      limit: 20,
      offset: 0,
    })
  })

  it("of a list whose end is not known, is read from the beginning", () => {
    const window = { limit: 20, offset: LIMITS.listWindowRows - 20 }
    expect(fromNearerEnd(ORDER, window, LIMITS.listWindowRows + 1)).toEqual({ by: ORDER, ...window })
  })
})
