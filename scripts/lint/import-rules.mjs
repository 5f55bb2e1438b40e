import { dirname, posix, relative, resolve, sep } from "node:path"

const GATEWAY = "src/modules/gateway/"
const inGateway = (...names) => names.map((name) => GATEWAY + name)

/** What stands beside the folders of the module and belongs to all of its services. */
const SHARED = inGateway(
  ...["amount-mismatches", "audit", "automatic-payments", "billing-records", "database", "delivery-times", "gather", "instrument-tokens", "invariants"],
  ...["invoice-audit", "invoice-records", "keyed-digest", "ledger", "mailer", "metrics", "numbered-lists", "options", "order-refunds", "outbox"],
  ...["paging", "per-minute", "permission-to-charge", "records"],
  ...["renewal-orders", "store-stock"],
  ...["subscription-audit", "subscription-events", "subscription-records", "tallies", "types"]
)
const OUTSIDE_MODULE = ["src/api/", "src/workflows/", "src/providers/", "src/subscribers/", "src/admin/", "src/links/"]

/**
 * Data flows one way. `may` lists the only project files a folder may import; `mayNot` forbids some; `values`
 * lists the only ones of the gateway module that may be imported as more than types. First match wins.
 */
const RULES = [
  { from: `${GATEWAY}domain/`, may: inGateway("domain/"), packages: /^(node:|luxon$|ipaddr\.js$|libphonenumber-js|medusa-core-utils)/ },
  { from: `${GATEWAY}models/`, may: inGateway("models/", "domain/") },
  { from: `${GATEWAY}acquirers/`, may: [...inGateway("acquirers/", "domain/"), ...SHARED] },
  { from: `${GATEWAY}services/`, may: [...inGateway("services/", "domain/", "models/", "acquirers/", "delivery/", "documents/"), ...SHARED] },
  { from: `${GATEWAY}documents/`, may: inGateway("documents/", "domain/") },
  { from: `${GATEWAY}delivery/`, may: inGateway("delivery/", "domain/") },
  { from: GATEWAY, mayNot: OUTSIDE_MODULE },
  { from: "src/admin/", may: ["src/admin/"] },
  ...["src/api/", "src/workflows/", "src/providers/", "src/subscribers/", "src/links/"].map((from) => ({
    from,
    values: [...inGateway("domain/", "mailer", "store-stock", "worker/tasks"), "src/modules/gateway"],
  })),
]

const ADVICE = "see the import rules in CONTRIBUTING.md"

/** ESLint rule: the import rules of the house, by resolved path, so that no spelling gets around them. */
export const importRules = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const root = context.cwd
    const file = toPosix(relative(root, context.filename))
    const rule = RULES.find(({ from }) => file.startsWith(from))
    if (rule === undefined || /__tests__\//.test(file)) {
      return {}
    }
    const check = (node) => {
      const source = node.source?.value
      if (typeof source !== "string") {
        return
      }
      const refusal = refusalOf(rule, source, file, isTypeOnly(node))
      if (refusal !== null) {
        context.report({ node, message: `${refusal}; ${ADVICE}` })
      }
    }
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check }
  },
}

function refusalOf(rule, source, file, typeOnly) {
  if (!source.startsWith(".")) {
    const refused = rule.packages !== undefined && !rule.packages.test(source)
    return refused ? `${rule.from} does not import ${source}` : null
  }
  const target = toPosix(relative("/", resolve("/", dirname(file), source)))
  if (rule.may !== undefined && !startsWithAny(target, rule.may)) {
    return `${rule.from} does not import ${target}`
  }
  if (rule.mayNot !== undefined && startsWithAny(target, rule.mayNot)) {
    return `${rule.from} does not import ${target}`
  }
  if (rule.values !== undefined && target.startsWith(GATEWAY) && !typeOnly && !startsWithAny(target, rule.values)) {
    return `${target} is reached through the container; only its types may be imported`
  }
  return null
}

function isTypeOnly(node) {
  if (node.importKind === "type" || node.exportKind === "type") {
    return true
  }
  const specifiers = node.specifiers ?? []
  return specifiers.length > 0 && specifiers.every(({ importKind, exportKind }) => (importKind ?? exportKind) === "type")
}

function startsWithAny(path, prefixes) {
  return prefixes.some((prefix) => (prefix.endsWith("/") ? path.startsWith(prefix) : path === prefix || path === `${prefix}/index`))
}

function toPosix(path) {
  return path.split(sep).join(posix.sep)
}
