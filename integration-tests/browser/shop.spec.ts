import { randomBytes } from "node:crypto"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import type { CheckoutPage } from "../../src/modules/gateway/checkout/page"
import type GatewayModuleService from "../../src/modules/gateway/service"
import { refundPaymentWorkflow } from "@medusajs/medusa/core-flows"
import { accessibilityProblems, launchBrowser } from "../support/browser"
import { until } from "../support/deliveries"
import { openShop, SHOP_ENVIRONMENT, type ShopUnderTest } from "../support/shop"
import { useStore } from "../support/store"

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, locale: "en-GB" }
const GOOD_CARD = "4242424242424242"
const DECLINED_CARD = "4000000000000002"
const TEA_AND_DELIVERY = "৳520.00"

const store = useStore({ env: SHOP_ENVIRONMENT })
let shop: ShopUnderTest
let browser: Browser
let context: BrowserContext
let page: Page
/** Uncaught errors of the shop's own script, and what its CSP has blocked: every test expects none. */
let faults: string[]

beforeAll(async () => {
  ;[shop, browser] = await Promise.all([openShop(store), launchBrowser()])
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await shop?.close()
})

async function newShopper(options: BrowserContextOptions = PHONE): Promise<Page> {
  context = await browser.newContext(options)
  context.setDefaultTimeout(20_000)
  const opened = await context.newPage()
  opened.on("pageerror", (error) => faults.push(String(error)))
  opened.on("console", (message) => /Content.Security.Policy/i.test(message.text()) && faults.push(message.text()))
  return opened
}

beforeEach(async () => {
  faults = []
  page = await newShopper()
})
afterEach(async () => {
  shop.onReturn = null
  await context.close()
  expect(faults).toEqual([])
})

/** Opens a screen and waits until it is shown. */
async function open(path: string): Promise<void> {
  await page.goto(`${shop.url}#${path}`)
  await settled()
}

const settled = () => page.waitForSelector("main:not([aria-busy]) h1")

async function addTea(): Promise<void> {
  await open("/products/sylhet-tea")
  await page.click("#add")
  await page.waitForSelector("text=Sylhet garden tea is in your cart.")
}

async function fillAddress(): Promise<void> {
  await page.fill("#name", "Rahima Khatun")
  await page.fill("#phone", "+880 1712-345678")
  await page.fill("#email", "rahima@example.com")
  await page.fill("#street", "House 12, Road 5")
  await page.selectOption("#district", "Dhaka")
  await page.fill("#postcode", "1205")
  await page.click("#save-address")
}

const PASSWORD = "garden of tea 9"

/** From the cart with the subscription to a new account, and on to the address. */
async function registerAtCart(email: string): Promise<void> {
  await open("/products/tea-club")
  await page.click("#add")
  await page.waitForSelector("text=Tea club is in your cart.")
  await page.click("a[href='#/cart']:not(.cart-link)")
  await page.click("a[href^='#/sign-in']")
  await page.click("a[href^='#/register']")
  await page.waitForSelector("#name")
  await page.fill("#name", "Nusrat Jahan")
  await page.fill("#email", email)
  await page.fill("#password", PASSWORD)
  await page.click("#account-go")
  await page.waitForSelector("#save-address")
}

/** From the address to the last step, as a customer whose name and e-mail address the account knows. */
async function reachPaymentFromAccount(): Promise<void> {
  await page.fill("#phone", "01812345678")
  await page.fill("#street", "House 12, Road 5")
  await page.selectOption("#district", "Dhaka")
  await page.fill("#postcode", "1205")
  await page.click("#save-address")
  await page.waitForSelector("#save-delivery")
  await page.click("#save-delivery")
  await page.waitForSelector("#pay")
  await settled()
}

async function buySubscription(): Promise<void> {
  await reachPaymentFromAccount()
  await leaveToPay()
  await payByCard(GOOD_CARD)
  await page.waitForSelector("#order")
}

async function signIn(email: string, password = PASSWORD): Promise<void> {
  await page.waitForSelector("#account-go")
  await page.fill("#email", email)
  await page.fill("#password", password)
  await page.click("#account-go")
}

const newEmail = () => `nusrat-${randomBytes(6).toString("hex")}@example.com`
const focused = () => page.evaluate(() => document.activeElement?.id)

/** From an empty cart to the last step before paying. */
async function reachPayment(): Promise<void> {
  await addTea()
  await page.click("a:has-text('Go to the cart')")
  await page.click("a:has-text('Go to checkout')")
  await page.waitForSelector("#save-address")
  await fillAddress()
  await page.waitForSelector("#save-delivery")
  await page.check("label:has-text('Inside Dhaka') input")
  await page.click("#save-delivery")
  await page.waitForSelector("#pay")
  await settled()
}

const onPaymentPage = () => page.waitForURL(/\/pay\/ses_/)

async function leaveToPay(): Promise<void> {
  await page.click("#pay")
  await onPaymentPage()
}

async function fillCard(number: string): Promise<void> {
  await page.check("#method_card")
  await page.fill("#card_number", number)
  await page.fill("#card_expiry", "12/30")
  await page.fill("#card_cvc", "123")
  await page.fill("#card_name", "Rahima Khatun")
}

