import "../../lib/__tests__/english"
import { settle } from "../payment"

const state: { cart: string | null; open: string | null } = { cart: null, open: null }
jest.mock("../../store/cart", () => ({
  cartId: () => state.cart,
  adoptCart: (id: string) => void (state.cart = id),
  forgetCart: (id: string) => void (state.cart = state.cart === id ? null : state.cart),
}))
jest.mock("../../store/payment", () => ({
  openPayment: () => state.open,
  closePayment: () => void (state.open = null),
}))
jest.mock("../../store/emi", () => ({ chooseEmi: () => undefined }))

const ids = { cartId: "cart_1", sessionId: "ses_1", transactionId: "txn1" }
const settled = (cart: string | null, open: string | null, outcome: Parameters<typeof settle>[0]) => {
  Object.assign(state, { cart, open })
  return [settle(outcome), state.cart, state.open]
}

it("a payment that ended without money: back to paying, with the cart of the payment that was opened here", () => {
  const declined = { state: "declined", ...ids } as const
  const page = "/checkout/pay?payment=declined"
  expect(settled("cart_1", "ses_1", declined)).toEqual([page, "cart_1", null])
  expect(settled(null, "ses_1", declined)).toEqual([page, "cart_1", null])
})

it("a transaction in an address that was not opened here brings no cart, and leaves the own payment open", () => {
  const declined = { state: "declined", ...ids } as const
  const page = "/checkout/pay?payment=declined"
  expect(settled(null, null, declined)).toEqual([page, null, null])
  expect(settled(null, "ses_mine", declined)).toEqual([page, null, "ses_mine"])
  expect(settled("cart_mine", "ses_mine", { state: "paid", orderId: "order_1", ...ids })).toEqual([
    "/orders/order_1",
    "cart_mine",
    "ses_mine",
  ])
})
