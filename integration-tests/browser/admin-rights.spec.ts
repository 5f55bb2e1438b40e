import type { IProductModuleService } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { Page, Request } from "playwright-core"
import { AREAS } from "../../src/api/admin-kit/areas"
import { prepareAdmin, registerAdmin } from "../support/admin"
import { AdminPages } from "../support/admin-pages"
import { newMerchant, type ApiMerchant } from "../support/api"
import { roleWith, withRbac } from "../support/rbac"
import { useStore } from "../support/store"
import { until } from "../support/until"

const store = useStore({ production: false, prepare: prepareAdmin, withAdmin: true, env: withRbac })

/** What Medusa's first page after the sign-in reads: without it there is an error in place of the sidebar. */
const STORE = ["store:read", "order:read", "region:read", "sales_channel:read", "product:read"]
const EVERYTHING = [...new Set(Object.values(AREAS))].map((resource) => `${resource}:read`)
const ALL_PAGES = [
  ...["Payment gateway", "Payments", "Payment links", "Cash on delivery", "Refunds", "Disputes", "Paid carts", "Plans"],
  ...["Subscriptions", "Invoices", "EMI", "Settlements", "Payouts", "Developers", "Settings", "Audit log"],
]

/** The menu follows an answer that comes in a moment. */
const SHOWN = { limitMs: 15_000 }

const REST = { fee: 0n, is_inquiry: false, opened_at: null, due_by: null, note: null }

let admin: AdminPages
let page: Page
let merchant: ApiMerchant
/** How often the admin's pages asked what they start with. */
let framesAsked = 0
/** What has no answer yet. */
const asked = new Set<Request>()

beforeAll(async () => {
  merchant = await newMerchant(store)
  admin = new AdminPages(store)
  store.alsoClose(() => admin.close())
  await admin.open()
  page = admin.page
  page.on("requestfinished", (request) => asked.delete(request))
  page.on("requestfailed", (request) => asked.delete(request))
  page.on("request", (request) => {
    asked.add(request)
    framesAsked += new URL(request.url()).pathname === "/admin/gateway" ? 1 : 0
  })
}, 240_000)
afterEach(() => expect(admin.faults.splice(0)).toEqual([]))

/** An admin who can sign in, with one role of these policies. */
async function adminWith(name: string, policies: readonly string[]) {
  const account = { email: `${name}@example.com`, password: "a-password-of-the-tests" }
  await registerAdmin(store, account)
  const { id: rbac_role_id } = await roleWith(store, policies)
  const { id: user_id } = await store.db("user").where({ email: account.email }).first()
  await store.container
    .resolve(ContainerRegistrationKeys.LINK)
    .create({ [Modules.USER]: { user_id }, [Modules.RBAC]: { rbac_role_id } })
  return account
}

/** Medusa saves a session again with each answer: a late one writes over that of the next sign-in. */
const quiet = () => until("nothing is asked any more", async () => asked.size === 0)

/** Signs out by the menu and in as somebody else, without a reload of the page. */
async function becomes({ email, password }: { email: string; password: string }): Promise<void> {
  await page.evaluate(() => Object.assign(globalThis, { isTheSamePage: true }))
  // A page of the gateway would ask once more when it goes.
  await page.locator("aside").getByRole("link", { name: "Orders" }).click()
  await page.waitForURL(/\/app\/orders/)
  await quiet()
  await page.locator("aside button[aria-haspopup=menu]").last().click()
  await page.getByRole("menuitem", { name: "Log out" }).click()
  await page.waitForURL(/\/login/)
  await page.fill("input[name=email]", email)
  await page.fill("input[name=password]", password)
  // The pages that go ask once more, without a session, when Medusa forgets what they have read.
  await quiet()
  framesAsked = 0
  await page.click("button[type=submit]")
  await page.waitForURL(/\/app\/orders/)
  expect(await page.evaluate(() => "isTheSamePage" in globalThis)).toBe(true)
}

/** The gateway's links of the sidebar that are seen, and that keyboards and screen readers reach. */
const menu = () =>
  page
    .locator("aside")
    .getByRole("link")
    .evaluateAll((links) =>
      links
        .filter((link) => /\/app\/gateway/.test((link as HTMLAnchorElement).href))
        .map((link) => (link as HTMLElement).innerText.trim())
        .filter((text) => text !== "")
    )
const menuIs = (entries: readonly string[]) =>
  until(`the menu is ${entries.join(", ")}`, async () => String(await menu()) === String(entries), SHOWN)