async function payByCard(number: string): Promise<void> {
  await fillCard(number)
  await page.click("#payment button[type=submit]")
}

/** A decline leaves the payment page open: the shopper gives up there. */
async function returnAfterDecline(): Promise<void> {
  await page.waitForSelector("form#payment [role=alert]")
  await page.click("form[action$='/cancel'] button")
}

async function cartId(): Promise<string> {
  const id = await page.evaluate(() => localStorage.getItem("shop.cart_id"))
  expect(id).toMatch(/^cart_/)
  return String(id)
}

const textOf = (selector: string) => page.innerText(selector)

/** The orders made from a cart, from the store. */
async function ordersOf(cart: string) {
  const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
  const { data: links } = await query.graph({ entity: "order_cart", fields: ["order_id"], filters: { cart_id: cart } })
  const ids = links.map(({ order_id }) => order_id)
  const fields = [
    "id",
    "display_id",
    "email",
    "total",
    "items.title",
    "shipping_address.phone",
    "payment_collections.status",
  ]
  const { data: orders } = ids.length
    ? await query.graph({ entity: "order", fields, filters: { id: ids } })
    : { data: [] }
  return orders.map((order) => ({ ...order, total: Number(order.total) }))
}

/** The gateway's checkouts of the cart's current payment sessions. */
async function checkoutsOf(cart: string): Promise<CheckoutPage[]> {
  const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
  const fields = ["payment_collection.payment_sessions.data"]
  const { data: links } = await query.graph({ entity: "cart_payment_collection", fields, filters: { cart_id: cart } })
  const sessions = links.flatMap((link) => link.payment_collection?.payment_sessions ?? [])
  const gateway = store.container.resolve<GatewayModuleService>("gateway")
  return Promise.all(sessions.map((session) => gateway.checkoutPages.page(String(session?.data.session_id))))
}

async function expectConfirmed(cart: string): Promise<void> {
  await page.waitForSelector("#order")
  const orders = await ordersOf(cart)
  expect(orders).toHaveLength(1)
  expect(await page.getAttribute("#order", "data-order-id")).toBe(orders[0].id)
  expect(await textOf("#order")).toContain(`Order no. ${orders[0].display_id}`)
  expect(await textOf(".totals .total")).toContain(TEA_AND_DELIVERY)
  expect(await textOf(".facts")).toContain("Paid")
  expect(await page.evaluate(() => localStorage.getItem("shop.cart_id"))).toBeNull()
}

describe("buying", () => {
  it("goes from the product to the confirmed order, which exists before the shopper is back", async () => {
    await page.goto(shop.url)
    await page.click("a:has-text('Sylhet garden tea')")
    await reachPayment()
    const cart = await cartId()
    expect(await textOf("#pay")).toContain(TEA_AND_DELIVERY)

    let ordersOnReturn: unknown[] = []
    shop.onReturn = async () => {
      ordersOnReturn = await ordersOf(cart)
      return true
    }
    await leaveToPay()
    await payByCard(GOOD_CARD)
    await expectConfirmed(cart)
    expect(ordersOnReturn).toEqual([
      expect.objectContaining({
        email: "rahima@example.com",
        shipping_address: expect.objectContaining({ phone: "01712345678" }),
        payment_collections: [expect.objectContaining({ status: "completed" })],
      }),
    ])
    expect(await textOf("h1")).toBe("Thank you, Rahima")
    expect(await textOf("#order")).toContain("Sylhet garden tea")
  })

  it("shows the payment page with the service the shopper chose in the shop", async () => {
    await reachPayment()
    await page.check("input[value=nagad]")
    await leaveToPay()
    expect(await page.isChecked("#method_mobile_banking")).toBe(true)
    expect(await page.isChecked("input[value=NAGAD]")).toBe(true)
  })

  it("docs/decisions/0053 and 0013: the payment page has the shop's language and number, until the shopper chooses another language there", async () => {
    await reachPayment()
    const reference = (await cartId()).slice(-8).toUpperCase()
    expect(await textOf("main")).toContain(`Order ${reference}`)
    await page.click("button[lang=bn]")
    await page.waitForSelector("html[lang=bn] #pay")
    await settled()
    await leaveToPay()
    expect(await page.getAttribute("html", "lang")).toBe("bn")
    expect(await textOf(".order")).toContain(reference)
    await page.click(".languages a[lang=en]")
    await page.waitForSelector("html[lang=en]")
    await open("/checkout/pay")
    expect(await page.getAttribute("html", "lang")).toBe("bn")
    await leaveToPay()
    expect(await page.getAttribute("html", "lang")).toBe("en")
    expect(await textOf(".order")).toBe(`Order ${reference}`)
  })

  it("starts a new cart after an order", async () => {
    await reachPayment()
    const first = await cartId()
    await leaveToPay()
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    await addTea()
    expect(await cartId()).not.toBe(first)
    expect(await page.getAttribute(".cart-link", "aria-label")).toBe("Cart, 1 item")
  })
})

