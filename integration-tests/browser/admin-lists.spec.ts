import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Response } from "playwright-core"
import { presets } from "../../src/admin/lib/table/presets"
import { Admin, prepareAdmin, signIn } from "../support/admin"
import { CUSTOMER } from "../support/api"
import {
  admin,
  elsewhere,
  held,
  merchant,
  open,
  PAGES,
  paid,
  PHONE,
  rows,
  rowsShown,
  useAdminPages,
  WIDE,
} from "../support/admin-screens"
import { accessibilityProblems } from "../support/browser"
import { addEmi } from "../support/emi"
import { copyPayment } from "../support/many-rows"
import { ROOT, useStore } from "../support/store"
import { PLAN, Subscriber } from "../support/subscriptions"
import { until } from "../support/until"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

describe("lists", () => {
  it("of payments show their totals and presets, and are exported with what is filtered", async () => {
    await paid("1000.00")
    await paid("250.00")
    await open("/payments")
    const totals = admin.page.getByRole("region", { name: "Totals of all rows" })
    await totals.getByText("Successful payments: ৳1,250.00").waitFor()
    await totals.getByText("৳31.25").waitFor()
    await open(`/payments?from=${encodeURIComponent(presets(new Date(), "Asia/Dhaka").today.$gte)}`)
    // The filter's value names the preset, and opens the others.
    await admin.page.getByText("Today", { exact: true }).first().click()
    await admin.page.getByText("This month", { exact: true }).waitFor()
    await admin.picture("payments-presets")
    await admin.page.getByText("Yesterday", { exact: true }).click()
    await admin.shows("Nothing found")
    const { searchParams } = new URL(admin.page.url())
    const [from, to] = [searchParams.get("from"), searchParams.get("to")].map((time) => Date.parse(time ?? ""))
    expect(to - from).toBe(86_400_000)
    // The first click beside an open menu only closes it.
    await admin.page.keyboard.press("Escape")
    const { name, text } = await admin.downloaded(() => admin.button("Export CSV").click())
    expect(name).toMatch(/^payments-sandbox-/)
    expect(text.trim().split("\r\n")).toHaveLength(1)
    await open("/payments")
    await totals.getByText("৳1,250.00").waitFor()
    await admin.picture("payments-totals-light")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    await elsewhere("/payments", "payments-totals")
  })

  it("open a row's page by a click anywhere in the row, but for marked text, and on a phone", async () => {
    await paid("1111.00")
    await open("/payments")
    const amount = admin.page.getByRole("row").getByText("৳1,111.00").first()
    await amount.selectText()
    await amount.click({ modifiers: ["Shift"] })
    expect(new URL(admin.page.url()).pathname).toMatch(/\/payments$/)
    await admin.page.evaluate(() => getSelection()?.removeAllRanges())
    await amount.click()
    await admin.page.waitForURL(/\/payments\/[^/]+$/)
    // A refund's row opens the refund, though it leads to its payment, too.
    const desk = new Admin(store, await signIn(store), merchant.id)
    const transaction_id = await paid("500.00")
    await desk.post("/refunds", { transaction_id, refund_amount: "7.00", refund_reason: "Broken" })
    await desk.post("/payment-links", { amount: "77.00", description: "Seven cups" })
    for (const [path, amount] of [
      ["/refunds", "৳7.00"],
      ["/links", "৳77.00"],
    ]) {
      await open(path)
      await admin.page.getByRole("row").getByText(amount).click()
      await admin.page.getByRole("dialog").getByText(amount).first().waitFor()
      expect(new URL(admin.page.url()).pathname).toMatch(new RegExp(`${path}$`))
    }
    await admin.page.setViewportSize(PHONE)
    await open("/payments")
    await admin.page.getByRole("listitem").getByText("৳1,111.00").first().click()
    await admin.page.waitForURL(/\/payments\/[^/]+$/)
    await admin.page.setViewportSize(WIDE)
  })
})

const CASH_ORDER = `gco_${"8".repeat(26)}`

type Filled = { transaction_id: string; session_id: string; name: string; long: (length: number) => string }

