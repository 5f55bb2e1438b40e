import { ADMIN, Admin, prepareAdmin, signIn } from "../support/admin"
import { brief, fields, newMerchant, type Answer, type ApiMerchant } from "../support/api"
import { blocked, holding } from "../support/locks"
import { CARD, expectOwnPage, post, visit } from "../support/pages"
import { useStore } from "../support/store"

const store = useStore({ production: true, prepare: prepareAdmin })
let merchant: ApiMerchant

beforeEach(async () => {
  merchant = await newMerchant(store)
})

const LINKS = "/payments/links"
const DAY = 86_400
const ISO = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
const CUSTOMER = { name: "Karim Ahmed", email: "karim@example.com", phone: "01712345678" }
const PAYER = { name: "Rahima Khatun", email: "rahima@example.com", phone: "০১৮১২৩৪৫৬৭৮" }

interface LinkData {
  link_id: string
  url: string
  status: string
  amount: string | null
  open_amount: { min: string; max: string | null; suggested: string[] } | null
  max_payments: number | null
  paid_count: number
  paid_amount: string
  customer: typeof CUSTOMER | null
  transaction_id: string | null
  paid_at: string | null
}
const linkOf = ({ body }: Answer) => body.data as unknown as LinkData
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const oneTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

async function make(changes: Record<string, unknown> = {}, by = merchant): Promise<LinkData> {
  const answer = await by.call("POST", LINKS, { amount: "250.00", description: "Tea for the office", ...changes })
  expect(brief(answer)).toBe("201")
  return linkOf(answer)
}
const read = async (link_id: string) => linkOf(await merchant.call("GET", `${LINKS}/${link_id}`))

/** Presses the button of a link's page, as a browser of its own. */
async function press(url: string, fields: Record<string, string> = {}) {
  return post(url, await visit(url), fields)
}

/** Pays the checkout that the page has led to. */
async function payAt(location: string) {
  const page = `${store.url}${location}`
  return post(page, await visit(page), CARD)
}

/** Whatever the code does, another payment cannot have this place among those of the link. */
async function expectNoPlace(link_id: string, link_place: number | null, message: string) {
  const { transaction_id: id } = await merchant.open()
  const taken = store.db("gateway_transaction").where({ id }).update({ link_id, link_place })
  await expect(taken).rejects.toThrow(message)
}

const transactionsOf = (link_id: string) =>
  store.db("gateway_transaction").where({ link_id }).orderBy("created_at").select("id", "session_id", "state")

