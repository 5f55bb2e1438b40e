import * as storage from "../../lib/storage"
import { loadCart } from "../cart"
import type { Cart } from "../types"

jest.mock("../../text", () => ({ locale: "bn-BD" }))
jest.mock("../../lib/storage", () => ({ read: jest.fn(), write: jest.fn(), remove: jest.fn() }))
jest.mock("../sdk", () => ({ openStore: async () => ({ sdk: { store: { cart: mockStore } } }) }))

type Renaming = { end: () => void }

/** Medusa, which writes a cart's language before the names of its items. */
const mockStore = {
  cart: { id: "cart_1", locale: "en-GB", items: [{ title: "Scarf" }] } as unknown as Cart,
  renamings: [] as Renaming[],
  retrieve: async () => ({ cart: structuredClone(mockStore.cart) }),
  update: async (_id: string, { locale }: { locale: string }) => {
    Object.assign(mockStore.cart, { locale })
    await new Promise<void>((end) => mockStore.renamings.push({ end }))
    Object.assign(mockStore.cart, { items: [{ title: "ওড়না" }] })
    return { cart: structuredClone(mockStore.cart) }
  },
}

const titleOf = async (cart: Promise<Cart | null>) => (await cart)?.items?.[0].title

describe("docs/decisions/16 — the cart after a switch of the language", () => {
  it("has the new names wherever it is loaded, and is renamed once", async () => {
    jest.mocked(storage.read).mockReturnValue("cart_1")
    const atOnce = [titleOf(loadCart()), titleOf(loadCart())]
    await new Promise(setImmediate)
    const between = titleOf(loadCart())
    await new Promise(setImmediate)
    expect(mockStore.renamings).toHaveLength(1)
    mockStore.renamings[0].end()
    expect(await Promise.all([...atOnce, between])).toEqual(["ওড়না", "ওড়না", "ওড়না"])
    expect(await titleOf(loadCart())).toBe("ওড়না")
    expect(mockStore.renamings).toHaveLength(1)
  })
})