/** Rows with the longest texts, of the lists that only the store, a courier or a file of an acquirer writes. */
async function fillBooks({ transaction_id, session_id, name, long }: Filled): Promise<void> {
  const owner = { merchant_id: merchant.id, environment: "sandbox" }
  const [now, order_id] = [new Date(), `order_${"W".repeat(26)}`]
  const cart = { cart_id: `cart_${"W".repeat(26)}`, order_id }
  const history = JSON.stringify([])
  const failed = JSON.stringify({ kind: "said", params: { text: long(200) } })
  await store.db("gateway_cart_completion").insert({
    ...{ id: `gcc_${"8".repeat(26)}`, transaction_id, session_id, ...owner, ...cart, state: "needs_attention" },
    ...{ payment_session_id: `payses_${"W".repeat(26)}`, history, last_error: failed, attempts: 9 },
  })
  await store.db("gateway_refund_proposal").insert({
    ...{ id: `grp_${"8".repeat(26)}`, transaction_id, ...owner, order_id, kind: "return", history, currency: "BDT" },
    ...{
      source_id: `return_${"W".repeat(26)}`,
      items: JSON.stringify([{ title: long(100), quantity: 1, amount_minor: 100_000 }]),
    },
    ...{ goods_minor: 100_000, beyond_minor: 0, shipping_minor: 0, amount_minor: 100_000 },
  })
  await store.db("gateway_cash_order").insert({
    ...{ id: CASH_ORDER, ...owner, ...cart, currency: "BDT", state: "due", total_minor: 50_000_000 },
    ...{
      payment_session_id: `payses_${"W".repeat(25)}C`,
      order_number: "88888888",
      customer_name: name,
      placed_at: now,
    },
    ...{ phone: "+8801712345678", district: long(60), authorized_at: now, stuck_since: now, last_error: failed },
  })
  const line = { ...owner, currency: "BDT", fee_minor: 0, vat_minor: 0, occurred_at: now, digest: "d", reasons: [] }
  const month = now.toISOString().slice(0, 7)
  for (const [source, kind] of [
    ["bkash", "payment"],
    [`bank:${long(40)}`, "deposit"],
  ]) {
    const import_id = `gsi_${kind}${"8".repeat(20)}`
    await store.db("gateway_settlement_import").insert({
      ...{ id: import_id, ...owner, state: "finished", source, file_name: `${long(196)}.csv`, created_by: "user" },
      ...{ read_count: 1, new_count: 1, errors: JSON.stringify([]), imported_at: now },
    })
    await store.db("gateway_settlement_line").insert({
      ...{ ...line, id: `gsl_${kind}${"8".repeat(20)}`, import_id, source, key: kind, line: 1, kind, month },
      ...{ reference: long(100), order_reference: long(100), batch: long(60), description: long(200) },
      ...{ gross_minor: 1_000_000_000_000, state: "unknown" },
    })
  }
}

/** What sticks out of the list that is open, `width` pixels wide. */
async function faultsOfLayout(width: number): Promise<string[]> {
  const { cut, over } = await admin.page.evaluate(async () => {
    // A list hears of its width with the next frame, and is drawn anew.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const isCut = (cell: Element) => {
      const { right } = cell.getBoundingClientRect()
      for (let box = cell.parentElement; box !== null && box.tagName !== "MAIN"; box = box.parentElement) {
        const { overflowX } = getComputedStyle(box)
        if (overflowX === "auto" || overflowX === "scroll") {
          return box.getBoundingClientRect().right > window.innerWidth + 1
        }
        if (overflowX === "hidden" && right > box.getBoundingClientRect().right + 1) {
          return true
        }
      }
      return right > window.innerWidth + 1
    }
    const all = (selector: string) => [...document.querySelectorAll(selector)]
    return {
      cut: all("main :is(th:last-child, td:last-child, li)").filter(isCut).length,
      // Of a row on a phone nothing may run into what stands beside it; in a table, names leave the amount in sight.
      over: all("main li > div").filter((one) => one.scrollWidth > one.clientWidth + 1).length,
    }
  })
  const amount = admin.page.getByRole("columnheader", { name: "Amount" })
  const box = (await amount.count()) === 0 ? null : await amount.first().boundingBox()
  return [
    ...(box !== null && box.x + box.width > width ? ["the amount is out of sight"] : []),
    ...(cut > 0 || over > 0 || !(await admin.fitsTheScreen()) ? [`cut ${cut}, over ${over}`] : []),
  ]
}

