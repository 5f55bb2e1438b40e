import "../../lib/__tests__/english"
import { FetchError } from "@medusajs/js-sdk"
import {
  awaitOutcome,
  byEmi,
  closePayment,
  openPayment,
  PAYMENT_CHOICES,
  paymentOutcome,
  startPayment,
} from "../payment"
import type { Cart } from "../types"

const fetchFromStore = jest.fn()
const initiatePaymentSession = jest.fn()
const store = { client: { fetch: fetchFromStore }, store: { payment: { initiatePaymentSession } } }
let token: string | null = null
jest.mock("../sdk", () => ({
  openStore: async () => ({ sdk: store, regionId: "reg_1" }),
  hasToken: () => token !== null,
}))
jest.mock("../../lib/storage", () => {
  const kept = new Map<string, string>()
  return {
    read: (key: string) => kept.get(key) ?? null,
    write: (key: string, value: string) => void kept.set(key, value),
    remove: (key: string) => void kept.delete(key),
  }
})
jest.mock("../cart", () => ({ inLanguage: async (cart: Cart) => cart }))
Object.assign(globalThis, { location: { origin: "https://shop.example", pathname: "/shop/" } })

const cart = { id: "cart_1", locale: "en-GB" } as Cart
const session = { checkout_url: "https://pay.example/pay/ses_1", session_id: "ses_1" }
beforeEach(() => {
  jest.resetAllMocks()
  token = null
  closePayment()
  initiatePaymentSession.mockResolvedValue({
    payment_collection: { payment_sessions: [{ provider_id: "pp_gateway_default", data: session }] },
  })
})

describe("startPayment", () => {
  it("answers the payment page, and keeps the session for a shopper who does not come back", async () => {
    await expect(startPayment(cart, PAYMENT_CHOICES[0]!)).resolves.toEqual({ url: session.checkout_url, account: null })
    expect(initiatePaymentSession.mock.calls[0][1].data).toEqual({ return_url: "https://shop.example/shop/" })
    expect(openPayment()).toBe("ses_1")
  })

  it.each([...PAYMENT_CHOICES.slice(1), byEmi("emi_1")])("passes the choice $id on", async (choice) => {
    await startPayment(cart, choice)
    expect(initiatePaymentSession.mock.calls[0][1].data).toMatchObject({ payment_service: expect.any(String) })
  })

  it("says why there is no payment page, and keeps nothing", async () => {
    initiatePaymentSession.mockRejectedValue(new FetchError("Cart cart_1 is already completed.", "", 400))
    await expect(startPayment(cart, PAYMENT_CHOICES[0]!)).resolves.toMatchObject({ code: "cart_completed" })
    expect(openPayment()).toBeNull()
  })

  it.each([
    ["a proof", async () => ({ action: "https://pay.example/account", proof: "p" }), { proof: "p" }],
    ["no proof", async () => Promise.reject(new FetchError("", "Not Found", 404)), null],
  ])("gets %s for a signed-in shopper", async (_what, answer, account) => {
    token = "jwt"
    fetchFromStore.mockImplementation(answer)
    const started = await startPayment(cart, PAYMENT_CHOICES[0]!)
    expect(started).toMatchObject({ account })
    expect(fetchFromStore).toHaveBeenCalledWith("/store/gateway/checkouts/ses_1/account", { method: "POST" })
  })
})

describe("the outcome", () => {
  const answer = { status: "FAILED", order_id: null, cart_id: "cart_1", session_id: "ses_1", transaction_id: "txn1" }

  it("is asked of this shop's store, by transaction or by session", async () => {
    fetchFromStore.mockResolvedValue(answer)
    const onContact = jest.fn()
    await expect(awaitOutcome("txn1", new AbortController().signal, onContact)).resolves.toMatchObject({
      state: "declined",
    })
    await expect(paymentOutcome({ sessionId: "ses_1" })).resolves.toMatchObject({ state: "declined" })
    expect(onContact.mock.calls).toEqual([[true]])
    expect(fetchFromStore.mock.calls.map(([, { query }]) => query)).toEqual([
      { transaction_id: "txn1" },
      { session_id: "ses_1" },
    ])
  })
})
