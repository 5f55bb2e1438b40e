import type { Page } from "playwright-core"
import { AdminPages } from "./admin-pages"
import { newMerchant, type ApiMerchant } from "./api"
import type { Store } from "./store"

/** For `setViewportSize`. */
export const WIDE = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }
/** Medusa's own frame around the pages is not ours to fix. */
export const PAGES = "[data-gateway-admin]"

/** The admin's pages in a browser, from the first test on: opened once for the files that share a store. */
export let admin: AdminPages
export let page: Page
/** Each test has a merchant of its own. */
export let merchant: ApiMerchant

/** Opens the admin's pages of a store (`withAdmin: true`) for the file's tests, which expect no faults of their scripts. */
export function useAdminPages(store: Store): void {
  beforeAll(() => openOnce(store), 240_000)
  beforeEach(async () => {
    admin.faults.length = 0
    merchant = await newMerchant(store)
  })
  afterEach(() => expect(admin.faults).toEqual([]))
}

/** Lets the tests of a file show one merchant's pages: what it has takes long to make. */
export function actFor(other: ApiMerchant): void {
  merchant = other
}

async function openOnce(store: Store): Promise<void> {
  if (admin !== undefined) {
    return
  }
  admin = new AdminPages(store)
  store.alsoClose(() => admin.close())
  await admin.open()
  page = admin.page
}

/** A page of the merchant's sandbox. */
export const open = (path: string) => admin.admin(path, merchant.id)
export const tenant = () => ({ merchant_id: merchant.id, environment: "sandbox" as const })
export const settled = () => admin.settled()
export const picture = (name: string) => admin.picture(name)

export const heading = (text: string | RegExp) => admin.heading(text)
export const button = (name: string | RegExp) => admin.button(name)
/** Also one whose name only contains this. */
export const region = (name: string) => page.getByRole("region", { name })
export const toast = (text: string) => admin.shows(text)

export const rows = () => page.locator("tbody tr")

/** The page keeps showing the old rows while it fetches the new ones. */
export async function rowsShown(count: number): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelectorAll("main tbody tr").length === wanted, count)
}

export async function confirm(name: string): Promise<void> {
  await page.getByRole("alertdialog").getByRole("button", { name }).click()
}

export async function theme(name: "light" | "dark"): Promise<void> {
  await page.evaluate((value) => localStorage.setItem("medusa_admin_theme", value), name)
}

/** Takes pictures of each page in dark mode and on a phone; nothing may stick out. */
export async function elsewhere(path: string, name: string): Promise<void> {
  await admin.look("dark", "phone")
  await open(path)
  await admin.picture(`${name}-dark-phone`)
  expect(await admin.fitsTheScreen()).toBe(true)
  await admin.look("light", "wide")
}

/** Holds requests back until they are released. */
export async function held(address: RegExp, method: "GET" | "POST") {
  let [arrive, release] = [() => {}, () => {}]
  const first = new Promise<void>((resolve) => (arrive = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  let count = 0
  await page.route(address, async (route) => {
    if (route.request().method() === method) {
      count += 1
      arrive()
      await released
    }
    await route.continue()
  })
  return { first, release: () => release(), count: () => count }
}

/** A payment of the merchant, which has succeeded: its transaction. */
export async function paid(amount = "1000.00"): Promise<string> {
  const { session_id, transaction_id } = await merchant.open({ order_amount: amount })
  await merchant.pay(session_id)
  return transaction_id
}

/** The shopper of a payment link pays on the hosted page, which leads back to the link's. */
export async function payByCard(): Promise<void> {
  await page.check("#method_card")
  await page.fill("#card_number", "4242424242424242")
  await page.fill("#card_expiry", "12/40")
  await page.fill("#card_cvc", "123")
  await page.fill("#card_name", "Karim Ahmed")
  await page.click("#payment button[type=submit]")
  await page.waitForURL(/\/pay\/link\//)
}
