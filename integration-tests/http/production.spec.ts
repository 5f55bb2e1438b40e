import { randomBytes } from "node:crypto"
import { connect } from "node:net"
import { readCheckout } from "../../src/api/api/v2/payments/checkout/resource"
import { authorize } from "../../src/api/v2-kit/authenticate"
import { routesAt } from "../../src/api/v2-kit/routes"
import type { Acquirer } from "../../src/modules/gateway/acquirers/port"
import { amountMismatches } from "../../src/modules/gateway/kernel/http/metrics"
import type { CheckoutOrder } from "../../src/modules/gateway/checkout/session-row"
import type { Caller } from "../../src/modules/gateway/kernel/types"
import type { JsonObject } from "../../src/api/v2-kit/body"
import { done, moved, ScriptedAcquirer, servicesWith, unknown } from "../support/acquirer"
import { brief, call, gatewayOf, newMerchant, order, rawCall, type ApiMerchant } from "../support/api"
import { LOGGER } from "../support/gateway-fixtures"
import { expectLoggedErrors } from "../support/logged-errors"
import type { ServerProcess } from "../support/server-process"
import { useStore } from "../support/store"
import { PRODUCTION } from "../support/store-options"
import { until } from "../support/until"

expectLoggedErrors(
  /the acquirer reports .* instead of .*; it stays open/,
  /came for the attempt .*, which is over; it is given back/
)

const SANDBOX = "/sandbox/api/v2"
const WRONG = moved(10_000n)
const PAGE = "https://pay.example.com/pay/x"

/** A production deployment without an acquirer. */
const store = useStore({
  production: true,
  env: PRODUCTION,
  prepare: async (booted) => {
    live = await newMerchant(booted, { environment: "production" })
    test = await newMerchant(booted, { base: SANDBOX })
  },
})
let live: ApiMerchant
let test: ApiMerchant

const inProduction = (owner: ApiMerchant) => ({
  merchant_id: owner.id,
  environment: "production" as const,
  now: new Date(),
})
const caller = (owner: ApiMerchant) => inProduction(owner) as Caller

describe("decisions: Environments — /api/v2 of a production deployment", () => {
  it("checkout without an acquirer: 403 SERVICE_NOT_ENABLED", async () => {
    expect(brief(await live.checkout())).toBe("403 SERVICE_NOT_ENABLED")
  })

  it("verification works", async () => {
    expect(brief(await live.verify(`txn${"0".repeat(32)}`))).toBe("404 TRANSACTION_NOT_FOUND")
  })

  it("decisions: Sandbox — the helpers are 403 INVALID_ENVIRONMENT", async () => {
    const answers = [
      await live.pay(`ses_${"0".repeat(32)}`),
      await live.cancel(`ses_${"0".repeat(32)}`),
      await live.advance(1),
      await live.call("GET", "/sandbox/clock"),
    ]
    expect(answers.map(brief)).toEqual(Array(4).fill("403 INVALID_ENVIRONMENT"))
  })

  it("decisions: Webhooks — POST /webhooks/test is 403 INVALID_ENVIRONMENT", async () => {
    const sample = { event: "payment.succeeded", url: "https://shop.example.com/hook" }
    expect(brief(await live.call("POST", "/webhooks/test", sample))).toBe("403 INVALID_ENVIRONMENT")
  })

  it("contract 5.4: a sandbox key is 403 INVALID_ENVIRONMENT before anything is looked up, verify included", async () => {
    const unknownKey = `sk_test_${"a".repeat(43)}`
    for (const key of [test.key, unknownKey]) {
      expect(brief(await live.checkout({}, { key }))).toBe("403 INVALID_ENVIRONMENT")
      expect(brief(await live.verify("txn", { key }))).toBe("403 INVALID_ENVIRONMENT")
    }
    expect(brief(await live.checkout({}, { key: `sk_live_${"a".repeat(43)}` }))).toBe("401 INVALID_API_KEY")
  })
})

