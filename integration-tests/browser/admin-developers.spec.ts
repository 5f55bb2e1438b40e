import { prepareAdmin } from "../support/admin"
import {
  button,
  confirm,
  heading,
  merchant,
  open,
  page,
  PAGES,
  picture,
  region,
  tenant as sandbox,
  toast,
  useAdminPages,
} from "../support/admin-screens"
import { gatewayOf } from "../support/api"
import { accessibilityProblems } from "../support/browser"
import { usePaymentHistory } from "../support/payment-history"
import { useStore } from "../support/store"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)
const { receiver, someHistory } = usePaymentHistory(store)

describe("developers", () => {
  it("an API key is made, shown once, works, and is revoked after a question", async () => {
    await open("/developers/api-keys")
    await button("Create API key").click()
    await page.getByRole("dialog").waitFor()
    await button("Create API key").last().click()
    await page.getByText("Name is required").waitFor()
    await page.getByLabel("Name").fill("Web shop")
    await picture("key-form")
    await page.keyboard.press("Enter")
    await heading("Copy the key now").waitFor()
    const key = await page.getByRole("dialog").locator("code").innerText()
    expect(key).toMatch(/^sk_test_/)
    await picture("key-once")
    await button("I have stored it").click()
    expect((await merchant.call("GET", "/sandbox/clock", undefined, { key })).status).toBe(200)
    const row = page.locator("tr", { hasText: "Web shop" })
    await row.getByRole("button", { name: "Revoke" }).click()
    await confirm("Cancel")
    expect((await merchant.call("GET", "/sandbox/clock", undefined, { key })).status).toBe(200)
    await row.getByRole("button", { name: "Revoke" }).click()
    await confirm("Revoke")
    await toast("API key revoked")
    await row.getByText("Revoked").waitFor()
    expect((await merchant.call("GET", "/sandbox/clock", undefined, { key })).status).toBe(401)
    await picture("keys-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
  })

  it("allowed addresses: what is no address is named, and what is one holds", async () => {
    await open("/developers/api-keys")
    await region("Allowed addresses").getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("Addresses and networks").fill("everywhere")
    await button("Save").click()
    await page.getByText("everywhere is neither an IP address nor a network in CIDR form").first().waitFor()
    await page.getByLabel("Addresses and networks").fill("203.0.113.7")
    await button("Save").click()
    await toast("Allowed addresses saved")
    await page.getByText("203.0.113.7/32").waitFor()
    expect((await merchant.call("GET", "/sandbox/clock")).status).toBe(403)
  })

  it("a webhook endpoint is made, gets a sample, is switched off and on, rotated and deleted", async () => {
    await open("/developers/webhooks")
    await button("Add endpoint").click()
    await page.getByLabel("URL").fill("http://")
    await button("Add endpoint").last().click()
    await page.locator("[role=alert]", { hasText: "URL must" }).waitFor()
    await page.getByLabel("URL").fill(`${receiver.url}/hook`)
    await picture("webhook-form")
    await button("Add endpoint").last().click()
    await heading("Copy the signing secret now").waitFor()
    expect(await page.getByRole("dialog").locator("code").innerText()).toMatch(/^whsec_/)
    await button("I have stored it").click()
    await page.getByRole("link", { name: `${receiver.url}/hook` }).click()
    await heading("Send a sample").waitFor()
    await button("Send").click()
    await page.getByText("The receiver acknowledged it").waitFor()
    expect(receiver.at("/hook")).toHaveLength(1)
    await button("Switch off").click()
    await confirm("Switch off")
    await toast("Endpoint switched off")
    await button("Switch on").click()
    await toast("Endpoint switched on")
    await button("Edit").click()
    await page.getByRole("radiogroup", { name: "Signature" }).getByLabel("sha256= and hexadecimal").click()
    await button("Save").click()
    await toast("Endpoint saved")
    await picture("webhook-light")
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await button("Rotate secret").click()
    await confirm("Rotate secret")
    await heading("Copy the signing secret now").waitFor()
    await button("I have stored it").click()
    await button("Delete").click()
    await confirm("Delete")
    await page.waitForURL(/\/developers\/webhooks(\?|$)/)
    await page.getByText("No endpoints yet").waitFor()
  })

  it("a rotated IPN secret is the one that is shown, although it cannot be read again", async () => {
    await open("/developers/webhooks")
    const shown = () => region("IPN secret").locator("code").innerText()
    await region("IPN secret").getByRole("button", { name: "Show" }).click()
    const old = await shown()
    expect(old).toMatch(/^whsec_/)
    await page.route("**/admin/gateway/ipn-secret?*", (route) => route.abort())
    await region("IPN secret").getByRole("button", { name: "Rotate secret" }).click()
    await confirm("Rotate secret")
    await page.waitForFunction((before) => document.querySelector("code")?.textContent !== before, old)
    expect(await shown()).toMatch(/^whsec_/)
    const { secret } = await gatewayOf(store).webhookEndpoints.ipnSecret(sandbox())
    expect(await shown()).toBe(secret)
    await page.unrouteAll({ behavior: "ignoreErrors" })
  })

  it("a failed delivery is looked at and sent again, then all of them", async () => {
    await someHistory()
    await store
      .db("gateway_webhook_delivery")
      .where({ merchant_id: merchant.id, state: "pending" })
      .update({ state: "failed" })
    await open("/developers/deliveries?status=failed")
    await picture("deliveries-light")
    receiver.answer = (response) => response.writeHead(200).end("thanks")
    await page.locator("tbody tr").first().getByRole("button").first().click()
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click()
    await toast("The delivery is on its way again")
    await page.keyboard.press("Escape")
    await button("Send all failed again").click()
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click()
    await toast("deliveries are on their way again")
    await gatewayOf(store).webhookDispatch.drain(merchant.id)
    await open("/developers/deliveries?status=failed")
    await page.getByText("Nothing found").waitFor()
  })

  it("events and requests can be read", async () => {
    await someHistory()
    await open("/developers/events")
    await page.getByText("payment.succeeded").first().waitFor()
    await page.locator("tbody tr").first().getByRole("button").first().click()
    await page.getByRole("dialog").getByText('"transaction_id"').first().waitFor()
    await gatewayOf(store).requestLog.flush()
    await open("/developers/requests")
    await page.getByText("POST /payments/checkout").first().waitFor()
    await picture("requests-light")
  })

  it("keys, events, requests and their errors lead to their place in the reference", async () => {
    await someHistory()
    await merchant.call("GET", "/payments/verify/txn1")
    await gatewayOf(store).requestLog.flush()
    const placeOf = async (path: string, name: string | RegExp) => {
      await open(path)
      const href = await page.getByRole("link", { name }).first().getAttribute("href")
      return decodeURIComponent((href ?? "").replace(/^.*\/api\/v2\/docs/, "").replaceAll("+", " "))
    }
    expect([
      await placeOf("/developers/api-keys", /^sk_test_/),
      await placeOf("/developers/events", "payment.succeeded"),
      await placeOf("/developers/requests", "POST /payments/checkout"),
      await placeOf("/developers/requests", "TRANSACTION_NOT_FOUND"),
    ]).toEqual([
      "",
      "?event=payment.succeeded",
      "?operation=POST /payments/checkout",
      "/guides/errors#TRANSACTION_NOT_FOUND",
    ])
    await page.goto(`${store.url}/api/v2/docs/guides/errors#TRANSACTION_NOT_FOUND`)
    expect(await page.locator("tr:target").innerText()).toContain("TRANSACTION_NOT_FOUND")
  })

  it("the sandbox clock moves forward after a question", async () => {
    await merchant.open()
    await open("/developers/clock")
    await page.getByLabel("Forward by").fill("২")
    await button("Move the clock").click()
    await confirm("Move the clock")
    await page.getByText("Expired sessions: 1").waitFor()
    await page.getByText("2 days").waitFor()
    // A day ago is by this clock, like the times of the deliveries.
    await open("/developers/deliveries")
    await button("Send all failed again").click()
    const since = await page.getByRole("dialog").getByLabel("Since").inputValue()
    expect(Date.parse(`${since}:00+06:00`)).toBeGreaterThan(Date.now())
  })
})