describe("long ids", () => {
  // The cash order has no ledger entry, which the invariants would miss.
  afterAll(() => store.db("gateway_cash_order").where({ id: CASH_ORDER }).delete())

  it("push no column out of a list and no list out of its page, wide and on the smallest phone", async () => {
    const order_id = `W${"8".repeat(29)}`
    const name = "Mohammad Abdur Rahman Chowdhury Al-Mamun ".repeat(3).trim()
    const customer = { ...CUSTOMER, name, email: `${"a".repeat(60)}@${"b".repeat(60)}.example.com` }
    const { session_id, transaction_id } = await merchant.open({ order_id, customer })
    await merchant.pay(session_id)
    const desk = new Admin(store, await signIn(store), merchant.id)
    const refund = { transaction_id, refund_amount: "10.00", refund_reason: "R".repeat(100) }
    expect((await desk.post("/refunds", refund)).status).toBe(200)
    await desk.post("/disputes", { transaction_id, reference: "D".repeat(100), amount: "10.00" })
    const endpoint_url = `https://${"host".repeat(12)}.example.com/${"path/".repeat(20)}`
    const endpoint = { endpoint_url, event_types: ["payment.succeeded"] }
    expect((await merchant.call("POST", "/merchants/webhooks", endpoint)).status).toBe(201)
    const long = (length: number) => "Namkaran-".repeat(length).slice(0, length)
    await desk.post("/payouts", { amount: "1.00", reference: long(100) })
    await desk.post("/payment-links", { amount: "99.00", description: long(100) })
    await desk.post("/api-keys", { name: long(60) })
    await addEmi(store, merchant.id, { bank_name: long(100) })
    const { plan } = (await desk.post("/plans", { ...PLAN, plan_name: long(200) })).body
    const subscriber = await Subscriber.create(merchant, { subscription_plan_id: plan.number, customer })
    expect((await subscriber.call("POST", "/generate-invoice")).status).toBeLessThan(300)
    await fillBooks({ transaction_id, session_id, name, long })
    const books = ["", "/lines", "/missing", "/deposits", "/months", "/templates", "/fees"]
    const money = ["/payments", "/refunds", "/disputes", "/links", "/payouts", "/payouts/ledger", "/emi"]
    const lists = [...money, "/plans", "/subscriptions", "/invoices", "/audit", "/developers/events"]
    const faults: string[] = []
    const rest = ["/refunds/proposals", "/paid-carts", "/cash", ...books.map((one) => `/settlements${one}`)]
    const developers = ["webhooks", "deliveries", "requests", "api-keys"].map((one) => `/developers/${one}`)
    for (const path of [...lists, ...rest, ...developers]) {
      await open(path)
      for (const size of [
        { width: 1280, height: 800 },
        { width: 360, height: 640 },
      ]) {
        await admin.page.setViewportSize(size)
        await admin.picture(`long-ids${path.replace(/\//g, "-")}-${size.width}`)
        faults.push(...(await faultsOfLayout(size.width)).map((fault) => `${path} ${size.width}: ${fault}`))
      }
    }
    await admin.page.setViewportSize(WIDE)
    expect(faults).toEqual([])
  })
})