describe("docs/decisions/10 — payment links over the API", () => {
  it("are made, read and listed with all their members, newest first", async () => {
    const expires_at = inSeconds(DAY)
    const answer = await merchant.call("POST", LINKS, {
      amount: 1234.5,
      description: "Invoice 7",
      customer: CUSTOMER,
      expires_at,
    })
    expect([answer.status, answer.body.success, answer.body.meta]).toEqual([201, true, {}])
    const link = linkOf(answer)
    expect(link).toEqual({
      link_id: expect.stringMatching(/^lnk_[0-9a-f]{28}$/),
      url: expect.stringMatching(new RegExp(`^${store.url}/pay/link/plk_[0-9a-f]{32}$`)),
      status: "open",
      amount: "1234.50",
      open_amount: null,
      reusable: false,
      max_payments: 1,
      paid_count: 0,
      paid_amount: "0.00",
      currency: "BDT",
      description: "Invoice 7",
      customer: CUSTOMER,
      transaction_id: null,
      expires_at,
      paid_at: null,
      disabled_at: null,
      created_at: ISO,
    })
    expect(await read(link.link_id)).toEqual(link)
    const second = await make()
    expect(second.customer).toBeNull()
    const listed = await merchant.call("GET", `${LINKS}?per_page=1`)
    expect([listed.body.data, listed.body.meta]).toEqual([[second], { total: 2, page: 1, per_page: 1 }])
  })

  const BAD: [string, Record<string, unknown>, string, string][] = [
    ["no amount", { amount: undefined }, "amount", "MISSING_REQUIRED_FIELD"],
    ["too little", { amount: "9.99" }, "amount", "AMOUNT_TOO_LOW"],
    ["too much", { amount: "500000.01" }, "amount", "AMOUNT_TOO_HIGH"],
    ["another currency", { currency: "USD" }, "currency", "INVALID_CURRENCY"],
    ["a blank description", { description: "  " }, "description", "VALIDATION_ERROR"],
    ["an end in the past", { expires_at: "2020-01-01T00:00:00Z" }, "expires_at", "VALIDATION_ERROR"],
    ["an end that is no time", { expires_at: "tomorrow" }, "expires_at", "VALIDATION_ERROR"],
    ["a customer without e-mail", { customer: { ...CUSTOMER, email: "" } }, "customer.email", "MISSING_REQUIRED_FIELD"],
    ["no kind of amount", { amount: undefined, reusable: true }, "amount", "MISSING_REQUIRED_FIELD"],
    ["two kinds of amount", { open_amount: {} }, "open_amount", "VALIDATION_ERROR"],
    ["an open amount that is a number", { amount: undefined, open_amount: 5 }, "open_amount", "VALIDATION_ERROR"],
    ["too low a minimum", { amount: undefined, open_amount: { min: "9.99" } }, "open_amount.min", "AMOUNT_TOO_LOW"],
    [
      "a maximum below the minimum",
      { amount: undefined, open_amount: { min: "50", max: "49.99" } },
      "open_amount.max",
      "VALIDATION_ERROR",
    ],
    [
      "a suggestion outside of the limits",
      { amount: undefined, open_amount: { max: "100", suggested: ["100", "100.01"] } },
      "open_amount.suggested[1]",
      "VALIDATION_ERROR",
    ],
    [
      "five suggestions",
      { amount: undefined, open_amount: { suggested: [10, 20, 30, 40, 50] } },
      "open_amount.suggested",
      "VALIDATION_ERROR",
    ],
    ["a number of payments of a link that is paid once", { max_payments: 2 }, "max_payments", "VALIDATION_ERROR"],
    ["no payments at all", { reusable: true, max_payments: 0 }, "max_payments", "VALIDATION_ERROR"],
    ["half a payment", { reusable: true, max_payments: 1.5 }, "max_payments", "VALIDATION_ERROR"],
    ["a reusable link that is text", { reusable: "yes" }, "reusable", "VALIDATION_ERROR"],
    ["a wrong phone", { customer: { ...CUSTOMER, phone: "12" } }, "customer.phone", "INVALID_PHONE"],
  ]
  it.each(BAD)("contract 7.1 — %s is refused", async (_name, changes, field, code) => {
    const answer = await merchant.call("POST", LINKS, { amount: "10.00", description: "Tea", ...changes })
    expect([answer.status, answer.body.error.field, answer.body.error.code]).toEqual([422, field, code])
    expect(linkOf(await merchant.call("GET", LINKS))).toEqual([])
  })

  it("decisions: Requests — an end in the past is named beside everything else that is wrong", async () => {
    const body = { amount: "9.99", description: "Tea", expires_at: "2020-01-01T00:00:00Z" }
    const answer = await merchant.call("POST", LINKS, body)
    expect([brief(answer), fields(answer)]).toEqual(["422 VALIDATION_ERROR amount", ["amount", "expires_at"]])
  })

  it("decisions: Requests — an Idempotency-Key makes one link, under a race too", async () => {
    const body = { amount: "10.00", description: "Once" }
    const headers = { "Idempotency-Key": "once" }
    const answers = await Promise.all(oneTo(8).map(() => merchant.call("POST", LINKS, body, { headers })))
    const made = answers.filter(({ status }) => status === 201)
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect(new Set(made.map((answer) => linkOf(answer).link_id)).size).toBe(1)
    expect((await merchant.call("GET", LINKS)).body.meta).toMatchObject({ total: 1 })
  })

  it("contract 8 — need the service checkout, and are another merchant's own", async () => {
    const { link_id } = await make()
    const other = await newMerchant(store)
    expect(brief(await other.call("GET", `${LINKS}/${link_id}`))).toBe("404 LINK_NOT_FOUND")
    expect(brief(await other.call("POST", `${LINKS}/${link_id}/disable`))).toBe("404 LINK_NOT_FOUND")
    await store.gateway.merchants.configure(
      { merchant_id: merchant.id, environment: "sandbox" },
      { services: ["refunds"] }
    )
    expect(brief(await merchant.call("POST", LINKS, { amount: "10.00", description: "Tea" }))).toBe(
      "403 SERVICE_NOT_ENABLED"
    )
  })
})

/** What the browser keeps that has paid. */
const RECEIPT_COOKIE = /^gateway_receipt=(?<value>[A-Za-z0-9_-]{43}); .*Path=(?<path>\/pay\/link\/plk_[0-9a-f]{32})/
const headersOf = ({ cookies }: Awaited<ReturnType<typeof post>>) => ({ Cookie: cookies.join().split(";")[0] })

