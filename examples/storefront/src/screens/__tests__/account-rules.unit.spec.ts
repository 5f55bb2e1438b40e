import "../../lib/__tests__/english"
import { nextPath } from "../../store/account"
import { readAccount, type AccountField } from "../account-rules"

const typed = (values: Partial<Record<AccountField, string>>) => (name: AccountField) => values[name] ?? ""

describe("signing in and registering", () => {
  it("takes an e-mail address in small letters, a password as it is, and a name in two parts", () => {
    const read = readAccount(
      "register",
      typed({ name: " Nusrat  Jahan ", email: " Nusrat@Example.com ", password: "  eight s" })
    )
    expect(read.problems.size).toBe(0)
    expect(read.credentials).toEqual({ email: "nusrat@example.com", password: "  eight s" })
    expect(read.person).toEqual({ first_name: "Nusrat", last_name: "Jahan" })
  })

  it("asks for every field of a new account, and for a password of some length", () => {
    expect([...readAccount("register", typed({})).problems.keys()]).toEqual(["name", "email", "password"])
    const { problems } = readAccount("register", typed({ name: "N", email: "n@example.com", password: "seven 7" }))
    expect([...problems]).toEqual([["password", "A password has 8 characters or more."]])
  })

  it("lets an older, shorter password sign in", () => {
    expect(readAccount("sign-in", typed({ email: "n@example.com", password: "old" })).problems.size).toBe(0)
    expect([...readAccount("sign-in", typed({ email: "n@example", password: "" })).problems.keys()]).toEqual([
      "email",
      "password",
    ])
  })
})

describe("where a shopper goes on after signing in", () => {
  it.each(["/checkout/address", "/account/subscriptions/0b1f-2?payment=failed", "/"])("%s", (path) => {
    expect(nextPath(path)).toBe(path)
  })

  it.each([null, "", "https://elsewhere.example", "javascript:alert(1)", "/#/x", "/a b", "account"])(
    "anything else leads to the account: %s",
    (path) => {
      expect(nextPath(path)).toBe("/account")
    }
  )
})
