import { changeOf, connectionOf, credentialsOf, draftOf, type Account, type Acquirer } from "../draft"

const field = (name: string, secret: boolean) => ({ name, secret, required: true, max_length: 30, variable: "X" })
const account: Account = {
  id: "gaa_1",
  source: "admin",
  is_active: false,
  is_readable: true,
  position: 3,
  services: ["BKASH"],
  settings: { store_id: "tea" },
  secrets: { store_passwd: true },
  last_test: null,
  worked_at: null,
}
const acquirer: Acquirer = {
  id: "sslcommerz",
  name: "SSLCommerz",
  services: ["CARD", "BKASH"],
  fields: [field("store_id", false), field("store_passwd", true)],
  return_url: "https://pay.example/return",
  notification_url: null,
  account,
}

describe("the form of an account", () => {
  it("opens with what is stored, and with empty secrets", () => {
    expect(draftOf(acquirer)).toEqual({
      values: { store_id: "tea", store_passwd: "" },
      services: ["BKASH"],
      is_active: false,
      position: "3",
    })
    expect(draftOf({ ...acquirer, account: null })).toEqual({
      values: { store_id: "", store_passwd: "" },
      services: ["CARD", "BKASH"],
      is_active: true,
      position: "",
    })
  })

  it("sends no secret that nobody entered, cuts pasted spaces, and clears what is no secret", () => {
    const draft = draftOf(acquirer)
    expect(credentialsOf(acquirer, draft)).toEqual({ store_id: "tea" })
    const values = { store_id: " ", store_passwd: " new-password\n" }
    expect(credentialsOf(acquirer, { ...draft, values })).toEqual({ store_id: "", store_passwd: "new-password" })
  })

  it("sends no services when all are chosen, and no position when none is", () => {
    const draft = draftOf(acquirer)
    expect(changeOf(acquirer, draft)).toMatchObject({ services: ["BKASH"], is_active: false, position: 3 })
    const all = changeOf(acquirer, { ...draft, services: ["BKASH", "CARD"], position: " " })
    expect(all).toEqual({ credentials: { store_id: "tea" }, services: [], is_active: false })
  })
})

it.each([
  ["untested", {}],
  ["works", { last_test: { at: "x", problem: null }, worked_at: "x" }],
  ["failing", { last_test: { at: "x", problem: "network" }, worked_at: "x" }],
  ["never_worked", { last_test: { at: "x", problem: "credentials" } }],
  ["unreadable", { is_readable: false, last_test: { at: "x", problem: null }, worked_at: "x" }],
] as const)("what tests have found: %s", (found, change) => {
  expect(connectionOf({ ...account, ...change })).toBe(found)
})
