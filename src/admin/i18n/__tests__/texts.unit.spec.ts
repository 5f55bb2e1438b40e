import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { admin as bn } from "../../../i18n/bn/admin"
import { admin as en } from "../../../i18n/en/admin"
import { messages } from "../../../i18n/en/messages"
import { isLabelled } from "../../../i18n/label"
import { ACQUIRERS } from "../../../modules/gateway/acquirers/definitions"
import { DISPUTE_REASONS, FILE_KINDS } from "../../../modules/gateway/disputes/rules"
import { DISPUTE_STATES } from "../../../modules/gateway/disputes/states"
import { INVOICE_STATES } from "../../../modules/gateway/invoices/states"
import { ONE_TRIAL_MODES } from "../../../modules/gateway/kernel/types"
import { PAYOUT_STATES } from "../../../modules/gateway/ledger/payout-states"
import { LINK_STATES } from "../../../modules/gateway/links/states"
import { CAPTURE_MODES, PAYMENT_METHODS } from "../../../modules/gateway/merchants/payment-services"
import { REFUND_HOLDS, REFUND_TYPES } from "../../../modules/gateway/refunds/rules"
import { REFUND_STATES } from "../../../modules/gateway/refunds/states"
import { SUBSCRIPTION_STATES } from "../../../modules/gateway/subscriptions/states"
import { DATE_FORMATS, TEMPLATE_COLUMNS } from "../../../modules/gateway/settlements/files/template"
import { LINE_REASONS } from "../../../modules/gateway/settlements/rules"
import { IMPORT_STATES, LINE_STATES, SETTLEMENT_KINDS } from "../../../modules/gateway/settlements/states"
import { HINTS } from "../../lib/acquirers/draft"
import { PLACES } from "../../lib/audit/changes"
import * as mapping from "../../lib/settlements/mapping-draft"
import * as settlements from "../../lib/settlements/types"
import * as disputes from "../../lib/disputes/types"

const ADMIN = join(__dirname, "../..")

type Texts = { [key: string]: string | Texts }

/** `payments.title` and its text, for every text. */
function flat(texts: Texts, prefix = ""): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([name, text]): [string, string][] =>
    typeof text === "string" ? [[prefix + name, text]] : flat(text, `${prefix}${name}.`)
  )
}

const english = flat(en)
/** What is asked for: of `rows_one` and `rows_other` it is `rows`. */
const keys = new Set(english.map(([key]) => key.replace(/_(one|other)$/, "")))
const groups = new Set(Object.keys(en))

