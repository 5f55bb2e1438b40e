import { prepareAdmin } from "../support/admin"
import {
  actFor,
  admin,
  button,
  confirm,
  heading,
  open,
  page,
  PAGES,
  picture,
  region,
  rowsShown,
  toast,
  useAdminPages,
} from "../support/admin-screens"
import { ApiMerchant } from "../support/api"
import { accessibilityProblems } from "../support/browser"
import { CartShop, type Cart, type PaymentSession } from "../support/carts"
import type { CashSettings } from "../../src/modules/gateway/cash/rules"
import type { CashOrder } from "../../src/modules/gateway/cash/records"
import { useStore } from "../support/store"
import { until } from "../support/until"

const COD = "pp_gateway_cod"
const DAY_MS = 86_400_000
const PHONE = { width: 360, height: 640 }

let shop: CartShop
let own: ApiMerchant
let tenant: { merchant_id: string; environment: "sandbox" }
const store = useStore({ shop: true, container: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

beforeAll(async () => {
  shop = new CartShop(store)
  await shop.open()
  const { id } = await shop.gateway.merchants.storeMerchant(shop.gateway.options.storeMerchantName)
  const { key } = await shop.gateway.apiKeys.create({ merchant_id: id, environment: "sandbox", name: "tests" })
  own = new ApiMerchant(store, id, key, {})
  tenant = { merchant_id: id, environment: "sandbox" }
})
/** Orders are the store's own merchant's: what is due is what a test has placed. */
beforeEach(async () => {
  actFor(own)
  const open = await store.db("gateway_cash_order").whereIn("state", ["due", "part_collected"])
  for (const { id } of open) {
    await shop.gateway.cash.giveUp(tenant, id, { note: null }, false)
  }
})

const settle = (settings: Partial<CashSettings>) => shop.gateway.cashSettings.update(tenant, settings)

async function chooseCash(cart: Cart): Promise<PaymentSession["data"] & Record<string, string>> {
  const { body } = await shop.call("POST", "/store/payment-collections", { cart_id: cart.id })
  const path = `/store/payment-collections/${body.payment_collection.id}/payment-sessions`
  const answer = await shop.call("POST", path, { provider_id: COD, data: {} })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.payment_collection.payment_sessions[0].data as PaymentSession["data"] & Record<string, string>
}

/** A placed order that is due in cash; with `advance`, its delivery charge was paid online. */
async function placed({ advance = false } = {}): Promise<CashOrder & { cart: Cart }> {
  await settle({ rules: advance ? [{ advance: "delivery" }] : [] })
  const cart = await shop.cart()
  const data = await chooseCash(cart)
  await (advance ? shop.pay(data.session_id) : shop.complete(cart.id))
  const find = async () => shop.gateway.cashOrders.find(data.cash_order_id)
  await until("the order is placed", async () => (await find())?.state === "due")
  return { ...((await find()) as CashOrder), cart }
}

const money = (minor: number) => `৳${(minor / 100).toLocaleString("en-IN", { minimumFractionDigits: 2 })}`
const dialog = () => page.getByRole("dialog")
const speak = (language: string) =>
  page.evaluate((name) => {
    localStorage.setItem("lng", name)
    document.cookie = `lng=${name}; path=/`
  }, language)

/** Each page in Bangla, wide, and on the smallest phone; nothing may stick out. */
async function inBangla(path: string, name: string): Promise<void> {
  await speak("bn")
  await open(path)
  await page.locator("[lang=bn-BD]").first().waitFor()
  await admin.picture(`cash-${name}-bn`, 3200)
  await page.setViewportSize(PHONE)
  await open(path)
  expect(await admin.fitsTheScreen()).toBe(true)
  await admin.picture(`cash-${name}-bn-phone`, 5200)
  await speak("en")
  await open(path)
  expect(await admin.fitsTheScreen()).toBe(true)
  expect(await accessibilityProblems(page, PAGES)).toEqual([])
  await admin.picture(`cash-${name}-phone`)
  await admin.look("light", "wide")
}

describe("the cash of an order", () => {
  it("is found in the list and recorded in part and whole, and Medusa's order has it", async () => {
    const order = await placed()
    await placed()
    await open("/cash?status=due")
    await rowsShown(2)
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await picture("cash-list")
    const { text } = await admin.downloaded(() => button("Export CSV").click())
    expect(text.trim().split("\n")).toHaveLength(3)
    await button(/^Filter$/).click()
    await page.getByRole("menuitem", { name: "District" }).click()
    await page.getByPlaceholder("District").fill("dhaka")
    await page.waitForURL(/district=dhaka/)
    await page.keyboard.press("Escape")
    await rowsShown(2)
    await page.getByPlaceholder("Order, phone or id").fill(order.order_number ?? "")
    await rowsShown(1)
    await page
      .locator("tbody")
      .getByRole("link", { name: `#${order.order_number}` })
      .click()
    await heading(`Cash order #${order.order_number}`).waitFor()
    await button("Record cash").click()
    const amount = dialog().getByLabel("Cash that came")
    expect(await amount.inputValue()).toBe((order.total_minor / 100).toFixed(2))
    await amount.fill("999999")
    await dialog().getByRole("button", { name: "Record cash" }).click()
    await dialog()
      .getByText(`Only ${money(order.total_minor)} is due.`)
      .waitFor()
    await amount.fill("১০০")
    await dialog().getByLabel("The courier's charge").fill("60")
    await dialog().getByLabel("Courier", { exact: true }).fill("Pathao")
    await dialog().getByLabel("Note").fill("paid for one of them")
    await picture("cash-record")
    expect(await accessibilityProblems(page, "[role=dialog]")).toEqual([])
    await dialog().getByRole("button", { name: "Record cash" }).click()
    await toast("৳100.00 recorded")
    const came = region("Cash that came")
    for (const text of ["৳100.00", "Pathao · the courier kept ৳60.00", "paid for one of them", "admin@example.com"]) {
      await came.getByText(text, { exact: true }).waitFor()
    }
    await page.locator(PAGES).getByText("Partly collected").waitFor()
    await picture("cash-order-part")
    await button("Record cash").click()
    await dialog().getByRole("button", { name: "Record cash" }).click()
    await toast(`${money(order.total_minor - 10_000)} recorded`)
    await button("Record cash").waitFor({ state: "detached" })
    expect(await button(/Refused|No more/).count()).toBe(0)
    const whole = (order.total_minor / 100).toFixed(2)
    expect(await shop.moneyOf(order.cart.id)).toEqual({ payments: 1, captured: whole, recorded: whole })
    await inBangla(`/cash/${order.id}`, "order")
    await inBangla("/cash", "list")
  })

  it("is recorded for many at once, and what was refused is shown", async () => {
    const orders = [await placed(), await placed(), await placed()]
    await open("/cash?status=due")
    await rowsShown(3)
    await page.getByRole("checkbox", { name: `Select order #${orders[0].order_number}` }).click()
    await page.getByText(`1 order selected: ${money(orders[0].total_minor)}`).waitFor()
    await page.getByRole("checkbox", { name: "Select all orders of this page" }).click()
    const total = money(orders.reduce((sum, { total_minor }) => sum + total_minor, 0))
    await page.getByText(`3 orders selected: ${total}`).waitFor()
    await picture("cash-many")
    await page.setViewportSize(PHONE)
    expect(await admin.fitsTheScreen()).toBe(true)
    await picture("cash-many-phone")
    await admin.look("light", "wide")
    // Somebody else ends one of them meanwhile.
    await shop.gateway.cash.giveUp(tenant, orders[1].id, { note: null }, false)
    await button("Record cash").click()
    await dialog().getByText(`All that is due for them has come: ${total}.`).waitFor()
    await dialog().getByLabel("Courier", { exact: true }).fill("RedX")
    await picture("cash-many-form")
    await dialog()
      .getByRole("button", { name: `Record ${total}` })
      .click()
    await dialog().getByText("Recorded for 2 orders").waitFor()
    const refused = dialog().getByRole("listitem").first()
    await refused.getByText("Not recorded").waitFor()
    await refused.getByText("No cash is due for this order any more").waitFor()
    await refused.getByText(`#${orders[1].order_number}`).waitFor()
    await picture("cash-many-outcome")
    expect(await accessibilityProblems(page, "[role=dialog]")).toEqual([])
    await page.keyboard.press("Escape")
    await page.getByText("No cash orders yet").or(page.getByText("Nothing found")).waitFor()
    expect(await page.getByText(/orders? selected/).count()).toBe(0)
    expect(await shop.gateway.cash.collections(orders[2].id)).toMatchObject([
      { amount_minor: orders[2].total_minor, courier: "RedX" },
    ])
  })

  it("of an order that is refused at the door does not come, and the advance goes back when that is chosen", async () => {
    const order = await placed({ advance: true })
    await open(`/cash/${order.id}`)
    await page.getByRole("link", { name: "Open payment" }).waitFor()
    await button("Refused at the door").click()
    const [due, advance] = [money(order.total_minor - order.advance_minor), money(order.advance_minor)]
    await dialog().getByText(`The order ends: ${due} does not come any more`).waitFor()
    await dialog().getByText("The store's rule: Stays with the store.").waitFor()
    await dialog()
      .getByRole("combobox", { name: `The advance of ${advance}` })
      .click()
    await page.getByRole("option", { name: "Goes back to the shopper" }).click()
    await dialog().getByLabel("Note").fill("nobody at home")
    await picture("cash-refuse")
    await dialog().getByRole("button", { name: "Refused at the door" }).click()
    const question = page.getByRole("alertdialog")
    await question.getByText(`End the order #${order.order_number}?`).waitFor()
    await question.getByText(`${due} does not come any more. The advance of ${advance} goes back`).waitFor()
    await picture("cash-refuse-question")
    await confirm("Refused at the door")
    await toast("The order has ended")
    await page.locator(PAGES).getByText("goes back to the shopper").waitFor()
    expect(await shop.gateway.refunds.list(order.transaction_id ?? "")).toMatchObject([
      { state: "completed", amount_minor: order.advance_minor },
    ])
    await inBangla(`/cash/${order.id}`, "refused")
  })
})

describe("cash that Medusa does not show", () => {
  it("is found from the overview, tried again, and left as it is after a question", async () => {
    const order = await placed()
    const link = jest.spyOn(shop.gateway.cash, "linkCapture").mockResolvedValue(false)
    await open(`/cash/${order.id}`)
    await button("Record cash").click()
    await dialog().getByLabel("Cash that came").fill("100")
    await dialog().getByRole("button", { name: "Record cash" }).click()
    await toast("৳100.00 recorded")
    await page.getByText("Medusa's order does not show all of it yet").waitFor()
    await store.db("gateway_cash_order").where({ id: order.id }).update({ stuck_since: new Date(), attempts: 5 })
    await open("")
    await region("Needs attention")
      .getByRole("link", { name: /Cash orders that Medusa does not show/ })
      .click()
    await rowsShown(1)
    await page.locator("tbody").getByText("Not in Medusa").waitFor()
    await page.locator("tbody").getByRole("link").first().click()
    await button("Try again").click()
    await toast("It has failed again; the reason is below")
    await picture("cash-stuck")
    await button("Leave it").click()
    await confirm("Leave it")
    await toast("It is left as it is")
    await button("Try again").waitFor({ state: "detached" })
    link.mockRestore()
    await store.db("gateway_cash_order").where({ id: order.id }).update({ stuck_since: new Date(), attempts: 5 })
    await open(`/cash/${order.id}`)
    await button("Try again").click()
    await toast("Medusa shows all of it now")
    expect(await shop.moneyOf(order.cart.id)).toEqual({ payments: 1, captured: "100.00", recorded: "100.00" })
  })
})

describe("an admin without all rights", () => {
  const NOT_ALLOWED = "None of your roles allows this."

  /** As the roles of an admin decide it, who may change something only in these areas. */
  const mayChange = (areas: string[]) =>
    page.route(
      (url) => url.pathname.endsWith("/admin/gateway"),
      async (route) => {
        const response = await route.fetch({ maxRetries: 3 })
        await route.fulfill({ response, json: { ...(await response.json()), changeable_areas: areas } })
      }
    )
  afterEach(() => page.unrouteAll({ behavior: "wait" }))

  it("records nothing without the right to payments, and gives no advance back without that to refunds", async () => {
    const order = await placed({ advance: true })
    await settle({ refused_advance: "give_back" })
    await mayChange(["overview"])
    await open(`/cash/${order.id}`)
    expect(await button("Record cash").isDisabled()).toBe(true)
    expect(await button("Refused at the door").isDisabled()).toBe(true)
    await open("/cash")
    await page.locator("tbody").getByText(`#${order.order_number}`, { exact: true }).waitFor()
    expect(await page.getByRole("checkbox").count()).toBe(0)
    await page.unrouteAll({ behavior: "wait" })
    await mayChange(["cash-orders"])
    await open(`/cash/${order.id}`)
    await button("Refused at the door").click()
    await dialog().getByText(NOT_ALLOWED).waitFor()
    await dialog().getByRole("button", { name: "Refused at the door" }).click()
    expect(await page.getByRole("alertdialog").count()).toBe(0)
    await dialog().getByRole("combobox").click()
    await page.getByRole("option", { name: "Stays with the store" }).click()
    await dialog().getByText(NOT_ALLOWED).waitFor({ state: "detached" })
    await dialog().getByRole("button", { name: "Refused at the door" }).click()
    await confirm("Refused at the door")
    await toast("The order has ended")
    await page.locator(PAGES).getByText("stays with the store").waitFor()
    expect(await shop.gateway.refunds.list(order.transaction_id ?? "")).toEqual([])
  })
})

describe("a courier's file", () => {
  it("is looked at line by line, corrected, recorded, and recorded only once", async () => {
    const [first, second] = [await placed(), await placed()]
    const whole = (first.total_minor / 100).toFixed(2)
    await open("/cash")
    await page.getByRole("link", { name: "Import a file" }).click()
    await heading("Import a courier's file").waitFor()
    await admin.file("courier.csv", `order_number,collected\n${first.order_number},some`)
    await admin.shows("Nothing was done: there is 1 problem")
    await picture("cash-import-broken")
    const lines = ["order_number,collected,charge,date", `#${first.order_number},${whole},60,2026-11-20`]
    const faulty = `${second.order_number},999999.00,,2026-11-20`
    const file = [...lines, faulty, "987654,10.00,,"].join("\n")
    await admin.file("courier.csv", file)
    const preview = page.getByRole("list", { name: "What would become of each line" })
    await preview.getByRole("listitem").nth(2).waitFor()
    await preview.getByText("Will be recorded").waitFor()
    await preview.getByText(/^Only .* is due in cash/).waitFor()
    await preview.getByText("No cash order has this number").waitFor()
    await page.getByText(`1 line would record ${money(first.total_minor)}; 2 are refused`).waitFor()
    await admin.picture("cash-import-preview", 1200)
    const text = page.getByLabel("Lines", { exact: true })
    await text.fill(file.replace("999999.00", "100.00"))
    await preview.waitFor({ state: "detached" })
    await page.getByLabel("Courier", { exact: true }).fill("Steadfast")
    await button("Check the lines").click()
    const total = money(first.total_minor + 10_000)
    await page.getByText(`2 lines would record ${total}; 1 is refused`).waitFor()
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await button(`Record ${total}`).click()
    await admin.shows(`Record ${total} of 2 lines?`)
    await confirm(`Record ${total}`)
    await page.getByText(`2 lines have recorded ${total}; 1 is refused`).waitFor()
    const result = page.getByRole("list", { name: "What has become of each line" })
    expect(await result.getByText("Recorded", { exact: true }).count()).toBe(2)
    await admin.picture("cash-import-result", 1200)
    await button("Another file").click()
    await page.getByLabel("Lines", { exact: true }).fill(file.replace("999999.00", "100.00"))
    await button("Check the lines").click()
    await page.getByText("2 were recorded before; 1 is refused · nothing of this file is left to record").waitFor()
    expect(await button(/^Record ৳/).count()).toBe(0)
    expect(await shop.gateway.cash.collections(first.id)).toMatchObject([{ courier: "Steadfast", charge_minor: 6_000 }])
    // The day of the line, in the reader's digits.
    await speak("bn")
    await open(`/cash/${first.id}`)
    await page.getByText("২০ নভেম্বর ২০২৬", { exact: true }).waitFor()
    await speak("en")
    await open("/cash/import")
    const undated = `order_number,collected\n#${second.order_number},50.00`
    await text.fill(undated)
    await button("Check the lines").click()
    await button(`Record ${money(5_000)}`).click()
    await confirm(`Record ${money(5_000)}`)
    await page.getByText(`1 line has recorded ${money(5_000)}`).waitFor()
    // The same words again: the same file, or the next part of what is due.
    await button("Another file").click()
    await text.fill(undated)
    await button("Check the lines").click()
    await page.getByText("1 needs its date · nothing of this file is left to record").waitFor()
    await preview.getByText("Recorded before?").waitFor()
    await preview.getByText(/If this is another payment, add its date to the line$/).waitFor()
    expect(await button(/^Record ৳/).count()).toBe(0)
    await admin.picture("cash-import-doubtful", 1200)
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await text.fill(`order_number,collected,date\n#${second.order_number},50.00,2026-11-21`)
    await button("Check the lines").click()
    await page.getByText(`1 line would record ${money(5_000)}`).waitFor()
    await text.fill("")
    await inBangla("/cash/import", "import")
  })
})

describe("the rules of the advance", () => {
  it("are added, moved, removed and saved, with what the guidelines say, and the next cart pays by them", async () => {
    await settle({ rules: [{ advance: "none", delivered_from: 3 }], refused_advance: "keep", late_after_days: 7 })
    await open("/settings")
    const section = region("Cash on delivery")
    await section.getByText("at least 3 delivered before").waitFor()
    expect(await section.getByText(/Guidelines 2021/).count()).toBe(0)
    await section.getByRole("button", { name: "Edit" }).click()
    await button("Add a rule").click()
    const rule = (number: number) => dialog().getByRole("group", { name: `Rule ${number}` })
    await rule(2).getByRole("combobox", { name: "Advance" }).click()
    await page.getByRole("option", { name: "A part of the order" }).click()
    await rule(2).getByLabel("Percent of the order").fill("10")
    expect(
      await dialog()
        .getByText(/Guidelines 2021/)
        .count()
    ).toBe(0)
    await rule(2).getByLabel("Percent of the order").fill("120")
    await dialog()
      .getByText(/Guidelines 2021/)
      .waitFor()
    await rule(2).getByLabel("Districts").fill("dhaka, Sylhet")
    await rule(2).getByLabel("Order up to, in BDT").fill("৫০০০০")
    await button("Add a rule").click()
    await button("Save").click()
    await rule(2)
      .getByText(/between 0 and 100|0 to 100/)
      .waitFor()
    await rule(2).getByLabel("Percent of the order").fill("20")
    await button("Move rule 2 up").click()
    expect(await rule(1).getByLabel("Districts").inputValue()).toBe("dhaka, Sylhet")
    await button("Remove rule 3").click()
    await page.keyboard.press("Escape")
    await page.getByRole("alertdialog").getByRole("button", { name: "Keep editing" }).click()
    await dialog().getByLabel("Days after which cash is late").fill("5")
    expect(await accessibilityProblems(page, "[role=dialog]")).toEqual([])
    await admin.picture("cash-rules-form", 1600)
    await button("Save").click()
    await toast("Settings for cash on delivery saved")
    await section.getByText("Advance: 20% of the order").waitFor()
    await section.getByText("district dhaka, Sylhet · order up to ৳50,000.00").waitFor()
    await section.getByText(/Guidelines 2021/).waitFor()
    await section.getByText("5 days").waitFor()
    const { total, due_now } = await chooseCash(await shop.cart())
    expect(Math.round(Number(due_now) * 100)).toBe(Math.round(Number(total) * 20))
    await section.scrollIntoViewIfNeeded()
    await inBangla("/settings", "settings")
    await speak("bn")
    await page.setViewportSize(PHONE)
    await open("/settings")
    await page.getByRole("region", { name: "ক্যাশ অন ডেলিভারি" }).getByRole("button").click()
    await dialog().waitFor()
    await admin.picture("cash-rules-form-bn-phone", 2000)
    await speak("en")
    await admin.look("light", "wide")
    await settle({ late_after_days: 7 })
  })
})

describe("cash elsewhere in the admin", () => {
  it("is on the overview: what is due, late and refused by district, with links into the list", async () => {
    const [late, refused] = [await placed(), await placed()]
    await store
      .db("gateway_cash_order")
      .where({ id: late.id })
      .update({ placed_at: new Date(Date.now() - 8 * DAY_MS) })
    await shop.gateway.cash.giveUp(tenant, refused.id, { note: null }, false)
    await open("")
    await region("Needs attention")
      .getByRole("link", { name: /Cash that is late/ })
      .waitFor()
    const card = region("Cash on delivery")
    await card.getByRole("link", { name: `Late ${money(late.total_minor)} 1 order` }).waitFor()
    await card.getByText(/\d+ of \d+ refused/).waitFor()
    await admin.picture("cash-overview", 1600)
    await speak("bn")
    await open("/cash?status=refused&district=Dhaka")
    await picture("cash-list-by-district-bn")
    await speak("en")
    await open("")
    await card.getByRole("link", { name: "Dhaka" }).click()
    await page.locator("tbody").getByText(`#${refused.order_number}`, { exact: true }).waitFor()
    expect(await page.locator("tbody").getByText(`#${late.order_number}`, { exact: true }).count()).toBe(0)
    await picture("cash-list-by-district")
    await open("")
    await region("Needs attention")
      .getByRole("link", { name: /Cash that is late/ })
      .click()
    await rowsShown(1)
    await page.locator("tbody").getByText("Late", { exact: true }).waitFor()
    await inBangla("", "overview")
  })

  it("is on the page of Medusa's order, and recorded from there", async () => {
    const order = await placed({ advance: true })
    const address = `${store.url}/app/orders/${order.order_id}`
    await page.goto(address)
    const cash = region("Cash on delivery")
    await cash.getByText("Due at the door").waitFor()
    await cash.getByText(money(order.advance_minor), { exact: true }).waitFor()
    await cash.scrollIntoViewIfNeeded()
    await picture("cash-widget")
    await cash.getByRole("link", { name: "Record cash" }).click()
    await dialog().getByRole("button", { name: "Record cash" }).click()
    await toast(`${money(order.total_minor - order.advance_minor)} recorded`)
    expect(page.url()).not.toContain("opened")
    await page.getByRole("link", { name: "Open order" }).click()
    await page.waitForURL(new RegExp(order.order_id ?? ""))
    await cash.getByRole("link", { name: "Record cash" }).waitFor({ state: "detached" })
    await cash.getByRole("link", { name: "Open cash order" }).waitFor()
    await speak("bn")
    await page.setViewportSize(PHONE)
    await page.goto(address)
    await page.getByRole("region", { name: "ক্যাশ অন ডেলিভারি" }).scrollIntoViewIfNeeded()
    await admin.picture("cash-widget-bn-phone")
    await speak("en")
    await admin.look("light", "wide")
  })
})
