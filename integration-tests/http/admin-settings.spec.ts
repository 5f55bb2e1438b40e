import { CUSTOMER, newMerchant, orderId, type ApiMerchant } from "../support/api"
import { Admin, type AdminAnswer, prepareAdmin, useAdminOf } from "../support/admin"
import { useStore } from "../support/store"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

/** One pixel, PNG. */
const LOGO = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg=="

describe("settings", () => {
  it("single services are switched, and the others stay as they are; what is no service is named", async () => {
    const servicesOf = ({ body }: AdminAnswer) => [...(body.settings.services as string[])].sort()
    expect(servicesOf(await admin.post("/settings", { service_changes: { emi: false } }))).toEqual([
      "checkout",
      "refunds",
      "subscriptions",
    ])
    const both = { service_changes: { emi: true, refunds: false } }
    expect(servicesOf(await admin.post("/settings", both))).toEqual(["checkout", "emi", "subscriptions"])
    expect((await admin.changes(merchant.id))[0].changes).toMatchObject({
      services: { to: ["checkout", "emi", "subscriptions"] },
    })
    for (const wrong of [{ loans: true }, { emi: "perhaps" }, "emi"]) {
      expect(await admin.post("/settings", { service_changes: wrong })).toMatchObject({ status: 422 })
    }
    expect((await admin.post("/settings", { service_changes: { loans: true } })).body.message).toMatch(
      /service_changes .*checkout, emi, subscriptions, refunds/
    )
    expect(servicesOf(await admin.get("/settings"))).toEqual(["checkout", "emi", "subscriptions"])
  })

  it("the pages learn whether anything can be paid, for each merchant, and how far its clock is ahead", async () => {
    await merchant.call("POST", "/sandbox/clock", { advance_seconds: 86_400 })
    expect((await admin.get("/tenant")).body).toEqual({
      has_acquirer: true,
      offset_seconds: expect.closeTo(86_400, -1) as number,
    })
    const live = new Admin(store, admin.headers, merchant.id, "production")
    expect((await live.get("/tenant")).body).toEqual({ has_acquirer: false, offset_seconds: 0 })
  })

  it("profile and business verification are changed by admins, from what to what is kept", async () => {
    await admin.post(`/merchants/${merchant.id}`, { name: "Shapla Ltd", email: "office@shapla.example" })
    const { body } = await admin.post(`/merchants/${merchant.id}`, { verification_status: "approved", email: "" })
    expect(body.merchant).toMatchObject({ name: "Shapla Ltd", email: null, verification_status: "approved" })
    expect((await admin.changes(merchant.id))[0].changes).toEqual({
      email: { from: "office@shapla.example", to: null },
      verification_status: { from: "unverified", to: "approved" },
    })
    expect(await admin.post(`/merchants/${merchant.id}`, { email: "no address" })).toMatchObject({
      status: 422,
      body: { code: "INVALID_EMAIL", field: "email" },
    })
    expect(await admin.post(`/merchants/${merchant.id}`, { status: "gone" })).toMatchObject({
      status: 422,
      body: { field: "status" },
    })
    expect(await admin.post("/merchants/mer_nobody", { name: "x" })).toMatchObject({ status: 404 })
    expect((await admin.post("/merchants", { name: "A second business" })).body.merchant).toMatchObject({
      name: "A second business",
      status: "active",
    })
  })

  it("docs/decisions/15 — how shoppers see the merchant is changed, with its trace, and every limit is named", async () => {
    const shown = {
      name_bn: "শাপলা",
      legal_name: "Shapla Crafts Limited",
      address: "House 12, Road 5\nDhaka 1205",
      bin: "001234567-0101",
      support_email: "help@shapla.example",
      support_phone: "+880 1712-345678",
      support_url: "https://shapla.example/help",
      brand_color: "#0B3D91",
    }
    const path = `/merchants/${merchant.id}`
    // decisions: Digits
    const typed = { ...shown, bin: "০০১২৩৪৫৬৭-০১০১", support_phone: "+৮৮০ ১৭১২-৩৪৫৬৭৮" }
    expect((await admin.post(`${path}/profile`, typed)).body).toEqual({
      profile: { ...shown, brand_color: "#0b3d91", logo_url: null },
    })
    expect((await admin.changes(merchant.id))[0].changes).toMatchObject({
      name_bn: { from: null, to: "শাপলা" },
      bin: { from: null, to: "001234567-0101" },
      address: { from: null, to: shown.address },
    })
    await admin.post(`${path}/profile`, { bin: "" })
    expect((await admin.get(path)).body.merchant.profile).toMatchObject({ bin: null, legal_name: shown.legal_name })
    const wrong: [Record<string, unknown>, string][] = [
      [{ legal_name: "x".repeat(201) }, "legal_name must be at most 200 characters long"],
      [{ address: "1\n2\n3\n4\n5\n6" }, "address must have at most 5 lines"],
      [{ bin: "12" }, "bin must be a BIN of 9 or 13 digits, like 001234567-0101"],
      [{ support_email: "nobody" }, "support_email must be a valid e-mail address"],
      [{ support_phone: "call us" }, "support_phone must be 3 to 25 digits, spaces, brackets, + or -"],
      [{ support_url: "javascript:alert(1)" }, "support_url must be an absolute https URL"],
      [{ brand_color: "red" }, "brand_color must be a colour like #00634a"],
    ]
    for (const [change, message] of wrong) {
      const answer = await admin.post(`${path}/profile`, change)
      expect([answer.status, answer.body.field, answer.body.message]).toEqual([422, Object.keys(change)[0], message])
    }
    expect((await admin.post("/merchants/mer_nobody/profile", {})).status).toBe(404)
  })

  it("docs/decisions/15 — a logo is known by its content, has an address for ever, and is on the payment page", async () => {
    const path = `/merchants/${merchant.id}/logo`
    const refused = async (content: Buffer) => {
      const { status, body } = await admin.post(path, { content: content.toString("base64") })
      return [status, body.field, body.message]
    }
    expect(
      await refused(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"))
    ).toEqual([422, "logo", "logo must be a PNG (8 bits, not interlaced), JPEG or WebP image"])
    expect(await refused(Buffer.alloc(262_145))).toEqual([422, "logo", "logo must be at most 256 kB large"])
    const set = await admin.post(path, { content: LOGO })
    const { logo_url } = (set.body as unknown as { profile: { logo_url: string } }).profile
    expect(logo_url).toMatch(/^\/pay\/logo\/[0-9a-f]{64}\.png$/)
    const file = await fetch(`${store.url}${logo_url}`)
    expect([
      file.status,
      ...["content-type", "cache-control", "x-content-type-options"].map((name) => file.headers.get(name)),
    ]).toEqual([200, "image/png", "public, max-age=31536000, immutable", "nosniff"])
    expect(Buffer.from(await file.arrayBuffer()).toString("base64")).toBe(LOGO)
    await admin.post(`/merchants/${merchant.id}/profile`, {
      brand_color: "#ffd400",
      support_email: "help@shapla.example",
    })
    const { session_id } = await merchant.open()
    const page = await (await fetch(`${store.url}/pay/${session_id}`)).text()
    expect(page).toContain(`<img class="logo" src="${logo_url}"`)
    expect(page).toContain("help@shapla.example")
    const [styles] = /\/pay\/assets\/brand-ffd400\.[0-9a-f]{16}\.css/.exec(page) ?? []
    const css = await fetch(`${store.url}${styles}`)
    expect([css.status, css.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"])
    await admin.delete(path)
    expect(await (await fetch(`${store.url}/pay/${session_id}`)).text()).not.toContain("/pay/logo/")
    expect((await fetch(`${store.url}${logo_url}`)).status).toBe(200)
    expect((await fetch(`${store.url}/pay/logo/${"0".repeat(64)}.png`)).status).toBe(404)
  })

  it("services, addresses, callback defaults and the rate limit are changed and taken away", async () => {
    const set = {
      services: ["refunds"],
      ip_allow_list: ["203.0.113.7"],
      success_url: "https://shop.example.com/ok",
      rate_limit_requests: 100,
    }
    expect((await admin.post("/settings", set)).body.settings).toMatchObject({
      ...set,
      ip_allow_list: ["203.0.113.7/32"],
    })
    expect((await admin.post("/settings", { success_url: "", rate_limit_requests: null })).body.settings).toMatchObject(
      {
        services: ["refunds"],
        success_url: null,
        rate_limit_requests: null,
        rate_limit_default: 0,
      }
    )
    expect(
      (await admin.changes(merchant.id))
        .filter(({ action }) => action === "settings.updated")
        .map(({ changes }) => Object.keys(changes).sort())
    ).toEqual([
      ["rate_limit_requests", "success_url"],
      ["ip_allow_list", "rate_limit_requests", "services", "success_url"],
    ])
  })

  it("decisions: Plans — retries, what follows the last one, and the rules of refunds are changed, and the deployment's own come back", async () => {
    const set = {
      retry_days: [2, 4],
      after_last_retry: "past_due",
      time_zone: "America/New_York",
      refund_approval_threshold: "100.00",
      refund_daily_limit: "5000.00",
      refund_daily_key_limit: "1000.00",
      approval_by_another: true,
      may_overdraw: true,
      returns_automatic: true,
      returns_refund_shipping: true,
    }
    expect((await admin.post("/settings", set)).body.settings).toMatchObject({
      ...set,
      retry_days_default: [1, 3, 5, 7],
      after_last_retry_default: "cancel",
    })
    const back = { retry_days: null, after_last_retry: null, refund_approval_threshold: null, refund_daily_limit: null }
    expect((await admin.post("/settings", back)).body.settings).toMatchObject(back)
    const [, first] = await admin.changes(merchant.id)
    expect(first.changes).toMatchObject({
      retry_days: { from: null, to: [2, 4] },
      after_last_retry: { from: null, to: "past_due" },
      time_zone: { from: "Asia/Dhaka", to: "America/New_York" },
      may_overdraw: { from: false, to: true },
    })
  })

  it.each([
    [{ services: ["banking"] }, 422, "services[0]"],
    [{ retry_days: [1, 1] }, 422, "retry_days"],
    [{ refund_daily_limit: "1.234" }, 422, "refund_daily_limit"],
    [{ refund_daily_key_limit: "20000000.01" }, 422, "refund_daily_key_limit"],
    [{ retry_days: [0] }, 422, "retry_days[0]"],
    [{ cancellation_reasons: [] }, 422, "cancellation_reasons"],
    [{ cancellation_reasons: ["Moves", "Moves"] }, 422, "cancellation_reasons"],
    [{ cancellation_reasons: ["Moves", " "] }, 422, "cancellation_reasons[1]"],
    [{ cancellation_reasons: ["x".repeat(121)] }, 422, "cancellation_reasons[0]"],
    [
      { cancellation_reasons: Array.from({ length: 11 }, (_, index) => `Reason ${index}`) },
      422,
      "cancellation_reasons",
    ],
    [{ after_last_retry: "forget" }, 422, "after_last_retry"],
    [{ one_trial_per_customer: "always" }, 422, "one_trial_per_customer"],
    [{ one_trial_per_customer: null }, 422, "one_trial_per_customer"],
    [{ ip_allow_list: ["everywhere"] }, 422, "ip_allow_list"],
    [{ fail_url: "shop" }, 400, "fail_url"],
    [{ rate_limit_requests: -1 }, 422, "rate_limit_requests"],
    [{ rate_limit_requests: 1.5 }, 422, "rate_limit_requests"],
    [{ hold_risky: "yes" }, 422, "hold_risky"],
    [{ shop_modules: 1 }, 422, "shop_modules"],
    [{ payment_attempts: 0 }, 422, "payment_attempts"],
    [{ payment_attempts: 6 }, 422, "payment_attempts"],
    [{ payment_attempts: 2.5 }, 422, "payment_attempts"],
    [{ payment_attempts: null }, 422, "payment_attempts"],
    [{ payment_attempts: "3" }, 422, "payment_attempts"],
    [{ time_zone: "Dhaka" }, 422, "time_zone"],
    [{ time_zone: "BST" }, 422, "time_zone"],
    [{ time_zone: null }, 422, "time_zone"],
  ])("%j: %i naming %s", async (body, status, field) => {
    expect(await admin.post("/settings", body)).toMatchObject({ status, body: { field } })
  })

  it("decisions: Compatible with shop modules — off at first, and switched with its trace", async () => {
    const own = await newMerchant(store)
    const at = admin.at(own.id)
    expect((await at.get("/settings")).body.settings).toMatchObject({ shop_modules: false })
    expect((await at.post("/settings", { shop_modules: true })).body.settings).toMatchObject({ shop_modules: true })
    const order_id = orderId()
    expect((await own.open({ order_id })).session_id).toBe((await own.open({ order_id })).session_id)
    expect((await at.changes(own.id)).map(({ changes }) => changes)).toContainEqual({
      shop_modules: { from: false, to: true },
    })
  })

  it("docs/decisions/12 — receipts are off at first, and switched with their trace", async () => {
    expect((await admin.get("/settings")).body.settings).toMatchObject({ receipts: false })
    expect((await admin.post("/settings", { receipts: true })).body.settings).toMatchObject({ receipts: true })
    expect((await admin.changes(merchant.id))[0]).toMatchObject({
      action: "settings.updated",
      changes: { receipts: { from: false, to: true } },
    })
    expect(await admin.post("/settings", { receipts: "yes" })).toMatchObject({
      status: 422,
      body: { field: "receipts" },
    })
  })

  it("docs/decisions/12 — the receipts of a payment and of its refund are sent again and downloaded", async () => {
    const { transaction_id, session_id } = await merchant.open()
    expect(await admin.post(`/payments/${transaction_id}/receipt`)).toMatchObject({ status: 409 })
    await merchant.pay(session_id)
    const { refund_id } = (
      await merchant.call("POST", "/payments/refund", {
        transaction_id,
        refund_reason: "Broken",
        refund_amount: "100.00",
      })
    ).body.data as unknown as { refund_id: string }
    const headers_of = async (path: string) => {
      const url = `${store.url}/admin/gateway${path}?merchant_id=${merchant.id}&environment=sandbox&lang=bn`
      const file = await fetch(url, { headers: admin.headers })
      const start = Buffer.from(await file.arrayBuffer())
        .subarray(0, 5)
        .toString()
      return [file.status, file.headers.get("content-type"), file.headers.get("content-disposition"), start]
    }
    for (const [path, kind] of [
      [`/payments/${transaction_id}`, "receipt"],
      [`/refunds/${refund_id}`, "refund"],
    ]) {
      expect((await admin.post(`${path}/receipt`)).body).toMatchObject({ receipts: [{ step: 0 }] })
      const what = path.startsWith("/refunds") ? "refund" : "payment"
      const page = (await admin.get(path)).body as unknown as Record<string, { receipts: unknown[] }>
      expect(page[what].receipts).toHaveLength(1)
      expect(await headers_of(`${path}/receipt`)).toEqual([
        200,
        "application/pdf",
        expect.stringMatching(new RegExp(`^attachment; filename="${kind}-T-[0-9a-f]+\\.pdf"$`)),
        "%PDF-",
      ])
      expect((await admin.at((await newMerchant(store)).id).post(`${path}/receipt`)).status).toBe(404)
    }
    expect((await admin.changes(refund_id))[0]).toMatchObject({
      action: "refund.receipt_sent_again",
      actor: { type: "user" },
      changes: { to: { to: CUSTOMER.email } },
    })
  })

  it("decisions: Checkout — how often a shopper may try: 3, and from then on what is set, with its trace", async () => {
    const own = await newMerchant(store)
    const at = admin.at(own.id)
    expect((await at.get("/settings")).body.settings).toMatchObject({ payment_attempts: 3 })
    expect((await at.post("/settings", { payment_attempts: 1 })).body.settings).toMatchObject({ payment_attempts: 1 })
    expect((await at.post("/settings", { rate_limit_requests: 5 })).body.settings).toMatchObject({
      payment_attempts: 1,
    })
    expect((await at.changes(own.id)).map(({ changes }) => changes)).toContainEqual({
      payment_attempts: { from: 3, to: 1 },
    })
    const { session_id } = await own.open({ order_amount: "300.00" })
    const declined = await own.pay(session_id, { payment_method: "card", final: false })
    expect(declined.body.data.status).toBe("FAILED")
    expect((await admin.at(own.id, "production").get("/settings")).body.settings).toMatchObject({ payment_attempts: 3 })
  })

  it("decisions: Checkout — fees by payment service hold for payments from now on", async () => {
    const { session_id, transaction_id } = await merchant.open({ order_amount: "1000.00" })
    expect(
      (await admin.post("/payment-services/1", { fee_percent: "2.75", fee_fixed: "3.00" })).body.payment_service
    ).toMatchObject({
      code: "CARD",
      fee_percent: "2.75",
      fee_fixed: "3.00",
    })
    await merchant.pay(session_id)
    expect((await merchant.verified(transaction_id)).charge_amount).toBe("30.5000")
    expect((await admin.changes("CARD"))[0].changes).toEqual({
      fee_basis_points: { from: 250, to: 275 },
      fee_fixed_minor: { from: 0, to: 300 },
    })
    for (const bad of [{ fee_percent: "100.01" }, { fee_percent: "-1" }, { fee_percent: "2.505" }]) {
      expect([bad, await admin.post("/payment-services/1", bad)]).toMatchObject([
        bad,
        { status: 422, body: { field: "fee_percent" } },
      ])
    }
    expect((await admin.get("/payment-services")).body.payment_services).toHaveLength(7)
  })
})
