import { BkashAcquirer } from "../../../../src/modules/gateway/acquirers/bkash/adapter"
import { BkashClient } from "../../../../src/modules/gateway/acquirers/bkash/client"
import { BkashPayments } from "../../../../src/modules/gateway/acquirers/bkash/payments"
import type { AcquirerContext, AttemptRequest, PaymentRequest } from "../../../../src/modules/gateway/acquirers/port"
import { paymentRequest } from "../../../support/acquirer"
import { contextOf, Kept, loadStandIn, type StandIn } from "../stand-in"

const RETURN_URL = "https://shop.example.com/gateway/acquirers/bkash/return/key"

describe("bKash: payments", () => {
  let standIn: StandIn
  let credentials: Record<string, string>
  let context: AcquirerContext
  let acquirer: BkashAcquirer
  let kept: Kept

  beforeEach(async () => {
    const { startStandIn, CREDENTIALS, TOPIC } = await loadStandIn()
    standIn = await startStandIn()
    credentials = { ...CREDENTIALS, topic_arn: TOPIC }
    context = contextOf(standIn, credentials)
    acquirer = new BkashAcquirer(context)
    kept = new Kept()
  })
  afterEach(() => standIn.close())

  const payment = (changes: Partial<PaymentRequest> = {}): PaymentRequest =>
    paymentRequest({ service: "BKASH", return_url: RETURN_URL, save: kept.save, ...changes })

  const asked = (request: PaymentRequest, changes: Partial<AttemptRequest> = {}): AttemptRequest => ({
    key: request.key,
    amount: request.amount,
    currency: request.currency,
    service: request.service,
    references: kept.references,
    expires_at: request.expires_at,
    now: request.now,
    save: kept.save,
    ...changes,
  })

  /** Starts a payment and lets the shopper act on bKash's page. */
  async function shop(request: PaymentRequest, action: "pay" | "decline" | "cancel" = "pay", wallet?: string) {
    const answer = await kept.of(acquirer.start(request))
    if (answer.result !== "redirect") {
      throw new Error(`no redirect: ${JSON.stringify(answer)}`)
    }
    const location = await standIn.shop(answer.url, action, wallet)
    return acquirer.readReturn({ method: "GET", target: location, headers: {}, body: Buffer.alloc(0) })
  }

  describe("create", () => {
    test("0000 with a bkashURL: the shopper goes there, and nothing has moved", async () => {
      const request = payment()
      const answer = await acquirer.start(request)
      expect(answer).toEqual({
        result: "redirect",
        url: expect.stringContaining(`${standIn.url}/redirect/tokenized/?paymentID=TR0011`),
        references: { paymentID: standIn.book.payments[0].paymentID, mode: "0011" },
      })
      expect(JSON.parse(standIn.calls("create")[0].body)).toEqual({
        mode: "0011",
        payerReference: request.key,
        callbackURL: RETURN_URL,
        amount: "1250.50",
        currency: "BDT",
        intent: "sale",
        merchantInvoiceNumber: request.key,
      })
      expect(standIn.movements()).toEqual([])
    })

    test.each([
      ["N3C42XRB", "N3C42XRB-"],
      ["WC #12/২০২৬ é", "WC-12-2026-"],
      ["#1", "1-"],
      ["a".repeat(30), `${"a".repeat(19)}-`],
      ["é", ""],
    ])(
      "docs/decisions/16 — the shopper reads the order's number %j first in bKash's invoice",
      async (number, shown) => {
        const request = { ...payment(), order_number: number }
        const hint = await shop(request)
        const [{ invoice }] = standIn.book.payments
        expect(invoice).toBe(`${shown}${request.key}`)
        expect(hint).toMatchObject({ claims: "paid" })
        expect(await acquirer.confirm(asked(request))).toMatchObject({ result: "done" })
        expect(await acquirer.query(asked(request))).toMatchObject({ result: "done" })
        expect(standIn.movements()).toMatchObject([{ key: request.key }])
      }
    )

    test("a repeated create opens another payment: the newest is the one that is executed", async () => {
      const request = payment()
      await kept.of(acquirer.start(request))
      await shop(request)
      const answer = await acquirer.confirm(asked(request))
      expect(answer).toMatchObject({ result: "done" })
      expect(standIn.book.payments.map(({ executions }) => executions)).toEqual([0, 1])
      expect(standIn.book.payments[1].paymentID).toBe(kept.references.paymentID)
    })

    test.each([
      ["the connection breaks before bKash acts", { kind: "lost_before" }, "network"],
      ["the connection breaks after bKash acted", { kind: "lost_after" }, "network"],
      ["HTML instead of JSON", { kind: "html" }, "network"],
      ["a body with only a message", { kind: "message_only" }, "network"],
      ["status 500", { kind: "http", status: 500 }, "maintenance"],
      ["status 429", { kind: "http", status: 429 }, "rate_limited"],
      ["status 403", { kind: "message_only", status: 403, message: "Forbidden" }, "credentials"],
      ["503 maintenance", { kind: "error", code: 503 }, "maintenance"],
      ["an unlisted code", { kind: "error", code: 9999 }, "network"],
      ["0000 without a paymentID", { kind: "change", fields: { paymentID: null } }, "network"],
      ["0000 without a bkashURL", { kind: "change", fields: { bkashURL: null } }, "bad_request"],
      ["another amount", { kind: "change", fields: { amount: "1.00" } }, "bad_request"],
      ["another currency", { kind: "change", fields: { currency: "USD" } }, "bad_request"],
      ["another invoice number", { kind: "change", fields: { merchantInvoiceNumber: "other" } }, "bad_request"],
    ])("%s: refused, because a payment that nobody can execute never charges", async (_, fault, trouble) => {
      standIn.faults.add({ on: "create", ...fault })
      const request = payment()
      const answer = await kept.of(acquirer.start(request))
      expect(answer).toMatchObject({ result: "refused", code: "NETWORK_ERROR", trouble })
      expect(answer).not.toHaveProperty("retry")
      expect(standIn.movements()).toEqual([])
    })

    test.each([
      ["status", 2001, "credentials"],
      ["error", 2001, "credentials"],
      ["status", 2049, "bad_request"],
      ["error", 2065, "bad_request"],
      ["status", 2064, "credentials"],
    ] as const)("a refusal as %s: code %s is %s trouble", async (shape, code, trouble) => {
      standIn.faults.add({ on: "create", kind: "error", code, shape, message: "Said by bKash" })
      expect(await acquirer.start(payment())).toMatchObject({
        result: "refused",
        code: "NETWORK_ERROR",
        trouble,
        message: `bKash ${code}: Said by bKash`,
      })
    })

    test("bKash cannot be reached: refused, and worth another try", async () => {
      await context.tokens.get(async () => ({
        token: "t",
        refresh_token: null,
        expires_at: new Date(Date.now() + 1e6),
      }))
      const port = new URL(standIn.url).port
      await standIn.close()
      const answer = await acquirer.start(payment())
      expect(answer).toMatchObject({ result: "refused", code: "NETWORK_ERROR", trouble: "network", retry: true })
      expect(JSON.stringify(answer)).not.toContain(port)
      standIn = await (await loadStandIn()).startStandIn()
    })

    test("another currency than BDT is refused without a request", async () => {
      expect(await acquirer.start(payment({ currency: "USD" }))).toMatchObject({
        result: "refused",
        trouble: "bad_request",
      })
      expect(standIn.book.requests).toEqual([])
    })

    test("BKASH_BASE_URL lets no live process send shoppers to a page over http", async () => {
      const before = process.env.NODE_ENV
      process.env.NODE_ENV = "production"
      try {
        expect(await acquirer.start(payment())).toMatchObject({ result: "refused", trouble: "bad_request" })
      } finally {
        process.env.NODE_ENV = before
      }
      expect(await acquirer.start(payment())).toMatchObject({ result: "redirect" })
    })

    test("the adapter's hosts are bKash's when no address is configured", async () => {
      const sandbox = new BkashAcquirer({ ...context, base_url: undefined, environment: "sandbox" })
      expect(Reflect.get(Reflect.get(sandbox, "client"), "base")).toBe("https://tokenized.sandbox.bka.sh")
      const live = new BkashAcquirer({ ...context, base_url: undefined })
      expect(Reflect.get(Reflect.get(live, "client"), "base")).toBe("https://tokenized.pay.bka.sh")
    })
  })

  describe("callback", () => {
    test.each([
      ["pay", "paid"],
      ["decline", "not_paid"],
      ["cancel", "cancelled"],
    ] as const)("%s on bKash's page: a hint that claims %s", async (action, claims) => {
      const request = payment()
      const hint = await shop(request, action)
      expect(hint).toEqual({ about: "payment", references: { paymentID: kept.references.paymentID }, claims })
      expect(standIn.movements()).toEqual([])
    })

    test.each(["01823074817", "01823074818"])(
      "no balance, or a blocked wallet (%s): a failure without a code, which can be closed, and nothing is executed",
      async (wallet) => {
        const request = payment()
        const hint = await shop(request, "pay", wallet)
        expect(hint).toEqual({
          about: "payment",
          references: { paymentID: kept.references.paymentID },
          claims: "not_paid",
        })
        const closed = await acquirer.abandon(asked(request))
        expect(closed).toMatchObject({ result: "refused" })
        expect(closed).not.toHaveProperty("reason")
        expect([standIn.calls("execute"), standIn.movements()]).toEqual([[], []])
      }
    )

    test.each([
      ["no query", "/return/key"],
      ["no status", "/return/key?paymentID=TR1"],
      ["an unknown status", "/return/key?paymentID=TR1&status=paid"],
      ["two ids", "/return/key?paymentID=TR1&paymentID=TR2&status=success"],
      ["two states", "/return/key?paymentID=TR1&status=cancel&status=success"],
      ["a malformed id", "/return/key?paymentID=%3Cscript%3E&status=success"],
    ])("%s: no hint", (_, target) => {
      expect(acquirer.readReturn({ method: "GET", target, headers: {}, body: Buffer.alloc(0) })).toBeNull()
    })

    test("a lost query: no hint, and the attempt can still be asked about", async () => {
      standIn.faults.add({ on: "callback", kind: "lost_query" })
      const request = payment()
      expect(await shop(request)).toBeNull()
      expect(await acquirer.query(asked(request))).toMatchObject({ result: "unknown", awaiting_shopper: false })
    })

    test("a swapped callback names another payment, and ours is the one that is executed", async () => {
      const request = payment()
      standIn.faults.add({ on: "callback", kind: "change", fields: { paymentID: "TR0011SOMEBODYELSES" } })
      const hint = await shop(request)
      expect(hint?.references).toEqual({ paymentID: "TR0011SOMEBODYELSES" })
      await acquirer.confirm(asked(request))
      expect(JSON.parse(standIn.calls("execute")[0].body)).toEqual({ paymentID: kept.references.paymentID })
    })

    test.each([2056, 2060])(
      "decisions: bKash 2056 — a forged success before the shopper agreed (%s): the attempt goes on, and the shopper pays",
      async (code) => {
        const request = payment()
        const started = await kept.of(acquirer.start(request))
        if (code === 2060) {
          standIn.faults.add({ on: "execute", kind: "error", code })
        }
        const early = await kept.of(acquirer.confirm(asked(request)))
        expect(early).toMatchObject({
          result: "unknown",
          awaiting_shopper: true,
          references: { execute: "no_consent" },
        })
        expect(early).not.toHaveProperty("needs_operator")
        expect(await acquirer.query(asked(request))).toMatchObject({ result: "unknown", awaiting_shopper: true })
        await standIn.shop((started as { url: string }).url)
        expect(await acquirer.query(asked(request))).toMatchObject({ result: "unknown", agreed: true })
        expect(await kept.of(acquirer.confirm(asked(request)))).toMatchObject({ result: "done", amount: 125_050n })
        expect(standIn.movements()).toHaveLength(1)
      }
    )

    test("decisions: bKash 2056 — without an answer to the query it is unknown, and a later one shows that it goes on", async () => {
      const request = payment()
      await kept.of(acquirer.start(request))
      standIn.faults.add({ on: "query", kind: "lost_before" })
      const answer = await kept.of(acquirer.confirm(asked(request)))
      expect(answer).toMatchObject({ result: "unknown", references: { execute: "no_consent" } })
      expect(answer).not.toHaveProperty("awaiting_shopper")
      const silent = { fields: { verificationStatus: null, userVerificationStatus: null } }
      standIn.faults.add({ on: "query", kind: "change", ...silent })
      expect(await acquirer.query(asked(request))).toMatchObject({ result: "unknown", awaiting_shopper: true })
      const later = asked(request, { now: new Date(request.expires_at.getTime() + 1) })
      expect(await acquirer.abandon(later)).toMatchObject({ result: "refused", code: "EXPIRED" })
    })

    test("an answer with verificationStatus only: the shopper who agreed is known by it", async () => {
      const request = payment()
      await shop(request)
      standIn.faults.add({ on: "query", kind: "change", fields: { userVerificationStatus: null } })
      expect(await acquirer.query(asked(request))).toMatchObject({ result: "unknown", agreed: true })
    })

    test("decisions: bKash 2029 — the same wallet and amount within two minutes, under any invoice: refused, and free two minutes later", async () => {
      const first = payment()
      await shop(first, "pay", "01770618575")
      await kept.of(acquirer.confirm(asked(first)))
      const pays = async (key: string) => {
        kept = new Kept()
        const request = payment({ key })
        await shop(request, "pay", "01770618575")
        return kept.of(acquirer.confirm(asked(request)))
      }
      const refused = { result: "refused", code: "LIMIT_EXCEEDED", reason: "repeated_too_soon" }
      expect(await pays("pay0000000000000000000000000a1")).toMatchObject(refused)
      expect(standIn.movements()).toHaveLength(1)
      standIn.faults.add({ on: "query", kind: "lost_before" })
      expect(await pays("pay0000000000000000000000000a2")).toMatchObject({ result: "unknown" })
      expect(await acquirer.query(asked(payment({ key: "pay0000000000000000000000000a2" })))).toMatchObject(refused)
      standIn.advance(120)
      expect(await pays("pay0000000000000000000000000a3")).toMatchObject({ result: "done" })
    })
  })

  describe("execute", () => {
    test("Completed with a trxID: paid, in the amount that bKash reports", async () => {
      const request = payment()
      await shop(request)
      const answer = await kept.of(acquirer.confirm(asked(request)))
      const [booked] = standIn.book.payments
      expect(answer).toEqual({
        result: "done",
        reference: booked.trxID,
        amount: 125_050n,
        currency: "BDT",
        references: { execute: "sent", trxID: booked.trxID },
        details: { paymentExecuteTime: expect.stringMatching(/GMT\+0600$/) },
        instrument: { brand: "bKash", account: "017****8575" },
      })
      expect(standIn.movements()).toEqual([{ type: "payment", id: booked.trxID, key: request.key, amount: 125_050n }])
      expect(standIn.calls("query")).toEqual([])
    })

    test("the adapter saves that it executes the payment before it does so; if saving fails, it sends nothing", async () => {
      const request = payment()
      await shop(request)
      const save = () => Promise.reject(new Error("the database is away"))
      await expect(acquirer.confirm(asked(request, { save }))).rejects.toThrow("the database is away")
      expect(standIn.calls("execute")).toEqual([])
      const seen: unknown[] = []
      await acquirer.confirm(
        asked(request, { save: async (references) => void seen.push(references, standIn.calls("execute").length) })
      )
      expect(seen).toEqual([{ ...kept.references, execute: "sent" }, 0])
    })

    test.each([
      [2023, { code: "INSUFFICIENT_FUNDS", reason: "insufficient_funds" }],
      [2037, { code: "CARD_DECLINED", reason: "account_blocked" }],
    ])("%s of an execute: refused for that reason", async (code, expected) => {
      standIn.faults.add({ on: "execute", kind: "error", code })
      const request = payment()
      await shop(request)
      const answer = await acquirer.confirm(asked(request))
      expect(answer).toMatchObject({
        result: "refused",
        message: expect.stringContaining(`bKash ${code}: `),
        ...expected,
      })
      expect(standIn.movements()).toEqual([])
    })

    test("2015 too many wrong PINs: refused, no tries left", async () => {
      standIn.faults.add({ on: "execute", kind: "error", code: 2015, message: "Wrong PIN count exceeded" })
      const request = payment()
      await shop(request)
      expect(await acquirer.confirm(asked(request))).toMatchObject({
        result: "refused",
        reason: "too_many_tries",
        tries_left: 0,
        message: "bKash 2015: Wrong PIN count exceeded",
        references: { execute: "refused" },
      })
    })

    test.each([
      ["the connection breaks", { kind: "lost_after" }],
      ["HTML instead of JSON", { kind: "html_after" }],
      ["a body with only a message", { kind: "message_only_after" }],
      ["status 504", { kind: "message_only_after", status: 504 }],
      ["2029 duplicate", { kind: "error_after", code: 2029 }],
      ["2056 invalid state", { kind: "error_after", code: 2056 }],
      ["2062 completed already", { kind: "error_after", code: 2062 }],
      ["2068 completed already", { kind: "error_after", code: 2068 }],
      ["2116 executed before", { kind: "error_after", code: 2116 }],
      ["2117 executed before", { kind: "error_after", code: 2117, shape: "error" as const }],
      ["2003 process failed", { kind: "error_after", code: 2003 }],
      ["2020 exception", { kind: "error_after", code: 2020 }],
      ["2024 exception", { kind: "error_after", code: 2024 }],
      ["503 maintenance", { kind: "error_after", code: 503 }],
      ["an unlisted code", { kind: "error_after", code: 4711 }],
      ["another paymentID", { kind: "change", fields: { paymentID: "TR0011OTHER" } }],
      ["another invoice number", { kind: "change", fields: { merchantInvoiceNumber: "other" } }],
      ["no trxID", { kind: "change", fields: { trxID: null } }],
      ["no amount", { kind: "change", fields: { amount: null } }],
      ["no currency", { kind: "change", fields: { currency: null } }],
      ["Authorized", { kind: "change", fields: { transactionStatus: "Authorized" } }],
    ])("the money moved and the answer is not clear (%s): the query finds it", async (_, fault) => {
      standIn.faults.add({ on: "execute", ...fault })
      const request = payment()
      await shop(request)
      expect(await kept.of(acquirer.confirm(asked(request)))).toMatchObject({ result: "done", amount: 125_050n })
      expect(standIn.calls("execute")).toHaveLength(1)
      expect(standIn.calls("query")).toHaveLength(1)
      expect(kept.references).toMatchObject({ execute: "sent", trxID: standIn.book.payments[0].trxID })
    })

    test.each([
      ["lost", { kind: "lost_before" }],
      ["2020 exception", { kind: "error", code: 2020 }],
      ["503 maintenance", { kind: "error", code: 503 }],
      ["a message", { kind: "message_only" }],
    ])("the answer is not clear and the query says Initiated (%s): unknown, never closed", async (_, fault) => {
      standIn.faults.add({ on: "execute", ...fault })
      const request = payment()
      await shop(request)
      expect(await kept.of(acquirer.confirm(asked(request)))).toMatchObject({ result: "unknown" })
      const later = asked(request, { now: new Date(request.expires_at.getTime() + 86_400_000) })
      expect(await acquirer.query(later)).toEqual({
        result: "unknown",
        message: expect.stringContaining("execute"),
        needs_operator: true,
      })
      expect(await acquirer.abandon(later)).toMatchObject({ result: "unknown" })
      expect(standIn.calls("execute")).toHaveLength(1)
    })

    test("the answer and the query are lost after the money moved: a later query finds it", async () => {
      standIn.faults.add({ on: "execute", kind: "lost_after" })
      standIn.faults.add({ on: "query", kind: "lost_before" })
      const request = payment()
      await shop(request)
      expect(await kept.of(acquirer.confirm(asked(request)))).toEqual({
        result: "unknown",
        message: "POST /v1.2.0-beta/tokenized/checkout/execute: UND_ERR_SOCKET",
        trouble: "network",
        references: { execute: "sent" },
      })
      expect(await acquirer.query(asked(request))).toMatchObject({ result: "done", amount: 125_050n, currency: "BDT" })
    })

    test("executed twice: bKash says 2117, and the money has moved once", async () => {
      const request = payment()
      await shop(request)
      const first = await acquirer.confirm(asked(request))
      expect(await acquirer.confirm(asked(request))).toEqual(first)
      expect(standIn.calls("execute")[1].answer?.body).toMatchObject({ statusCode: "2117" })
      expect(standIn.movements()).toHaveLength(1)
    })

    test.each([
      ["amount", { amount: "1.00" }, { amount: 100n, currency: "BDT" }],
      ["currency", { currency: "USD" }, { amount: 125_050n, currency: "USD" }],
      ["amount without decimals", { amount: "1250" }, { amount: 125_000n }],
    ])("another %s is reported as bKash says it, so that the core holds it", async (_, fields, reported) => {
      standIn.faults.add({ on: "execute", kind: "change", fields })
      const request = payment()
      await shop(request)
      expect(await acquirer.confirm(asked(request))).toMatchObject({ result: "done", ...reported })
    })

    test("bKash cannot be reached: nothing was executed, and the payment can be closed", async () => {
      const request = payment()
      await shop(request)
      const away = new BkashAcquirer({ ...context, base_url: "http://127.0.0.1:9" })
      expect(await kept.of(away.confirm(asked(request)))).toMatchObject({
        result: "refused",
        retry: true,
        references: { execute: "not_sent" },
      })
      expect(await acquirer.abandon(asked(request))).toMatchObject({ result: "refused", code: "CANCELLED" })
    })

    test("a slow answer is waited for", async () => {
      standIn.faults.add({ on: "execute", kind: "slow", ms: 300 })
      const request = payment()
      await shop(request)
      expect(await acquirer.confirm(asked(request))).toMatchObject({ result: "done" })
    })

    test("so late that the core may have given up: not sent, and no longer asked about", async () => {
      const request = payment()
      await shop(request)
      const payments = new BkashPayments(new BkashClient(context))
      const late = await payments.execute(asked(request), performance.now() - 16_000)
      expect(late).toMatchObject({ result: "refused", references: { execute: "not_sent" } })
      expect(standIn.calls("execute")).toEqual([])
      standIn.faults.add({ on: "execute", kind: "lost_after" })
      expect(await payments.execute(asked(request), performance.now() - 5_000)).toMatchObject({ result: "unknown" })
      expect(standIn.calls("query")).toEqual([])
    })

    test("no payment was opened: refused without a request", async () => {
      expect(await acquirer.confirm(asked(payment()))).toMatchObject({ result: "refused", trouble: "bad_request" })
      expect(standIn.book.requests).toEqual([])
    })
  })

  describe("query", () => {
    test("no paymentID: absent, without a request", async () => {
      expect(await acquirer.query(asked(payment()))).toEqual({ result: "absent" })
      expect(standIn.book.requests).toEqual([])
    })

    test("Initiated, and the shopper has not agreed: unknown, waiting for the shopper; it executes nothing", async () => {
      const request = payment()
      await kept.of(acquirer.start(request))
      expect(await acquirer.query(asked(request))).toMatchObject({ result: "unknown", awaiting_shopper: true })
      await standIn.shop(`${standIn.url}/redirect/tokenized/?${await pageQuery(request)}`)
      expect(await acquirer.query(asked(request))).toMatchObject({ result: "unknown", awaiting_shopper: false })
      expect(standIn.calls("execute")).toEqual([])
    })

    test("2002: absent while nothing was executed, unknown afterwards", async () => {
      const request = payment()
      await shop(request)
      const unknown = { ...kept.references, paymentID: "TR0011NEVER" }
      expect(await acquirer.query(asked(request, { references: unknown }))).toEqual({ result: "absent" })
      const sent = { ...unknown, execute: "sent" }
      expect(await acquirer.query(asked(request, { references: sent }))).toMatchObject({
        result: "unknown",
        needs_operator: true,
      })
    })

    test.each([
      ["another paymentID", { kind: "change", fields: { paymentID: "TR0011OTHER" } }],
      ["another invoice number", { kind: "change", fields: { merchantInvoice: "other" } }],
      ["an unlisted word", { kind: "change", fields: { transactionStatus: "Declined" } }],
      ["no trxID", { kind: "change", fields: { trxID: null } }],
      ["a decline's code", { kind: "error", code: 2023 }],
      ["status 500", { kind: "http", status: 500 }],
      ["HTML", { kind: "html" }],
      ["nothing", { kind: "lost_before" }],
    ])("%s: unknown", async (_, fault) => {
      const request = payment()
      await shop(request)
      await kept.of(acquirer.confirm(asked(request)))
      standIn.faults.add({ on: "query", ...fault })
      expect(await acquirer.query(asked(request))).toMatchObject({ result: "unknown" })
    })

    test("the invoice number may be missing or called merchantInvoiceNumber: the paymentID says whose it is", async () => {
      const request = payment()
      await shop(request)
      await acquirer.confirm(asked(request))
      standIn.faults.add({
        on: "query",
        kind: "change",
        fields: { merchantInvoice: null, merchantInvoiceNumber: request.key },
      })
      expect(await acquirer.query(asked(request))).toMatchObject({ result: "done" })
      standIn.faults.add({ on: "query", kind: "change", fields: { merchantInvoice: null } })
      expect(await acquirer.query(asked(request))).toMatchObject({ result: "done" })
    })
  })

  describe("abandon", () => {
    test.each([
      ["before the session's end: CANCELLED", 0, "CANCELLED"],
      ["at its end: EXPIRED", 1_800_000, "EXPIRED"],
    ])("never executed, %s", async (_, later, code) => {
      const request = payment()
      await shop(request)
      const now = new Date(request.now.getTime() + later)
      expect(await acquirer.abandon(asked(request, { now }))).toMatchObject({ result: "refused", code })
      expect(standIn.calls("execute")).toEqual([])
    })

    test("paid after all: done", async () => {
      standIn.faults.add({ on: "execute", kind: "lost_after" })
      standIn.faults.add({ on: "query", kind: "lost_before" })
      const request = payment()
      await shop(request)
      await kept.of(acquirer.confirm(asked(request)))
      expect(await acquirer.abandon(asked(request))).toMatchObject({ result: "done" })
    })

    test("bKash does not answer: unknown", async () => {
      const request = payment()
      await shop(request)
      standIn.faults.add({ on: "query", kind: "html" })
      expect(await acquirer.abandon(asked(request))).toMatchObject({ result: "unknown" })
    })

    test("a crash during an execute that saved its mark: never closed as unpaid", async () => {
      const request = payment()
      await shop(request)
      await kept.save({ execute: "sent" })
      expect(await acquirer.abandon(asked(request))).toMatchObject({ result: "unknown" })
    })

    test("a core that saves nothing: closed only while the shopper has not agreed", async () => {
      const request = payment({ save: undefined })
      await kept.of(acquirer.start(request))
      expect(await acquirer.abandon(asked(request, { save: undefined }))).toMatchObject({ result: "refused" })
      await standIn.shop(`${standIn.url}/redirect/tokenized/?${await pageQuery(request)}`)
      expect(await acquirer.abandon(asked(request, { save: undefined }))).toMatchObject({ result: "unknown" })
    })

    test("no payment was opened: closed without a request", async () => {
      expect(await acquirer.abandon(asked(payment()))).toMatchObject({ result: "refused", code: "CANCELLED" })
      expect(standIn.book.requests).toEqual([])
    })
  })

  /** The address of the page of a payment that is open. */
  async function pageQuery(request: PaymentRequest): Promise<string> {
    const [{ answer }] = standIn.calls("create").filter(({ body }) => body.includes(request.key))
    const body = answer?.body as Record<string, string>
    return new URL(body.bkashURL).search.slice(1)
  }
})
