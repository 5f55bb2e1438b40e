import { Database, type Sql } from "../../src/modules/gateway/kernel/database/database"
import { secretBoxOf } from "../../src/modules/gateway/kernel/options"
import { SEALED } from "../../src/modules/gateway/kernel/database/sealed-columns"
import { encryptKeptInstrument } from "../../src/modules/gateway/saved-methods/instrument-tokens"
import { Admin, prepareAdmin, signIn } from "../support/admin"
import { newMerchant, type ApiMerchant } from "../support/api"
import { blocked } from "../support/locks"
import { post, visit, type Visited } from "../support/pages"
import { useStore } from "../support/store"
import { oneTo, act, PORTAL_LIMITS, portalOf } from "../support/portal"
import { Subscriber } from "../support/subscriptions"

const store = useStore({ production: true, prepare: prepareAdmin, env: PORTAL_LIMITS })
let merchant: ApiMerchant
const { customer, instrumentOf } = portalOf(store, () => merchant)

beforeEach(async () => {
  merchant = await newMerchant(store)
})

describe("docs/decisions/18 — what a customer does in the portal", () => {
  it("pauses, resumes and cancels by the rules of the API, audited as the customer", async () => {
    const { subscriber, page } = await customer()
    const paused = await act(page, { action: "pause" })
    expect([paused.status, paused.location]).toEqual([303, expect.stringMatching(/\?done=paused$/)])
    expect(await subscriber.status()).toBe("PAUSED")
    expect((await visit(`${store.url}${paused.location}`)).text).toContain("The subscription is paused.")
    await act(page, { action: "resume" })
    expect(await subscriber.status()).toBe("ACTIVE")
    const asked = await visit(`${page}/cancel`)
    expect(asked.text).toMatch(/You can use it until \d+ \w+ \d{4}/)
    expect(await subscriber.status()).toBe("ACTIVE")
    expect((await post(`${page}/cancel`, asked, {})).location).toMatch(/\?done=cancelled$/)
    const ended = await subscriber.get()
    expect([ended.status, ended.cancel_at_period_end]).toEqual(["CANCELLED", true])
    expect((await visit(page)).text).toMatch(/Cancelled\. You can use it until/)
    expect((await subscriber.events()).slice(-3)).toEqual(["paused", "resumed", "cancelled"])
    const admin = new Admin(store, await signIn(store), merchant.id)
    const changes = await admin.changes(subscriber.uuid)
    const { email } = ended.customer
    expect(changes.slice(0, 3).map(({ action, actor }) => [action, actor.type, actor.name])).toEqual([
      ["subscription.cancelled", "customer", email],
      ["subscription.resumed", "customer", email],
      ["subscription.paused", "customer", email],
    ])
    expect((await admin.get("/audit?actor_type=customer")).body.audit_entries).toHaveLength(3)
  })

  it("docs/decisions/11: switches between the plans of a family, now and with the next period, and takes that back", async () => {
    const made = async (plan_name: string, amount: string, family: string) => {
      const terms = { plan_name, amount, family, interval_count: 1, interval_unit: "MONTH" }
      return (await merchant.call("POST", "/payments/subscription-plans", terms)).body as unknown as { id: number }
    }
    const [small, large, other] = [
      await made("Small <tea>", "500.00", "tea"),
      await made("Large", "1000.00", "tea"),
      await made("Coffee", "700.00", "coffee"),
    ]
    const { subscriber, page } = await customer({ subscription_plan_id: small.id, amount: undefined })
    expect((await visit(page)).text).toContain(`${new URL(page).pathname}/plan"`)
    const plans = (await visit(`${page}/plan`)).text
    expect([plans.includes("Large"), plans.includes("Coffee")]).toEqual([true, false])
    const cost = await visit(`${page}/plan?to=${large.id}`)
    expect(cost.text).toMatch(/Unused days of Small &lt;tea&gt;.*-৳500\.00/s)
    expect(cost.text).toContain("Switch now and pay ৳500.00")
    const stranger = await post(`${page}/plan`, cost, { to: String(other.id), when: "now" })
    expect([stranger.status, await subscriber.get()]).toMatchObject([409, { subscription_plan_id: small.id }])
    expect((await post(`${page}/plan`, cost, { to: String(large.id), when: "period_end" })).location).toMatch(
      /done=scheduled$/
    )
    expect((await visit(page)).text).toMatch(/From .*: Large, ৳1,000\.00 every month/)
    expect((await act(page, { action: "keep_plan" })).location).toMatch(/done=kept$/)
    const once = { to: String(large.id), when: "now" }
    await Promise.all([post(`${page}/plan`, cost, once), post(`${page}/plan`, cost, once)])
    expect(await subscriber.get()).toMatchObject({ subscription_plan_id: large.id, amount: "1000.00" })
    expect((await subscriber.charges()).map(({ amount_minor }) => amount_minor)).toEqual([50_000, 50_000])
    expect((await visit(`${page}/plan?to=${small.id}&lang=bn`)).text).toContain("এখনই বদলান, কিছু পরিশোধ করতে হবে না")
  })

  it("decisions: Quantity: several seats are shown with the price of one, and the plans are priced for as many", async () => {
    const made = async (plan_name: string, amount: string) => {
      const terms = { plan_name, amount, family: "seats", interval_count: 1, interval_unit: "MONTH" }
      return (await merchant.call("POST", "/payments/subscription-plans", terms)).body as unknown as { id: number }
    }
    const [team, pro] = [await made("Team", "500.00"), await made("Pro", "1000.00")]
    await made("Too dear for three", "200000.00")
    const { subscriber, page } = await customer({ subscription_plan_id: team.id, amount: undefined, quantity: 3 })
    expect((await visit(page)).text).toContain("৳1,500.00 every month · 3 × ৳500.00")
    const overview = page.replace(/\/subscriptions\/.*$/, "")
    expect((await visit(overview)).text).toContain("৳1,500.00 every month · 3 × ৳500.00")
    const plans = (await visit(`${page}/plan`)).text
    expect([plans.includes("Pro"), plans.includes("Too dear")]).toEqual([true, false])
    expect((await visit(`${page}/plan?lang=bn`)).text).toContain("৩ × ৳১,০০০.০০")
    const cost = await visit(`${page}/plan?to=${pro.id}`)
    expect(cost.text).toMatch(/Unused days of Team, [^<]* · × 3.*-৳1,500\.00/s)
    await post(`${page}/plan`, cost, { to: String(pro.id), when: "now", due: "150000" })
    expect(await subscriber.get()).toMatchObject({ quantity: 3, unit_amount: "1000.00", amount: "3000.00" })
    expect((await subscriber.charges()).map(({ amount_minor }) => amount_minor)).toEqual([150_000, 150_000])
  })

  it("decisions: One trial: who had the trial reads before paying that there is no further one", async () => {
    const tenant = { merchant_id: merchant.id, environment: "sandbox" } as const
    await store.gateway.merchants.configure(tenant, { one_trial_per_customer: "all" })
    const terms = {
      plan_name: "Tea",
      amount: "500.00",
      interval_count: 1,
      interval_unit: "MONTH",
      trial_period_days: 7,
    }
    const { id } = (await merchant.call("POST", "/payments/subscription-plans", terms)).body as unknown as {
      id: number
    }
    const plan = { subscription_plan_id: id, amount: undefined, interval_count: undefined, interval_unit: undefined }
    const { customer_id, url } = await customer(plan)
    const second = await Subscriber.create(merchant, { ...plan, customer: undefined, customer_id })
    const page = `${url}/subscriptions/${second.uuid}`
    expect((await visit(page)).text).toContain(
      "Each customer gets one trial, so there is no further one: ৳500.00 is due now."
    )
    expect((await visit(`${page}?lang=bn`)).text).toContain("তাই আর কোনো ট্রায়াল নেই: এখন ৳৫০০.০০ পরিশোধ করতে হবে।")
    await second.pay()
    expect((await visit(page)).text).not.toContain("no further one")
  })

  it("decisions: An end — says how many payments are made and when it ends, on its page, the overview and the invoice", async () => {
    const { subscriber, page } = await customer({ billing_cycles: 2 })
    const both = async (address: string) => [(await visit(address)).text, (await visit(`${address}?lang=bn`)).text]
    const [english, bangla] = await both(page)
    expect(english).toMatch(/Payments made: 1 of 2\. It ends on \d+ \w+ \d{4}\./)
    expect(bangla).toMatch(/২টির মধ্যে ১টি পেমেন্ট হয়েছে। শেষ হবে [০-৯]+/)
    await subscriber.pay()
    const [over, inBangla] = await both(page)
    expect(over).toMatch(/Everything is paid\. It ends on .*Payments made: 2 of 2\./s)
    expect(inBangla).toMatch(/সব পরিশোধ হয়েছে। শেষ হবে .*২টির মধ্যে ২টি পেমেন্ট হয়েছে।/s)
    const overview = (await visit(page.replace(/\/subscriptions\/.*/, ""))).text
    expect(overview).toContain("Payments made: 2 of 2.")
    expect(overview.match(/last payment/g)).toHaveLength(1)
    const asked = await visit(`${page}/cancel`)
    await post(`${page}/cancel`, asked, {})
    expect((await visit(page)).text).toMatch(/Nothing more is charged: it ends on .*, as before/)
  })

  it("docs/decisions/11: a cancellation takes a reason of the merchant's list and a note, and is undone until it takes effect", async () => {
    const admin = new Admin(store, await signIn(store), merchant.id)
    const { subscriber, page } = await customer()
    const standard = await visit(`${page}/cancel?lang=bn`)
    expect(standard.text).toContain('<option value="too_expensive">দাম বেশি</option>')
    await admin.post("/settings", { cancellation_reasons: ["Tea is <cold>", "Moving away"] })
    const asked = await visit(`${page}/cancel`)
    expect(asked.text).toContain('<option value="Tea is &lt;cold&gt;">Tea is &lt;cold&gt;</option>')
    await post(`${page}/cancel`, asked, { reason: "Moving away", note: ` ${"x".repeat(600)}` })
    expect(await subscriber.get()).toMatchObject({
      cancellation_reason: "Moving away",
      cancellation_note: "x".repeat(500),
    })
    expect((await visit(page)).text).toContain("Keep the subscription")
    const undone = await act(page, { action: "uncancel" })
    expect([undone.status, undone.location]).toEqual([303, expect.stringMatching(/\?done=uncancelled$/)])
    expect(await subscriber.get()).toMatchObject({
      status: "ACTIVE",
      cancellation_reason: null,
      cancellation_note: null,
    })
    expect((await post(page, await visit(page), { action: "uncancel" })).status).toBe(303)
    expect((await visit(page)).text).not.toContain("Keep the subscription")
    expect((await admin.changes(subscriber.uuid)).slice(0, 2).map(({ action, actor }) => [action, actor.type])).toEqual(
      [
        ["subscription.uncancelled", "customer"],
        ["subscription.cancelled", "customer"],
      ]
    )
    await post(`${page}/cancel`, await visit(`${page}/cancel`), {})
    const late = await visit(page)
    await merchant.advance(32 * 86_400)
    expect((await post(page, late, { action: "uncancel" })).status).toBe(409)
  })

  it("pressed twice at once it is done once, and says so both times", async () => {
    const { subscriber, page } = await customer()
    const visited = await visit(page)
    const answers = await Promise.all(oneTo(4).map(() => post(page, visited, { action: "pause" })))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303])
    expect((await subscriber.events()).filter((event) => event === "paused")).toHaveLength(1)
    const asked = await visit(`${page}/cancel`)
    const cancelled = await Promise.all(oneTo(3).map(() => post(`${page}/cancel`, asked, {})))
    expect(cancelled.map(({ status }) => status)).toEqual([303, 303, 303])
    expect((await subscriber.events()).filter((event) => event === "cancelled")).toHaveLength(1)
  })

  it("what the state forbids changes nothing, and is said on the page", async () => {
    const { subscriber, page } = await customer()
    for (const action of ["nonsense", "cancel"]) {
      const refused = await act(page, { action })
      expect([action, refused.status]).toEqual([action, 409])
      expect(refused.text).toContain("That is not possible at this moment.")
    }
    expect(await subscriber.status()).toBe("ACTIVE")
    const before = await visit(page)
    await act(`${page}/cancel`)
    for (const action of ["pause", "resume", "method"]) {
      expect([action, (await post(page, before, { action })).status]).toEqual([action, 409])
    }
    expect(await subscriber.status()).toBe("CANCELLED")
    expect((await fetch(`${page}/cancel`, { redirect: "manual" })).status).toBe(303)
  })

  it("takes no form of another site, of another link, or without its token", async () => {
    const { subscriber, url, page } = await customer()
    const { cookie, token } = await visit(page)
    const foreign = await fetch(page, {
      method: "POST",
      redirect: "manual",
      headers: { "Content-Type": "application/x-www-form-urlencoded", Cookie: cookie, "Sec-Fetch-Site": "cross-site" },
      body: new URLSearchParams({ csrf_token: token, action: "pause" }).toString(),
    })
    expect(foreign.status).toBe(403)
    const other = await visit((await customer()).url)
    for (const visited of [{ cookie: "", token }, { cookie, token: "x" }, other] as Pick<
      Visited,
      "cookie" | "token"
    >[]) {
      expect((await post(page, visited, { action: "pause" })).status).toBe(403)
      expect((await post(`${page}/cancel`, visited, {})).status).toBe(403)
      expect((await post(`${url}/sign-out`, visited, {})).status).toBe(403)
    }
    expect(await subscriber.status()).toBe("ACTIVE")
  })

  it("another customer's and another merchant's ids are unknown: nothing is shown, nothing is changed", async () => {
    const mine = await customer()
    const elsewhere = await newMerchant(store)
    for (const theirs of [await customer(), await customer({}, elsewhere)]) {
      const invoice = await store
        .db("gateway_invoice as i")
        .join("gateway_subscription as s", "s.id", "i.subscription_id")
        .where("s.uuid", theirs.subscriber.uuid)
        .first("i.uuid")
      const method = await instrumentOf(theirs.subscriber)
      const visited = await visit(mine.url)
      const { text } = visited
      expect([theirs.subscriber.uuid, invoice.uuid, method.uuid].filter((id) => text.includes(id))).toEqual([])
      const foreign = `${mine.url}/subscriptions/${theirs.subscriber.uuid}`
      const answers = [
        (await visit(foreign)).response.status,
        (await visit(`${foreign}/cancel`)).response.status,
        (await post(foreign, visited, { action: "pause" })).status,
        (await post(foreign, visited, { action: "method" })).status,
        (await post(`${foreign}/cancel`, visited, {})).status,
        (await visit(`${mine.url}/invoices/${invoice.uuid}/pdf`)).response.status,
      ]
      expect(answers).toEqual([404, 404, 404, 404, 404, 404])
      expect((await post(`${mine.url}/methods/${method.uuid}`, visited, {})).status).toBe(303)
      expect(await theirs.subscriber.status()).toBe("ACTIVE")
      expect((await instrumentOf(theirs.subscriber)).token).not.toBeNull()
    }
  })

  it("a payment method that is being removed is not taken for a new payment: what is entered again is kept anew", async () => {
    const { subscriber } = await customer()
    const { id, token } = await instrumentOf(subscriber)
    const { session_id } = await store.db("gateway_transaction").where({ merchant_id: merchant.id }).first()
    const record = await store.gateway.transactions.bySession(session_id)
    const { customer_id } = await store.db("gateway_instrument").where({ id }).first()
    const box = secretBoxOf(store.gateway.options)
    const kept = { token: box.open(token, SEALED.instrumentToken, id) }
    const kept_instrument = encryptKeptInstrument(box, kept, record.transaction_id)
    const payment = { ...record, kept_instrument, attempt_instrument_id: null }
    const keeping = (sql: Sql) => store.gateway.instruments.keep(sql, { ...record, customer_id }, payment, new Date())
    expect(await new Database(store.db).transaction(keeping)).toBe(id)

    const removing = await store.db.transaction()
    await removing("gateway_instrument").where({ id }).update({ removed_at: new Date(), forget_at: new Date() })
    const again = new Database(store.db).transaction(keeping)
    await blocked(store, 1)
    await removing.commit()
    expect(await again).not.toBe(id)
  })

  it("a payment method that a subscription uses stays; afterwards it can be removed, once, and is forgotten", async () => {
    const { subscriber, url, page } = await customer()
    const { id, uuid } = await instrumentOf(subscriber)
    const method = `${url}/methods/${uuid}`
    expect((await visit(method)).response.status).toBe(409)
    const refused = await post(method, await visit(page), {})
    expect([refused.status, refused.text.includes("A subscription is charged to this payment method")]).toEqual([
      409,
      true,
    ])
    await act(`${page}/cancel`)
    const asked = await visit(method)
    expect([asked.response.status, asked.text.includes("Remove Visa ending in 4242?")]).toEqual([200, true])
    const answers = await Promise.all(oneTo(3).map(() => post(method, asked, {})))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    // While another request holds the row, forgetting is left to the task.
    await store.gateway.forgetting.run()
    const gone = await store.db("gateway_instrument").where({ id }).first()
    expect([gone.removed_at === null, gone.token]).toEqual([false, null])
    expect((await visit(url)).text).not.toContain(`/methods/${uuid}`)
    const admin = new Admin(store, await signIn(store), merchant.id)
    expect((await admin.changes(uuid)).map(({ action, actor }) => [action, actor.type])).toEqual([
      ["payment_method.removed", "customer"],
    ])
    // Who has taken it away is not charged with it again (docs/decisions/11).
    expect((await act(page, { action: "uncancel" })).status).toBe(303)
    expect(await store.db("gateway_subscription").where({ uuid: subscriber.uuid }).first()).toMatchObject({
      status: "ACTIVE",
      instrument_id: null,
    })
    expect((await visit(page)).text).toContain("each payment comes as an invoice")
  })
})
