import { prepareAdmin } from "../support/admin"
import { admin, confirm, page, picture, region, toast, useAdminPages } from "../support/admin-screens"
import { CartShop } from "../support/carts"
import { useStore } from "../support/store"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

describe("a product of the store", () => {
  it("its variant is linked to a plan, which then says so, and unlinked again", async () => {
    const shop = new CartShop(store)
    await shop.open()
    const { id: merchant_id } = await shop.gateway.merchants.storeMerchant(shop.gateway.options.storeMerchantName)
    const terms = {
      plan_name: "Tea by post",
      plan_description: null,
      amount: 45_000n,
      currency: "BDT",
      interval_count: 1,
      interval_unit: "MONTH",
    } as const
    const rest = { trial_period_days: null, trial_amount: null, meta_data: {} }
    const plan = await shop.gateway.plans.create(
      { merchant_id, environment: "sandbox", now: new Date() },
      { ...terms, ...rest }
    )
    const variant = await store
      .db("product_variant")
      .where({ id: await shop.variantId("TEA-250") })
      .first()
    await page.goto(`${store.url}/app/products/${variant.product_id}`)
    const widget = region("Subscription plan")
    await widget.getByText("Sold without a subscription").first().waitFor()
    await widget.getByRole("button", { name: `Link to a plan: ${variant.title}` }).click()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Plan is required").waitFor()
    await page.getByRole("dialog").getByRole("combobox").click()
    await page.getByRole("option", { name: /Tea by post/ }).click()
    await page.getByRole("button", { name: "Save" }).click()
    await toast("The variant is sold on this plan now")
    await widget.getByRole("link", { name: "Tea by post" }).waitFor()
    await widget.scrollIntoViewIfNeeded()
    await picture("product-widget")
    await widget.getByRole("link", { name: "Tea by post" }).click()
    await region("Sold as").getByText("TEA-250").waitFor()
    expect(page.url()).toContain(plan.uuid)
    await picture("plan-sold-as")
    await admin.go(`gateway/audit?merchant_id=${merchant_id}&environment=sandbox&q=${variant.id}`)
    await page
      .locator("ins", { hasText: `Tea by post ${plan.uuid}` })
      .getByText(plan.uuid)
      .waitFor()
    expect(await page.locator("ins code").innerText()).toBe(plan.uuid)
    await picture("audit-plan-name")
    // What was changed is said in the admin's language: codes in words, numbers in its digits.
    const speak = (language: string) =>
      page.evaluate((name) => {
        localStorage.setItem("lng", name)
        document.cookie = `lng=${name}; path=/`
      }, language)
    await speak("bn")
    await admin.go(`gateway/audit?merchant_id=${merchant_id}&environment=sandbox&q=${plan.uuid}`)
    await page.locator("[lang=bn-BD] ins", { hasText: /→ মাস$/ }).waitFor()
    await page.locator("[lang=bn-BD] ins", { hasText: /→ ১$/ }).waitFor()
    await picture("audit-plan-bn")
    await speak("en")
    await page.goto(`${store.url}/app/products/${variant.product_id}`)
    await widget.getByRole("button", { name: "Unlink" }).click()
    await confirm("Unlink")
    await toast("The variant is sold without a subscription now")
    await widget.getByRole("link", { name: "Tea by post" }).waitFor({ state: "detached" })
  })
})