const sources = readdirSync(ADMIN, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !/(^|\/)(i18n|__tests__)\//.test(file))
  .map((file) => readFileSync(join(ADMIN, file), "utf8"))
  .join("\n")
/** `"payments.title"`, wherever it stands: whether it is said there, or a table of what is said. */
const literal = [...sources.matchAll(/"([a-z_]+(?:\.\w+)+)"/g)]
  .map(([, key]) => key)
  .filter((key) => groups.has(key.split(".")[0]))
/** `payments.statuses.${status}` as a pattern. */
const patterns = [...sources.matchAll(/`([a-z_]+\.[\w.]*(?:\${[^}]+}[\w.]*)+)`/g)]
  .filter(([, key]) => groups.has(key.split(".")[0]))
  .map(([, key]) => ({ key, pattern: new RegExp(`^${key.replace(/\./g, "\\.").replace(/\${[^}]+}/g, "\\w+")}$`) }))

describe("the admin's texts", () => {
  it("are there wherever the pages name one", () => {
    expect(literal.length).toBeGreaterThan(300)
    expect(literal.filter((key) => !keys.has(key))).toEqual([])
    expect(patterns.length).toBeGreaterThan(30)
    expect(patterns.filter(({ pattern }) => ![...keys].some((key) => pattern.test(key))).map(({ key }) => key)).toEqual(
      []
    )
  })

  it("are all said somewhere", () => {
    const said = new Set(literal)
    expect([...keys].filter((key) => !said.has(key) && !patterns.some(({ pattern }) => pattern.test(key)))).toEqual([])
  })
})

describe("the audit log", () => {
  /** The fields of entries whose values are codes, by the subject of their action. */
  const CODED: readonly [subject: string, field: string, codes: readonly string[]][] = [
    ["merchant", "status", ["active", "suspended"]],
    ["merchant", "verification_status", ["unverified", "pending", "approved", "rejected"]],
    ["settings", "capture", CAPTURE_MODES],
    ["settings", "after_last_retry", ["cancel", "past_due"]],
    ["settings", "one_trial_per_customer", ONE_TRIAL_MODES],
    ["settings", "services", ["checkout", "emi", "subscriptions", "refunds"]],
    ["payment_service", "capture", CAPTURE_MODES],
    ["payment_method", "method", PAYMENT_METHODS],
    ["payment_method", "service", ["CARD", "BKASH", "NAGAD", "ROCKET", "UPAY", "INTERNET_BANKING", "WALLET"]],
    ["refund", "state", REFUND_STATES],
    ["refund", "held_for", REFUND_HOLDS],
    ["refund", "type", REFUND_TYPES],
    ["refund", "requested_by", ["store", "gateway", "reconciler", "workflow", "automatic", "acquirer"]],
    ["dispute", "status", DISPUTE_STATES],
    ["dispute", "reason", DISPUTE_REASONS],
    ["dispute", "kind", FILE_KINDS],
    ["invoice", "status", INVOICE_STATES],
    ["subscription", "status", SUBSCRIPTION_STATES],
    ["payout", "state", PAYOUT_STATES],
    ["payment_link", "state", LINK_STATES],
    ["settlement", "status", LINE_STATES],
    ["card_testing", "counted_by", ["session", "address", "merchant"]],
    ["plan", "interval_unit", ["DAY", "WEEK", "MONTH", "YEAR"]],
    ["webhook_endpoint", "signature_format", ["hex", "prefixed"]],
    ["emi_configuration", "interest_method", ["flat", "reducing"]],
    ["emi_configuration", "processing_fee_type", ["fixed", "percent"]],
    ["api_key", "type", ["secret", "restricted"]],
  ]

  it.each(CODED)("of a %s says %s in words, in both languages", (subject, field, codes) => {
    for (const texts of [en, bn]) {
      const said = new Set(flat({ ...texts, messages } as Texts).map(([key]) => key))
      expect(codes.filter((code) => !PLACES[field](code, subject).some((key) => said.has(key)))).toEqual([])
    }
  })
})

describe("fields for numbers (decisions: Digits)", () => {
  it("are none of the browser's, which drop the digits of Bangla without a word", () => {
    expect(sources).toContain('inputMode="numeric"')
    expect(sources).not.toContain('type="number"')
  })
})

describe("the breadcrumbs", () => {
  const routes = join(ADMIN, "routes")
  const crumbs = new Map(
    readdirSync(routes, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith("page.tsx"))
      .map((file) => [dirname(file), /crumb\("([^"]+)"\)/.exec(readFileSync(join(routes, file), "utf8"))?.[1] ?? ""])
  )
  /** The page above a page's own; folders between may have none. */
  const above = (path: string): string | undefined => {
    const folder = dirname(path)
    return folder === path || crumbs.has(folder) ? crumbs.get(folder) : above(folder)
  }

  it.each(Object.entries({ en, bn }))("in %s name no page as the one above it", (_language, texts) => {
    const words = new Map(flat(texts))
    const trails = [...crumbs].map(([path, key]) => [above(path), key].map((one) => words.get(one ?? "")))
    expect(trails.length).toBeGreaterThan(30)
    expect(trails.filter(([parent, own]) => parent === own)).toEqual([])
  })

  it.each(Object.entries({ en, bn }))("in %s name the page of a thing by what it is", (_language, texts) => {
    const words = new Map(flat(texts))
    const names = [...crumbs].flatMap(([path, key]) => (path.endsWith("]") ? [words.get(key)] : []))
    expect(names.length).toBeGreaterThan(8)
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
  })
})

describe("what the pages know of disputes", () => {
  it("is what the gateway knows", () => {
    expect(disputes.DISPUTE_STATUSES).toEqual(DISPUTE_STATES)
    expect(disputes.REASONS).toEqual(DISPUTE_REASONS)
    expect(disputes.FILE_KINDS).toEqual(FILE_KINDS)
  })
})

describe("what the pages know of acquirers' fields", () => {
  const fields = ACQUIRERS.flatMap(({ credentials }) => credentials.map(({ name }) => name))

  it("is a name for each, which refusals use, too", () => {
    expect(fields.length).toBeGreaterThan(10)
    expect(fields.filter((name) => !isLabelled(name))).toEqual([])
  })

  it("is each hint that there is", () => {
    expect([...HINTS].sort()).toEqual(Object.keys(en.acquirers.hints).sort())
    expect(HINTS.filter((name) => !fields.includes(name))).toEqual([])
  })
})

describe("what the pages know of settlements", () => {
  it("is what the gateway knows", () => {
    expect(settlements.IMPORT_STATUSES).toEqual(IMPORT_STATES)
    expect(settlements.LINE_STATUSES).toEqual(LINE_STATES)
    expect(settlements.REASONS).toEqual(LINE_REASONS)
    expect(settlements.KINDS).toEqual(SETTLEMENT_KINDS)
    expect(mapping.DATE_FORMATS.map(([format]) => format)).toEqual(DATE_FORMATS)
    expect(new Set(Object.values(mapping.COLUMNS).flat())).toEqual(new Set(TEMPLATE_COLUMNS))
  })
})
