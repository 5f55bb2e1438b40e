import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { metrics } from "../../kernel/http/metrics"
import "../../ledger/invariant-check"
import { INVARIANTS } from "../../ledger/invariants"
import "../metrics"

const DOCS = resolve(__dirname, "../../../../../docs")
const ALERTS = readFileSync(resolve(DOCS, "monitoring/alerts.yml"), "utf8")
const DASHBOARD = readFileSync(resolve(DOCS, "monitoring/grafana-dashboard.json"), "utf8")
const OPERATIONS = readFileSync(resolve(DOCS, "operations.md"), "utf8")

/** Labels that Prometheus adds to the buckets of a histogram. */
const BUCKET = "le"
const METRIC = /\bgateway_[a-z_]+/g
const KNOWN = new Map(
  (metrics.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[]).map(({ name, labelNames }) => [
    name,
    labelNames,
  ])
)
const baseOf = (name: string) => (KNOWN.has(name) ? name : name.replace(/_(count|sum|bucket)$/, ""))
const expressions = [
  ...(JSON.parse(DASHBOARD) as { panels: { targets?: { expr: string }[] }[] }).panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => expr)
  ),
  ...[...ALERTS.matchAll(/expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/g)].map(([, lines, line]) => lines ?? line),
]

describe("docs/monitoring: alerts for Prometheus and a dashboard for Grafana", () => {
  it("have an expression in each panel and alert", () => {
    expect(expressions.length).toBeGreaterThan(30)
    expect(ALERTS.match(/- alert:/g)).toHaveLength(ALERTS.match(/expr:/g)?.length ?? 0)
  })

  it.each(expressions)("ask for metrics that exist, by labels that they have: %s", (expression) => {
    const names = expression.match(METRIC)?.map(baseOf) ?? []
    expect(names.filter((name) => !KNOWN.has(name))).toEqual([])
    const possible = new Set([BUCKET, ...names.flatMap((name) => KNOWN.get(name) ?? [])])
    const selected = [...expression.matchAll(/\{([^}]*)\}/g)].flatMap(([, text]) =>
      [...text.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label)
    )
    const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, text]) => text.split(/,\s*/))
    expect([...selected, ...grouped].filter((label) => !possible.has(label))).toEqual([])
  })

  it("what `increase` watches begins at zero, or the alert would miss the first", async () => {
    const watched = new Set([...ALERTS.matchAll(/increase\((gateway_[a-z_]+)/g)].map(([, name]) => name))
    const begun = await metrics.getMetricsAsJSON()
    const seriesOf = (name: string) => begun.find((metric) => metric.name === name)?.values ?? []
    expect([...watched].filter((name) => seriesOf(name).length === 0)).toEqual([])
    expect(seriesOf("gateway_invariant_alerts_total").map(({ labels }) => labels.name)).toEqual(
      INVARIANTS.map(({ name }) => name)
    )
    expect(seriesOf("gateway_amount_mismatches_total").map(({ value, labels }) => [labels.kind, value])).toEqual([
      ["payment", 0],
      ["refund", 0],
    ])
  })

  it.each([...KNOWN])("docs/operations.md and the dashboard show %s", (name, labels) => {
    expect(expressions.some((expression) => (expression.match(METRIC) ?? []).map(baseOf).includes(name))).toBe(true)
    const line = OPERATIONS.split("\n").find((one) => one.includes(`\`${name}`))
    expect(line).toBeDefined()
    expect(labels.filter((label) => !line?.includes(label))).toEqual([])
  })
})