/** The browser that has paid sees what was paid with, and gets the receipt; every other one sees that it is paid. */
async function expectThanks(url: string, paid: Awaited<ReturnType<typeof post>>) {
  const [cookie] = paid.cookies
  expect(RECEIPT_COOKIE.exec(cookie)?.groups?.path).toBe(new URL(url).pathname)
  expect(cookie).toMatch(/HttpOnly/)
  expect(cookie).toMatch(/SameSite=Lax/)
  const thanks = await visit(paid.location, headersOf(paid))
  expect(thanks.text).toContain("Paid with Visa ending in 4242")
  const href = /href="([^"]*receipt=pdf[^"]*)"/.exec(thanks.text)?.[1].replaceAll("&amp;", "&") ?? ""
  const file = await fetch(new URL(href, url), { headers: headersOf(paid) })
  expect([file.status, (await file.text()).slice(0, 5)]).toEqual([200, "%PDF-"])
  const other = `transaction_id=txn${"0".repeat(32)}&receipt=pdf`
  const forged = { Cookie: `gateway_receipt=${"A".repeat(43)}` }
  for (const address of [url, `${url}?${other}`, `${url}?receipt=pdf`, paid.location, new URL(href, url).href]) {
    for (const page of [await visit(address), await visit(address, forged)]) {
      expect(page.text).toContain("This is paid.")
      expect(page.text).not.toMatch(/4242|receipt=pdf|@example/)
    }
  }
}

