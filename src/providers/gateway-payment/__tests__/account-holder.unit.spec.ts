import type { CreateAccountHolderInput, InitiatePaymentInput } from "@medusajs/framework/types"
import { accountHolder, holderOf } from "../account-holder"

type Context = InitiatePaymentInput["context"]

const customer = { id: "cus_1", email: "nusrat@example.com" }
const of = (context: unknown) => accountHolder({ context } as CreateAccountHolderInput)
const holder = (context: unknown) => holderOf(context as Context)

describe("docs/decisions/07 — Medusa's account holder", () => {
  it("names its customer, and has another id each time: Medusa keeps them unique", () => {
    const [first, second] = [of({ customer }), of({ customer })]
    expect(first.data).toEqual({ customer_id: "cus_1" })
    expect(first.id).toMatch(/^gah_[0-9a-f]{26}$/)
    expect(second.id).not.toBe(first.id)
  })

  it("is made for nobody but a customer", () => {
    expect(() => of({})).toThrow("An account holder is made for a signed-in customer")
  })

  it("lets its own signed-in customer use saved methods", () => {
    expect(holder({ customer, account_holder: { data: { customer_id: "cus_1" } } })).toBe("cus_1")
  })

  it.each<[string, unknown]>([
    ["a guest", undefined],
    ["a guest with an account holder", { account_holder: { data: { customer_id: "cus_1" } } }],
    ["a customer without an account holder", { customer }],
    ["another customer's account holder", { customer, account_holder: { data: { customer_id: "cus_2" } } }],
    [
      "an account holder of nobody",
      { customer: { ...customer, id: "" }, account_holder: { data: { customer_id: "" } } },
    ],
    ["an account holder without data", { customer, account_holder: {} }],
  ])("and nobody else: %s", (_who, context) => {
    expect(holder(context)).toBeNull()
  })
})
