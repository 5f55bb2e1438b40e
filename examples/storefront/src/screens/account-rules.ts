import type { Credentials, Person } from "../store/account"
import { t } from "../text"
import { isEmail, splitName } from "./address-rules"

export type AccountField = "name" | "email" | "password"

/** The fields of either form, in their order on the page. */
export const ACCOUNT_FIELDS: Record<"sign-in" | "register", readonly AccountField[]> = {
  "sign-in": ["email", "password"],
  register: ["name", "email", "password"],
}

const PASSWORD_MIN = 8

type Read = { credentials: Credentials; person: Person; problems: Map<AccountField, string> }

/** The typed values and their problems. A password keeps its spaces; an e-mail address is converted to lower case. */
export function readAccount(way: "sign-in" | "register", valueOf: (name: AccountField) => string): Read {
  const problems = new Map<AccountField, string>()
  const email = valueOf("email").trim().toLowerCase()
  const password = valueOf("password")
  const name = way === "register" ? valueOf("name").trim().replace(/\s+/g, " ") : ""
  if (way === "register" && name === "") {
    problems.set("name", t.account.nameMissing)
  }
  if (!isEmail(email)) {
    problems.set("email", email === "" ? t.address.emailMissing : t.address.emailWrong)
  }
  if (password === "") {
    problems.set("password", t.account.passwordMissing)
  } else if (way === "register" && [...password].length < PASSWORD_MIN) {
    problems.set("password", t.account.passwordShort)
  }
  return { credentials: { email, password }, person: splitName(name), problems }
}