describe("a payment that does not succeed", () => {
  it("declined: the shopper is back with a message and the same cart, tries again, and pays", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    await payByCard(DECLINED_CARD)
    await returnAfterDecline()
    await page.waitForSelector("text=You have not been charged")
    await settled()
    expect(page.url()).toBe(`${shop.url}#/checkout/pay?payment=declined`)
    expect(await textOf(".notice")).toContain("You have not been charged")
    expect(await cartId()).toBe(cart)
    expect(await ordersOf(cart)).toEqual([])
    const [declined] = await checkoutsOf(cart)
    expect(declined.status).toBe("FAILED")

    await leaveToPay()
    expect(page.url()).not.toContain(declined.session_id)
    await payByCard(GOOD_CARD)
    await expectConfirmed(cart)
  })

  it("declined, and paid with another card on the same page: the order is there before the shopper is back", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    await payByCard(DECLINED_CARD)
    await page.waitForSelector("form#payment [role=alert]")
    expect(await ordersOf(cart)).toEqual([])
    await payByCard(GOOD_CARD)
    await expectConfirmed(cart)
    expect(await checkoutsOf(cart)).toMatchObject([{ status: "SUCCESS" }])
  })

  it("cancelled: the shopper is back, and pays after all", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    await page.click("form[action$='/cancel'] button")
    await page.waitForSelector("text=You cancelled the payment")
    await settled()
    expect(await cartId()).toBe(cart)
    expect(await ordersOf(cart)).toEqual([])

    await leaveToPay()
    await payByCard(GOOD_CARD)
    await expectConfirmed(cart)
  })

  it("the browser's Back button leads from the payment page to a Pay button that works", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    await page.goBack()
    await page.waitForSelector("#pay:not([aria-disabled])")
    await settled()
    await leaveToPay()
    await payByCard(GOOD_CARD)
    await expectConfirmed(cart)
  })
})

describe("paying once", () => {
  it("a double click in the shop starts one payment, a double click on the payment page makes one order", async () => {
    await reachPayment()
    const cart = await cartId()
    const started: string[] = []
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/payment-sessions")) {
        started.push(request.url())
      }
    })
    await page.dblclick("#pay")
    await onPaymentPage()
    expect(started).toHaveLength(1)

    await fillCard(GOOD_CARD)
    await page.dblclick("#payment button[type=submit]")
    await expectConfirmed(cart)
  })

  it("a cart changed in another tab is not charged at the old price: the shopper sees the new total first", async () => {
    await reachPayment()
    const cart = await cartId()
    const other = await context.newPage()
    await other.goto(`${shop.url}#/products/clay-mug`)
    await other.click("#add")
    await other.waitForSelector("text=is in your cart")

    await page.click("#pay")
    await page.waitForSelector("text=Your cart has changed meanwhile")
    expect(await textOf("#pay")).toContain("৳1,070.00")
    expect(await checkoutsOf(cart)).toEqual([])
    await leaveToPay()
    expect(await textOf("body")).toContain("1,070.00")
  })

  it("a cart changed while the payment page is open is not charged, and is paid at its new total afterwards", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    await fillCard(GOOD_CARD)
    const other = await context.newPage()
    await other.goto(`${shop.url}#/products/clay-mug`)
    await other.click("#add")
    await other.waitForSelector("text=is in your cart")

    await page.click("#payment button[type=submit]")
    await page.waitForSelector("#payment", { state: "detached" })
    expect(await ordersOf(cart)).toEqual([])

    expect(await textOf("h1")).toMatch(/Your cart has changed|This payment page is out of date/)
    await page.click("main a")
    await page.waitForSelector("text=That payment page is no longer valid")
    await settled()
    expect(await textOf("#pay")).toContain("৳1,070.00")
    await leaveToPay()
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    expect((await ordersOf(cart)).map(({ total }) => total)).toEqual([1070])
  })
})

describe("coming back", () => {
  it("a shopper who never came back sees the order at the next visit, not an unexplained empty cart", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    const dropped = new Promise<void>((done) => {
      shop.onReturn = async () => {
        done()
        return false
      }
    })
    await Promise.all([dropped, payByCard(GOOD_CARD)])
    await page.waitForURL(/^chrome-error:/)
    shop.onReturn = null
    await page.goto(shop.url)
    await expectConfirmed(cart)
  })

  it("a shopper who comes back before the outcome is known waits, and then sees the order", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    const [{ transaction_id: transaction }] = await checkoutsOf(cart)

    const waiting = await context.newPage()
    await waiting.goto(`${shop.url}?status=PENDING&order_id=&transaction_id=${transaction}`)
    await waiting.waitForSelector("text=Confirming your payment")
    expect(new URL(waiting.url()).search).toBe("")
    await payByCard(GOOD_CARD)
    await expectConfirmed(cart)
    await waiting.waitForSelector("#order")
  })

  it("believes no status in the address", async () => {
    await reachPayment()
    const cart = await cartId()
    await leaveToPay()
    const [unpaid] = await checkoutsOf(cart)
    await page.goto(`${shop.url}?status=SUCCESS&order_id=order_made_up&transaction_id=${unpaid.transaction_id}`)
    await page.waitForSelector("text=Confirming your payment")
    await page.goto("about:blank")
    await page.goto(`${shop.url}?status=SUCCESS&order_id=order_made_up&transaction_id=txn${"0".repeat(32)}`)
    await page.waitForSelector("text=We do not know this payment")
    expect(await ordersOf(cart)).toEqual([])
  })
})

