import { join } from "node:path"
import { newMerchant } from "../support/api"
import { importModule } from "../support/import-module.cjs"
import { ROOT, useStore } from "../support/store"

type People = { ensureAdmin(container: unknown, admin: { email: string; password: string }): Promise<void> }

const ADMIN = { email: "admin@example.com", password: "a-password-of-the-tests" }
const store = useStore({
  prepare: async ({ container }) => {
    const { ensureAdmin } = await importModule<People>(join(ROOT, "scripts/demo/people.mjs"))
    await ensureAdmin(container, ADMIN)
  },
})

async function signIn(): Promise<Record<string, string>> {
  const response = await fetch(`${store.url}/auth/user/emailpass`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(ADMIN),
  })
  const { token } = (await response.json()) as { token: string }
  return { Authorization: `Bearer ${token}` }
}

async function paidCart(state: string): Promise<string> {
  const merchant = await newMerchant(store)
  const { session_id, transaction_id } = await merchant.open()
  await store.db("gateway_cart_completion").insert({
    id: `gcc_${transaction_id.slice(3)}`,
    transaction_id,
    session_id,
    merchant_id: merchant.id,
    environment: "sandbox",
    cart_id: "cart_of_the_test",
    payment_session_id: "payses_of_the_test",
    state,
    history: JSON.stringify([{ at: new Date(), what: "paid" }]),
  })
  return transaction_id
}

describe("GET /admin/gateway/paid-carts — the trace an admin can read", () => {
  it("refuses who is not signed in, and merchants' keys", async () => {
    const path = `${store.url}/admin/gateway/paid-carts`
    expect((await fetch(path)).status).toBe(401)
    const { key } = await newMerchant(store)
    expect((await fetch(path, { headers: { "X-Merchant-API-Key": key } })).status).toBe(401)
  })

  it("lists newest first, by state, by page, and says how many there are", async () => {
    const headers = await signIn()
    const [first, second] = [await paidCart("needs_attention"), await paidCart("ordered")]
    const list = async (query: string) => {
      const response = await fetch(`${store.url}/admin/gateway/paid-carts${query}`, { headers })
      return { status: response.status, body: (await response.json()) as { paid_carts: { transaction_id: string; history: unknown[] }[]; count: number } }
    }
    const ids = async (query: string) => (await list(query)).body.paid_carts.map(({ transaction_id }) => transaction_id)
    expect(await ids("")).toEqual([second, first])
    expect(await ids("?state=open")).toEqual([first])
    expect(await ids("?state=ordered")).toEqual([second])
    expect(await ids("?limit=1&offset=1")).toEqual([first])
    expect((await list("")).body).toMatchObject({ count: 2, paid_carts: [{ history: [{ what: "paid" }] }, {}] })
    for (const bad of ["?state=nope", "?limit=0", "?limit=101", "?limit=x", "?offset=-1"]) {
      expect([bad, (await list(bad)).status]).toEqual([bad, 400])
    }
  })
})
