import { AdminPages } from "../support/admin-pages"
import { CartShop } from "../support/carts"
import { ADMIN, prepareAdmin } from "../support/admin"
import { orderMoney } from "../support/order-money"
import { Receiver } from "../support/receiver"
import { fulfill, receiveReturn, requestReturn } from "../support/returns"
import { Shopper } from "../support/shoppers"
import { useStore } from "../support/store"
import { until } from "../support/until"

/**
 * One walkthrough in chapters: a new admin who has nothing but the screen. The admin's actions use only what is
 * visible, starting at Medusa's home page; the store's own workers do the background work.
 */
const store = useStore({ shop: true, env: { MEDUSA_WORKER_MODE: "shared" }, prepare: prepareAdmin, withAdmin: true })
/** The shop's own system, which is broken until the last chapter. */
const receiver = new Receiver()
const admin = new AdminPages(store)
const CHAPTER_MS = 180_000

let shop: CartShop
let shopper: Shopper
let order: string

beforeAll(async () => {
  shop = new CartShop(store)
  await shop.open()
  receiver.answer = (response) => response.writeHead(500).end("no thanks")
  await receiver.listen()
  await admin.open()
}, 240_000)
afterAll(async () => {
  await admin.close()
  await receiver.close()
})
beforeEach(() => {
  admin.faults.length = 0
})
afterEach(() => expect(admin.faults).toEqual([]))

const rows = () => admin.page.locator("tbody tr")
const dialog = () => admin.page.getByRole("dialog")
const deliveries = () => store.db("gateway_webhook_delivery").orderBy("number")

/** A page by its name in the menu at the side, and there by its heading. */
async function menu(name: string, heading = name): Promise<void> {
  await admin.page.getByRole("link", { name, exact: true }).first().click()
  await admin.page.getByRole("heading", { name: heading, exact: true }).first().waitFor()
  await admin.settled()
}

async function link(name: string | RegExp): Promise<void> {
  await admin.page.getByRole("link", { name }).first().click()
}