describe("decisions: Environments — the sandbox at /sandbox/api/v2 beside it", () => {
  it("checkout, payment, verification and clock work with sk_test_ keys", async () => {
    const { session_id, transaction_id, checkout_url } = await test.open()
    expect(checkout_url).toBe(`${PRODUCTION.GATEWAY_PUBLIC_URL}/pay/${session_id}`)
    expect((await test.pay(session_id)).body.data.status).toBe("SUCCESS")
    expect(await test.verified(transaction_id)).toMatchObject({ status: "SUCCESS", verified: true })
    expect((await test.advance(60)).status).toBe(200)
    expect((await fetch(`${store.url}/pay/${session_id}`)).status).toBe(200)
  })

  it("hosted page: over https the cookie is Secure with the __Host- prefix", async () => {
    const { session_id } = await test.open()
    const { headers } = await fetch(`${store.url}/pay/${session_id}`)
    expect(headers.get("set-cookie")).toMatch(
      /^__Host-gateway_csrf=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/
    )
    expect(headers.get("content-security-policy")).toContain(
      "form-action 'self' https: http://sandbox.mynagad.com:10060;"
    )
  })

  it("the OpenAPI document names both, the one in question first", async () => {
    const serversAt = async (base: string) => {
      const answer = await call(store.url, "GET", "/openapi.json", undefined, { base })
      return (JSON.parse(answer.text) as { servers: { url: string }[] }).servers.map(({ url }) => url)
    }
    const urls = ["/api/v2", SANDBOX].map((base) => `${PRODUCTION.GATEWAY_PUBLIC_URL}${base}`)
    expect(await serversAt("/api/v2")).toEqual(urls)
    expect(await serversAt(SANDBOX)).toEqual([...urls].reverse())
  })

  it("a live key there: 403 INVALID_ENVIRONMENT", async () => {
    expect(brief(await live.checkout({}, { base: SANDBOX }))).toBe("403 INVALID_ENVIRONMENT")
  })

  it("nothing is read across: a sandbox transaction is unknown to the merchant's own live key", async () => {
    const { transaction_id } = await test.open()
    await gatewayOf(store).merchants.update(test.id, { verification_status: "approved" })
    const { key } = await gatewayOf(store).apiKeys.create({
      merchant_id: test.id,
      environment: "production",
      name: "live",
    })
    expect(brief(await call(store.url, "GET", `/payments/verify/${transaction_id}`, undefined, { key }))).toBe(
      "404 TRANSACTION_NOT_FOUND"
    )
  })

  it.each([
    ["GET", "/nothing", "404 NOT_FOUND"],
    ["GET", "", "404 NOT_FOUND"],
    ["GET", "/%ff", "404 NOT_FOUND"],
    ["GET", "/payments/checkout", "405 METHOD_NOT_ALLOWED"],
    ["GET", "/payments/verify/%ff", "404 TRANSACTION_NOT_FOUND"],
    ["GET", "/payments/verify/$&", "404 TRANSACTION_NOT_FOUND"],
    ["GET", "/sandbox/clock?x=1", "200"],
    ["GET", "/sandbox/api/v2/sandbox/clock", "404 NOT_FOUND"],
  ])("%s %s is %s in JSON, with a request id and without X-Powered-By", async (method, path, expected) => {
    const answer = await rawCall(store.url, method, `${SANDBOX}${path}`, { "X-Merchant-API-Key": test.key })
    expect(brief(answer)).toBe(expected)
    expect(answer.headers.get("content-type")).toContain("application/json")
    expect(answer.headers.get("x-request-id")).toMatch(/^[A-Za-z0-9-]{8,64}$/)
    expect(answer.headers.get("x-powered-by")).toBeNull()
  })

  it("a request's target may be a whole URL there too", async () => {
    const answer = await rawCall(store.url, "GET", `http://sandbox/sandbox/api/v2/sandbox/clock`, {
      "X-Merchant-API-Key": test.key,
    })
    expect(brief(answer)).toBe("200")
  })

  it("bodies are read there as anywhere", async () => {
    expect(brief(await test.call("POST", "/payments/checkout", undefined, { raw: "{" }))).toBe("400 INVALID_REQUEST")
    expect(brief(await test.call("POST", "/payments/checkout", undefined, { raw: "x".repeat(262_145) }))).toBe(
      "413 PAYLOAD_TOO_LARGE"
    )
    expect(brief(await test.checkout({ order_amount: "5.00" }))).toBe("422 AMOUNT_TOO_LOW order_amount")
  })
})

