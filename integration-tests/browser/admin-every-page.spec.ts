import { readdirSync } from "node:fs"
import { join } from "node:path"
import { prepareAdmin } from "../support/admin"
import {
  actFor,
  heading,
  merchant,
  open,
  page,
  PAGES,
  PHONE,
  picture,
  region,
  settled,
  theme,
  useAdminPages,
  WIDE,
} from "../support/admin-screens"
import { gatewayOf, type ApiMerchant } from "../support/api"
import { accessibilityProblems } from "../support/browser"
import { addEmi } from "../support/emi"
import { usePaymentHistory } from "../support/payment-history"
import { ROOT, useStore } from "../support/store"
import { PLAN, PLANS, Subscriber } from "../support/subscriptions"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)
const { someHistory } = usePaymentHistory(store)

describe("docs/decisions/19 — every page", () => {
  const phone = (text: string) => page.getByRole("listitem").filter({ hasText: text }).first()
  const folder = join(ROOT, "src/admin/routes/gateway")
  /** The pages of the file system that are about no single thing, so that a new one is visited without being listed. */
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)page\.tsx$/.test(file) && !file.includes("["))
    .map((file) => `/${file.replace(/\/?page\.tsx$/, "")}`)

  /** As the choice on the Settings page keeps it. */
  const speak = (language: string) =>
    page.evaluate((name) => {
      localStorage.setItem("lng", name)
      document.cookie = `lng=${name}; path=/`
    }, language)

  /** What a page says, without what looks like code: ids, event types, scopes and bodies are those of the API. */
  const said = () =>
    page.evaluate((part) => {
      const copy = document.querySelector(part)?.cloneNode(true) as HTMLElement
      copy.querySelectorAll("code, pre, .font-mono, input, textarea").forEach((one) => one.remove())
      return [...copy.querySelectorAll("*")].flatMap((element) =>
        [...element.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? "") : []))
      )
    }, PAGES)
  /** A key of the API is named with how it begins and ends: sk_test_…Fr1w. */
  const KEY = /\w+_\w+_…\w+/
  /** Addresses are data: the gateway adds its parameters to them. */
  const ADDRESS = /https?:\/\/\S+/g
  const RAW = /[a-z0-9]_[a-z]|[A-Z]_[A-Z]|\d{4}-\d\d-\d\dT\d\d|\d{4,} s\b|[{"]\w+":/

  /** The columns of the tables that a laptop of 1280 pixels cuts. */
  const wideTables = async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    const found = await page.evaluate((part) => {
      const tables = [...document.querySelectorAll(`${part} table`)]
      const cut = tables.filter(({ parentElement: box }) => box !== null && box.scrollWidth > box.clientWidth + 1)
      return cut.map((table) => [...table.querySelectorAll("th")].map(({ textContent }) => textContent).join(", "))
    }, PAGES)
    await page.setViewportSize(WIDE)
    return found
  }

  /** The pages of one thing each, by what they show. */
  const THINGS = [
    "a payment",
    "a declined payment",
    "an EMI payment",
    "a subscription",
    "a plan",
    "an endpoint",
  ] as const
  const PLACES = [...paths, ...THINGS]

  async function pathsOfThings(): Promise<Record<string, string>> {
    const { paid, declined } = await someHistory()
    const tenant = { merchant_id: merchant.id, environment: "sandbox" as const }
    await merchant.call("POST", PLANS, PLAN)
    const subscriber = await Subscriber.create(merchant)
    await subscriber.pay()
    await addEmi(store, merchant.id, { bank_name: "Padma Demo Bank", processing_fee: "100" })
    const [configuration] = await store.db("gateway_emi_configuration").where({ merchant_id: merchant.id })
    const emi = await merchant.open({ order_amount: "12000.00" })
    await merchant.pay(emi.session_id, { payment_method: "card", emi_configuration_id: configuration.uuid })
    await gatewayOf(store).merchants.configure({ ...tenant }, { retry_days: [1, 2] })
    await gatewayOf(store).requestLog.flush()
    await merchant.advance(3 * 86_400 + 7_200)
    const [plan] = await store.db("gateway_plan").where({ merchant_id: merchant.id }).select("uuid")
    const [endpoint] = await store.db("gateway_webhook_endpoint").where({ merchant_id: merchant.id }).select("uuid")
    return {
      "a payment": `/payments/${paid}`,
      "a declined payment": `/payments/${declined}`,
      "an EMI payment": `/payments/${emi.transaction_id}`,
      "a subscription": `/subscriptions/${subscriber.uuid}`,
      "a plan": `/plans/${plan.uuid}`,
      "an endpoint": `/developers/webhooks/${endpoint.uuid}`,
    }
  }

  describe("each page", () => {
    let shown: { merchant: ApiMerchant; things: Record<string, string> } | undefined
    const visit = async (place: string) => {
      const path = shown?.things[place] ?? place
      await open(path)
      return path.replaceAll("/", "-")
    }

    beforeEach(async () => {
      shown ??= { merchant, things: await pathsOfThings() }
      actFor(shown.merchant)
    }, 240_000)

    it("is found in the file system", () => expect(paths.length).toBeGreaterThan(20))

    it.each(PLACES)(
      "%s says no names of the API, has no finding of axe, and carries the test mode's bar",
      async (place) => {
        const name = await visit(place)
        expect((await said()).filter((text) => RAW.test(text.replace(KEY, "").replace(ADDRESS, "")))).toEqual([])
        expect(await accessibilityProblems(page, PAGES)).toEqual([])
        await page.getByRole("note", { name: "Test mode" }).getByText("no real money moves").waitFor()
        await picture(`page${name}-light`)
        expect(await wideTables()).toEqual([])
      }
    )

    it("carries no bar of the test mode in production", async () => {
      await page.goto(`${store.url}/app/gateway/payments?merchant_id=${merchant.id}&environment=production`)
      await settled()
      expect(await page.getByRole("note", { name: "Test mode" }).count()).toBe(0)
    })

    describe("on a phone, in the dark", () => {
      beforeAll(async () => {
        await theme("dark")
        await page.setViewportSize(PHONE)
      })
      afterAll(async () => {
        await speak("en")
        await page.setViewportSize(WIDE)
        await theme("light")
      })

      it.each(PLACES)("%s fits, and has no finding of axe", async (place) => {
        const name = await visit(place)
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
        expect(await accessibilityProblems(page, PAGES)).toEqual([])
        await picture(`page${name}-dark-phone`)
      })

      it("lists show customer, amount and state, in Bangla too", async () => {
        await open("/payments")
        for (const text of ["Rahima Khatun", "৳1,250.50", "Partly refunded"]) {
          await phone("৳1,250.50").getByText(text).first().waitFor()
        }
        await phone("12 months with Padma Demo Bank")
          .getByText(/৳[\d,.]+ in all/)
          .waitFor()
        await phone("৳300.00").getByText("the bank or wallet declined it").waitFor()
        await open("/refunds")
        await phone("৳250.00").getByText("Rahima Khatun").waitFor()
        await speak("bn")
        await open("/payments")
        await phone("১,২৫০.৫০").getByText("আংশিক ফেরত").waitFor()
        await picture("page-payments-dark-phone-bn")
      })
    })
  })

  it("the steps of the checklist are marked done, and it is dismissed", async () => {
    await open("")
    const steps = region("First steps")
    await steps.getByText("0 of 5 done").waitFor()
    await picture("first-steps-none")
    await someHistory()
    await open("")
    await steps.getByText("2 of 5 done").waitFor()
    await picture("first-steps-some")
    await steps.getByRole("button", { name: "Dismiss" }).click()
    await steps.waitFor({ state: "detached" })
    await open("")
    await heading("Overview").waitFor()
    await page.getByText("৳1,250.50").first().waitFor()
    expect(await steps.count()).toBe(0)
  })

  it("a payment is found in Medusa's own search, and opened from it", async () => {
    const { paid } = await someHistory()
    await open("")
    await page.keyboard.press("Control+k")
    const search = page.getByRole("dialog")
    await search.getByRole("combobox").fill(`PAID-${merchant.id.slice(-6)}`)
    const found = search.getByRole("option", { name: /৳1,250\.50/ })
    await found.getByText(/Paid · Rahima Khatun/).waitFor()
    await picture("global-search-light")
    await found.click()
    await page.waitForURL(new RegExp(`/gateway/payments/${paid}`))
    await heading("What happened").waitFor()
  })
})