describe("an admin who has never seen the admin", () => {
  it(
    "a) finds the gateway in the menu, and registers the endpoint of the shop's own system",
    async () => {
      await menu("Payment gateway", "Overview")
      await admin.shows("Nothing needs your attention")
      await admin.picture("timeline-a1-overview")
      await menu("Developers", "API keys")
      await link("Webhooks")
      await admin.shows("No endpoints yet")
      await admin.picture("timeline-a2-webhooks-empty")
      await admin.button("Add endpoint").click()
      await admin.page.getByLabel("URL").fill(`${receiver.url}/hook`)
      await dialog().getByRole("button", { name: "Add endpoint" }).click()
      await admin.heading("Copy the signing secret now").waitFor()
      await admin.picture("timeline-a3-secret")
      await admin.button("I have stored it").click()
      await rows()
        .filter({ hasText: `${receiver.url}/hook` })
        .getByText("On", { exact: true })
        .waitFor()
    },
    CHAPTER_MS
  )

  it(
    "b) makes a monthly plan",
    async () => {
      await menu("Plans")
      await admin.shows("No plans yet")
      await admin.picture("timeline-b1-plans-empty")
      await admin.button("Create plan").click()
      await dialog().getByLabel("Name", { exact: true }).fill("Tea every month")
      await dialog().getByLabel("Amount in BDT").fill("450")
      await admin.picture("timeline-b2-plan-form")
      await dialog().getByRole("button", { name: "Create plan" }).click()
      await admin.heading("Tea every month").waitFor()
      await admin.region("Tea every month").getByText("every month", { exact: true }).waitFor()
      await admin.region("Tea every month").getByText("৳450.00").waitFor()
      await admin.picture("timeline-b3-plan")
    },
    CHAPTER_MS
  )

  it(
    "c) is led from the plan to the products, and links a variant to it",
    async () => {
      await admin.region("Sold as").getByRole("link", { name: "To the products" }).click()
      await admin.page.getByText("Sylhet garden tea").first().click()
      const widget = admin.region("Subscription plan")
      await widget.getByText("Sold without a subscription").waitFor()
      await widget.scrollIntoViewIfNeeded()
      await admin.picture("timeline-c1-product")
      await widget.getByRole("button", { name: "Link to a plan: 250 g" }).click()
      await dialog().getByRole("combobox", { name: "Plan" }).click()
      await admin.page.getByRole("option", { name: /^Tea every month/ }).click()
      await dialog().getByRole("button", { name: "Save" }).click()
      await admin.shows("The variant is sold on this plan now")
      await widget.getByText("৳450.00 every month").waitFor()
      await admin.picture("timeline-c2-linked")
      await widget.getByRole("link", { name: "Tea every month" }).click()
      await admin
        .region("Sold as")
        .getByRole("link", { name: /Sylhet garden tea/ })
        .waitFor()
    },
    CHAPTER_MS
  )

  it(
    "d) sees what a shopper has bought: the payment, its order and back, the subscription, the plan's subscriber",
    async () => {
      shopper = await Shopper.register(store, shop)
      const { cart } = await shopper.buy({ "TEA-250": 1 })
      await until("the cart has an order", async () => (await shop.ordersOf(cart.id)).length === 1)
      ;[order] = await shop.ordersOf(cart.id)
      const total = `৳${cart.total.toLocaleString("en-IN", { minimumFractionDigits: 2 })}`

      await menu("Payment gateway", "Overview")
      await menu("Payments")
      await rows().filter({ hasText: shopper.email }).getByText(total).waitFor()
      await admin.picture("timeline-d1-payments")
      await rows().filter({ hasText: shopper.email }).getByRole("link").first().click()
      await admin.heading(total).waitFor()
      for (const text of [
        "Checkout session opened",
        "Attempt 1 to pay with Card",
        "Paid",
        "The cart became order #1",
      ]) {
        await admin.region("What happened").getByText(text, { exact: true }).waitFor()
      }
      await admin.picture("timeline-d2-payment")
      await link("Open order #1")
      await admin.page.getByRole("heading", { name: "#1" }).waitFor()
      await admin.page.getByText("Gateway payment").scrollIntoViewIfNeeded()
      await admin.picture("timeline-d3-order")
      await link("Open payment")
      await admin.heading("What happened").waitFor()

      await menu("Subscriptions")
      await rows().filter({ hasText: shopper.email }).getByText("Active").waitFor()
      await admin.picture("timeline-d4-subscriptions")
      await rows().filter({ hasText: shopper.email }).getByRole("link", { name: "Tea every month" }).click()
      await admin.heading("Subscribers").waitFor()
      await rows()
        .filter({ hasText: shopper.email })
        .filter({ hasText: /৳520\.00\s*every month/ })
        .waitFor()
      await rows().filter({ hasText: shopper.email }).getByRole("link").first().click()
      await admin.heading("৳520.00 every month").waitFor()
      await admin.picture("timeline-d5-subscription")
      await admin.region("Details").getByRole("link", { name: "Open order #1" }).waitFor()
    },
    CHAPTER_MS
  )

  it(
    "e) is led from the overview to the refund of what came back, confirms it, and finds it again",
    async () => {
      const {
        rows: [line],
      } = await store.db.raw("SELECT item_id AS id FROM order_item WHERE order_id = ?", [order])
      await fulfill(store.container, order, [{ id: line.id, quantity: 1 }])
      const return_id = await requestReturn(store.container, order, [{ id: line.id, quantity: 1 }])
      await receiveReturn(store.container, return_id, { items: [{ id: line.id, quantity: 1 }] })
      const proposals = () => store.db("gateway_refund_proposal").where({ order_id: order, state: "open" })
      await until("the return proposes a refund", async () => (await proposals()).length === 1)

      await menu("Payment gateway", "Overview")
      await admin
        .region("Needs attention")
        .getByRole("link", { name: /Refunds of returns to confirm/ })
        .waitFor()
      await admin.picture("timeline-e1-overview")
      await admin
        .region("Needs attention")
        .getByRole("link", { name: /Refunds of returns to confirm/ })
        .click()
      await rows().filter({ hasText: "Refund of a return" }).getByText("To decide").waitFor()
      await admin.picture("timeline-e2-proposals")
      await rows().getByRole("link", { name: "Open order #1" }).click()
      const proposal = admin.region("Refund of a return")
      await proposal.getByText("To decide").waitFor()
      await proposal.scrollIntoViewIfNeeded()
      await admin.picture("timeline-e3-order")
      await proposal.getByRole("button", { name: "Refund ৳450.00" }).click()
      await admin.answer("Refund")
      await admin.shows("Refund made")
      await proposal.getByText("Refunded", { exact: true }).waitFor()
      await admin.region("Refunds").getByText("on the order").waitFor()
      await admin.picture("timeline-e4-refunded")
      await admin.region("Refunds").getByRole("link", { name: "৳450.00" }).click()
      await dialog().getByText("Completed").waitFor()
      await dialog().getByText(ADMIN.email).waitFor()
      await admin.picture("timeline-e5-refund")
      await admin.page.keyboard.press("Escape")
      await rows().filter({ hasText: "৳450.00" }).getByText("Completed").waitFor()
    },
    CHAPTER_MS
  )

  it(
    "f) sees that the endpoint fails, reads request and response, and sends the delivery again",
    async () => {
      await until("each delivery was tried", async () => (await deliveries()).every(({ attempts }) => attempts > 0))
      await menu("Payment gateway", "Overview")
      await admin
        .region("Needs attention")
        .getByRole("link", { name: /Webhook endpoints that fail/ })
        .click()
      await rows().getByText("Failing").waitFor()
      await admin.picture("timeline-f1-webhooks")
      await link(`${receiver.url}/hook`)
      await admin.heading("Deliveries to this endpoint").waitFor()
      const delivery = rows().filter({ hasText: "payment.succeeded" })
      await delivery.getByText("Will be tried again").waitFor()
      await delivery.getByText("The receiver answered 500 instead of 200").waitFor()
      await admin.picture("timeline-f2-endpoint")
      await delivery.getByRole("button").first().click()
      await dialog().getByText('"payment.succeeded"').first().waitFor()
      await dialog().getByText("no thanks").first().waitFor()
      await admin.picture("timeline-f3-delivery")
      // The receiver is repaired.
      receiver.answer = (response) => response.writeHead(200).end("thanks")
      await dialog().getByRole("button", { name: "Send again" }).click()
      await dialog().getByText("Delivered", { exact: true }).waitFor()
      await dialog().getByText("thanks", { exact: true }).waitFor()
      const sent = receiver.received.filter(({ raw }) => raw.includes('"payment.succeeded"'))
      // An earlier attempt may have answered 500 any number of times; the last one was acknowledged.
      await dialog()
        .getByRole("heading", { name: `Attempt ${sent.length}`, exact: true })
        .waitFor()
      await admin.picture("timeline-f4-delivered")
      await admin.page.keyboard.press("Escape")
      await delivery.getByText("Delivered").waitFor()
      await menu("Payment gateway", "Overview")
      await admin.shows("Nothing needs your attention")
    },
    CHAPTER_MS
  )

  it("and in the end Medusa's books and the gateway's say the same", async () => {
    const money = await orderMoney(store, order)
    const payments = await store.db("gateway_transaction").whereNotNull("verified_at")
    expect(payments.map(({ amount_minor, refunded_minor }) => [amount_minor, refunded_minor])).toEqual([
      [money.captured * 100, 45_000],
    ])
    expect([money.refunds, money.refunded, money.pending]).toEqual([[450], 450, 0])
  })
})