describe("contract 5.3, decisions: Environments — rk_live_ keys and their scopes", () => {
  const reader = () => newMerchant(store, { environment: "production", scopes: ["payments:read"] })
  const [route] = routesAt("/payments/checkout") ?? []

  it("what the scopes hold is allowed", async () => {
    const restricted = await reader()
    expect(restricted.key).toMatch(/^rk_live_/)
    expect(brief(await restricted.verify(`txn${"0".repeat(32)}`))).toBe("404 TRANSACTION_NOT_FOUND")
  })

  it("what they do not hold is 403 INSUFFICIENT_SCOPE", async () => {
    const restricted = await newMerchant(store, {
      environment: "production",
      scopes: ["checkout:write", "refunds:read"],
    })
    expect(brief(await restricted.verify(`txn${"0".repeat(32)}`))).toBe("403 INSUFFICIENT_SCOPE")
  })

  it("checkout wants checkout:write, and a secret key needs no scope", async () => {
    const gateway = Object.assign(Object.create(gatewayOf(store)), { hasAcquirer: async () => true })
    const admit = (key_type: "restricted" | "secret", scopes: string[]) =>
      authorize(
        gateway,
        {
          ...caller(live),
          key_type,
          scopes,
          ip_allow_list: [],
          merchant_status: "active",
          services: ["checkout"],
        } as unknown as Caller,
        "127.0.0.1",
        route
      )
    await expect(admit("restricted", ["payments:read"])).rejects.toMatchObject({
      code: "INSUFFICIENT_SCOPE",
      status: 403,
    })
    await expect(admit("restricted", [])).rejects.toMatchObject({ code: "INSUFFICIENT_SCOPE" })
    await expect(admit("restricted", ["checkout:write"])).resolves.toBeUndefined()
    await expect(admit("secret", [])).resolves.toBeUndefined()
  })

  it("an unknown scope cannot be granted", async () => {
    await expect(newMerchant(store, { environment: "production", scopes: ["everything"] })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      field: "scopes",
    })
  })
})

describe("contract 7.3 — production has no sandbox triggers", () => {
  it("5.00 is out of range like any other amount", () => {
    const body = order({ order_amount: "5.00" }) as JsonObject
    expect(readCheckout(caller(live), body, true).failures).toMatchObject([
      { code: "INVALID_REQUEST", field: "order_amount" },
    ])
  })
})

describe("decisions: Callback URLs — the option allowPrivateUrls", () => {
  it("with it a production process refuses to start, and says why", async () => {
    const start = store.startServerProcess({
      env: { GATEWAY_ENVIRONMENT: "production", GATEWAY_ALLOW_PRIVATE_URLS: "1" },
    })
    await expect(start).rejects.toThrow(/GATEWAY_ALLOW_PRIVATE_URLS must not be set/)
  })
})

describe("decisions: secrets are encrypted at rest — a store that could be read or impersonated does not start", () => {
  it.each([
    ["GATEWAY_ENCRYPTION_KEYS", "", /GATEWAY_ENCRYPTION_KEYS must be set in production/],
    ["JWT_SECRET", "supersecret", /JWT_SECRET must have at least 32 characters/],
  ])("with %s %p a production process says why and ends", async (variable, value, reason) => {
    await expect(store.startServerProcess({ env: { ...PRODUCTION, [variable]: value } })).rejects.toThrow(reason)
  })
})