describe("a subscription", () => {
  it("is marked in the shop, bought with a new account, and managed there: pause, resume, another card, cancel", async () => {
    await open("/products/tea-club")
    expect(await textOf("#plan")).toContain("৳600.00 with the order, then ৳600.00 every month, automatically.")
    await registerAtCart(newEmail())
    expect(await page.inputValue("#name")).toBe("Nusrat Jahan")
    await reachPaymentFromAccount()
    await leaveToPay()
    expect(await textOf("#renewal")).toContain("Tea club: ৳670.00 every month, for the first time on ")
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    expect(await textOf(".notice")).toContain("Your subscription has begun")
    await page.click("text=See my subscriptions")
    await page.waitForSelector(".subscription")
    expect(await textOf(".subscription")).toMatch(
      /Tea club\s+Active\s+৳670.00 every month, with ৳70.00 for delivery\s+Next payment: ৳670.00 on \d+ \w+ \d{4}\s+Paid with: Visa ending in 4242/
    )
    await page.click(".subscription-title")
    await page.waitForSelector("#pause")

    const [pdf] = await Promise.all([page.waitForEvent("download"), page.click(".invoice button")])
    expect(pdf.suggestedFilename()).toMatch(/^INV-\d{6}\.pdf$/)
    await page.focus("#pause")
    await page.keyboard.press("Enter")
    await page.waitForSelector("#resume")
    expect([await focused(), await textOf("#next-payment")]).toEqual([
      "news",
      expect.stringContaining("None while it is paused"),
    ])
    await page.click("#resume")
    await page.waitForSelector("text=Resumed. The next payment is on")

    await page.click("#replace")
    expect(await textOf("dialog")).toContain("This costs nothing.")
    await page.click("#dialog-confirm")
    await onPaymentPage()
    expect(await textOf("#verification")).toContain("৳100.00 is taken to check the new payment method, and given back")
    await payByCard("5555555555554444")
    await page.waitForSelector("text=From now on Mastercard ending in 4444 is charged.")
    await settled()
    expect(new URL(page.url()).search).toBe("")
    expect(await page.locator(".invoice").count()).toBe(1)

    await page.click("#cancel")
    await page.keyboard.press("Escape")
    await page.waitForSelector("dialog", { state: "detached" })
    expect([await focused(), await textOf(".status")]).toEqual(["cancel", "Active"])
    await page.click("#cancel")
    await page.click("#dialog-confirm")
    await page.waitForSelector("text=Cancelled. You have it until")
    expect(await page.locator("#pause, #replace, #cancel").count()).toBe(0)
    expect(page.url()).not.toMatch(/eyJ|token/)
  })

  it("a guest is led to sign in from the cart and from every step, and back to the cart", async () => {
    await open("/products/tea-club")
    await page.click("#add")
    await page.waitForSelector("text=Tea club is in your cart.")
    await open("/cart")
    expect(await textOf("main")).toContain("A subscription needs an account")
    for (const step of ["address", "delivery", "pay"]) {
      await page.goto(`${shop.url}#/checkout/${step}`)
      await page.waitForSelector("#account-go")
      await page.click("text=Back to the cart")
      await page.waitForSelector(".cart-items")
    }
  })

  it("wrong passwords, known addresses, ended sessions and changed states are explained", async () => {
    const email = newEmail()
    await registerAtCart(email)
    await buySubscription()
    await open("/account")
    await page.click("text=Sign out")
    await page.waitForSelector(".card")
    await open("/account")
    await signIn(email, "not the password")
    await page.waitForSelector("text=Wrong e-mail or password.")
    await page.click("text=Create one")
    await page.waitForSelector("#name")
    await page.fill("#name", "Somebody Else")
    await page.fill("#email", email)
    await page.fill("#password", "short")
    await page.click("#account-go")
    expect([await textOf("#password-error"), await focused()]).toEqual([
      "A password has 8 characters or more.",
      "password",
    ])
    await signIn(email, "another password")
    await page.waitForSelector("text=There is an account with this e-mail address.")
    await page.click("main a[href^='#/sign-in']")
    await page.waitForSelector("#name", { state: "detached" })
    await signIn(email)
    await page.waitForSelector(".subscription")
    await page.click(".subscription-title")
    await page.waitForSelector("#pause")

    // Pauses it behind this page's back, as another tab would.
    const gateway = store.container.resolve<GatewayModuleService>("gateway")
    const { id: merchant } = await gateway.merchants.storeMerchant(gateway.options.storeMerchantName)
    await gateway.subscriptions.pause(
      await gateway.merchants.scope(merchant, "sandbox"),
      String(page.url().split("/").pop())
    )
    await page.click("#pause")
    await page.waitForSelector("text=something has changed meanwhile")
    await page.click("#resume")
    await page.waitForSelector("#pause")
    await page.evaluate(() => localStorage.setItem("shop.token", "a.token.of-yesterday"))
    await page.click("#pause")
    await page.waitForSelector("text=You were signed out after a while")
    await signIn(email)
    await page.waitForSelector("#pause")
    await page.route("**/pause", (route) => route.abort())
    await page.click("#pause")
    await page.waitForSelector("text=We cannot reach the shop.")
    expect(await textOf(".status")).toBe("Active")
  })
})

