import { isCardNumber } from "../../src/api/pay/form/card-rules"
import { gatewayIn } from "../../src/modules/gateway"
import { cardTestingStrikes } from "../../src/modules/gateway/kernel/http/metrics"
import { SandboxAcquirer } from "../../src/modules/gateway/acquirers/sandbox"
import { redirect, refused, ScriptedAcquirer, storeAsks } from "../support/acquirer"
import { newMerchant } from "../support/api"
import { merchantOf, type Checkout, type Merchant } from "../support/checkouts"
import { CARD, submit, visitCheckout as visit } from "../support/pages"
import { useStore } from "../support/store"

const SHOP = "http://127.0.0.1:9"
/**
 * The tests switch limits on and off in the process, so the store runs in this one. Loopback is a trusted proxy, so
 * that requests may use addresses of their own.
 */
const store = useStore({ production: false, container: true, shop: true, env: { TRUSTED_PROXIES: "127.0.0.1,::1" } })
let merchant: Merchant

beforeAll(async () => {
  merchant = await merchantOf(store, SHOP)
})

describe("decisions: Card testing", () => {
  const gateway = () => gatewayIn(store.container)
  const OFF = { cardsPerSession: 0, cardsPerAddress: 0, cardsPerMerchant: 0 }
  let hosts = 0
  const elsewhere = () => `198.51.102.${(hosts += 1)}`
  /** Valid card numbers that are not test cards. */
  const cards = (count: number) =>
    Array.from({ length: count }, (_, index) => withCheckDigit(`40128888${String(index).padStart(7, "0")}`))

  afterEach(() => Object.assign(gateway().options.pageLimits, OFF))

  const tried = async (checkout: Checkout, card_number: string, address = elsewhere()) => {
    const { response, text } = await submit(checkout, {
      fields: { ...CARD, card_number },
      headers: { "X-Forwarded-For": address },
    })
    return { status: response.status, wait: Number(response.headers.get("retry-after")), text }
  }

  it("who mistypes twice, and tries one card again and again, notices nothing; the attempt is not used up", async () => {
    gateway().options.pageLimits.cardsPerSession = 8
    const checkout = await merchant.checkout()
    const [first, second] = cards(2)
    for (const number of [first, second, first, first, second, first, second, first, first]) {
      expect((await tried(checkout, number)).status).toBe(422)
    }
    expect((await tried(checkout, "4242424242424242")).status).toBe(303)
    expect(await merchant.status(checkout.transaction_id)).toBe("SUCCESS")
  })

  it("many cards on one checkout, from whatever addresses, are slowed down, then refused: metric, audit log, and no number anywhere", async () => {
    const own = await merchantOf(store, SHOP, "Tested House")
    const checkout = await own.checkout()
    gateway().options.pageLimits.cardsPerSession = 4
    const numbers = cards(20)
    const before = await strikes("session")
    const three = [
      await tried(checkout, numbers[0]),
      await tried(checkout, numbers[1]),
      await tried(checkout, numbers[2]),
    ]
    expect(three.map(({ status }) => status)).toEqual([422, 422, 422])
    // The fourth may be tried, and is the last one.
    const [fourth, hasty] = [await tried(checkout, numbers[3]), await tried(checkout, "4242424242424242")]
    expect([fourth.status, hasty.status]).toEqual([422, 429])
    expect(hasty.wait).toBeGreaterThan(60)
    expect(hasty.text).toContain("Several payments were refused one after the other")
    expect((await visit(checkout)).response.status).toBe(200)
    expect(await own.status(checkout.transaction_id)).toBe("PENDING")
    expect((await strikes("session")) - before).toBe(1)
    const entries = await store
      .db("gateway_audit_entry")
      .where({ merchant_id: own.id, action: "card_testing.suspected" })
    expect(entries).toMatchObject([
      {
        resource_id: checkout.transaction_id,
        actor_type: "system",
        changes: { counted_by: { to: "session" }, failed_cards: { to: 4 } },
      },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/40128888|ses_/)
  })

  it("before any is refused, a pause is asked for between one card and the next", async () => {
    gateway().options.pageLimits.cardsPerSession = 30
    const checkout = await merchant.checkout()
    const [first, second, ...others] = cards(20)
    const trial = { ...checkout, merchant_id: merchant.id, environment: "sandbox", address: elsewhere() } as const
    for (const number of others) {
      await gateway().cardTesting.failed(trial, number)
    }
    const [one, other] = [await tried(checkout, first), await tried(checkout, second)]
    expect([one.status, other.status]).toEqual([422, 429])
    expect(other.wait).toBeGreaterThanOrEqual(1)
    expect(other.wait).toBeLessThanOrEqual(60)
  })

  it("many cards from one address, each on a checkout of its own; other addresses go on", async () => {
    gateway().options.pageLimits.cardsPerAddress = 3
    const address = elsewhere()
    const answers = []
    for (const number of cards(5)) {
      answers.push((await tried(await merchant.checkout(), number, address)).status)
    }
    expect(answers).toEqual([422, 422, 422, 429, 429])
    const declined = await tried(await merchant.checkout(), "4000000000000002")
    expect(declined.status).toBe(303)
    expect((await tried(await merchant.checkout(), "4242424242424242")).status).toBe(303)
  })

  it("many cards at one merchant from many addresses: two typos are still allowed, further cards are refused sooner", async () => {
    const own = await merchantOf(store, SHOP, "Besieged House")
    Object.assign(gateway().options.pageLimits, { cardsPerSession: 8, cardsPerMerchant: 6 })
    for (const number of cards(6)) {
      await tried(await own.checkout(), number)
    }
    const checkout = await own.checkout()
    const numbers = cards(12).slice(6)
    const answers = []
    for (const number of numbers.slice(0, 4)) {
      answers.push((await tried(checkout, number)).status)
    }
    expect(answers).toEqual([422, 422, 422, 429])
    const shopper = await own.checkout()
    expect([
      (await tried(shopper, numbers[4])).status,
      (await tried(shopper, numbers[5])).status,
      (await tried(shopper, "4242424242424242")).status,
    ]).toEqual([422, 422, 303])
    const elsewhereMerchant = await merchant.checkout()
    expect((await tried(elsewhereMerchant, "4242424242424242")).status).toBe(303)
  })

  it("a decline that only the reconciler hears of counts for the address it was tried from, once; the helper's does not", async () => {
    gateway().options.pageLimits.cardsPerAddress = 2
    const own = await merchantOf(store, SHOP, "Distant House")
    const [address, helped] = [elsewhere(), elsewhere()]
    const start = SandboxAcquirer.prototype.start
    const lost = jest.spyOn(SandboxAcquirer.prototype, "start").mockImplementation(async function (
      this: SandboxAcquirer,
      request
    ) {
      await start.call(this, request)
      return { result: "unknown", message: "the answer was lost" }
    })
    const tries = [await own.checkout(), await own.checkout()]
    const inTests = await own.checkout()
    try {
      for (const checkout of tries) {
        expect((await tried(checkout, "4000000000000002", address)).status).toBe(303)
      }
      await own.pay(inTests.session_id, "4000000000000002")
    } finally {
      lost.mockRestore()
    }
    const networks = async () =>
      (await store.db("gateway_payment_attempt").where({ merchant_id: own.id }).orderBy("created_at")).map(
        ({ visitor_network }) => visitor_network
      )
    expect(await networks()).toEqual([address, address, null])
    expect(await own.status(tries[0].transaction_id)).toBe("PENDING")
    await own.advance(360)
    // The shopper may try again on the page; the helper's one attempt is final.
    expect(await Promise.all([...tries, inTests].map(({ transaction_id }) => own.status(transaction_id)))).toEqual([
      "PENDING",
      "PENDING",
      "FAILED",
    ])
    expect(
      await store.db("gateway_payment_attempt").where({ merchant_id: own.id }).select("state", "error_code")
    ).toEqual(Array(3).fill({ state: "DECLINED", error_code: "CARD_DECLINED" }))
    expect(await networks()).toEqual([null, null, null])
    expect((await tried(await own.checkout(), "4242424242424242", address)).status).toBe(429)
    expect((await tried(await own.checkout(), "4242424242424242", helped)).status).toBe(303)
    // Two who hear of the same decline count it once.
    gateway().options.pageLimits.cardsPerAddress = 4
    const trial = {
      merchant_id: own.id,
      environment: "sandbox",
      session_id: "s",
      transaction_id: "t",
      address: helped,
    } as const
    await Promise.all(Array.from({ length: 5 }, () => gateway().cardTesting.failed(trial, null)))
    expect((await tried(await own.checkout(), "4242424242424242", helped)).status).toBe(303)
  })

  it("a decline on the acquirer's own page counts for the address it was tried from, each attempt once, whichever reports it first", async () => {
    gateway().options.pageLimits.cardsPerAddress = 3
    const own = await merchantOf(store, SHOP, "Card House")
    const address = elsewhere()
    storeAsks({ CARD: new ScriptedAcquirer("redirect", [redirect], [() => refused()]) })
    const waits = ({ session_id, transaction_id }: Checkout) => {
      const trial = { merchant_id: own.id, environment: "sandbox", session_id, transaction_id, address } as const
      return gateway().cardTesting.secondsToWait(trial)
    }
    const attempted = async (opened: Checkout) => {
      expect((await tried(opened, "4242424242424242", address)).status).toBe(303)
      return store
        .db("gateway_payment_attempt")
        .where({ transaction_id: opened.transaction_id })
        .orderBy("number", "desc")
    }
    const [returned, notified] = [await own.checkout(), await own.checkout()]
    await attempted(returned)
    await fetch(`${returned.page}/return`, { redirect: "manual", headers: { "X-Forwarded-For": elsewhere() } })
    const [{ id }] = await attempted(returned)
    const back = () =>
      fetch(`${store.url}/gateway/acquirers/scripted/return/${id}`, {
        redirect: "manual",
        headers: { "X-Forwarded-For": elsewhere() },
      })
    await Promise.all([back(), gateway().inquiries.hinted(id, null), gateway().inquiries.hinted(id, null)])
    await attempted(notified)
    expect(await waits(notified)).toBeNull()
    await gateway().inquiries.leave({ session_id: notified.session_id, page_url: notified.page })
    expect(await waits(notified)).toBeGreaterThan(0)
    jest.restoreAllMocks()
  })

  it("decisions: Sandbox — the helper for merchants' own tests is not counted", async () => {
    Object.assign(gateway().options.pageLimits, { cardsPerSession: 1, cardsPerAddress: 1, cardsPerMerchant: 1 })
    const owner = await newMerchant(store)
    const { session_id } = await owner.open()
    for (const card_number of cards(4)) {
      expect((await owner.pay(session_id, { payment_method: "card", card_number })).status).toBe(422)
    }
    expect((await owner.pay(session_id)).status).toBe(200)
  })

  async function strikes(counted_by: string): Promise<number> {
    const { values } = await cardTestingStrikes.get()
    return values.filter(({ labels }) => labels.counted_by === counted_by).reduce((sum, { value }) => sum + value, 0)
  }

  function withCheckDigit(digits: string): string {
    return [...Array(10).keys()].map((digit) => `${digits}${digit}`).find(isCardNumber) ?? ""
  }
})