describe("docs/decisions/26 — a key with other bytes under the id of an earlier one", () => {
  it("keeps a production process out of service, and its log names the key and the way out", async () => {
    await gatewayOf(store).webhookEndpoints.ipnSecret({ merchant_id: live.id, environment: "production" })
    const GATEWAY_ENCRYPTION_KEYS = `tests:${randomBytes(32).toString("base64")}`
    const process = await store.startServerProcess({ env: { ...PRODUCTION, GATEWAY_ENCRYPTION_KEYS } })
    const ready = await fetch(`${process.url}/health/ready`)
    expect([ready.status, await ready.json()]).toEqual([503, { status: "encryption_key" }])
    await until("the log says why", () => /could not start: .*GATEWAY_ENCRYPTION_KEYS is right/.test(process.output()))
    expect(process.output()).toMatch(/do not decrypt with the key \\"tests\\" .*Put that key back/)
    await process.kill()
    const right = await fetch(`${store.url}/health/ready`)
    expect([right.status, await right.json()]).toEqual([200, { status: "ok" }])
  })
})

describe("decisions: Sandbox — in production the shopper is sent to the acquirer's own page", () => {
  const instrument = { method: "card" } as const
  const redirect = () => ({ result: "redirect", url: "https://bank.example.com/pay/1" }) as const

  /** `attempts`: how often the shopper may try. */
  async function opened(acquirer: Acquirer, attempts = 3) {
    const owner = await newMerchant(store, { environment: "production" })
    await store
      .db("gateway_merchant_environment")
      .where({ merchant_id: owner.id, environment: "production" })
      .update({ payment_attempts: attempts })
    const scope = inProduction(owner)
    const session = await gatewayOf(store).checkouts.create(
      scope,
      readCheckout(caller(owner), order() as JsonObject, true).order as CheckoutOrder
    )
    const services = servicesWith(store, "production", acquirer)
    const input = { session_id: session.session_id, page_url: PAGE }
    return {
      owner,
      session,
      ...services,
      pay: () => services.payments.pay({ ...input, instrument }),
      confirm: () => services.inquiries.confirm(input),
    }
  }

  it("start gives the page's address, the transaction stays PENDING until it is confirmed, then SUCCESS", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect], [unknown, done])
    const { owner, session, pay, confirm, pages } = await opened(acquirer)
    expect(await pages.page(session.session_id)).toMatchObject({
      environment: "production",
      status: "PENDING",
      methods: [{ services: [{ code: "CARD", flow: "redirect" }] }, {}, {}, {}],
    })
    expect(await pay()).toMatchObject({ status: "PENDING", redirect_url: "https://bank.example.com/pay/1" })
    const { attempt_id } = await store.db("gateway_transaction").where({ id: session.transaction_id }).first()
    expect(acquirer.started).toMatchObject([
      {
        key: attempt_id,
        amount: 125_050n,
        currency: "BDT",
        service: "CARD",
        return_url: `https://pay.example.com/gateway/acquirers/scripted/return/${attempt_id}`,
        notification_url: "https://pay.example.com/gateway/acquirers/scripted/notify/default",
      },
    ])
    expect(await confirm()).toMatchObject({ status: "PENDING", redirect_url: PAGE })
    expect(await owner.verified(session.transaction_id)).toMatchObject({ status: "PENDING", verified: false })
    expect(await confirm()).toMatchObject({
      status: "SUCCESS",
      redirect_url: expect.stringMatching(/^https:\/\/shop\.example\.com\/paid\?transaction_id=/),
    })
    expect(await owner.verified(session.transaction_id)).toMatchObject({
      status: "SUCCESS",
      verified: true,
      charge_amount: "31.2600",
    })
    expect(await owner.events(session.transaction_id)).toHaveLength(1)
    await confirm()
    expect(acquirer.queried).toHaveLength(2)
  })

  it.each([
    ["EXPIRED", "EXPIRED", "payment.expired", "https://shop.example.com/failed"],
    ["CARD_DECLINED", "FAILED", "payment.failed", "https://shop.example.com/failed"],
  ])("an acquirer that answers %s to the last attempt ends it as %s", async (code, status, event, url) => {
    const refused = () => ({ result: "refused", code, message: "No" }) as const
    const { owner, session, pay, confirm } = await opened(new ScriptedAcquirer("redirect", [redirect], [refused]), 1)
    await pay()
    const outcome = await confirm()
    expect([outcome.status, outcome.redirect_url.split("?")[0]]).toEqual([status, url])
    expect((await owner.events(session.transaction_id)).map(({ event_type }) => event_type)).toEqual([event])
  })

  it("design: unknown is not failed — an acquirer that throws leaves it PENDING", async () => {
    const broken = () => {
      throw new Error("ECONNRESET")
    }
    const { owner, session, pay, confirm } = await opened(new ScriptedAcquirer("inline", [broken], [broken, done]))
    expect(await pay()).toMatchObject({ status: "PENDING", redirect_url: PAGE })
    expect(await confirm()).toMatchObject({ status: "PENDING" })
    expect((await owner.verified(session.transaction_id)).status).toBe("PENDING")
    expect(await confirm()).toMatchObject({ status: "SUCCESS" })
  })

  it("design: unknown is not failed — an acquirer that says when it will know is asked then", async () => {
    const later = new Date(Date.now() + 7 * 3_600_000)
    const processing = () => ({ ...unknown(), ask_again_at: later })
    const { session, pay, confirm } = await opened(new ScriptedAcquirer("inline", [processing], [unknown]))
    await pay()
    await confirm()
    const [attempt] = await store.db("gateway_payment_attempt").where({ transaction_id: session.transaction_id })
    expect([attempt.state, attempt.inquiry_at]).toEqual(["STARTED", later])
  })

  it("design: unknown is not failed — asked while its call is still under way, the acquirer may not know it yet", async () => {
    let answer: (result: ReturnType<typeof done>) => void = () => undefined
    let called: () => void = () => undefined
    const calling = new Promise<void>((resolve) => (called = resolve))
    const slow = () => {
      called()
      return new Promise<ReturnType<typeof done>>((resolve) => (answer = resolve))
    }
    const retryable = () => ({ result: "refused", code: "NETWORK_ERROR", message: "No line", retry: true }) as const
    const absent = () => ({ result: "absent" }) as const
    const { owner, session, pay, confirm, reconciliation } = await opened(
      new ScriptedAcquirer("inline", [slow], [absent, retryable, absent])
    )
    const paying = pay()
    await calling
    expect((await confirm()).status).toBe("PENDING")
    expect((await confirm()).status).toBe("PENDING")
    await store
      .db("gateway_payment_attempt")
      .where({ transaction_id: session.transaction_id })
      .update({ inquiry_at: new Date(0) })
    await reconciliation.run(50)
    expect((await owner.verified(session.transaction_id)).status).toBe("PENDING")
    answer(done())
    expect((await paying).status).toBe("SUCCESS")
    expect((await owner.events(session.transaction_id)).map(({ event_type }) => event_type)).toEqual([
      "payment.succeeded",
    ])
  })

  it("a merchant that is suspended while the shopper is at the bank: what was paid there is recorded, and nothing new begins", async () => {
    const { owner, session, pay, confirm } = await opened(new ScriptedAcquirer("redirect", [redirect], [unknown, done]))
    await pay()
    await gatewayOf(store).merchants.update(owner.id, { status: "suspended" })
    expect((await confirm()).status).toBe("PENDING")
    expect(await confirm()).toMatchObject({
      status: "SUCCESS",
      redirect_url: expect.stringMatching(/^https:\/\/shop\.example\.com\/paid/),
    })
    expect((await owner.events(session.transaction_id)).map(({ event_type }) => event_type)).toEqual([
      "payment.succeeded",
    ])
  })

  it("a suspended merchant's shopper is not sent to the bank", async () => {
    const acquirer = new ScriptedAcquirer("redirect", [redirect])
    const { owner, pay } = await opened(acquirer)
    await gatewayOf(store).merchants.update(owner.id, { status: "suspended" })
    await expect(pay()).rejects.toMatchObject({ code: "MERCHANT_SUSPENDED" })
    expect(acquirer.started).toEqual([])
  })

  describe("acquirers — another amount or currency than was asked for", () => {
    const held = (id: string) => store.db("gateway_transaction").where({ id }).first()
    const alarms = (id: string) =>
      store.db("gateway_audit_entry").where({ resource_id: id, action: "payment.amount_mismatched" })

    it.each([
      ["too little", moved(10_000n), { amount: { from: "1250.50", to: "100.00" } }],
      ["too much", moved(125_051n), { amount: { from: "1250.50", to: "1250.51" } }],
      ["another currency", moved(125_050n, "USD"), { currency: { from: "BDT", to: "USD" } }],
      ["nothing at all", { ...moved(0n), amount: undefined } as never, { amount: { from: "1250.50", to: null } }],
    ])(
      "%s, after a redirect: PENDING, never SUCCESS and never FAILED, one alarm however often it is said",
      async (_name, wrong, changes) => {
        const { owner, session, pay, confirm } = await opened(
          new ScriptedAcquirer("redirect", [redirect], [() => wrong, () => wrong, done])
        )
        await pay()
        expect([await confirm(), await confirm()]).toMatchObject(
          Array(2).fill({ status: "PENDING", redirect_url: PAGE })
        )
        expect(await owner.verified(session.transaction_id)).toMatchObject({ status: "PENDING", verified: false })
        expect([await owner.events(session.transaction_id), (await held(session.transaction_id)).state]).toEqual([
          [],
          "PROCESSING",
        ])
        expect(await alarms(session.transaction_id)).toMatchObject([
          { actor_type: "system", merchant_id: owner.id, changes },
        ])
        expect(await confirm()).toMatchObject({ status: "SUCCESS" })
        expect(await owner.verified(session.transaction_id)).toMatchObject({
          status: "SUCCESS",
          verified: true,
          amount: "1250.5000",
        })
      }
    )

    it("answered at once, it is not asked for again, and nothing that contradicts it fails the payment", async () => {
      const absent = () => ({ result: "absent" }) as const
      const lost = () => ({ result: "refused", code: "NETWORK_ERROR", message: "No line", retry: true }) as const
      const refused = () => ({ result: "refused", code: "CARD_DECLINED", message: "Taken back" }) as const
      const acquirer = new ScriptedAcquirer("inline", [() => moved(10_000n)], [absent, lost, refused])
      const { owner, session, pay, confirm } = await opened(acquirer, 1)
      expect(await pay()).toMatchObject({ status: "PENDING", redirect_url: PAGE })
      expect(acquirer.started).toHaveLength(1)
      await store
        .db("gateway_payment_attempt")
        .where({ transaction_id: session.transaction_id })
        .update({ started_at: new Date(0) })
      expect([(await confirm()).status, (await confirm()).status]).toEqual(["PENDING", "PENDING"])
      expect((await confirm()).status).toBe("FAILED")
      expect(await owner.verified(session.transaction_id)).toMatchObject({
        status: "FAILED",
        verified: false,
        error_code: "CARD_DECLINED",
      })
    })

    it("its next report is an alarm of its own, logged and counted", async () => {
      const error = jest.spyOn(LOGGER, "error").mockImplementation(() => undefined)
      const before = (await amountMismatches.get()).values.find(({ labels }) => labels.kind === "payment")?.value ?? 0
      const { session, pay, confirm } = await opened(
        new ScriptedAcquirer("redirect", [redirect], [() => WRONG, () => WRONG, () => moved(20_000n)])
      )
      await pay()
      await confirm()
      await confirm()
      await confirm()
      const logged = error.mock.calls
        .map(([text]) => String(text))
        .filter((text) => text.includes(session.transaction_id))
      error.mockRestore()
      expect(logged).toEqual([
        expect.stringContaining(
          `the acquirer reports 100.00 BDT (reference ${WRONG.reference}) instead of 1250.50 BDT for the payment`
        ),
        expect.stringContaining("the acquirer reports 200.00 BDT"),
      ])
      expect((await amountMismatches.get()).values.find(({ labels }) => labels.kind === "payment")?.value).toBe(
        before + 2
      )
      expect(await alarms(session.transaction_id)).toHaveLength(2)
    })
  })

  it("a network error is tried three times with one key, and a later success is a success", async () => {
    const lost = () => ({ result: "refused", code: "NETWORK_ERROR", message: "No line", retry: true }) as const
    const acquirer = new ScriptedAcquirer("inline", [lost, lost, done])
    const { session, pay } = await opened(acquirer)
    expect((await pay()).status).toBe("SUCCESS")
    const { attempt_id } = await store.db("gateway_transaction").where({ id: session.transaction_id }).first()
    expect(acquirer.started.map(({ key }) => key)).toEqual(Array(3).fill(attempt_id))
  })

  it("a late answer of a declined attempt changes nothing, unless it is money: that is given back when the payment is over", async () => {
    const declined = () => ({ result: "refused", code: "CARD_DECLINED", message: "No" }) as const
    const acquirer = new ScriptedAcquirer("inline", [declined], undefined, [() => ({ result: "absent" }), done])
    const { owner, session, pay, settlement, surplus } = await opened(acquirer, 1)
    await pay()
    const { attempt_id } = await store.db("gateway_transaction").where({ id: session.transaction_id }).first()
    const attempt = () => store.db("gateway_payment_attempt").where({ id: attempt_id }).first()
    for (const answer of [unknown(), declined(), { result: "absent" } as const]) {
      await settlement.settle(attempt_id, answer)
      expect(await attempt()).toMatchObject({ state: "DECLINED", surplus_minor: null })
    }
    await settlement.settle(attempt_id, moved(125_050n))
    expect(await attempt()).toMatchObject({ state: "SURPLUS", surplus_minor: 125_050 })
    await surplus.due.run()
    const { state, return_key } = await attempt()
    expect([state, acquirer.refunds]).toEqual(["RETURNED", [`asked about ${return_key}`, `asked for ${return_key}`]])
    expect(await owner.verified(session.transaction_id)).toMatchObject({
      status: "FAILED",
      verified: false,
      error_code: "CARD_DECLINED",
    })
    expect(await owner.events(session.transaction_id)).toHaveLength(1)
    expect(await store.brokenInvariants()).toEqual([])
  })

  it("money of a declined attempt pays the checkout that is still open", async () => {
    const declined = () => ({ result: "refused", code: "CARD_DECLINED", message: "No" }) as const
    const { owner, session, pay, settlement } = await opened(new ScriptedAcquirer("inline", [declined]))
    expect(await pay()).toMatchObject({ status: "PENDING", declined: "CARD_DECLINED", redirect_url: PAGE })
    const { attempt_id } = await store.db("gateway_transaction").where({ id: session.transaction_id }).first()
    await settlement.settle(attempt_id, moved(125_050n))
    expect(await owner.verified(session.transaction_id)).toMatchObject({ status: "SUCCESS", charge_amount: "31.2600" })
    expect((await owner.events(session.transaction_id)).map(({ event_type }) => event_type)).toEqual([
      "payment.succeeded",
    ])
    expect(await store.brokenInvariants()).toEqual([])
  })
})