describe("docs/decisions/0061 — the account", () => {
  async function register(email: string): Promise<void> {
    await open("/register")
    await page.fill("#name", "Nusrat Jahan")
    await page.fill("#email", email)
    await page.fill("#password", PASSWORD)
    await page.click("#account-go")
    await page.waitForSelector(".account-owner")
  }

  async function toAddress(): Promise<void> {
    await addTea()
    await open("/checkout/address")
    await page.waitForSelector("#save-address")
  }

  it("lists the orders with state, amount and what was refunded", async () => {
    await register(newEmail())
    expect(await textOf("#orders")).toContain("You have no orders yet.")
    await toAddress()
    await reachPaymentFromAccount()
    const cart = await cartId()
    await leaveToPay()
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    const [{ id, display_id }] = await ordersOf(cart)
    await open("/account")
    expect(await textOf(".order-card")).toMatch(
      new RegExp(
        `Order no\\. ${display_id}\\s+Being prepared\\s+Sylhet garden tea ×\\s1 · ৳520\\.00\\s+\\d+ \\w+ \\d{4} · Paid$`
      )
    )

    const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
    const fields = ["payment_collections.payments.id"]
    const { data: orders } = await query.graph({ entity: "order", fields, filters: { id } })
    const payment_id = String(orders[0].payment_collections?.[0]?.payments?.[0]?.id)
    await refundPaymentWorkflow(store.container).run({ input: { payment_id, amount: 70 } })
    await page.reload()
    await page.waitForSelector(".order-card")
    expect(await textOf(".order-card")).toContain("Partly refunded · ৳70.00 refunded")
    await page.click(".order-title")
    await page.waitForSelector("#order")
    expect(await page.getAttribute("#order", "data-order-id")).toBe(id)
  })

  it("saves addresses: from an order and in the account, changed, the default suggested, removed", async () => {
    await register(newEmail())
    await toAddress()
    await page.fill("#phone", "01812345678")
    await page.fill("#street", "House 12, Road 5")
    await page.selectOption("#district", "Dhaka")
    await page.fill("#postcode", "1205")
    expect(await page.isChecked("#keep")).toBe(true)
    await page.click("#save-address")
    await page.waitForSelector("#save-delivery")
    await open("/account")
    expect(await textOf("#addresses")).toMatch(/Default\s+Nusrat Jahan\s+House 12, Road 5\s+Dhaka 1205/)

    await page.click("text=Add an address")
    await page.waitForSelector("#save-address")
    await page.click("#save-address")
    expect(await textOf("#address-problem")).toContain("fields need your attention")
    await page.fill("#name", "Rahima Khatun")
    await page.fill("#phone", "01912345678")
    await page.fill("#street", "Village Road 3")
    await page.selectOption("#district", "Khulna")
    await page.fill("#postcode", "9100")
    await page.check("#default")
    await page.click("#save-address")
    await page.waitForSelector("#addresses li + li")
    expect(await textOf("#addresses li:first-child")).toMatch(/Default\s+Rahima Khatun\s+Village Road 3\s+Khulna 9100/)

    await page.click("#addresses li:first-child a")
    await page.waitForSelector("#save-address")
    await page.fill("#street", "Village Road 4")
    await page.click("#save-address")
    await page.waitForSelector("#addresses >> text=Village Road 4")

    await toAddress()
    expect(await page.inputValue("#street")).toBe("House 12, Road 5")
    await page.selectOption("#saved-address", { label: "Rahima Khatun, Village Road 4, Khulna" })
    expect([await page.inputValue("#street"), await page.inputValue("#district")]).toEqual(["Village Road 4", "Khulna"])
    await page.click("#save-address")
    await page.waitForSelector("#save-delivery")
    expect(await page.locator(".option").allInnerTexts()).toEqual([expect.stringContaining("Outside Dhaka")])

    await open("/account")
    expect(await page.locator("#addresses li").count()).toBe(2)
    await page.click("#addresses li:first-child button")
    await page.click("#dialog-confirm")
    await page.waitForSelector("#addresses >> text=Village Road 4", { state: "detached" })
    await page.reload()
    await page.waitForSelector("#addresses li")
    expect(await page.locator("#addresses li").count()).toBe(1)
    await page.click("#addresses li button")
    await page.click("#dialog-confirm")
    await page.waitForSelector("#addresses >> text=You can save an address here")
  })

  it("signs in and out in every tab at once", async () => {
    const other = await context.newPage()
    await other.goto(shop.url)
    await other.waitForSelector(".account-label:has-text('Sign in')", { state: "attached" })
    await register(newEmail())
    await other.waitForSelector(".account-label:has-text('Your account')", { state: "attached" })
    await other.goto(`${shop.url}#/account`)
    await other.waitForSelector(".account-owner")
    await page.click("text=Sign out")
    await other.waitForSelector("#account-go")
    expect(await other.evaluate(() => Object.keys(localStorage).filter((key) => key !== "shop.language"))).toEqual([])
    await page.waitForSelector(".card")
    await register(newEmail())
    await other.waitForSelector(".account-owner")
  })

  it("a forgotten password is chosen anew by the link of an e-mail, once, in the shop's language", async () => {
    const email = newEmail()
    await register(email)
    await page.click("text=Sign out")
    await page.waitForSelector(".card")
    await page.click("button[lang=bn]")
    await page.waitForSelector("html[lang=bn] .card")
    await open("/sign-in")
    await page.click("a[href='#/forgotten-password']")
    await page.waitForSelector("#password-go")
    await page.fill("#email", email)
    await page.click("#password-go")
    await page.waitForSelector(".notice-success")

    const notifications = store.container.resolve(Modules.NOTIFICATION)
    const mails = () => notifications.listNotifications({ to: email, template: "customer-password-reset" })
    await until(async () => (await mails()).length === 1)
    const [{ data }] = await mails()
    expect(data).toMatchObject({ subject: "Shapla: নতুন পাসওয়ার্ড বেছে নিন" })
    const link = /http:\S+#\/reset-password(\?\S+)/.exec(String(data?.text))
    expect(new URLSearchParams(link?.[1]).get("email")).toBe(email)

    await page.evaluate(() => localStorage.setItem("shop.language", "en"))
    await page.goto("about:blank")
    await open(`/reset-password${link?.[1]}`)
    await page.fill("#password", "short")
    await page.click("#password-go")
    expect(await textOf("#password-error")).toBe("A password has 8 characters or more.")
    await page.fill("#password", "a new garden 8")
    await page.click("#password-go")
    await page.waitForSelector(".account-owner")
    await page.click("text=Sign out")
    await page.waitForSelector(".card")

    await open(`/reset-password${link?.[1]}`)
    await page.fill("#password", "somebody else's")
    await page.click("#password-go")
    await page.waitForSelector("text=This link is no longer valid")
    await open("/sign-in")
    await signIn(email, PASSWORD)
    await page.waitForSelector("text=Wrong e-mail or password.")
    await signIn(email, "a new garden 8")
    await page.waitForSelector(".account-owner")
  })

  it("a request for an address without an account sends nothing, and answers the same", async () => {
    const [nobody, somebody] = [newEmail(), newEmail()]
    await register(somebody)
    await page.click("text=Sign out")
    await page.waitForSelector(".card")
    for (const email of [nobody, somebody]) {
      await open("/sign-in")
      await open("/forgotten-password")
      await page.waitForSelector("#password-go")
      await page.fill("#email", email)
      await page.click("#password-go")
      await page.waitForSelector(`text=If there is an account with ${email}`)
    }
    const notifications = store.container.resolve(Modules.NOTIFICATION)
    // By the time that the second one has its e-mail, the first one would have had theirs.
    await until(async () => (await notifications.listNotifications({ to: somebody })).length === 1)
    expect(await notifications.listNotifications({ to: nobody })).toEqual([])
  })
})

