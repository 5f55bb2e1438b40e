import { Database, type Sql } from "../../src/modules/gateway/kernel/database/database"
import { takeVerifiedMethod } from "../../src/modules/gateway/subscriptions/verification"
import { Admin, prepareAdmin, signIn } from "../support/admin"
import { newMerchant, type ApiMerchant } from "../support/api"
import { expectLoggedErrors } from "../support/logged-errors"
import { CARD, expectOwnPage, post, visit } from "../support/pages"
import { useStore } from "../support/store"
import { DAY, Subscriber } from "../support/subscriptions"
import { oneTo, act, BACK, PORTAL_LIMITS, portalOf } from "../support/portal"

const store = useStore({ production: true, prepare: prepareAdmin, env: PORTAL_LIMITS })
expectLoggedErrors(/return of a verification .* is given up/)
let merchant: ApiMerchant
const { link, customer, moneyOf, instrumentOf } = portalOf(store, () => merchant)

beforeEach(async () => {
  merchant = await newMerchant(store)
})

const MASTERCARD = { ...CARD, card_number: "5555 5555 5555 4444" }

describe("docs/decisions/18 — changing a subscription's payment method", () => {
  /** Presses the button; answers the checkout's page, and the cookie that leads back. */
  async function begin(page: string) {
    const { cookie, token } = await visit(page)
    const response = await fetch(page, {
      method: "POST",
      redirect: "manual",
      headers: { "Content-Type": "application/x-www-form-urlencoded", Cookie: cookie, "Sec-Fetch-Site": "same-origin" },
      body: new URLSearchParams({ csrf_token: token, action: "method" }).toString(),
    })
    const location = response.headers.get("location") ?? ""
    const [, session_id = ""] = /^\/pay\/(ses_[A-Za-z0-9_-]+)$/.exec(location) ?? []
    return { status: response.status, session_id, cookies: response.headers.getSetCookie() }
  }
  const pay = async (session_id: string, fields: Record<string, string> = MASTERCARD) => {
    const page = `${store.url}/pay/${session_id}`
    return post(page, await visit(page), fields)
  }
  const comeBack = async (location: string, cookies: readonly string[]) => {
    const cookie = cookies.map((line) => line.split(";")[0]).join("; ")
    return fetch(location, { redirect: "manual", headers: { Cookie: cookie } })
  }

  it("costs nothing: the page says so, the smallest amount is given back at once, and nothing is charged twice", async () => {
    const { subscriber, url, page } = await customer()
    await store.gateway.merchants.configure({ merchant_id: merchant.id, environment: "sandbox" }, { receipts: true })
    const before = await subscriber.get()
    const old = await instrumentOf(subscriber)
    expect((await visit(page)).text).toContain("This costs nothing. To check the new method, ৳100.00 is taken")
    const { status, session_id, cookies } = await begin(page)
    expect(status).toBe(303)
    expect(cookies).toEqual([
      `gateway_portal=${url.split("/").at(-1)}; Max-Age=3600; Path=/portal/return; HttpOnly; SameSite=Lax`,
    ])
    const stored = await store.db("gateway_checkout_session").where({ id: session_id }).first()
    expect([stored.source, stored.subscription_period, stored.success_url]).toEqual([
      "verification",
      null,
      `${store.url}/portal/return`,
    ])
    const shown = (await visit(`${store.url}/pay/${session_id}`)).text
    expect(shown).toContain(
      "This costs nothing: ৳100.00 is taken to check the new payment method, and given back at once."
    )
    expect(shown).toContain("Check and save, ৳100.00 given back")
    expect((await visit(`${store.url}/pay/${session_id}?lang=bn`)).text).toContain(
      "এতে কোনো খরচ নেই: নতুন পেমেন্টের পদ্ধতি"
    )
    const paid = await pay(session_id)
    expect(paid.status).toBe(303)
    const { id, shown: money, refunds } = await moneyOf(session_id)
    expect(money).toEqual({
      state: "REFUNDED",
      amount_minor: 10_000,
      refunded_minor: 10_000,
      charge_minor: 0,
      return_due_at: null,
    })
    expect(refunds).toEqual([["completed", 10_000]])
    // Nothing was bought: neither a receipt nor a refund's e-mail.
    expect(await store.db("gateway_receipt").where({ transaction_id: id })).toEqual([])
    const after = await subscriber.get()
    expect(after).toEqual(before)
    const changed = await instrumentOf(subscriber)
    expect([changed.last_four, changed.id === old.id]).toEqual(["4444", false])
    expect((await store.db("gateway_instrument").where({ id: old.id }).first()).token).toBeNull()
    const balance = (await merchant.call("GET", "/payments/balance")).body.data as unknown as { available: string }
    await store.gateway.verificationReturns.run()
    expect((await merchant.call("GET", "/payments/balance")).body.data).toEqual(balance)
    expect(await merchant.book(id)).toMatchObject([{ outcome: "SUCCESS", amount_minor: 10_000 }])

    const back = await comeBack(paid.location, cookies)
    expect([back.status, `${store.url}${back.headers.get("location")}`]).toEqual([303, `${url}?done=changed`])
    const { text } = await visit(`${url}?done=changed`)
    expect(text).toContain("charged to the new payment method from now on")
    expect(text).toContain("Mastercard ending in 4444")
    expect(text).toContain("Check of a payment method")
    const admin = new Admin(store, await signIn(store), merchant.id)
    const [entry] = await admin.changes(subscriber.uuid)
    expect([entry.action, entry.actor.type, entry.changes.last_four]).toEqual([
      "subscription.payment_method_changed",
      "customer",
      { from: "4242", to: "4444" },
    ])
  })

  it("the next renewal is charged to the new method, the usual amount on the usual day", async () => {
    const { subscriber, page } = await customer()
    const { next_billing_date } = await subscriber.get()
    await pay((await begin(page)).session_id)
    await merchant.advance(32 * DAY)
    const history = await subscriber.history()
    expect(history.map(({ status, amount }) => [status, amount])).toEqual([
      ["SUCCESS", "500.00"],
      ["SUCCESS", "500.00"],
    ])
    expect(history[1].billing_date).toBe(next_billing_date)
    const { instrument } = await store.db("gateway_transaction").where({ id: history[1].transaction_id }).first()
    expect(instrument).toMatchObject({ last_four: "4444" })
  })

  it("declined (the card decides, although 100.00 succeeds elsewhere) or cancelled, the old method stays; a checkout is made once", async () => {
    const { subscriber, url, page } = await customer()
    const [one, two] = [await begin(page), await begin(page)]
    expect(two.session_id).toBe(one.session_id)
    const declined = await pay(one.session_id, { ...CARD, card_number: "4000 0000 0000 0002" })
    expect([declined.location, (await instrumentOf(subscriber)).last_four]).toEqual([
      `${store.url}/pay/${one.session_id}`,
      "4242",
    ])
    const checkout = `${store.url}/pay/${one.session_id}`
    const left = await post(`${checkout}/cancel`, await visit(checkout), {})
    const back = await comeBack(left.location, one.cookies)
    expect(`${store.url}${back.headers.get("location")}`).toBe(`${url}?done=unchanged`)
    expect((await visit(`${url}?done=unchanged`)).text).toContain("The payment method has not changed.")
    expect((await moneyOf(one.session_id)).refunds).toEqual([])
  })

  it("paid twice at once it takes and gives back the money once; a lost job is made up for by the schedule", async () => {
    const { subscriber, page } = await customer()
    const { session_id } = await begin(page)
    const checkout = `${store.url}/pay/${session_id}`
    const visited = await visit(checkout)
    await Promise.all(oneTo(3).map(() => post(checkout, visited, MASTERCARD)))
    await store.gateway.verificationReturns.run()
    const { shown, refunds } = await moneyOf(session_id)
    expect([shown.state, refunds]).toEqual(["REFUNDED", [["completed", 10_000]]])
    expect((await instrumentOf(subscriber)).last_four).toBe("4444")
    await store
      .db("gateway_transaction")
      .where({ session_id })
      .update({ return_due_at: new Date(0) })
    await Promise.all(oneTo(3).map(() => store.gateway.verificationReturns.run()))
    expect((await moneyOf(session_id)).refunds).toEqual([["completed", 10_000]])
  })

  it("a refund that fails is followed by another; after the last one an admin sees it, and gives the money back", async () => {
    const { page } = await customer()
    const { session_id } = await begin(page)
    await pay(session_id, { ...CARD, card_number: "4000 0000 0000 5126" })
    const { id } = await moneyOf(session_id)
    const transaction = () => store.db("gateway_transaction").where({ id }).first()
    expect(await transaction()).toMatchObject({ state: "SUCCESS", return_count: 1, return_due_at: expect.any(Date) })
    const again = async () => {
      await store
        .db("gateway_transaction")
        .where({ id })
        .update({ return_due_at: new Date(0) })
      await Promise.all(oneTo(3).map(() => store.gateway.verificationReturns.run()))
    }
    const admin = new Admin(store, await signIn(store), merchant.id)
    const waiting = async () => {
      const { unreturned_verifications, failed_refunds } = (await admin.get("/overview")).body.overview.attention
      return unreturned_verifications + failed_refunds
    }
    for (const count of [2, 3, 4, 5, 6]) {
      await again()
      expect((await transaction()).return_count).toBe(count)
    }
    expect([(await transaction()).return_due_at, await waiting()]).toEqual([expect.any(Date), 0])
    await again()
    expect(await transaction()).toMatchObject({ state: "SUCCESS", return_count: 7, return_due_at: null })
    expect([(await moneyOf(session_id)).refunds.length, await waiting()]).toEqual([7, 1])
    const listed = (await admin.get("/payments?attention=unreturned")).body.payments as { id: string }[]
    expect(listed.map((payment) => payment.id)).toEqual([id])
    // The bank takes refunds again.
    await store.db("gateway_sandbox_operation").where({ kind: "charge" }).update({ refund_behaviour: "standard" })
    expect((await admin.post(`/refunds`, { transaction_id: id, refund_reason: "by hand" })).status).toBe(200)
    expect([(await transaction()).state, await waiting()]).toEqual(["REFUNDED", 0])
  })

  it("of a subscription that has ended meanwhile is refused: nothing is taken, and nothing changes", async () => {
    const { subscriber, page } = await customer()
    const { session_id } = await begin(page)
    await subscriber.call("POST", "/cancel", { cancel_at_period_end: false })
    const refused = await pay(session_id)
    expect(refused.status).toBe(409)
    expect((await moneyOf(session_id)).refunds).toEqual([])
    expect((await instrumentOf(subscriber)).last_four).toBe("4242")
  })

  it("a subscription that is being charged, or has ended meanwhile, keeps its method", async () => {
    const { subscriber, page } = await customer()
    const { session_id } = await begin(page)
    const charge = (lock_token: string | null) =>
      store
        .db("gateway_subscription")
        .where({ uuid: subscriber.uuid })
        .update({ lock_token, locked_until: lock_token && new Date(Date.now() + 60_000) })
    await charge("a-worker")
    expect((await pay(session_id)).status).toBe(409)
    const record = await store.gateway.transactions.bySession(session_id)
    const settle = (before: (sql: Sql) => Promise<void>) =>
      new Database(store.db).transaction(async (sql) => {
        await before(sql)
        await takeVerifiedMethod(sql, store.gateway.instruments, record, new Date())
        const [row] = await sql.query<{ due: boolean }>(
          "SELECT return_due_at IS NOT NULL AS due FROM gateway_transaction WHERE session_id = $1",
          [session_id]
        )
        throw new Error(`rolled back, due: ${row.due}`)
      })
    await expect(settle(async () => undefined)).rejects.toMatchObject({ code: "INVALID_STATE_TRANSITION" })
    await charge(null)
    // One that has ended in between keeps nothing, and its money is due to go back.
    const end = (sql: Sql) =>
      sql.query("UPDATE gateway_subscription SET status = 'CANCELLED' WHERE uuid = $1", [subscriber.uuid])
    await expect(settle(async (sql) => void (await end(sql)))).rejects.toThrow("rolled back, due: true")
    expect((await instrumentOf(subscriber)).last_four).toBe("4242")
    await pay(session_id)
    expect([(await instrumentOf(subscriber)).last_four, (await moneyOf(session_id)).shown.state]).toEqual([
      "4444",
      "REFUNDED",
    ])
  })

  it("while a period is owed, the payment of that period changes it, and the page says what it costs", async () => {
    const subscriber = await Subscriber.create(merchant)
    const { customer_id } = await subscriber.get()
    const { url } = await link(customer_id)
    const page = `${url}/subscriptions/${subscriber.uuid}`
    expect((await visit(page)).text).toContain("You pay the ৳500.00 that is due.")
    const { session_id } = await begin(page)
    expect((await begin(page)).session_id).toBe(session_id)
    await pay(session_id)
    expect(await subscriber.status()).toBe("ACTIVE")
    const { shown, refunds } = await moneyOf(session_id)
    expect([shown.state, shown.amount_minor, refunds]).toEqual(["SUCCESS", 50_000, []])
  })

  it("asked twice, it is one checkout of one offer, also where nobody has named a page to lead back to", async () => {
    const subscriber = await Subscriber.create(merchant)
    const scope = { merchant_id: merchant.id, environment: "sandbox" as const, now: new Date() }
    const open = async (success_url?: string) =>
      (await store.gateway.methodChanges.open(scope, subscriber.uuid, { success_url }, { publicUrl: store.url }))
        .session_id
    const owed = await open()
    expect([await open(), await open(BACK)]).toEqual([owed, expect.not.stringMatching(owed)])
    await subscriber.call("PATCH", "", { interval_unit: "YEAR" })
    const yearly = await open()
    expect([yearly === owed, await open()]).toEqual([false, yearly])
    await pay(yearly)
    const verifying = await open()
    expect([verifying === yearly, await open()]).toEqual([false, verifying])
  })

  it("is refused in plain words by a merchant that may take no payments", async () => {
    const { page } = await customer()
    await store.gateway.merchants.update(merchant.id, { status: "suspended" })
    const refused = await act(page, { action: "method" })
    expect([refused.status, refused.text.includes("cannot take a new payment method now")]).toEqual([409, true])
  })

  it("a browser without the cookie is asked to open its link again, and a made-up one opens nothing", async () => {
    const bare = await fetch(`${store.url}/portal/return?status=SUCCESS`, { redirect: "manual" })
    const text = await bare.text()
    expectOwnPage(bare, text)
    expect([bare.status, text.includes("Please open your link again")]).toEqual([200, true])
    const forged = await comeBack(`${store.url}/portal/return?status=SUCCESS`, ["gateway_portal=//evil.example"])
    expect([forged.status, forged.headers.get("location")]).toEqual([200, null])
  })
})