describe("docs/decisions/10 — the public page of a link", () => {
  it("of a customer leads to a checkout, and shows afterwards that it is paid, in both languages", async () => {
    const link = await make({ customer: CUSTOMER })
    const page = await visit(link.url)
    expectOwnPage(page.response, page.text)
    expect(page.text).toContain("৳250.00")
    expect(page.text).toContain("Tea for the office")
    expect(page.text).not.toContain(CUSTOMER.email)
    const { status, location } = await press(link.url)
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/pay\/ses_/)])
    const shown = (await visit(`${store.url}${location}`)).text
    const paid = await payAt(location)
    expect(paid.location).toMatch(new RegExp(`^${link.url}\\?`))
    const [transaction] = await transactionsOf(link.link_id)
    // One number that can be read aloud, not the order_id.
    const { order_id } = await store.db("gateway_transaction").where({ id: transaction.id }).first()
    expect(shown).toContain(`<bdi>${order_id.slice(-8).toUpperCase()}</bdi>`)
    expect(shown).not.toContain(order_id)
    expect(await read(link.link_id)).toMatchObject({
      status: "paid",
      transaction_id: transaction.id,
      paid_at: ISO,
    })
    expect((await visit(`${link.url}?lang=bn`)).text).toContain("পরিশোধিত")
    await expectThanks(link.url, paid)
    expect(await merchant.verified(transaction.id)).toMatchObject({
      status: "SUCCESS",
      amount: "250.0000",
      customer: { name: CUSTOMER.name, email: CUSTOMER.email, phone: CUSTOMER.phone },
    })
    // Nobody pays it again: neither here nor at the checkout that has paid it.
    expect((await press(link.url)).status).toBe(403)
    expect(await transactionsOf(link.link_id)).toHaveLength(1)
  })

  it("without a customer asks who pays, and names every field that is wrong", async () => {
    const { url, link_id } = await make()
    const wrong = await press(url, { name: " ", email: "rahima", phone: "12" })
    expect(wrong.status).toBe(422)
    expect(wrong.text.match(/aria-invalid="true"/g)).toHaveLength(3)
    expect(await transactionsOf(link_id)).toEqual([])
    const hostile = await press(url, { ...PAYER, name: '"><script>alert(1)</script>', email: "x" })
    expect(hostile.text).not.toContain("<script>alert")
    const { location } = await press(url, PAYER)
    await payAt(location)
    const { transaction_id } = await read(link_id)
    expect(await merchant.verified(transaction_id ?? "")).toMatchObject({
      customer: { name: PAYER.name, email: PAYER.email, phone: "01812345678" },
    })
  })

  it("decisions: Absent means absent — a payer with a phone needs no e-mail address, and is promised no e-mail", async () => {
    const { url, link_id } = await make()
    const { status, location } = await press(url, { ...PAYER, email: "" })
    expect(status).toBe(303)
    const paid = await payAt(location)
    const { transaction_id } = await read(link_id)
    expect(await merchant.verified(transaction_id ?? "")).toMatchObject({
      status: "SUCCESS",
      customer: { name: PAYER.name, email: "", phone: "01812345678" },
    })
    const { text } = await visit(paid.location ?? "", headersOf(paid))
    expect(text).toContain("Paid with")
    expect(text).not.toMatch(/Receipt mailed to|The receipt goes to/)
  })

  it("leads the same payer to the same checkout, and another one to a checkout of their own, alone", async () => {
    const { url, link_id } = await make()
    const first = await press(url, PAYER)
    expect((await press(url, PAYER)).location).toBe(first.location)
    const second = await press(url, { ...PAYER, name: "Somebody Else" })
    expect(second.location).not.toBe(first.location)
    expect((await transactionsOf(link_id)).map(({ state }) => state)).toEqual(["EXPIRED", "OPEN"])
    // The first one's page can take no money any more.
    expect((await visit(`${store.url}${first.location}`)).response.status).toBe(410)
    await payAt(second.location)
    expect((await transactionsOf(link_id)).map(({ state }) => state)).toEqual(["EXPIRED", "SUCCESS"])
  })

  it("money first: many who press at once get one checkout, many who pay at once pay once", async () => {
    const { url, link_id } = await make({ customer: CUSTOMER })
    const pressed = await Promise.all(oneTo(10).map(() => press(url)))
    expect(new Set(pressed.map(({ status, location }) => `${status} ${location}`)).size).toBe(1)
    await Promise.all(pressed.map(({ location }) => payAt(location)))
    const rows = await transactionsOf(link_id)
    expect(rows.map(({ state }) => state)).toEqual(["SUCCESS"])
    const postings = await store
      .db("gateway_ledger_entry")
      .where({ transaction_id: rows[0].id, account: "merchant_balance" })
    expect(postings).toHaveLength(1)
  })

  it("the database allows no second payment of a link, whatever the code does", async () => {
    const { url, link_id } = await make({ customer: CUSTOMER })
    await press(url)
    await expectNoPlace(link_id, 1, "IDX_gateway_transaction_link_id_link_place_unique")
    await expectNoPlace(link_id, 2, "must have one of the places")
    await expectNoPlace(link_id, null, "must have one of the places")
  })

  it("a payment that has failed or was cancelled can be made again; a refund leaves the link paid", async () => {
    const { url, link_id } = await make({ customer: CUSTOMER })
    const cancelled = await press(url)
    const session = cancelled.location.replace("/pay/", "")
    await merchant.call("POST", `/sandbox/sessions/${session}/cancel`)
    const { location } = await press(url)
    expect(location).not.toBe(cancelled.location)
    await payAt(location)
    const { transaction_id } = await read(link_id)
    await merchant.call("POST", "/payments/refund", { transaction_id, refund_reason: "Broken" })
    await merchant.advance(DAY)
    expect(await merchant.verified(transaction_id ?? "")).toMatchObject({ status: "REFUNDED" })
    expect(await read(link_id)).toMatchObject({ status: "paid", transaction_id })
  })

  it("expires by the merchant's clock; what was opened in time can be paid", async () => {
    const { url, link_id } = await make({ customer: CUSTOMER, expires_at: inSeconds(600) })
    const { location } = await press(url)
    await merchant.advance(601)
    expect(await read(link_id)).toMatchObject({ status: "expired" })
    expect((await visit(url)).text).toContain("Expired")
    expect((await press(url)).status).toBe(403)
    await payAt(location)
    expect(await read(link_id)).toMatchObject({ status: "paid" })
  })

  it("disabled, nobody can pay it any more, nor its open checkout; a second time is 409", async () => {
    const { url, link_id } = await make({ customer: CUSTOMER })
    const { location } = await press(url)
    const answer = await merchant.call("POST", `${LINKS}/${link_id}/disable`)
    expect([answer.status, linkOf(answer)]).toEqual([200, expect.objectContaining({ status: "disabled" })])
    expect((await payAt(location)).status).toBe(403)
    expect((await transactionsOf(link_id)).map(({ state }) => state)).toEqual(["EXPIRED"])
    expect((await visit(url)).text).toContain("Closed")
    expect(brief(await merchant.call("POST", `${LINKS}/${link_id}/disable`))).toBe("409 INVALID_STATE_TRANSITION")
    const paid = await make({ customer: CUSTOMER })
    await payAt((await press(paid.url)).location)
    expect(brief(await merchant.call("POST", `${LINKS}/${paid.link_id}/disable`))).toBe("409 INVALID_STATE_TRANSITION")
  })

  it("of a merchant that may take no payments says so, and moves nothing", async () => {
    const { url, link_id } = await make({ customer: CUSTOMER })
    const visited = await visit(url)
    await store.gateway.merchants.update(merchant.id, { status: "suspended" })
    const refused = await post(url, visited, {})
    expect([refused.status, refused.text.includes("cannot be paid at this moment")]).toEqual([409, true])
    expect(await transactionsOf(link_id)).toEqual([])
  })

  it("takes no form of another site, and knows no other paths and methods", async () => {
    const { url, link_id } = await make({ customer: CUSTOMER })
    const { cookie, token } = await visit(url)
    const foreign = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        Cookie: cookie,
        "Sec-Fetch-Site": "cross-site",
      },
      body: new URLSearchParams({ csrf_token: token }).toString(),
    })
    expect(foreign.status).toBe(403)
    expect((await post(url, { cookie: "", token }, {})).status).toBe(403)
    const unknown = `${store.url}/pay/link/plk_${"0".repeat(32)}`
    for (const [address, method, status] of [
      [unknown, "GET", 404],
      [`${store.url}/pay/link/x`, "GET", 404],
      [`${url}/x`, "GET", 404],
      [url, "DELETE", 405],
    ] as const) {
      const response = await fetch(address, { method })
      expect([address, response.status]).toEqual([address, status])
      expectOwnPage(response, await response.text())
    }
    expect(await transactionsOf(link_id)).toEqual([])
  })
})