describe("docs/decisions/0061 — delivery and language", () => {
  it("offers the delivery to the address's district, and forgets the one that no longer fits", async () => {
    await reachPayment()
    await open("/checkout/address")
    await page.selectOption("#district", "Khulna")
    await page.click("#save-address")
    await page.waitForSelector("#save-delivery")
    expect(await page.locator(".option").allInnerTexts()).toEqual([expect.stringMatching(/Outside Dhaka.*৳130\.00/s)])
    // The delivery inside Dhaka is gone: the last step leads back to this one.
    await open("/checkout/pay")
    await page.waitForSelector("#save-delivery")
    await page.click("#save-delivery")
    await page.waitForSelector("#pay")
    await settled()
    expect(await textOf("#pay")).toContain("৳580.00")
  })

  it("shows products in Bangla", async () => {
    await context.close()
    page = await newShopper({ ...PHONE, locale: "bn-BD" })
    await page.goto(shop.url)
    await page.click("a:has-text('জামদানি ওড়না')")
    await page.waitForSelector("#add")
    const shown = await textOf("main")
    for (const text of ["ধরন", "ছোট", "শীতলক্ষ্যার পাড়ের"]) {
      expect(shown).toContain(text)
    }
  })
})

describe("docs/decisions/0047 — a saved payment method", () => {
  /** From the home page to the payment page, as a customer who is signed in. */
  async function buyTea(): Promise<void> {
    await addTea()
    await page.click("a:has-text('Go to the cart')")
    await page.click("a:has-text('Go to checkout')")
    await page.waitForSelector("#save-address")
    await reachPaymentFromAccount()
    await leaveToPay()
    await page.waitForSelector("#payment")
  }

  async function expectNoSavedMethod(url: string, options: BrowserContextOptions = PHONE): Promise<void> {
    const stranger = await browser.newContext(options)
    const theirs = await stranger.newPage()
    await theirs.goto(url)
    await theirs.waitForSelector("#payment")
    expect(await theirs.locator("input[value^=saved_], input[name^=save_]").count()).toBe(0)
    await stranger.close()
  }

  it("is saved with consent, pays the next order in the same browser only, and is removed in the account", async () => {
    await open("/register")
    await page.fill("#name", "Nusrat Jahan")
    await page.fill("#email", newEmail())
    await page.fill("#password", PASSWORD)
    await page.click("#account-go")
    await page.waitForSelector(".account-owner")
    expect(await textOf("#saved-methods")).toContain("Nothing is saved")

    await buyTea()
    expect(await page.isChecked("#save_card")).toBe(false)
    await fillCard(GOOD_CARD)
    await page.check("#save_card")
    expect(await accessibilityProblems(page)).toEqual([])
    await page.click("#payment button[type=submit]")
    await page.waitForSelector("#order")

    await buyTea()
    expect(await page.isChecked("input[name=method][value^=saved_]")).toBe(true)
    expect(await textOf(".methods")).toContain("Visa ending in 4242")
    expect(await page.isVisible("#card_number")).toBe(false)
    for (const [name, language] of Object.entries({ english: "en", bangla: "bn" })) {
      await page.goto(`${page.url().split("?")[0]}?lang=${language}`)
      await inspectScreen(`saved-${name}`, LOOKS, "payment page")
    }
    await page.goto(`${page.url().split("?")[0]}?lang=en`)
    await expectNoSavedMethod(page.url())
    await page.click("#payment button[type=submit]")
    await page.waitForSelector("#order")

    await open("/account")
    expect(await textOf("#saved-methods")).toContain("Visa ending in 4242")
    await inspectScreen("saved", LOOKS, "account")
    await page.click("#saved-methods button")
    await page.click("#dialog-confirm")
    await page.waitForSelector("text=Visa ending in 4242 has been removed.")
    expect(await textOf("#saved-methods")).toContain("Nothing is saved")
    await buyTea()
    expect(await page.locator("input[value^=saved_]").count()).toBe(0)
  }, 120_000)
})

