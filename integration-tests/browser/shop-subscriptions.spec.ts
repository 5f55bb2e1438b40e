import type { IPromotionModuleService } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { updateCartPromotionsWorkflow } from "@medusajs/medusa/core-flows"
import { gatewayIn } from "../../src/modules/gateway"
import { completeDuePaidCarts } from "../../src/store/cart/complete-paid-cart"
import { SHOP_ENVIRONMENT } from "../support/shop"
import {
  buySubscription,
  focused,
  GOOD_CARD,
  leaveToPay,
  newEmail,
  onPaymentPage,
  open,
  page,
  payByCard,
  reachPaymentFromAccount,
  registerAtCart,
  settled,
  shop,
  signIn,
  textOf,
  useShop,
} from "../support/shop-screens"
import { monthly, soldOn } from "../support/sold-plans"
import { useStore } from "../support/store"

const store = useStore({ env: SHOP_ENVIRONMENT })
useShop(store)

async function inLanguage(language: "en" | "bn"): Promise<void> {
  await page.evaluate((chosen) => localStorage.setItem("shop.language", chosen), language)
  await page.reload()
  await settled()
}

/** Sells a variant on a plan of the tea club's family; `dismiss` sells it alone again. */
async function sellBeside(sku: string, terms: object) {
  const [tea] = await store.db("gateway_plan").where({ plan_name: "Tea club" }).update({ family: "tea" }, "*")
  const { merchant_id, environment } = tea
  const { id: plan } = await gatewayIn(store.container).plans.create(
    { merchant_id, environment, now: new Date() },
    { ...monthly("Large tea club", 90_000n), family: "tea", meta_data: { plan_name_bn: "বড় চা ক্লাব" } }
  )
  await store.db("gateway_plan").where({ id: plan }).update(terms)
  const { id } = await store.db("product_variant").where({ sku }).first("id")
  const link = soldOn(id, plan)
  const links = store.container.resolve(ContainerRegistrationKeys.LINK)
  await links.create(link)
  return { plan, dismiss: () => links.dismiss(link) }
}