describe("the same admin in Bangla", () => {
  /** The addresses of the pages below /app, with data from the walkthrough. */
  async function pages(): Promise<Record<string, string>> {
    const first = async (table: string, column = "id") => (await store.db(table).orderBy(column).first(column))[column]
    const { product_id } = await store.db("product_variant").where({ sku: "TEA-250" }).first("product_id")
    const payment = (await store.db("gateway_transaction").whereNotNull("verified_at").first("id")).id
    const some = {
      overview: "gateway",
      payment: `gateway/payments/${payment}`,
      subscription: `gateway/subscriptions/${await first("gateway_subscription", "uuid")}`,
      order: `orders/${order}`,
      decided: "gateway/refunds/proposals?status=refunded",
    }
    if (!process.env.SCREENSHOTS) {
      return some
    }
    const lists = [
      "payments",
      "links",
      "paid-carts",
      "cash",
      "cash/import",
      "disputes",
      "refunds",
      "refunds/proposals",
      "refunds/batch",
      "emi",
      "payouts",
      "payouts/ledger",
      "settlements",
      "settlements/import",
      "settlements/lines",
      "settlements/missing",
      "settlements/deposits",
      "settlements/months",
      "settlements/templates",
      "settlements/fees",
      "plans",
      "subscriptions",
      "invoices",
      "developers/api-keys",
      "developers/webhooks",
      "developers/events",
      "developers/deliveries",
      "developers/requests",
      "developers/clock",
      "settings",
      "settings/acquirers",
      "audit",
    ]
    return {
      ...some,
      ...Object.fromEntries(lists.map((path) => [path.replace("/", "-"), `gateway/${path}`])),
      brought: "gateway/settlements/brought?source=sandbox&month=2026-01",
      held: "gateway/settlements/held?source=sandbox&month=2026-01&figure=payments",
      plan: `gateway/plans/${await first("gateway_plan", "uuid")}`,
      invoice: `gateway/invoices/${await first("gateway_invoice", "uuid")}`,
      webhook: `gateway/developers/webhooks/${await first("gateway_webhook_endpoint", "uuid")}`,
      delivery: `gateway/developers/deliveries?opened=${await first("gateway_webhook_delivery")}`,
      refund: `gateway/refunds?opened=${await first("gateway_refund")}`,
      product: `products/${product_id}`,
    }
  }

  /** The forms that these buttons open are checked too. */
  const FORMS: Record<string, string> = {
    links: "পেমেন্ট লিংক তৈরি করুন",
    plans: "প্ল্যান তৈরি করুন",
    subscriptions: "সাবস্ক্রিপশন তৈরি করুন",
    "developers-api-keys": "এপিআই কী তৈরি করুন",
    "developers-webhooks": "এন্ডপয়েন্ট যোগ করুন",
    emi: "প্রস্তাব যোগ করুন",
    disputes: "বিরোধ লিখুন",
    payouts: "পেআউট লিখুন",
    "settlements-fees": "চুক্তি যোগ করুন",
    plan: "সম্পাদনা",
    subscription: "সাবস্ক্রিপশন বাতিল করুন",
  }

  /** Headings, columns, field names and buttons that are still in English; the names of companies are their own. */
  const english = () =>
    admin.page.evaluate(() => {
      const ours = [
        ...document.querySelectorAll(
          "[lang^=bn] :is(h2, h3, th, dt, label, button, figcaption, [role=tab], .txt-small, div.border-r)"
        ),
      ]
      const texts = ours
        .filter((node) => !node.matches("td *, a *, code *, [translate=no]") && !node.querySelector("a, code"))
        .map((node) => (node as HTMLElement).innerText.trim())
      return [...new Set(texts)].filter(
        (text) => /[A-Za-z]{4,}|^is$/.test(text) && !/[\u0980-\u09ff/@_]|\w\.\w/.test(text)
      )
    })

  it(
    "is chosen in the settings, and its pages fit the screen, wide and on a phone in the dark",
    async () => {
      await menu("Settings", "Merchant")
      await admin.page.getByRole("combobox", { name: "Language of these pages" }).click()
      await admin.page.getByRole("option", { name: "বাংলা" }).click()
      await admin.heading("ব্যবসা যাচাই").waitFor()
      const left = new Set<string>()
      for (const [theme, device] of [
        ["light", "wide"],
        ["dark", "phone"],
      ] as const) {
        await admin.look(theme, device)
        for (const [name, path] of Object.entries(await pages())) {
          await admin.go(path)
          await admin.page.locator("[lang=bn-BD]").first().waitFor()
          for (const text of await english()) {
            left.add(`${name}: ${text}`)
          }
          await admin.picture(`bn-${name}-${theme}-${device}`, device === "wide" ? 1400 : 2400)
          expect([name, await admin.fitsTheScreen()]).toEqual([name, true])
          if (name in FORMS) {
            await admin.button(FORMS[name]).click()
            await dialog().waitFor()
            await admin.picture(`bn-${name}-form-${theme}-${device}`)
          }
        }
      }
      await admin.look("light", "wide")
      expect([...left]).toEqual([])
    },
    3 * CHAPTER_MS
  )
})