describe("what a shopper types", () => {
  it("is checked field by field, in words that help, and the first problem gets the focus", async () => {
    await addTea()
    await open("/checkout/address")
    await page.fill("#phone", "0121234567")
    await page.click("#save-address")
    expect(await textOf("#name-error")).toBe("Enter the name of the person who receives the parcel.")
    expect(await textOf("#phone-error")).toBe("Mobile numbers in Bangladesh begin with 013 to 019.")
    expect(await textOf("#address-problem")).toContain("6 fields need your attention.")
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("name")

    await page.fill("#phone", "0171234567")
    expect(await textOf("#phone-error")).toBe("A mobile number has 11 digits; this one has 10.")
    await page.fill("#phone", "01712345678")
    expect(await textOf("#phone-error")).toBe("")
    expect(await page.getAttribute("#phone", "aria-invalid")).toBeNull()
  })

  it("the cart and the address survive a reload", async () => {
    await reachPayment()
    await page.reload()
    await page.waitForSelector("#pay")
    await open("/checkout/address")
    expect(await page.inputValue("#phone")).toBe("01712345678")
    expect(await page.inputValue("#district")).toBe("Dhaka")
  })

  it("a step cannot be reached before the ones that precede it", async () => {
    await page.goto(`${shop.url}#/checkout/pay`)
    await page.waitForSelector("text=Your cart is empty.")
    await addTea()
    await page.goto(`${shop.url}#/checkout/pay`)
    await page.waitForSelector("#save-address")
  })

  it("more than there is in stock is refused in plain words, and the cart stays as it was", async () => {
    await addTea()
    await open("/cart")
    await page.route("**/line-items/**", (route) => route.continue({ postData: JSON.stringify({ quantity: 100000 }) }))
    await page.click("button[aria-label='One more Sylhet garden tea']")
    await page.waitForSelector("text=We do not have that many left.")
    expect(await textOf(".totals .total")).toContain("৳450.00")
  })
})

describe("a store that does not answer", () => {
  it("is shown to the shopper, and one press loads the screen once it is back", async () => {
    await page.route("**/store/products**", (route) => route.abort())
    await page.goto(shop.url)
    await page.waitForSelector("text=We cannot reach the shop.")
    await page.unrouteAll()
    await page.click("button:has-text('Try again')")
    await page.waitForSelector("a:has-text('Sylhet garden tea')")
  })

  it("at Pay leaves the shopper on the page, with a button that works again", async () => {
    await reachPayment()
    await page.route("**/payment-sessions", (route) => route.fulfill({ status: 500, body: "{}" }))
    await page.click("#pay")
    await page.waitForSelector("text=Payments are not possible at the moment.")
    await page.unrouteAll()
    await leaveToPay()
  })
})

/** `isAudited`: axe looks at it too; what it finds at 320 pixels, it finds at 390. */
type Look = {
  device: string
  viewport: { width: number; height: number }
  colorScheme: "light" | "dark"
  isAudited: boolean
}

