import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as ts from "typescript"
import { admin as adminBn } from "../bn/admin"
import { label as bangla } from "../bn/labels"
import { admin } from "../en/admin"
import { label } from "../en/labels"
import { translate } from "../translate"
import { isLabelled, labelOf, labelled, labelledAs } from "../label"
import { messageOf } from "../message"

const SOURCES = join(__dirname, "../..")
const SNAKE_CASE = /[a-z0-9]_[a-z]/

const read = (folder: string, ends: RegExp) =>
  readdirSync(join(SOURCES, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => ends.test(file) && !file.includes("__tests__"))
    .map((file) => readFileSync(join(SOURCES, folder, file), "utf8"))
    .join("\n")

/** `customer.name` and `name` of the admin's forms: the fields whose errors they show. */
const shownFields = [...read("admin", /\.tsx$/).matchAll(/faultOf\(\w+(?:\.error)?, "([a-z_.]+)"\)/g)].map(
  ([, field]) => field.split(".").at(-1) ?? field
)
/** Not of a form: what zod is given, and what the pages alone send. */
const NO_FIELDS = ["code", "input", "dry_run", "request_key", "days", "content", "key"]
/** What the admin's routes read. */
const readFields = membersOfSchemas(read("api/admin/gateway", /resource\.ts$/))

/** The names in `z.object({ … })` and `schema.extend({ … })`. */
function membersOfSchemas(source: string): string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /(^z\.object|\.extend)$/.test(node.expression.getText())) {
      const [members] = node.arguments
      const own = members !== undefined && ts.isObjectLiteralExpression(members) ? members.properties : []
      names.push(...own.flatMap(({ name }) => (name === undefined ? [] : [name.getText()])))
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile("all.ts", source, ts.ScriptTarget.Latest, true))
  return names
}

/**
 * The fields that audit entries have, as far as they are written out: in `before: { … }` and `after: { … }`, in variables
 * of these names, in what is noted of settlements, and in the functions of the same file that are called there.
 */
function auditedFields(): string[] {
  const folder = join(SOURCES, "modules/gateway")
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.includes("__tests__")
  )
  return files.flatMap((file) => {
    const source = readFileSync(join(folder, file), "utf8")
    return /\b(audit(Rows)?|noteSettlement)\(/.test(source)
      ? auditedIn(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true))
      : []
  })
}

function auditedIn(file: ts.SourceFile): string[] {
  const called = new Set<string>()
  const names: string[] = []
  const members = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const own = node.properties.filter((one) => ts.isPropertyAssignment(one) || ts.isShorthandPropertyAssignment(one))
      names.push(...own.map(({ name }) => name.getText()).filter((name) => /^\w+$/.test(name)))
    } else if (ts.isCallExpression(node)) {
      called.add(node.expression.getText())
    } else {
      ts.forEachChild(node, members)
    }
  }
  const visit = (node: ts.Node): void => {
    const isNamed = ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)
    if (isNamed && /^(before|after)$/.test(node.name.getText()) && node.initializer !== undefined) {
      members(node.initializer)
    }
    if (ts.isCallExpression(node) && node.expression.getText() === "noteSettlement") {
      members(node.arguments[node.arguments.length - 1])
    }
    ts.forEachChild(node, visit)
  }
  const bodies = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && called.has(node.name?.text ?? "")) {
      node.body?.statements.filter(ts.isReturnStatement).forEach(members)
    } else if (ts.isVariableDeclaration(node) && called.has(node.name.getText()) && node.initializer !== undefined) {
      members(node.initializer)
    }
    ts.forEachChild(node, bodies)
  }
  visit(file)
  bodies(file)
  return names
}

describe("docs/decisions/19: the labels of fields", () => {
  it("exist for the fields of the audit log", () => {
    const names = new Set(auditedFields().map((name) => name.replace(/_minor$/, "")))
    expect(names.size).toBeGreaterThan(50)
    expect([...names].filter((name) => !isLabelled(name))).toEqual([])
  })

  it("exist for every field whose error a form shows, and for what the admin's routes read", () => {
    expect(shownFields.length).toBeGreaterThan(40)
    expect(readFields.length).toBeGreaterThan(30)
    const missing = [...new Set([...shownFields, ...readFields])].filter(
      (name) => !isLabelled(name) && !NO_FIELDS.includes(name)
    )
    expect(missing).toEqual([])
  })

  it("are said instead of the API's names, in both languages", () => {
    const fault = messageOf("field", { name: "plan_name", rule: messageOf("rule.required") })
    expect(translate(fault)).toBe("plan_name is required")
    expect(translate(labelled(fault))).toBe("Name is required")
    expect(translate(labelled(fault), "bn")).toBe("নাম আবশ্যক")
    const several = messageOf("more", { first: fault, others: 2 })
    expect(translate(labelled(several))).toBe("Name is required (and 2 more)")
    const inFile = messageOf("file.line", { line: 2, what: fault })
    expect(translate(labelled(inFile))).toBe("line 2: plan_name is required")
    const late = messageOf("field", { name: "from", rule: messageOf("rule.not_after", { field: "to_date" }) })
    expect(translate(labelled(late))).toBe("From must not be after To")
    expect(translate(labelled(messageOf("refusal.clock_one_of_two")))).toBe("Enter by how much the clock moves")
  })

  it("are said with the label of the form that shows the fault, and with theirs of other fields", () => {
    const fault = messageOf("field", { name: "reference", rule: messageOf("rule.required") })
    expect(translate(labelledAs(fault, "reference", "Bank reference"))).toBe("Bank reference is required")
    expect(translate(labelledAs(fault, "reference", "অ্যাকোয়ারারের নম্বর"), "bn")).toBe("অ্যাকোয়ারারের নম্বর আবশ্যক")
    const late = messageOf("field", { name: "period_from", rule: messageOf("rule.not_after", { field: "period_to" }) })
    expect(translate(labelledAs(late, "period_from", "First day"))).toBe(
      "First day must not be after Last day of the period"
    )
    const address = messageOf("field", { name: "203.0.113.0/33", rule: messageOf("rule.network") })
    expect(translate(labelledAs(address, "ip_allow_list[0]", "Addresses"))).toMatch(/^203\.0\.113\.0\/33 is neither/)
  })

  it.each([
    ["items[2].order_amount", "Order amount"],
    ["customer.name", "Name"],
    ["event_types[0]", "Event types"],
    ["something_unheard_of", "something unheard of"],
    ["reported_minor", "reported"],
    ["203.0.113.0/33", "203.0.113.0/33"],
    ["Not an address", "Not an address"],
  ])("%s is %s", (name, text) => expect(translate(labelOf(name))).toBe(text))

  it("and the pages' texts have no snake_case", () => {
    const texts = (group: object): string[] =>
      Object.values(group).flatMap((text: string | object) => (typeof text === "string" ? [text] : texts(text)))
    const shown = [admin, adminBn, label, bangla].flatMap(texts).map((text) => text.replace(/{{\w+}}/g, ""))
    expect(shown.length).toBeGreaterThan(1_000)
    expect(shown.filter((text) => SNAKE_CASE.test(text))).toEqual([])
  })
})
