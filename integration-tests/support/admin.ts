import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { ApiMerchant } from "./api"
import { ROOT, type Store } from "./store"

export const ADMIN = { email: "admin@example.com", password: "a-password-of-the-tests" }

/** For `useStore`: an admin who can sign in; there already, where files share a store. */
export async function prepareAdmin(store: Store): Promise<void> {
  if (!(await store.db("user").where({ email: ADMIN.email }).first())) {
    await registerAdmin(store, ADMIN)
  }
}

/** Creates an admin who can sign in, as Medusa's createUserAccountWorkflow does, without its container. */
export async function registerAdmin({ url, db }: Store, admin: typeof ADMIN): Promise<void> {
  const response = await fetch(`${url}/auth/user/emailpass/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(admin),
  })
  if (!response.ok) {
    throw new Error(`the admin could not be registered: ${response.status} ${await response.text()}`)
  }
  const user_id = `user_${randomBytes(10).toString("hex")}`
  await db("user").insert({ id: user_id, email: admin.email, first_name: "Demo", last_name: "Admin" })
  const identities = db("provider_identity").where({ entity_id: admin.email }).select("auth_identity_id")
  await db("auth_identity").whereIn("id", identities).update({ app_metadata: { user_id } })
}

export async function signIn(store: Store, admin = ADMIN): Promise<Record<string, string>> {
  const response = await fetch(`${store.url}/auth/user/emailpass`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(admin),
  })
  const { token } = (await response.json()) as { token: string }
  return { Authorization: `Bearer ${token}` }
}

/** The cookie of Medusa's session for somebody who is signed in by a bearer token. */
export async function cookieOf(store: Store, authorization: Record<string, string>): Promise<string> {
  const response = await fetch(`${store.url}/auth/session`, { method: "POST", headers: authorization })
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ")
}

/** Signs the file's admin in before its first test. The answer makes an admin of a merchant's sandbox. */
export function useAdminOf(store: Store): (merchant: ApiMerchant) => Admin {
  let headers: Record<string, string>
  beforeAll(async () => {
    headers = await signIn(store)
  })
  return ({ id }) => new Admin(store, headers, id)
}

/** All admin routes of the file system, so that a new route is tested without being listed here. */
export function adminRoutes(): { method: string; path: string }[] {
  const folder = join(ROOT, "src/api/admin/gateway")
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(^|\/)route\.ts$/.test(file)
  )
  return files.flatMap((file) => {
    const methods = readFileSync(join(folder, file), "utf8").matchAll(
      /export (?:const|async function|function) (GET|POST|PATCH|PUT|DELETE)\b/g
    )
    const path = file.replace(/\/?route\.ts$/, "")
    return [...methods].map(([, method]) => ({ method, path: path === "" ? "" : `/${path}` }))
  })
}

/** A route's path with an id in place of its parameters. */
export const filled = (path: string, id = "an-id") => path.replace(/\[[^\]]+\]/g, id)

export type Row = Record<string, unknown> & { id: string }
export const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
type Change = {
  action: string
  actor: { type: string; id: string; name: string | null }
  changes: Record<string, { from: unknown; to: unknown }>
  plan_names: Record<string, string>
  actor_names: Record<string, string>
  address: string | null
  request_id: string | null
}

interface OverviewBody {
  from: string
  to: string
  payments: Record<string, unknown>
  payments_before: Record<string, unknown>
  methods: Record<string, unknown>[]
  refunds: Record<string, unknown>
  balance: Record<string, unknown>
  balance_change: Record<string, unknown>
  subscriptions: Record<string, unknown>
  acquirers: Record<string, unknown>[]
  attention: Record<string, number>
  days: (Record<string, unknown> & { date: string })[]
}

/** The members of a response that tests read; the operation determines which exist. */
export interface AdminBody {
  message: string
  code: string
  field?: string
  details?: { field: string; message: string }[]
  details_omitted?: number
  count: number
  count_is_exact: boolean
  totals: Row[]
  key: string
  secret: string
  redelivered: number
  default_merchant_id: string
  readable_areas: string[]
  changeable_areas: string[]
  deletable_areas: string[]
  api_key: Row
  api_keys: Row[]
  webhook: Row
  webhooks: Row[]
  event: Row & { body: Record<string, unknown> }
  events: Row[]
  delivery: Row & { body: Record<string, unknown>; log: Record<string, unknown>[] }
  deliveries: Row[]
  requests: (Row & { duration_ms: number })[]
  audit_entries: Change[]
  clock: { now: string; offset_seconds: number; processed: Record<string, number> }
  merchant: Row
  settings: Record<string, unknown>
  refund: Row
  refunds: Row[]
  refund_batch: Row & { finished: boolean; progress: Record<string, number>; refunds: Record<string, unknown>[] }
  payout: Row
  payouts: Row[]
  cash_order: Row & { collections: Row[] }
  cash_orders: Row[]
  cash: Row & { districts: { district: string; refused: number; ended: number }[] }
  cash_settings: Record<string, unknown>
  outcomes: { outcome: string }[]
  payment_link: Row
  payment_links: Row[]
  dispute: Row & { files: Row[]; history: { action: string }[] }
  disputes: Row[]
  refund_proposals: Row[]
  plan: Row & { number: number }
  plans: (Row & { plan_name: string })[]
  subscription: Row & { number: number }
  subscriptions: Row[]
  billing_records: Row[]
  variant_plans: { variant_id: string; variant: object | null; plan: object | null }[]
  invoice: Row
  invoices: Row[]
  outcome: string
  overview: OverviewBody
  balances: Record<string, unknown>[]
  entries: Row[]
  payment_service: Record<string, unknown>
  payment_services: Record<string, unknown>[]
  payment: Row & { timeline: (Record<string, unknown> & { type: string; deliveries: Record<string, unknown>[] })[] }
  payments: (Row & { timeline: unknown[] })[]
  paid_carts: (Row & { transaction_id: string; history: { kind: string; message: string }[] })[]
  emi_configuration: Row & { revision: number; archived_at: string | null }
  emi_configurations: Row[]
  ipn_secret: { secret: string; previous_secret_until: string | null }
  test_delivery: Record<string, unknown>
}
export type AdminAnswer = { status: number; body: AdminBody; text: string }

/** An admin of one merchant and environment, over HTTP. */
export class Admin {
  constructor(
    private readonly store: Store,
    readonly headers: Record<string, string>,
    readonly merchant_id: string | null,
    readonly environment: "sandbox" | "production" = "sandbox"
  ) {}

  async call(method: string, path: string, body?: unknown): Promise<AdminAnswer> {
    const url = new URL(`/admin/gateway${path}`, this.store.url)
    if (this.merchant_id !== null) {
      url.searchParams.set("merchant_id", this.merchant_id)
      url.searchParams.set("environment", this.environment)
    }
    const response = await fetch(url, {
      method,
      headers: { ...this.headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    const isJson = response.headers.get("content-type")?.includes("json")
    return { status: response.status, body: (isJson ? JSON.parse(text) : {}) as AdminBody, text }
  }

  /** What Medusa's search of the whole admin answers. */
  async search(query: string): Promise<{ entity: string; count: number; data: Row[] }[]> {
    const response = await fetch(`${this.store.url}/admin/search?${query}`, { headers: this.headers })
    return ((await response.json()) as { results: { entity: string; count: number; data: Row[] }[] }).results
  }

  get(path: string): Promise<AdminAnswer> {
    return this.call("GET", path)
  }

  post(path: string, body: unknown = {}): Promise<AdminAnswer> {
    return this.call("POST", path, body)
  }

  delete(path: string): Promise<AdminAnswer> {
    return this.call("DELETE", path)
  }

  /** The same admin for another merchant or environment. */
  at(merchant_id: string | null, environment = this.environment): Admin {
    return new Admin(this.store, this.headers, merchant_id, environment)
  }

  /** The audit log's entries about a thing, or about everything: newest first. */
  async changes(resource_id?: string): Promise<Change[]> {
    const { body } = await this.get(`/audit?limit=100${resource_id === undefined ? "" : `&q=${resource_id}`}`)
    return body.audit_entries
  }
}