describe("what is clicked above a list", () => {
  const folder = join(ROOT, "src/admin/routes/gateway")
  /** Every page about no single thing, so that a new list is clicked through without being named here. */
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)page\.tsx$/.test(file) && !file.includes("["))
    .map((file) => `/${file.replace(/\/?page\.tsx$/, "")}`)
  const above = (name: string) => admin.page.getByRole("button", { name, exact: true })
  const items = (role: "menuitem" | "menuitemradio") => admin.page.getByRole(role)
  /** What the lists of the page are asked for. */
  const address = () => {
    const { searchParams } = new URL(admin.page.url())
    searchParams.delete("merchant_id")
    searchParams.delete("environment")
    return String(searchParams)
  }
  const changes = async (what: string, before: string) => {
    await until(`${what} changes the address`, () => address() !== before)
    return address()
  }

  /** Chooses each option of each filter of the page's `nth` list, and takes the filter away again. */
  async function clickFilters(nth: number): Promise<string[]> {
    const menu = above("Filter").nth(nth)
    await menu.click()
    await items("menuitem").first().waitFor()
    const names = await items("menuitem").allInnerTexts()
    await admin.page.keyboard.press("Escape")
    for (const name of names) {
      const before = address()
      await menu.click()
      await items("menuitem")
        .filter({ hasText: new RegExp(`^${name}$`) })
        .click()
      const choice = admin.page.getByRole("dialog")
      const options = choice.locator("button")
      const text = choice.locator("input")
      await options.or(text).first().waitFor()
      let asked = before
      if ((await options.count()) === 0) {
        await text.fill("Dhaka")
        await text.press("Enter")
        asked = await changes(`${name}: a text`, asked)
      }
      const labels = await options.allInnerTexts()
      for (const [place, label] of labels.entries()) {
        // It opens two fields for days, and asks for nothing before one is filled.
        if (label !== "Custom") {
          // The choice closes with its first value, sooner or later, and is opened again.
          await until(`${name}: ${label} is clicked`, async () => {
            if (!(await options.first().isVisible())) {
              await admin.page.locator("main button[aria-haspopup=dialog]").last().click()
            }
            return options
              .nth(place)
              .click({ timeout: 2_000 })
              .then(
                () => true,
                () => false
              )
          })
          // Two periods may be the same days: today is this month on its first day.
          asked = await changes(`${name}: ${label}`, labels.includes("Custom") ? before : asked)
        }
      }
      await admin.page.keyboard.press("Escape")
      await admin.page.getByRole("button", { name: "Remove the filter" }).first().click()
      await until(`${name} is gone`, () => address() === before)
    }
    return names
  }

  async function clickSorts(nth: number): Promise<string[]> {
    await above("Sort").nth(nth).click()
    await items("menuitemradio").first().waitFor()
    const names = await items("menuitemradio").allInnerTexts()
    let asked = address()
    for (const name of names) {
      await items("menuitemradio")
        .filter({ hasText: new RegExp(`^${name}$`) })
        .first()
        .click()
      asked = await changes(`by ${name}`, asked)
      const directions = items("menuitemradio")
      await directions.nth(names.length + 1).waitFor()
      for (const direction of [1, 0]) {
        await directions.nth(names.length + direction).click()
        asked = await changes(`by ${name}, the other way`, asked)
      }
    }
    await admin.page.keyboard.press("Escape")
    return names
  }

  const clicked: string[] = []

  it.each(paths)("of %s changes what is asked for, and the API answers it", async (path) => {
    const refused: string[] = []
    const look = (answer: Response) => {
      if (answer.url().includes("/admin/gateway/") && answer.status() >= 400) {
        refused.push(`${answer.status()} ${new URL(answer.url()).pathname}${new URL(answer.url()).search}`)
      }
    }
    await open(path)
    const lists = await above("Export CSV").count()
    admin.page.on("response", look)
    try {
      for (let nth = 0; nth < (await above("Filter").count()); nth += 1) {
        clicked.push(...(await clickFilters(nth)))
      }
      for (let nth = 0; nth < (await above("Sort").count()); nth += 1) {
        clicked.push(...(await clickSorts(nth)))
      }
      const fields = admin.page.getByRole("searchbox")
      for (let nth = 0; lists > 0 && nth < (await fields.count()); nth += 1) {
        const before = address()
        await fields.nth(nth).fill("no row has this")
        await changes("a search", before)
        clicked.push("search")
      }
      for (let nth = 0; nth < lists; nth += 1) {
        const { name } = await admin.downloaded(() => above("Export CSV").nth(nth).click())
        expect(name).toMatch(/-sandbox-\d{4}-\d\d-\d\d\.csv$/)
        clicked.push("export")
      }
      await admin.page.waitForLoadState("networkidle")
    } finally {
      admin.page.off("response", look)
    }
    expect(refused).toEqual([])
    expect(await admin.page.getByText("This could not be loaded").count()).toBe(0)
  })

  it("is more than eighty filters, sorts, searches and exports", () => {
    expect(clicked.length).toBeGreaterThan(80)
    expect(clicked.filter((what) => what === "export").length).toBeGreaterThan(19)
  })

  it("a filter's options are in the admin's language alone", async () => {
    await admin.speak("bn")
    await open("/payments")
    await above("ফিল্টার").click()
    await items("menuitem").filter({ hasText: "অবস্থা" }).first().click()
    const choice = admin.page.getByRole("dialog")
    await choice.getByText("ব্যর্থ", { exact: true }).waitFor()
    expect(await choice.innerText()).not.toMatch(/[A-Za-z]/)
    const search = choice.getByRole("textbox", { name: "বিকল্প খুঁজুন" })
    expect(await search.getAttribute("placeholder")).toBe("বিকল্প খুঁজুন")
    await search.fill("zzz")
    await choice.getByText("কিছু পাওয়া যায়নি").waitFor()
    await search.fill("")
    await choice.getByText("ব্যর্থ", { exact: true }).click()
    await until("the address has it", () => address() === "status=FAILED")
    await admin.page.keyboard.press("Escape")
    await admin.speak("en")
  })

  it("filters payments by what is clicked, and keeps it in the address", async () => {
    await paid("1000.00")
    await open("/payments")
    await rows().first().waitFor()
    await above("Filter").click()
    await items("menuitem").filter({ hasText: "Status" }).first().click()
    await admin.page.getByRole("dialog").getByText("Failed", { exact: true }).click()
    await admin.shows("Nothing found")
    expect(new URL(admin.page.url()).searchParams.get("status")).toBe("FAILED")
    await admin.page.reload()
    await admin.shows("Nothing found")
    await admin.page.keyboard.press("Escape")
    await admin.button("Clear all").click()
    await rows().first().waitFor()
    expect(new URL(admin.page.url()).searchParams.get("status")).toBeNull()
  })

  it("sorts payments by amount, both ways, and leads from page to page", async () => {
    const { session_id, transaction_id } = await merchant.open({ order_amount: "12.34" })
    await copyPayment(store, { session_id, transaction_id }, 20)
    await paid("1000.00")
    await open("/payments")
    await rowsShown(20)
    await above("Sort").click()
    await items("menuitemradio").filter({ hasText: "Amount" }).click()
    await items("menuitemradio").filter({ hasText: "Descending" }).click()
    await rows().first().getByText("৳1,000.00").waitFor()
    await items("menuitemradio").filter({ hasText: "Ascending" }).click()
    await rows().first().getByText("৳12.34").waitFor()
    await admin.page.keyboard.press("Escape")
    await above("Next").click()
    await rows().first().getByText("৳12.34").waitFor()
    await rowsShown(2)
    await rows().last().getByText("৳1,000.00").waitFor()
    expect(new URL(admin.page.url()).searchParams.get("offset")).toBe("20")
    await above("Previous").click()
    await rowsShown(20)
    expect(new URL(admin.page.url()).searchParams.get("offset")).toBeNull()
  })
})

describe("a list whose filter has just been changed", () => {
  it("does not show the totals of the filter before, and says when there are none", async () => {
    await paid("1000.00")
    await open("/payments")
    const totals = admin.page.getByRole("region", { name: "Totals of all rows" })
    await totals.getByText("৳1,000.00").waitFor()
    const asked = await held(/[?&]totals=true/, "GET")
    await admin.page.getByRole("searchbox").fill("nobody has this name")
    await admin.shows("Nothing found")
    await asked.first
    expect(await totals.count()).toBe(0)
    asked.release()
    await admin.page.unrouteAll({ behavior: "wait" })
    await admin.page.route(/[?&]totals=true/, (route) => route.fulfill({ status: 500, json: { message: "no answer" } }))
    await admin.page.getByRole("searchbox").fill("nobody has this one either")
    await admin.shows("Totals of all rows: This could not be loaded")
    await admin.page.unrouteAll({ behavior: "wait" })
  })

  it("goes to the last page from one past the end", async () => {
    await paid()
    await open("/payments?offset=400")
    await rows().first().waitFor()
    expect(new URL(admin.page.url()).searchParams.get("offset")).toBeNull()
  })
})