/** Somebody else with each number. */
const payer = (number: number) => ({ ...PAYER, email: `payer${number}@example.com` })
const statesOf = async (link_id: string) => (await transactionsOf(link_id)).map(({ state }) => state)

describe("docs/decisions/10 — a link that many can pay", () => {
  it("stays open, leads each payer to a checkout of their own, and shows nobody another one's payment", async () => {
    const { url, link_id, max_payments } = await make({ reusable: true })
    expect(max_payments).toBeNull()
    const first = await press(url, payer(1))
    expect((await press(url, payer(1))).location).toBe(first.location)
    const second = await press(url, payer(2))
    expect(second.location).not.toBe(first.location)
    expect(await statesOf(link_id)).toEqual(["OPEN", "OPEN"])
    const paid = [await payAt(first.location), await payAt(second.location)]
    expect(await read(link_id)).toMatchObject({
      status: "open",
      paid_count: 2,
      paid_amount: "500.00",
      transaction_id: null,
      paid_at: null,
    })
    const thanks = (await visit(paid[0].location, headersOf(paid[0]))).text
    // One payer's cookie shows no other's receipt.
    expect((await visit(paid[1].location, headersOf(paid[0]))).text).not.toMatch(/4242|receipt=pdf|@example/)
    expect(thanks).toContain("Paid with Visa ending in 4242")
    const [mine, theirs] = (await transactionsOf(link_id)).map(({ id }) => id)
    expect(thanks).toContain(`transaction_id=${mine}`)
    expect(thanks).not.toContain(theirs)
    // No second payment by mistake: the form comes only when it is asked for.
    expect(thanks).not.toContain("csrf_token")
    expect(thanks).toContain("Pay again")
    const page = (await visit(url)).text
    expect(page).toContain("Pay ৳250.00")
    expect(page).not.toMatch(/4242|receipt=pdf|@example\.com"/)
    // The same payer pays again: that is another payment.
    await payAt((await press(url, payer(1))).location)
    expect(await read(link_id)).toMatchObject({ status: "open", paid_count: 3 })
  })

  it("the browser whose card was declined does not get the receipt of the one that paid", async () => {
    const { url } = await make({ customer: CUSTOMER })
    const { location } = await press(url)
    const page = `${store.url}${location}`
    const declined = await post(page, await visit(page), { ...CARD, card_number: "4000000000000002" })
    const paid = await payAt(location)
    expect((await visit(paid.location, headersOf(paid))).text).toContain("Paid with Visa ending in 4242")
    const theirs = await visit(paid.location, headersOf(declined))
    expect(theirs.text).toContain("This is paid.")
    expect(theirs.text).not.toMatch(/4242|receipt=pdf|@example/)
  })

  it("its checkout and receipt are in the language of the page on which Pay was pressed", async () => {
    for (const language of ["bn", "en"]) {
      const { url } = await make({ customer: CUSTOMER })
      const page = `${url}?lang=${language}`
      const { location } = await post(page, await visit(page), {})
      const id = location.split("/").at(-1)
      expect(await store.db("gateway_checkout_session").where({ id }).first()).toMatchObject({ language })
    }
  })

  it("another link's payment shows nothing on its page", async () => {
    const [one, other] = [await make({ reusable: true }), await make({ reusable: true })]
    const paid = await payAt((await press(one.url, payer(1))).location)
    const elsewhere = await visit(paid.location.replace(one.url, other.url), headersOf(paid))
    expect(elsewhere.text).toContain("csrf_token")
    expect(elsewhere.text).not.toMatch(/4242|payer1@/)
  })

  it.each([true, false])(
    "a payment that is not confirmed yet shows that, and no form; reusable %s",
    async (reusable) => {
      const { url, link_id } = await make({ reusable, amount: undefined, open_amount: {} })
      await press(url, { ...payer(1), amount: "70" })
      const [{ id }] = await transactionsOf(link_id)
      const page = `${url}?status=PENDING&transaction_id=${id}`
      expect((await visit(page)).text).toContain("csrf_token")
      await store.db("gateway_transaction").where({ id }).update({ state: "PROCESSING" })
      const pending = (await visit(page)).text
      expect(pending).toContain("Do not pay again until you know")
      expect(pending).toContain("৳70.00")
      expect(pending).not.toContain("csrf_token")
      expect(pending).not.toContain("Pay again")
    }
  )

  it("money first: of many who come to the last places, so many pay as there are places, and no more", async () => {
    const { url, link_id } = await make({ reusable: true, max_payments: 3 })
    const paid = [await payAt((await press(url, payer(0))).location)]
    const pressed = await Promise.all(oneTo(6).map((number) => press(url, payer(number))))
    const led = pressed.filter(({ status }) => status === 303)
    expect(new Set(led.map(({ location }) => location)).size).toBe(2)
    expect(pressed.filter(({ status }) => status === 409)).toHaveLength(4)
    paid.push(...(await Promise.all(led.map(({ location }) => payAt(location)))))
    expect(await statesOf(link_id)).toEqual(["SUCCESS", "SUCCESS", "SUCCESS"])
    expect(await read(link_id)).toMatchObject({ status: "paid", paid_count: 3, paid_amount: "750.00" })
    const [{ id }] = await transactionsOf(link_id)
    expect((await visit(url)).text).toContain("as often as the shop asked for")
    const mine = await Promise.all(paid.map((one) => visit(`${url}?transaction_id=${id}`, headersOf(one))))
    expect(mine.filter(({ text }) => text.includes("4242"))).toHaveLength(1)
    expect((await press(url, payer(7))).status).toBe(403)
    for (const place of [1, 2, 3]) {
      await expectNoPlace(link_id, place, "IDX_gateway_transaction_link_id_link_place_unique")
    }
    await expectNoPlace(link_id, 4, "must have one of the places")
  })

  it("leads a payer whose payment is under way back to it, and opens no second one", async () => {
    const { url, link_id } = await make({ reusable: true })
    const { location } = await press(url, payer(1))
    await store.db("gateway_transaction").where({ link_id }).update({ state: "PROCESSING" })
    expect((await press(url, payer(1))).location).toBe(location)
    expect(await statesOf(link_id)).toEqual(["PROCESSING"])
    expect((await press(url, payer(2))).location).not.toBe(location)
  })

  it("the place of a checkout whose time is up is free at once, before any job has run", async () => {
    const { url, link_id } = await make({ reusable: true, max_payments: 1 })
    await press(url, payer(1))
    expect((await press(url, payer(2))).status).toBe(409)
    await store
      .db("gateway_transaction")
      .where({ link_id })
      .update({ expires_at: new Date(Date.now() - 1_000) })
    expect((await press(url, payer(2))).status).toBe(303)
    expect((await statesOf(link_id)).sort()).toEqual(["EXPIRED", "OPEN"])
  })

  it("a place is free again when its checkout ends unpaid; a refund gives none back", async () => {
    const { url, link_id } = await make({ reusable: true, max_payments: 1 })
    const first = await press(url, payer(1))
    expect((await press(url, payer(2))).status).toBe(409)
    await merchant.call("POST", `/sandbox/sessions/${first.location.replace("/pay/", "")}/cancel`)
    await payAt((await press(url, payer(2))).location)
    const paid = (await transactionsOf(link_id)).find(({ state }) => state === "SUCCESS")
    await merchant.call("POST", "/payments/refund", { transaction_id: paid?.id, refund_reason: "Broken" })
    await merchant.advance(DAY)
    expect(await statesOf(link_id)).toEqual(["CANCELLED", "REFUNDED"])
    expect(await read(link_id)).toMatchObject({ status: "paid", paid_count: 1, paid_amount: "250.00" })
    expect((await press(url, payer(3))).status).toBe(403)
  })

  it("disabled, all of its open checkouts end, and what was paid stays", async () => {
    const { url, link_id } = await make({ reusable: true })
    await payAt((await press(url, payer(1))).location)
    const open = [await press(url, payer(2)), await press(url, payer(3))]
    const answer = await merchant.call("POST", `${LINKS}/${link_id}/disable`)
    expect(linkOf(answer)).toMatchObject({ status: "disabled", paid_count: 1 })
    expect(await statesOf(link_id)).toEqual(["SUCCESS", "EXPIRED", "EXPIRED"])
    for (const { location } of open) {
      expect((await payAt(location)).status).toBe(403)
    }
  })
})

describe("docs/decisions/10 — closing a link that others are paying", () => {
  const disable = (link_id: string) => merchant.call("POST", `${LINKS}/${link_id}/disable`)

  it("nobody opens another checkout while it waits for one of them", async () => {
    const { url, link_id } = await make({ reusable: true })
    await press(url, payer(1))
    const page = await visit(url)
    const [{ id }] = await transactionsOf(link_id)
    const [closing, pressed] = await holding(store, "gateway_transaction", id, async () => {
      const closing = disable(link_id)
      await blocked(store, 1)
      return [closing, await post(url, page, payer(2))]
    })
    expect(pressed.status).toBe(409)
    expect((await closing).status).toBe(200)
    expect(await statesOf(link_id)).toEqual(["EXPIRED"])
  })

  it("once, whoever else closes it and whoever presses; no checkout stays open", async () => {
    const { url, link_id } = await make({ reusable: true })
    const page = await visit(url)
    const press = (number: number) => post(url, page, payer(number))
    await Promise.all(oneTo(5).map(press))
    const pressing = oneTo(10).map((number) => press(number + 5))
    const closed = await Promise.all(oneTo(3).map(() => disable(link_id)))
    await Promise.all(pressing)
    expect(closed.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect([...new Set(await statesOf(link_id))]).toEqual(["EXPIRED"])
  })

  it.each([
    ["the same request, sent again", async (link_id: string) => void (await disable(link_id))],
    ["the task", async () => void (await store.gateway.paymentLinks.endCheckouts())],
  ])("what a process has left open that died in the middle is ended by %s", async (_name, finish) => {
    const { url, link_id } = await make({ reusable: true })
    const open = await make({ reusable: true })
    for (const one of [url, url, open.url]) {
      await press(one, payer(await transactionsOf(link_id).then(({ length }) => length)))
    }
    await store.db("gateway_payment_link").where({ id: link_id }).update({ state: "disabled", disabled_at: new Date() })
    await finish(link_id)
    expect(await statesOf(link_id)).toEqual(["EXPIRED", "EXPIRED"])
    expect(await statesOf(open.link_id)).toEqual(["OPEN"])
  })
})

describe("docs/decisions/10 — a link with an open amount", () => {
  const OPEN = { amount: undefined, open_amount: { min: "20", max: "5000", suggested: [50, "100.50"] } }

  it("takes the amount that was typed, in digits of any script, or a suggested one", async () => {
    const { url, link_id, ...made } = await make({ ...OPEN, reusable: true })
    const shown = { min: "20.00", max: "5000.00", suggested: ["50.00", "100.50"] }
    expect(made).toMatchObject({ amount: null, open_amount: shown })
    const page = (await visit(url)).text
    expect(page).toContain("From ৳20.00 to ৳5,000.00")
    expect(page.match(/type="radio" name="choice"/g)).toHaveLength(3)
    const chosen: [Record<string, string>, string][] = [
      [{ choice: "other", amount: "৳১,২৩৪.৫০" }, "1234.50"],
      [{ choice: "100.50", amount: "" }, "100.50"],
      // A browser without scripts may leave a text behind; what is chosen counts.
      [{ choice: "50.00", amount: "4000" }, "50.00"],
      [{ amount: "20" }, "20.00"],
    ]
    for (const [index, [fields, amount]] of chosen.entries()) {
      const { location } = await press(url, { ...payer(index), ...fields })
      await payAt(location)
      const { id } = (await transactionsOf(link_id))[index]
      expect(await merchant.verified(id)).toMatchObject({ status: "SUCCESS", amount: `${amount}00` })
    }
    expect(await read(link_id)).toMatchObject({ paid_count: 4, paid_amount: "1405.00" })
  })

  it.each(["", "19.99", "5000.01", "-50", "ten", "50.001"])(
    "refuses %j, and says from where to where",
    async (amount) => {
      const { url, link_id } = await make(OPEN)
      const refused = await press(url, { ...PAYER, choice: "other", amount })
      expect(refused.status).toBe(422)
      expect(refused.text).toContain("Enter an amount from ৳20.00 to ৳5,000.00.")
      expect(refused.text).toContain(`value="${PAYER.name}"`)
      expect((await press(url, { ...PAYER, choice: "1.00" })).status).toBe(422)
      expect(await transactionsOf(link_id)).toEqual([])
    }
  )

  it("without limits takes what a checkout takes; another amount is another checkout, and it is paid once", async () => {
    const { url, link_id } = await make({ amount: undefined, open_amount: {}, customer: CUSTOMER })
    expect((await visit(url)).text).not.toContain('type="radio"')
    expect((await press(url, { amount: "9.99" })).status).toBe(422)
    const first = await press(url, { amount: "10" })
    expect((await press(url, { amount: "10.00" })).location).toBe(first.location)
    const second = await press(url, { amount: "500000" })
    expect(second.location).not.toBe(first.location)
    expect(await statesOf(link_id)).toEqual(["EXPIRED", "OPEN"])
    const { location } = await payAt(second.location)
    expect(await read(link_id)).toMatchObject({ status: "paid", amount: null, paid_amount: "500000.00" })
    expect((await visit(location)).text).toContain("৳5,00,000.00")
    expect((await press(url, { amount: "10" })).status).toBe(403)
  })
})

describe("docs/decisions/10 — payment links in the admin", () => {
  it("are made, filtered by their states, closed, added up, exported, and audited", async () => {
    const admin = new Admin(store, await signIn(store), merchant.id)
    const { body } = await admin.post("/payment-links", { amount: "99.00", description: "By hand" })
    const made = body.payment_link
    expect(made).toMatchObject({ status: "open", amount: "99.00" })
    const paid = await make({ customer: CUSTOMER })
    await payAt((await press(paid.url)).location)
    const late = await make({ expires_at: inSeconds(60) })
    await merchant.advance(61)
    const closed = await make()
    await admin.post(`/payment-links/${closed.link_id}/disable`)
    for (const [status, id] of [
      ["open", made.id],
      ["paid", paid.link_id],
      ["expired", late.link_id],
      ["disabled", closed.link_id],
    ]) {
      const listed = (await admin.get(`/payment-links?status=${status}`)).body.payment_links
      expect([status, listed.map((link) => [link.id, link.status])]).toEqual([status, [[id, status]]])
      const { data } = (await merchant.call("GET", `${LINKS}?status=${status}`)).body
      expect((data as unknown as LinkData[]).map(({ link_id }) => link_id)).toEqual([id])
    }
    expect((await admin.get(`/payment-links?q=${CUSTOMER.email.slice(0, 5).toUpperCase()}`)).body.count).toBe(1)
    const sums = { paid_amount: "250.00", open_amount: "99.00" }
    expect((await admin.get("/payment-links?totals=true")).body.totals).toEqual([{ currency: "BDT", ...sums }])
    const by = async (id: string) => {
      const [listed] = (await admin.get(`/payment-links?q=${id}`)).body.payment_links
      const opened = (await admin.get(`/payment-links/${id}`)).body.payment_link
      expect(opened.created_by_name).toBe(listed.created_by_name)
      return opened.created_by_name
    }
    expect(await by(made.id)).toBe(ADMIN.email)
    expect(await by(paid.link_id)).toMatch(/^.+ \(.+….{4}\)$/)
    const csv = (await admin.get("/payment-links?format=csv")).text
    expect(csv.trim().split("\r\n")).toHaveLength(5)
    expect(csv).toMatch(/^[^\r]*,Made by\r\n/)
    expect(csv.split("\r\n").find((line) => line.includes(made.id))).toContain(ADMIN.email)
    expect((await admin.changes(made.id)).map(({ action, actor }) => [action, actor.type])).toEqual([
      ["payment_link.created", "user"],
    ])
    expect((await admin.changes(closed.link_id)).map(({ action, actor }) => [action, actor.type])).toEqual([
      ["payment_link.disabled", "user"],
      ["payment_link.created", "merchant_key"],
    ])
  })
  it("a link that many can pay has its payments, found by its id, with their sum", async () => {
    const admin = new Admin(store, await signIn(store), merchant.id)
    const { url, link_id } = await make({ reusable: true, max_payments: 5 })
    await make({ amount: "40.00" })
    for (const number of [1, 2]) {
      await payAt((await press(url, payer(number))).location)
    }
    await press(url, payer(3))
    const { body } = await admin.get(`/payments?q=${link_id}&totals=true`)
    expect(body.payments.map(({ status, customer }) => [status, customer])).toEqual([
      ["PENDING", expect.objectContaining({ email: "payer3@example.com" })],
      ["SUCCESS", expect.objectContaining({ email: "payer2@example.com" })],
      ["SUCCESS", expect.objectContaining({ email: "payer1@example.com" })],
    ])
    expect(body.totals).toMatchObject([{ amount: "500.00" }])
    expect((await merchant.call("GET", `/payments?q=${link_id}`)).body.meta).toMatchObject({ total: 3 })
    const listed = (await admin.get("/payment-links?status=open&totals=true")).body
    expect(listed.payment_links.map(({ paid_count, paid_amount }) => [paid_count, paid_amount])).toEqual([
      [0, "0.00"],
      [2, "500.00"],
    ])
    // What is still open is known of links with one amount, paid once, alone.
    expect(listed.totals).toEqual([{ currency: "BDT", paid_amount: "500.00", open_amount: "40.00" }])
  })
})
