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

/** The e-mail address alone, for a shopper who has forgotten the password. */
export function readEmail(valueOf: (name: "email") => string): { email: string; problems: Map<"email", string> } {
  const email = valueOf("email").trim().toLowerCase()
  const problem = emailProblem(email)
  return { email, problems: new Map(problem === null ? [] : [["email", problem]]) }
}

/** A new password alone. */
export function readPassword(valueOf: (name: "password") => string): {
  password: string
  problems: Map<"password", string>
} {
  const password = valueOf("password")
  const problem = passwordProblem(password, true)
  return { password, problems: new Map(problem === null ? [] : [["password", problem]]) }
}

function emailProblem(email: string): string | null {
  return isEmail(email) ? null : email === "" ? t.address.emailMissing : t.address.emailWrong
}

function passwordProblem(password: string, isNew: boolean): string | null {
  if (password === "") {
    return t.account.passwordMissing
  }
  return isNew && [...password].length < PASSWORD_MIN ? t.account.passwordShort : null
}

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
  const wrong = { email: emailProblem(email), password: passwordProblem(password, way === "register") }
  if (wrong.email !== null) {
    problems.set("email", wrong.email)
  }
  if (wrong.password !== null) {
    problems.set("password", wrong.password)
  }
  return { credentials: { email, password }, person: splitName(name), problems }
}
