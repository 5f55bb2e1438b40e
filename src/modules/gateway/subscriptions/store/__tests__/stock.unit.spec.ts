import fc from "fast-check"
import { allot, pieces, type Stock, type StockRequest } from "../stock"

const request = (variant_id: string, quantity = 1, order_id = "order"): StockRequest => ({
  variant_id,
  quantity,
  order_id,
})

/** A mug (counted), the same mug on backorder, a letter (unlimited), a set of two mugs and a box, and a withdrawn variant; two locations. */
const stock = (mugs: [number, number], boxes = 10): Stock => ({
  variants: new Map([
    ["mug", { isSold: true, isCounted: true, isLimited: true, parts: [{ inventory_item_id: "i-mug", required: 1 }] }],
    [
      "backorder",
      { isSold: true, isCounted: true, isLimited: false, parts: [{ inventory_item_id: "i-mug", required: 1 }] },
    ],
    ["letter", { isSold: true, isCounted: false, isLimited: false, parts: [] }],
    ["withdrawn", { isSold: false, isCounted: false, isLimited: false, parts: [] }],
    ["uncounted", { isSold: true, isCounted: true, isLimited: true, parts: [] }],
    [
      "set",
      {
        isSold: true,
        isCounted: true,
        isLimited: true,
        parts: [
          { inventory_item_id: "i-mug", required: 2 },
          { inventory_item_id: "i-box", required: 1 },
        ],
      },
    ],
  ]),
  locations: new Map([
    ["order", ["north", "south"]],
    ["order-of-the-north", ["north"]],
  ]),
  available: new Map([
    [
      "i-mug",
      new Map([
        ["north", mugs[0]],
        ["south", mugs[1]],
      ]),
    ],
    ["i-box", new Map([["north", boxes]])],
  ]),
})

describe("what renewals take from the shelves (docs/decisions/13)", () => {
  it.each<[string, Stock, StockRequest[], StockRequest[], (string | null)[]]>([
    ["enough for all", stock([2, 0]), [], [request("mug"), request("mug")], [null, null]],
    [
      "the last one goes to the first who asks",
      stock([1, 0]),
      [],
      [request("mug"), request("mug")],
      [null, "out_of_stock"],
    ],
    [
      "a smaller request behind one that is too big gets its goods",
      stock([2, 0]),
      [],
      [request("mug", 3), request("mug", 2)],
      ["out_of_stock", null],
    ],
    ["what is held already is gone", stock([2, 0]), [request("mug", 2)], [request("mug")], ["out_of_stock"]],
    [
      "what somebody else's order holds is gone, too",
      stock([1, 0]),
      [request("mug", 1, "order-of-somebody")],
      [request("mug")],
      ["out_of_stock"],
    ],
    ["held by what cannot be met takes nothing", stock([2, 0]), [request("mug", 3)], [request("mug")], [null]],
    ["all of it comes from one shelf", stock([2, 2]), [], [request("mug", 3)], ["out_of_stock"]],
    ["the other shelf has it", stock([1, 3]), [], [request("mug", 3), request("mug")], [null, null]],
    [
      "only shelves of the order's channel count",
      stock([0, 5]),
      [],
      [request("mug", 1, "order-of-the-north")],
      ["out_of_stock"],
    ],
    [
      "a set takes its parts, together",
      stock([5, 0], 1),
      [],
      [request("set"), request("set"), request("mug", 3)],
      [null, "out_of_stock", null],
    ],
    ["what is not counted never runs out", stock([0, 0]), [], [request("letter", 1000)], [null]],
    [
      "a backorder takes what its sibling needs, from where there is enough",
      stock([1, 2]),
      [],
      [request("backorder", 2), request("mug"), request("mug")],
      [null, null, "out_of_stock"],
    ],
    [
      "a backorder goes below zero, and what is held by one is gone",
      stock([1, 0]),
      [request("backorder", 2)],
      [request("mug"), request("backorder", 9)],
      ["out_of_stock", null],
    ],
    ["counted, but on no shelf at all", stock([9, 9]), [], [request("uncounted")], ["out_of_stock"]],
    [
      "withdrawn, deleted, of an order that is gone",
      stock([9, 9]),
      [],
      [request("withdrawn"), request("none"), request("mug", 1, "gone")],
      ["not_sold", "not_sold", "not_sold"],
    ],
    ["sold more than there is", stock([-2, 0]), [], [request("mug")], ["out_of_stock"]],
  ])("%s", (_name, shelves, held, requests, expected) => {
    expect(allot(shelves, held, requests)).toEqual(expected)
  })

  it("never gives out more than there is, and does not touch what it was given", () => {
    const quantities = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 12 })
    fc.assert(
      fc.property(fc.nat(9), fc.nat(9), quantities, (north, south, wanted) => {
        const shelves = stock([north, south])
        const answers = allot(
          shelves,
          [],
          wanted.map((quantity) => request("mug", quantity))
        )
        const given = wanted.filter((_, index) => answers[index] === null).reduce((sum, quantity) => sum + quantity, 0)
        expect(given).toBeLessThanOrEqual(north + south)
        expect(shelves).toEqual(stock([north, south]))
      })
    )
  })
})

describe("a renewal's amount as prices of single pieces", () => {
  it.each([
    [90_000n, 2, [{ quantity: 2, unit: 45_000n }]],
    [
      100_001n,
      3,
      [
        { quantity: 1, unit: 33_333n },
        { quantity: 2, unit: 33_334n },
      ],
    ],
    [
      1n,
      3,
      [
        { quantity: 2, unit: 0n },
        { quantity: 1, unit: 1n },
      ],
    ],
  ])("%s poisha for %s", (amount, quantity, expected) => {
    expect(pieces(amount, quantity)).toEqual(expected)
  })

  it("adds up exactly, in at most two lines a poisha apart", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 50_000_000n }), fc.integer({ min: 1, max: 500 }), (amount, quantity) => {
        const lines = pieces(amount, quantity)
        expect(lines.reduce((sum, line) => sum + line.unit * BigInt(line.quantity), 0n)).toBe(amount)
        expect(lines.reduce((sum, line) => sum + line.quantity, 0)).toBe(quantity)
        expect(lines.length).toBeLessThanOrEqual(2)
      })
    )
  })
})
