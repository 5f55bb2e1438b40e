import fc from "fast-check"
import { fromNearerEnd } from "../database/paging"

describe("docs/decisions/20 — a window of a list, read from the nearer end", () => {
  const order = "d.opened_at DESC, d.id DESC"
  const whole = (count: number) => Array.from({ length: count }, (_, index) => count - index)
  /** What PostgreSQL reads and skips, and the rows of the window in the list's order. */
  function read(window: { limit: number; offset: number }, count: number) {
    const { by, limit, offset } = fromNearerEnd(order, window, count)
    const rows = by === order ? whole(count) : whole(count).reverse()
    const picked = rows.slice(offset, offset + limit)
    return { skipped: Math.min(offset, count), rows: picked.sort((one, other) => other - one) }
  }

  it("has the rows of the window, and skips at most half of the list", () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 25 }), fc.nat(70), (count, limit, offset) => {
        const { rows, skipped } = read({ limit, offset }, count)
        expect(rows).toEqual(whole(count).slice(offset, offset + limit))
        if (offset < count) {
          expect(skipped).toBeLessThanOrEqual(count / 2)
        }
      })
    )
  })

  it.each([
    [{ limit: 20, offset: 0 }, 100, { by: order, limit: 20, offset: 0 }],
    [{ limit: 20, offset: 40 }, 100, { by: order, limit: 20, offset: 40 }],
    [{ limit: 20, offset: 60 }, 100, { by: "d.opened_at ASC, d.id ASC", limit: 20, offset: 20 }],
    [{ limit: 20, offset: 90 }, 100, { by: "d.opened_at ASC, d.id ASC", limit: 10, offset: 0 }],
    [{ limit: 20, offset: 100 }, 100, { by: order, limit: 20, offset: 100 }],
    [{ limit: 20, offset: 9_000 }, Infinity, { by: order, limit: 20, offset: 9_000 }],
  ])("%j of %d rows", (window, count, expected) => {
    expect(fromNearerEnd(order, window, count)).toEqual(expected)
  })
})
