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

  it("sends a new account whole: no services when all are chosen, and null when no order is", () => {
    const unknown = { ...acquirer, account: null }
    const draft = draftOf(unknown)
    const values = { store_id: "tea", store_passwd: "a-password" }
    expect(changeOf(unknown, { ...draft, values }, draft)).toEqual({
      credentials: values,
      services: [],
      is_active: true,
      position: null,
    })
  })

  it("sends of a known account what the admin has changed: others may have changed the rest", () => {
    const opened = draftOf(acquirer)
    expect(changeOf(acquirer, opened, opened)).toEqual({})
    expect(changeOf(acquirer, { ...opened, is_active: true }, opened)).toEqual({ is_active: true })
    expect(changeOf(acquirer, { ...opened, services: ["BKASH", "CARD"] }, opened)).toEqual({ services: [] })
    const values = { store_id: "tea", store_passwd: "new-password" }
    expect(changeOf(acquirer, { ...opened, values }, opened)).toEqual({ credentials: { store_passwd: "new-password" } })
  })

  it("sends null for an order that is emptied", () => {
    const opened = draftOf(acquirer)
    expect(changeOf(acquirer, { ...opened, position: " " }, opened)).toEqual({ position: null })
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