describe("decisions: Origins — Medusa's access log, which a process writes whose NODE_ENV is production", () => {
  const FORGED = { "X-Forwarded-For": "203.0.113.77", "X-Real-IP": "203.0.113.77" }
  const SESSION = `ses_${"Sx9-_".repeat(6)}ab`
  const INVOICE = `inp_${"0123456789abcdef".repeat(2)}`
  const BEARER = /Sx9-_Sx9|0123456789abcdef/i
  let server: ServerProcess

  type Line = { client_ip: string; path: string; referrer: string; request_id: string; status: number | null }
  const lines = (): Line[] =>
    server
      .output()
      .split("\n")
      .filter((line) => line.startsWith('{"level":"http"'))
      .map((line) => JSON.parse(line) as Line)
  /** The log line of the one request that carries this mark in its query. */
  async function lineOf(mark: string): Promise<Line> {
    await until(`the request with ${mark} is logged`, () => lines().some(({ path }) => path.includes(mark)))
    return lines().find(({ path }) => path.includes(mark)) as Line
  }

  beforeAll(async () => {
    server = await store.startServerProcess({
      env: { NODE_ENV: "production", LOG_LEVEL: "http", TRUSTED_PROXIES: "192.0.2.1" },
    })
  }, 180_000)

  it.each(["/admin/gateway", "/store/products", "/api/v2/payments/refunds", "/pay/x", "/nowhere"])(
    "%s: the address is the socket's, whatever X-Forwarded-For says",
    async (path) => {
      const mark = `mark=${path.replaceAll("/", "-")}`
      await rawCall(server.url, "GET", `${path}?${mark}`, FORGED)
      expect((await lineOf(mark)).client_ip).toMatch(/^(127\.0\.0\.1|::1)$/)
    }
  )

  it("of a request to /api/v2 it has the id that the answer has", async () => {
    for (const headers of [{}, { "X-Request-Id": "an-id-of-the-client" }, { "X-Request-Id": "<unsafe>" }]) {
      const mark = `id=${Object.values(headers).join("").replace(/\W/g, "") || "none"}`
      const answer = await rawCall(
        server.url,
        "GET",
        `/api/v2/payments/refunds?${mark}`,
        headers as Record<string, string>
      )
      expect((await lineOf(mark)).request_id).toBe(answer.headers.get("x-request-id"))
    }
  })

  it.each([
    ["GET", `/pay/${SESSION}`],
    ["GET", `/pay/${SESSION}/return`],
    ["POST", `/pay/${SESSION}/cancel`],
    ["GET", `/PAY/${SESSION}/mistyped/`],
    ["GET", `/pay/%73%65s_${SESSION.slice(4)}`],
    ["GET", `/pay/ses%5f${SESSION.slice(4)}`],
    ["GET", `/pay/invoice/${INVOICE}`],
    ["GET", `/pay/invoice/${INVOICE}/pdf`],
    ["GET", `/pay/invoice/${INVOICE.toUpperCase()}`],
    ["GET", `/pay/invoice/${INVOICE.slice(4)}`],
    ["GET", `/Pay//Invoice/${INVOICE}`],
    ["GET", `/pay/invoice/${INVOICE}%ff`],
    ["POST", `/api/v2/sandbox/sessions/${SESSION}/pay`],
    ["POST", `/api/v2/payments/checkout/${SESSION}/expire`],
    ["GET", `/store/gateway/status?session_id=${SESSION}`],
    ["GET", `/nowhere?next=https%3A%2F%2Fpay.example.com%2Fpay%2Finvoice%2F${INVOICE}`],
    ["GET", `http://pay.example.com/pay/${SESSION}`],
  ])(
    "decisions: nothing secret in a log — %s %s stands without what opens a payment page or an invoice",
    async (method, target) => {
      const mark = `mark=${Math.random()}`
      const referer = `https://pay.example.com/pay/${SESSION}`
      await rawCall(server.url, method, `${target}${target.includes("?") ? "&" : "?"}${mark}`, { Referer: referer })
      const { path, referrer } = await lineOf(mark)
      expect(path).not.toMatch(BEARER)
      expect(path).toContain("[hidden]")
      expect(referrer).toBe("https://pay.example.com/pay/[hidden]")
    }
  )

  it("a connection that breaks before its answer is logged with its address and without its secret, and the process lives", async () => {
    const socket = connect(server.port, "localhost")
    socket.on("error", () => undefined)
    socket.write(
      `POST /pay/invoice/${INVOICE}?mark=broken HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\n`
    )
    await new Promise<void>((sent) => socket.once("ready", () => setImmediate(sent)))
    socket.destroy()
    const { path, client_ip } = await lineOf("mark=broken")
    expect(path).toBe("/pay/invoice/[hidden]?mark=broken")
    expect(client_ip).toMatch(/^(127\.0\.0\.1|::1)$/)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })

  it("nothing of what the process has printed opens anything", () => {
    expect(server.output()).not.toMatch(BEARER)
  })
})
