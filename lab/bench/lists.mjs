/*
 * npm run bench -- lists             every list at a million rows: first, middle and last page, with and without filters
 *   --rows 1000000                   rows of each table
 *   --requests 200                   requests of each page, one after the other; fewer of a page that is slow
 *   --json <file>                    the figures
 *
 * The lists of `/api/v2` are answered at the store's front door, the admin's by Medusa's router. `empty` is a route that
 * does nothing, of each.
 */
import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { performance } from "node:perf_hooks"
import { parseArgs } from "node:util"
import { Complaint, say } from "../../scripts/lib/console.mjs"
import { connected } from "../../scripts/lib/database.mjs"
import { fillLists, LISTS_FILL } from "./fill-lists.mjs"
import { machine } from "./report.mjs"

const OPTIONS = {
  rows: { type: "string", default: "1000000" },
  requests: { type: "string", default: "200" },
  json: { type: "string" },
}
const PER_PAGE = 20
const AIM_MS = 20
/** A page that takes longer for all its requests is asked for less often. */
const PAGE_MS = 10_000
const LEAST_REQUESTS = 10

/** The lists of `/api/v2`: their filters, and the share of the rows that each filter matches. */
const API = [
  {
    path: "/payments/subscription-plans",
    filters: [
      ["", 0.75],
      ["include_inactive=true", 1],
    ],
  },
  {
    path: "/payments/subscriptions",
    filters: [
      ["", 1],
      ["subscription_status=ACTIVE", 0.6],
      ["subscription_status=CANCELLED", 0.1],
    ],
  },
  {
    path: "/payments/invoices",
    filters: [
      ["", 1],
      ["status=PENDING", 0.25],
    ],
  },
  { path: "/payments/customers", filters: [["", 1]] },
  {
    path: "/payments/refunds",
    size: "limit",
    filters: [
      ["", 1],
      ["status=failed", 0.2],
    ],
  },
  {
    path: "/events",
    filters: [
      ["", 1],
      ["event_type=refund.completed", 1 / 3],
    ],
  },
  {
    path: "/payments/links",
    filters: [["", 1]],
  },
  {
    path: "/payments/disputes",
    filters: [
      ["", 0.01],
      ["status=under_review", 0.0025],
    ],
  },
  { path: "/payments/balance/entries", size: "limit", filters: [["", 1]] },
  {
    path: "/webhooks/deliveries",
    filters: [
      ["", 1],
      ["status=failed", 0.01],
    ],
  },
]

/** A row every ten seconds: partitions of that time, as a store would have had. */
const PARTITIONS = `
  SELECT gateway_partition_add(parent, at)
  FROM unnest(array['gateway_event', 'gateway_webhook_delivery', 'gateway_ledger_entry']) AS parent,
    generate_series(date_trunc('month', now() - $1 * interval '10 seconds', 'UTC'), now(), interval '1 month') AS at`

const daysAgo = (days) => new Date(Date.now() - days * 86_400_000).toISOString()
/** A hundred days ago: older than nearly all of a million rows. */
const OLD_DAY = `from=${daysAgo(101)}&to=${daysAgo(100)}`

/** The admin's lists: windows of 10,000 rows. */
const ADMIN = [
  { path: "/payments", filters: ["", "status=FAILED", "service=BKASH", "order=amount", "q=c7", "q=c7&status=FAILED"] },
  { path: "/plans", filters: ["", "status=archived", "order=-amount", "q=plan 7"] },
  { path: "/subscriptions", filters: ["", "status=PAST_DUE,ACTIVE", "status=CANCELLED", "q=c7"] },
  { path: "/invoices", filters: ["", "status=PENDING", "q=c7"] },
  { path: "/refunds", filters: ["", "status=failed"] },
  { path: "/payouts", filters: ["", "q=TT-7"] },
  { path: "/requests", filters: ["", "outcome=refused"] },
  { path: "/events", filters: ["", "event_type=refund.completed"] },
  { path: "/payment-links", filters: ["q=c7"] },
  { path: "/deliveries", filters: ["", "status=failed", OLD_DAY] },
  { path: "/audit", filters: ["", OLD_DAY] },
]
const WINDOW_ROWS = 10_000

export function readOptions(args) {
  const { values } = parseArgs({ args, options: OPTIONS })
  const [rows, requests] = [Number(values.rows), Number(values.requests)]
  if (!(rows >= 1_000) || !(requests >= 10)) {
    throw new Complaint("--rows must be at least 1000 and --requests at least 10.")
  }
  return { rows, requests, json: values.json }
}