/** Discounts of 100 % on the goods and the delivery of a cart. */
async function makeFree(cart_id: string): Promise<void> {
  const targets = ["items", "shipping_methods"] as const
  await store.container.resolve<IPromotionModuleService>(Modules.PROMOTION).createPromotions(
    targets.map((target_type) => ({
      ...{ code: `CLUB-${target_type}`, type: "standard" as const, status: "active" as const },
      application_method: { type: "percentage" as const, target_type, allocation: "across" as const, value: 100 },
    }))
  )
  const promo_codes = targets.map((target) => `CLUB-${target}`)
  await updateCartPromotionsWorkflow(store.container).run({ input: { cart_id, promo_codes } })
}

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
      "status",
      expect.stringContaining("None while it is paused"),
    ])
    await page.click("#resume")
    await page.waitForSelector("text=Resumed. The next payment is on")

    await page.click("#replace")
    expect(await textOf("dialog")).toContain("This costs nothing.")
    await page.click("#dialog-confirm")
    await onPaymentPage()
    expect(await textOf(".summary")).toContain("This costs nothing: ৳100.00 is taken to check the new payment method")
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
    await page.click("#uncancel")
    await page.waitForSelector("text=The cancellation is undone.")
    expect(await textOf(".status")).toBe("Active")
    await page.click("#cancel")
    await page.click("#dialog-confirm")
    await page.waitForSelector("text=Cancelled. You have it until")
    expect(await page.locator("#pause, #replace, #cancel").count()).toBe(0)
    expect(page.url()).not.toMatch(/eyJ|token/)
  })

  it("decisions/11: its deliveries go to another address, which the account changes and the first order keeps", async () => {
    await registerAtCart(newEmail())
    await buySubscription()
    await open("/account")
    await page.click(".subscription-title")
    expect(await textOf("#delivery-address")).toMatch(/Nusrat Jahan\s+House 12, Road 5\s+Dhaka 1205/)
    await page.click("#delivery-address a")
    await page.waitForSelector("#save-address")
    expect(await page.locator("#default").count()).toBe(0)
    await page.fill("#street", "")
    await page.click("#save-address")
    expect([await textOf("#street-error"), await focused()]).toEqual([expect.stringMatching(/\w/), "street"])
    await page.fill("#street", "Village Road 3")
    await page.selectOption("#district", "Khulna")
    await page.fill("#postcode", "9100")
    await page.click("#save-address")
    await page.waitForSelector("#delivery-address >> text=Village Road 3")
    expect(await textOf("#delivery-address")).toMatch(/Nusrat Jahan\s+Village Road 3\s+Khulna 9100/)
    await page.click("text=See the order")
    await page.waitForSelector(".facts address")
    expect(await textOf(".facts address")).toContain("House 12, Road 5")

    await page.goBack()
    await page.evaluate(() => localStorage.setItem("shop.language", "bn"))
    await page.reload()
    await page.waitForSelector("#delivery-address >> text=খুলনা")
    await page.click("#delivery-address >> text=ঠিকানা বদলান")
    await page.fill("#street", "বাড়ি ৪")
    await page.click("#save-address")
    await page.waitForSelector("#delivery-address >> text=বাড়ি ৪")
    await page.evaluate(() => localStorage.setItem("shop.language", "en"))
  })

  it("decisions: One trial — who had the trial reads so in the shop, the cart and on the payment page, in both languages", async () => {
    const teaClub = () => store.db("gateway_plan").where({ plan_name: "Tea club" })
    const former = await teaClub().first("amount_minor", "trial_period_days")
    await teaClub().update({ amount_minor: 90_000, trial_period_days: 14 })
    const noTrial = "Each customer gets one trial, so there is no further one"
    await open("/products/tea-club")
    expect(await textOf("#plan")).toContain("৳600.00 with the order for the first 14 days, then ৳900.00 every month")
    await registerAtCart(newEmail())
    await buySubscription()
    await open("/products/tea-club")
    expect(await textOf("#plan")).toContain(`${noTrial}: the price is due with the order.`)
    expect([await textOf("#price"), await textOf("#plan")]).toEqual([
      "৳900.00",
      expect.stringContaining("৳900.00 with the order, then ৳900.00 every month"),
    ])
    await page.click("#add")
    await page.waitForSelector("text=Tea club is in your cart.")
    await open("/cart")
    expect(await textOf(".cart-items")).toMatch(new RegExp(`${noTrial}[^]*৳900\\.00`))
    await page.evaluate(() => localStorage.setItem("shop.language", "bn"))
    await page.reload()
    await page.waitForSelector(".cart-items")
    expect(await textOf(".cart-items")).toContain("প্রত্যেক গ্রাহক একটিই ট্রায়াল পান, তাই আর কোনো ট্রায়াল নেই")
    await page.evaluate(() => localStorage.setItem("shop.language", "en"))
    await page.reload()
    await page.waitForSelector(`.cart-items >> text=${noTrial}`)
    await open("/checkout/address")
    await page.waitForSelector("#save-address")
    await reachPaymentFromAccount()
    expect(await textOf("main")).toContain(noTrial)
    await leaveToPay()
    expect(await textOf("#renewal")).toContain(`${noTrial}: ৳970.00 is due now.`)
    await page.click("a[lang=bn]")
    await page.waitForSelector("#renewal >> text=এখন ৳৯৭০.০০ পরিশোধ করতে হবে")
    await page.click("a[lang=en]")
    await page.waitForSelector(`#renewal >> text=${noTrial}`)
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    await open("/account")
    expect(await page.locator(".subscription .status").allInnerTexts()).toEqual(["Active", "Trial"])
    await teaClub().update(former)
  })

  it("docs/decisions/13: another plan of two payments is chosen, kept and paid by clicks, in both languages", async () => {
    const { plan, dismiss } = await sellBeside("SARI-SILK", { amount_minor: 90_000, billing_cycles: 2 })
    await registerAtCart(newEmail())
    await reachPaymentFromAccount()
    await inLanguage("bn")
    await page.waitForSelector("#pay")
    await leaveToPay()
    await payByCard(GOOD_CARD)
    await page.waitForSelector("#order")
    expect([await textOf(".notice"), await textOf(".items")]).toEqual([
      expect.stringContaining("আপনার সাবস্ক্রিপশন শুরু হয়েছে"),
      expect.stringContaining("চা ক্লাব"),
    ])
    await inLanguage("en")
    await open("/account")
    await page.click(".subscription-title")
    await page.click("#plan")
    expect(await textOf("dialog")).toMatch(
      /begins with the next payment[^]*Large tea club\s+৳970\.00 every month\. 2 payments with this one, then it ends\./
    )
    await page.click("#dialog-confirm")
    await page.waitForSelector("text=The plan changes with the next payment.")
    expect(await textOf("#next-plan")).toMatch(/^From \d+ \w+ \d{4}: Large tea club, ৳970\.00 every month$/)
    expect(await textOf("#next-payment")).toMatch(/^৳970\.00 on /)
    await inLanguage("bn")
    expect(await textOf("#next-plan")).toMatch(/থেকে: বড় চা ক্লাব, প্রতি মাসে ৳৯৭০\.০০$/)
    await page.click("#keep-plan")
    await page.waitForSelector("text=প্ল্যান যেমন ছিল তেমনই থাকছে।")
    expect(await page.locator("#next-plan, #keep-plan").count()).toBe(0)
    await page.click("#plan")
    expect(await textOf("dialog")).toMatch(/বড় চা ক্লাব\s+প্রতি মাসে ৳৯৭০\.০০\. এটিসহ ২টি পেমেন্ট, তারপর শেষ।/)
    await page.keyboard.press("Escape")
    const account = page.url()
    const uuid = String(account.split("/").pop())

    // In the portal too, where goods change with the next period alone.
    await open("/account")
    await page.click("#portal")
    await page.waitForURL(/\/portal\/ptl_/)
    // In the language that the shop was switched to, which is not the browser's.
    expect(await page.getAttribute("html", "lang")).toBe("bn")
    await page.goto(`${page.url().replace(/\?.*/, "")}/subscriptions/${uuid}`)
    await page.getByRole("link", { name: "প্ল্যান বদলান" }).click()
    await page.getByRole("link", { name: "বড় চা ক্লাব" }).click()
    expect(await page.locator("main form button[type=submit]").allInnerTexts()).toHaveLength(1)
    await page.locator("main form button[type=submit]").click()
    await page.getByText("বড় চা ক্লাব").first().waitFor()
    await page.goto(account)
    await page.waitForSelector("#next-plan")
    const gateway = gatewayIn(store.container)
    // The plan begins, and then its period is charged.
    for (let step = 0; step < 2; step += 1) {
      await store
        .db("gateway_subscription")
        .where({ uuid })
        .update({ due_at: new Date(0) })
      await gateway.billing.run(1)
    }
    await page.reload()
    await page.waitForSelector("#end")
    expect(await textOf("#end")).toMatch(/^২টির মধ্যে ১টি, শেষ হবে /)
    await inLanguage("en")
    expect([await textOf("h1"), await textOf("#end")]).toEqual([
      "Large tea club",
      expect.stringMatching(/^1 of 2, ends on \d+ \w+ \d{4}$/),
    ])
    expect(await page.locator(".invoice").count()).toBe(2)
    expect(await textOf(".invoice")).toContain("৳970.00")

    // Its order renews, and begins nothing; its goods are named in the language in which the first ones were ordered.
    await completeDuePaidCarts(store.container)
    await open("/account")
    await page.click(".order-card:has-text('জামদানি শাড়ি') .order-title")
    await page.waitForSelector("#order")
    expect([await textOf(".notice"), await textOf(".items")]).toEqual([
      expect.stringContaining("This order is a renewal of your subscription."),
      expect.stringMatching(/জামদানি শাড়ি\s+হাফ সিল্ক/),
    ])

    // The end stands where the plan is sold, too.
    await open("/products/jamdani-sari")
    await page.check("input[value='Half silk']")
    await page.waitForSelector("#plan")
    expect(await textOf("#plan")).toContain("2 payments with this one, then it ends.")
    await dismiss()
    await store.db("gateway_plan").where({ id: plan }).update({ is_active: false, family: null })
    await store.db("gateway_plan").where({ plan_name: "Tea club" }).update({ family: null })
  })

  it("docs/decisions/13: the invoice in the portal is what was paid, delivery included, in both languages", async () => {
    await registerAtCart(newEmail())
    await buySubscription()
    await open("/account")
    await page.click("#portal")
    await page.waitForURL(/\/portal\/ptl_/)
    const portal = page.url().replace(/\?.*/, "")
    await page.getByRole("link", { name: /^Manage Tea club/ }).waitFor()
    await page.goto(`${portal}/invoices`)
    expect(await textOf("main")).toContain("৳670.00")
    await page.goto(`${portal}/invoices?lang=bn`)
    const [, number] = /(INV-\d{6})/.exec(await textOf("main")) ?? []
    expect(await textOf("main")).toContain("৳৬৭০.০০")
    const { pay_token } = await store
      .db("gateway_invoice")
      .where({ number: Number(number.slice(4)) })
      .first("pay_token")
    await page.goto(`${new URL(portal).origin}/pay/invoice/${pay_token}?lang=bn`)
    expect(await textOf("main")).toMatch(/৳৬০০\.০০[^]*৳৭০\.০০[^]*৳৬৭০\.০০/)
    await page.goto(`${new URL(portal).origin}/pay/invoice/${pay_token}?lang=en`)
    expect(await textOf("main")).toMatch(/Tea club[^]*৳600\.00[^]*৳70\.00\s+Inside Dhaka[^]*৳670\.00/)
  })

  it("docs/decisions/13: a free cart begins its subscription, and the account says how the next payment comes", async () => {
    await registerAtCart(newEmail())
    await reachPaymentFromAccount()
    await makeFree(String(await page.evaluate(() => localStorage.getItem("shop.cart_id"))))
    await inLanguage("bn")
    await page.waitForSelector("text=কিছু পরিশোধ করতে হবে না।")
    await inLanguage("en")
    await page.waitForSelector("text=There is nothing to pay.")
    expect(await textOf("#pay")).toBe("Place the order")
    await page.click("#pay")
    await page.waitForSelector("#order")
    expect(await textOf(".notice")).toContain("Your subscription has begun")
    await page.click("text=See my subscriptions")
    await page.waitForSelector(".subscription")
    expect(await textOf(".subscription")).toMatch(/Tea club\s+Active\s+৳670\.00 every month/)
    await page.click(".subscription-title")
    expect(await textOf("#instrument")).toBe("Nothing is kept: you get an invoice to pay.")
    expect(await textOf(".invoice")).toContain("৳0.00")
    await inLanguage("bn")
    expect(await textOf(".invoice")).toContain("৳০.০০")
    await inLanguage("en")
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
    const gateway = gatewayIn(store.container)
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