const LOOKS: Look[] = [
  { device: "a phone in daylight", viewport: { width: 390, height: 844 }, colorScheme: "light", isAudited: false },
  { device: "a phone at 320 pixels", viewport: { width: 320, height: 640 }, colorScheme: "light", isAudited: true },
  { device: "a dark desktop", viewport: { width: 1280, height: 800 }, colorScheme: "dark", isAudited: true },
]
/** Each screen is visited once in each language and checked in all these variants. */
const WALKS: [string, BrowserContextOptions, Look[]][] = [
  ["in English", PHONE, LOOKS],
  ["in Bangla", { ...PHONE, locale: "bn-BD" }, LOOKS.slice(1, 2)],
]

/** Without animations: contrast cannot be measured in the middle of a colour transition. */
async function look({ viewport, colorScheme }: Look): Promise<void> {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
}

/** Fails on any axe violation and on anything wider than the window. */
async function inspectScreen(walk: string, looks: Look[], screen: string): Promise<void> {
  for (const one of looks) {
    await look(one)
    const { device, isAudited } = one
    if (process.env.SCREENSHOTS) {
      await page.screenshot({
        path: `${process.env.SCREENSHOTS}/${walk}-${device}-${screen}.png`.replaceAll(" ", "-"),
        fullPage: true,
      })
    }
    const problems = isAudited ? await accessibilityProblems(page) : []
    expect({ screen, device, problems }).toEqual({ screen, device, problems: [] })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect({ screen, device, overflow: Math.max(0, overflow) }).toEqual({ screen, device, overflow: 0 })
  }
  await look(looks[0])
}

describe.each(WALKS)("every screen %s", (walk, options, looks) => {
  const inspect = (screen: string) => inspectScreen(walk, looks, screen)

  it("is accessible", async () => {
    await context.close()
    page = await newShopper(options)
    await open("/")
    await page.waitForSelector(".card img")
    await inspect("list")
    await open("/cart")
    await inspect("empty cart")
    await open("/products/jamdani-scarf")
    await page.click("#add")
    await page.waitForSelector(".notice-success")
    await inspect("product")
    await open("/cart")
    await inspect("cart")
    await page.click("a[href='#/checkout/address']")
    await page.waitForSelector("#save-address")
    await inspect("address")
    await page.click("#save-address")
    await inspect("address with problems")
    await fillAddress()
    await page.waitForSelector("#save-delivery")
    await settled()
    await inspect("delivery")
    await page.click("#save-delivery")
    await page.waitForSelector("#pay")
    await settled()
    await inspect("pay")
    await leaveToPay()
    await payByCard(DECLINED_CARD)
    await returnAfterDecline()
    await page.waitForSelector("#pay")
    await settled()
    await inspect("declined")
    const cart = await cartId()
    await leaveToPay()
    const [{ transaction_id: transaction }] = await checkoutsOf(cart)
    await page.goto(`${shop.url}?transaction_id=${transaction}`)
    await page.waitForSelector(".spinner")
    await inspect("confirming")
    await page.goBack()
    await onPaymentPage()
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    await settled()
    await inspect("order")
    await open("/nothing/here")
    await inspect("not found")
  }, 120_000)
})

describe.each(WALKS)("every screen of the account %s", (walk, options, looks) => {
  const inspect = (screen: string) => inspectScreen(walk, looks, screen)

  it("is accessible", async () => {
    await context.close()
    page = await newShopper(options)
    await open("/products/tea-club")
    await page.click("#add")
    await page.waitForSelector(".notice-success")
    await inspect("subscription product")
    await open("/cart")
    await inspect("subscription cart")
    await page.click("a[href^='#/sign-in']")
    await page.waitForSelector("#account-go")
    await settled()
    await inspect("sign in")
    await page.click("a[href^='#/register']")
    await page.waitForSelector("#name")
    await page.click("#account-go")
    await inspect("register with problems")
    await page.fill("#name", "Nusrat Jahan")
    await page.fill("#email", newEmail())
    await page.fill("#password", PASSWORD)
    await page.click("#account-go")
    await page.waitForSelector("#save-address")
    await open("/account")
    await inspect("account, empty")
    await open("/account/addresses/new")
    await inspect("new address")
    await open("/forgotten-password")
    await inspect("forgotten password")
    await open("/reset-password")
    await inspect("new password")
    await open("/checkout/address")
    await reachPaymentFromAccount()
    await inspect("pay for a subscription")
    await leaveToPay()
    await page.waitForSelector("#renewal")
    await inspect("payment page of a subscription")
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    await settled()
    await open("/account")
    await page.waitForSelector(".subscription")
    await inspect("account")
    await page.click(".subscription-title")
    await page.waitForSelector("#pause")
    await settled()
    await inspect("subscription")
    await page.click("#replace")
    await inspect("change the card")
    await page.keyboard.press("Escape")
    await page.click("#cancel")
    await inspect("cancel")
    await page.click("#dialog-confirm")
    await page.waitForSelector("#pause", { state: "detached" })
    await inspect("cancelled")
  }, 120_000)
})
