import "../../lib/__tests__/english"
import { canBuy, choicesOf, priceRange, stockOf, variantFor } from "../products"
import type { Product, Variant } from "../types"

const variant = (id: string, size: string, colour: string, price: number | null, stock = 5): Variant =>
  ({
    id,
    manage_inventory: true,
    inventory_quantity: stock,
    calculated_price: price === null ? undefined : { calculated_amount: price },
    options: [
      { option_id: "size", value: size },
      { option_id: "colour", value: colour },
      { option_id: "made", value: "by hand" },
    ],
  }) as unknown as Variant

const throwBlanket = {
  options: [
    { id: "size", title: "Size" },
    { id: "colour", title: "Colour" },
    { id: "made", title: "Made" },
  ],
  variants: [
    variant("a", "Single", "Indigo", 900),
    variant("b", "Single", "Madder", 950),
    variant("c", "Double", "Indigo", null),
  ],
} as unknown as Product

it("offers only options that leave a choice, values in the variants' order", () => {
  expect(choicesOf(throwBlanket)).toEqual([
    { id: "size", title: "Size", values: ["Single", "Double"] },
    { id: "colour", title: "Colour", values: ["Indigo", "Madder"] },
  ])
})

it("finds the variant of a choice, and none for a combination that is not made", () => {
  expect(
    variantFor(
      throwBlanket,
      new Map([
        ["size", "Single"],
        ["colour", "Madder"],
      ])
    )?.id
  ).toBe("b")
  expect(
    variantFor(
      throwBlanket,
      new Map([
        ["size", "Double"],
        ["colour", "Madder"],
      ])
    )
  ).toBeUndefined()
})

it("names the lowest price, and leaves out variants without one", () => {
  expect(priceRange(throwBlanket)).toEqual({ from: 900, varies: true })
  expect(priceRange({ variants: [] } as unknown as Product)).toBeNull()
})

it("sells nothing without a price or without stock", () => {
  expect(canBuy(variant("a", "Single", "Indigo", 900))).toBe(true)
  expect(canBuy(variant("a", "Single", "Indigo", null))).toBe(false)
  expect(canBuy(variant("a", "Single", "Indigo", 900, 0))).toBe(false)
})

it("does not count stock that the store does not count", () => {
  expect(stockOf({ ...variant("a", "Single", "Indigo", 900, 0), manage_inventory: false })).toBe(Infinity)
  expect(stockOf({ ...variant("a", "Single", "Indigo", 900, 0), allow_backorder: true })).toBe(Infinity)
})