/** Every page that is measured: `[{ name, page, url, headers, isAimed }]`. */
function pagesOf({ url, merchant, admin }, rows) {
  const api = API.flatMap(({ path, filters, size = "per_page" }) =>
    filters.flatMap(([filter, share]) => {
      const last = Math.ceil((rows * share) / PER_PAGE)
      return [
        ["first", 1],
        ["middle", Math.ceil(last / 2)],
        ["last", last],
      ].map(([name, page]) => ({
        name: `${path} ${filter}`.trim(),
        page: name,
        isAimed: true,
        url: `${url}/api/v2${path}?${filter}&page=${page}&${size}=${PER_PAGE}`,
        headers: { "X-Merchant-API-Key": merchant.key },
      }))
    })
  )
  const tenant = `merchant_id=${merchant.id}&environment=sandbox`
  const ofAdmin = ADMIN.flatMap(({ path, filters }) =>
    filters.flatMap((filter) =>
      [
        ["first", 0],
        ["middle", WINDOW_ROWS / 2],
        ["last", WINDOW_ROWS - PER_PAGE],
      ].map(([name, offset]) => ({
        name: `admin ${path} ${filter}`.trim(),
        page: name,
        url: `${url}/admin/gateway${path}?${tenant}&${filter}&limit=${PER_PAGE}&offset=${offset}`,
        headers: { Authorization: `Bearer ${admin}` },
      }))
    )
  )
  const overview = ["days=30", "days=365"].map((days) => {
    return {
      name: `admin /overview ${days}`,
      page: "",
      url: `${url}/admin/gateway/overview?${tenant}&${days}`,
      headers: { Authorization: `Bearer ${admin}` },
    }
  })
  const empty = [
    { name: "empty, front door", page: "", url: `${url}/health/live`, headers: {} },
    { name: "empty, Medusa's router", page: "", url: `${url}/bench/empty`, headers: {} },
  ]
  return [...empty, ...api, ...ofAdmin, ...overview]
}

async function timesOf({ url, headers }, count) {
  const times = []
  const end = performance.now() + PAGE_MS
  for (let index = -5; index < count; index++) {
    const start = performance.now()
    if (start > end && times.length >= LEAST_REQUESTS) {
      break
    }
    const response = await fetch(url, { headers })
    const text = await response.text()
    if (!response.ok) {
      throw new Complaint(`${url}: ${response.status} ${text.slice(0, 300)}`)
    }
    // The first requests warm up plans and caches.
    if (index >= 0) {
      times.push(performance.now() - start)
    }
  }
  return times.sort((left, right) => left - right)
}

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)]

/**
 * Fills the tables and measures every page. Returns the process's exit code.
 * @param server the store under load (bench.mjs)
 */
export async function measure(server, { rows, requests, json }) {
  const [merchant] = server.context.merchants
  const parts = { ...server, merchant, admin: await server.server.ask("admin") }
  say(`filling the tables with ${rows} rows each (a million take about ten minutes) ...`)
  await connected(parts.database, (client) => client.query(PARTITIONS, [rows]))
  const fill = (statements) =>
    connected(parts.database, (client) =>
      fillLists((text, values) => client.query(text, values), statements, parts.merchant.id, rows)
    )
  await Promise.all(LISTS_FILL.map(fill))
  await connected(parts.database, async (client) => {
    await client.query("VACUUM (ANALYZE)")
    await client.query("CHECKPOINT")
  })
  const figures = []
  for (const page of pagesOf(parts, rows)) {
    const times = await timesOf(page, requests)
    const figure = {
      name: page.name,
      page: page.page,
      isAimed: page.isAimed === true,
      p50: at(times, 0.5),
      p99: at(times, 0.99),
    }
    figures.push(figure)
    say(
      `${figure.name.padEnd(60)} ${figure.page.padEnd(7)} p50 ${figure.p50.toFixed(1)} ms, p99 ${figure.p99.toFixed(1)} ms`
    )
  }
  if (json) {
    writeFileSync(resolve(json), `${JSON.stringify({ machine: machine(), rows, requests, figures }, null, 2)}\n`)
  }
  const slow = figures.filter(({ isAimed, p99 }) => isAimed && p99 >= AIM_MS)
  say(
    slow.length === 0
      ? `every page of the lists of /api/v2: p99 under ${AIM_MS} ms`
      : `over ${AIM_MS} ms: ${slow.map(({ name, page }) => `${name} ${page}`).join("; ")}`
  )
  return slow.length === 0 ? 0 : 1
}
