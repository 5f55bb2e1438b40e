import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { refundPaymentWorkflow } from "@medusajs/medusa/core-flows"
import { SHOP_ENVIRONMENT } from "../support/shop"
import {
  addTea,
  cartId,
  context,
  GOOD_CARD,
  leaveToPay,
  newEmail,
  open,
  ordersOf,
  page,
  PASSWORD,
  payByCard,
  reachPaymentFromAccount,
  shop,
  signIn,
  textOf,
  useShop,
} from "../support/shop-screens"
import { useStore } from "../support/store"
import { until } from "../support/until"

const store = useStore({ env: SHOP_ENVIRONMENT })
useShop(store)

describe("docs/decisions/16 — the account", () => {
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
    expect((await textOf(".totals")).replace(/\s+/g, " ")).toBe(
      "Items ৳450.00 Delivery ৳70.00 Total ৳520.00 Paid ৳520.00 Refunded -৳70.00 Paid less refunds ৳450.00"
    )
    expect(await page.locator(".seal").count()).toBe(1)

    await refundPaymentWorkflow(store.container).run({ input: { payment_id, amount: 450 } })
    await page.reload()
    await page.waitForSelector("text=The money of this order has gone back to you.")
    expect(await textOf(".totals")).toMatch(/Total\s+৳520\.00[^]*Refunded\s+-৳520\.00[^]*Paid less refunds\s+৳0\.00/)
    expect(await page.locator(".seal").count()).toBe(0)
    expect(await textOf("#order")).not.toMatch(/is confirmed|Order no\./)
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
    await until("the e-mail is sent", async () => (await mails()).length === 1)
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
    await page.click("text=Ask for another one")
    await page.waitForSelector("h1:has-text('Forgotten password')")
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
    const mails = () => notifications.listNotifications({ to: somebody })
    await until("the second e-mail is sent", async () => (await mails()).length === 1)
    expect(await notifications.listNotifications({ to: nobody })).toEqual([])
  })
})