const openGateway = () => page.locator("aside").getByRole("link", { name: "Payment gateway", exact: true }).click()

/** Whether Medusa's search (⌘K) has the way to the payments among its commands. */
async function leadsToPayments(): Promise<boolean> {
  await page.locator("aside").getByRole("button", { name: "⌘K" }).click()
  const options = page.getByRole("dialog").getByRole("option")
  await options.filter({ hasText: /^Settings/ }).waitFor()
  const isThere = (await options.filter({ hasText: "Go to payments" }).count()) > 0
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "hidden" })
  return isThere
}

describe("decision 19: with RBAC on, pages that an admin may not read leave the menu", () => {
  it("an admin with every right sees every page, and the menu asks once", async () => {
    await becomes(await adminWith("everything", [...STORE, ...EVERYTHING]))
    await openGateway()
    await menuIs(ALL_PAGES)
    expect(await page.locator("aside style[data-gateway-hidden]").count()).toBe(0)
    await page.locator("aside").getByRole("link", { name: "Orders" }).click()
    await page.waitForURL(/\/app\/orders/)
    expect(framesAsked).toBe(1)
    expect(await leadsToPayments()).toBe(true)
  })

  it("the gateway's entry leads to the first page that may be read, and links to others are texts", async () => {
    await becomes(await adminWith("disputes", [...STORE, "gateway_dispute:read", "gateway_payout:read"]))
    await openGateway()
    await page.waitForURL(/\/app\/gateway\/disputes/)
    await menuIs(["Payment gateway", "Disputes", "Payouts"])
    expect(framesAsked).toBe(1)
    expect(await leadsToPayments()).toBe(false)

    const { session_id, transaction_id } = await merchant.open()
    await merchant.pay(session_id)
    const dispute = await store.gateway.disputes.record(
      { merchant_id: merchant.id, environment: "sandbox" },
      { transaction_id, reference: "the acquirer's number", reason: "fraudulent", ...REST }
    )
    await admin.admin(`/disputes/${dispute.id}`, merchant.id)
    const { order_id } = await store.db("gateway_transaction").where({ id: transaction_id }).first()
    await admin.shows(`Order ${order_id}`)
    expect(await page.locator('main a[href*="/gateway/payments/"]').count()).toBe(0)
    // The page itself still says why it is empty, to who types its address.
    await admin.admin("/payments", merchant.id)
    await admin.shows("You may not read this: none of your roles allows that.")
    await menuIs(["Payment gateway", "Disputes", "Payouts"])
  })

  it("an admin without a page sees no entry, on phones too; the next one sees theirs", async () => {
    const products = store.container.resolve<IProductModuleService>(Modules.PRODUCT)
    const { id: product } = await products.createProducts({ title: "Cushion" })
    const widget = page.getByRole("heading", { name: "Subscription plan", exact: true })
    for (const [name, policies] of [
      ["nobody", ["gateway_refund:update"]],
      ["outsider", []],
    ] as const) {
      await becomes(await adminWith(name, [...STORE, ...policies]))
      await until("the menu has asked", () => framesAsked > 0, SHOWN)
      await page.locator("aside").getByRole("link", { name: "Orders" }).waitFor()
      await menuIs([])
      expect(await leadsToPayments()).toBe(false)
      expect(framesAsked).toBe(1)
      // A product's page has a part of the gateway: it is absent, and does not ask anew.
      framesAsked = 0
      await page.goto(`${store.url}/app/products/${product}`)
      await page.getByRole("heading", { name: "Cushion", exact: true }).waitFor()
      await until("the part about plans has gone", async () => (await widget.count()) === 0, SHOWN)
      await page.waitForLoadState("networkidle")
      expect([framesAsked, await menu()]).toEqual([1, []])
    }
    await page.locator("aside").getByRole("link", { name: "Orders" }).click()
    await page.waitForURL(/\/app\/orders/)
    await admin.look("light", "phone")
    await page.locator("button:visible:has(svg)").first().click()
    await page.getByRole("dialog").getByRole("link", { name: "Orders" }).waitFor()
    const entries = page.getByRole("dialog").getByText("Payment gateway", { exact: true })
    expect(await entries.locator("visible=true").count()).toBe(0)
    await page.keyboard.press("Escape")
    await admin.look("light", "wide")

    await becomes(await adminWith("reads-everything", [...STORE, ...EVERYTHING]))
    await openGateway()
    await menuIs(ALL_PAGES)
    expect(await leadsToPayments()).toBe(true)
  })
})
