import { SandboxAuthorizing } from "../../src/modules/gateway/acquirers/sandbox-authorizing"
import { prepareAdmin } from "../support/admin"
import {
  admin,
  button,
  confirm,
  merchant,
  open,
  page,
  PAGES,
  picture,
  region,
  rowsShown,
  toast,
  useAdminPages,
} from "../support/admin-screens"
import { gatewayOf } from "../support/api"
import { accessibilityProblems } from "../support/browser"
import { insertAccount } from "../support/acquirer-accounts"
import { expectLoggedErrors } from "../support/logged-errors"
import { useStore } from "../support/store"

expectLoggedErrors(/the acquirer does not release the money reserved with/, /the capture \S+ needs an admin/)

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

async function authorized(card_number = "4242424242424242"): Promise<string> {
  const { session_id, transaction_id } = await merchant.open({ payment_info: { capture: "manual" } })
  await merchant.pay(session_id, { payment_method: "card", card_number })
  return transaction_id
}

const speak = (language: string) =>
  page.evaluate((name) => {
    localStorage.setItem("lng", name)
    document.cookie = `lng=${name}; path=/`
  }, language)

const choose = async (field: string, option: string) => {
  await page.getByRole("dialog").getByRole("combobox", { name: field }).click()
  await page.getByRole("option", { name: option, exact: true }).click()
}

describe("reserved money", () => {
  it("is found from the overview, captured in part on the payment's page, and the rest is voided after a question", async () => {
    await authorized()
    const id = await authorized("4000000000003063")
    await open("/payments?status=AUTHORIZED")
    await rowsShown(2)
    await page.locator("tbody").getByText("Authorised").first().waitFor()
    await picture("captures-list-light")
    await open("")
    await page.getByRole("link", { name: /Reserved money that ends within two days/ }).click()
    await rowsShown(1)
    await page.locator("tbody").getByRole("link").first().click()
    await page.waitForURL(new RegExp(id))
    const money = region("Reserved money")
    await money.getByRole("button", { name: "Capture", exact: true }).click()
    const form = page.getByRole("dialog")
    const amount = form.getByLabel("Amount")
    expect(await amount.inputValue()).toBe("1250.50")
    await form.getByText(/At most ৳1,250.50, until/).waitFor()
    await picture("captures-form-light")
    await amount.fill("1250.51")
    await form.getByRole("button", { name: "Capture" }).click()
    await form.getByText("At most ৳1,250.50 can be captured.").waitFor()
    await amount.fill("500")
    await form.getByRole("button", { name: "Capture" }).click()
    await toast("৳500.00 captured")
    await money.getByText("Can still be captured").waitFor()
    await money.getByText("৳750.50").waitFor()
    await page.locator(PAGES).getByText("Partly captured").waitFor()
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await admin.picture("captures-payment-light", 1400)
    await money.getByRole("button", { name: "Void", exact: true }).click()
    await admin.shows("Release ৳750.50?")
    await confirm("Void")
    await toast("Payment voided")
    await page.locator(PAGES).getByText("Voided: ৳750.50 is released").waitFor()
    expect(await money.getByRole("button").count()).toBe(0)
    const { captured_minor, state } = await store.db("gateway_authorization").where({ transaction_id: id }).first()
    expect([captured_minor, state]).toEqual([50_000, "released"])
  })

  it("shows why a capture failed, in Bangla and on a phone too", async () => {
    const id = await authorized("4000000000003055")
    await open(`/payments/${id}`)
    await region("Reserved money").getByRole("button", { name: "Capture", exact: true }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Capture" }).click()
    await admin.shows(/refused the capture, and nothing has moved/)
    await page.keyboard.press("Escape")
    await region("Reserved money").getByText("Failed").waitFor()
    await speak("bn")
    await admin.look("dark", "phone")
    await open(`/payments/${id}`)
    await page.getByRole("region", { name: "আটকে রাখা টাকা" }).waitFor()
    expect(await admin.fitsTheScreen()).toBe(true)
    await admin.picture("captures-payment-dark-phone-bn", 2200)
    await open("/payments?status=AUTHORIZED")
    await page.getByText("টাকা আটকে রাখা").first().waitFor()
    await admin.picture("captures-list-dark-phone-bn")
    await speak("en")
    await admin.look("light", "wide")
  })
})

describe("docs/decisions/03 — reserved money of which only the acquirer's dashboard shows what became", () => {
  const unknownAt = () => page.getByRole("region", { name: /^Unknown at / })

  /** Opens the page of the one payment that a line of the overview leads to. */
  async function openFrom(line: RegExp, id: string) {
    await open("")
    await page.getByRole("link", { name: line }).click()
    await rowsShown(1)
    await page.locator("tbody").getByRole("link").first().click()
    await page.waitForURL(new RegExp(id))
    await unknownAt().waitFor()
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
  }

  async function decide(question: string) {
    await unknownAt().getByLabel("Note").fill("Karim, in the portal")
    await unknownAt().getByRole("button", { name: "Decide" }).click()
    await admin.shows(question)
    await confirm("Decide")
    await toast("Decided")
    await unknownAt().waitFor({ state: "detached" })
  }

  it("a capture is decided: it moved, and the next one did not", async () => {
    const id = await authorized()
    const real = SandboxAuthorizing.prototype.capture
    const asking = jest.spyOn(SandboxAuthorizing.prototype, "capture")
    const answer = { result: "unknown", message: "Lost", needs_operator: true } as const
    asking.mockImplementationOnce(async function (this: SandboxAuthorizing, request) {
      await real.call(this, request)
      return answer
    })
    asking.mockResolvedValueOnce(answer)
    const lost = () =>
      gatewayOf(store).captures.capture({
        tenant: null,
        transaction_id: id,
        amount: 50_000n,
        by: {},
        request_key: null,
      })
    await lost()
    await openFrom(/Captures only the acquirer's dashboard knows/, id)
    await picture("capture-unresolved-light")
    const { reference } = await store
      .db("gateway_sandbox_operation")
      .where({ kind: "capture" })
      .orderBy("created_at", "desc")
      .first()
    await unknownAt().getByLabel("Acquirer's reference").fill(reference)
    await decide("Has ৳500.00 really moved?")
    await region("Reserved money").getByText("৳750.50").waitFor()

    await lost()
    asking.mockRestore()
    await open(`/payments/${id}`)
    await unknownAt().getByRole("combobox", { name: "What the dashboard shows" }).click()
    await page.getByRole("option", { name: "It did not move" }).click()
    await decide("Was ৳500.00 really not captured?")
    await region("Reserved money").getByText("Failed").waitFor()
    const { captured_minor } = await store.db("gateway_authorization").where({ transaction_id: id }).first()
    expect(captured_minor).toBe(50_000)
  })

  it("a void that the acquirer refuses, because the money was captured there, is confirmed once it was refunded there", async () => {
    const id = await authorized()
    const asking = jest.spyOn(SandboxAuthorizing.prototype, "release")
    asking.mockResolvedValue({ result: "refused", code: "NETWORK_ERROR", message: "No" } as never)
    await gatewayOf(store).releases.void(null, id, {})
    asking.mockRestore()
    await openFrom(/Reserved money that the acquirer does not release/, id)
    await unknownAt()
      .getByText(/If it was captured there, refund it there first/)
      .waitFor()
    await picture("void-unresolved-light")
    expect(await unknownAt().getByRole("combobox").count()).toBe(0)
    await decide("Was ৳1,250.50 really released or refunded?")
    const { state } = await store.db("gateway_authorization").where({ transaction_id: id }).first()
    expect(state).toBe("released")
  })
})

describe("when money is taken", () => {
  it("is set for all and for one way to pay, and refused at the field where the acquirer cannot reserve money", async () => {
    await insertAccount(store, {
      id: `gaa_${merchant.id}`,
      merchant_id: merchant.id,
      acquirer: "bkash",
      secrets: { username: "u", password: "p", app_key: "k", app_secret: "s" },
    })
    await open("/settings")
    const section = region("When money is taken")
    await section.getByText("At once").waitFor()
    await section.getByRole("button", { name: "Edit" }).click()
    await choose("Money is taken", "When you capture it")
    const form = page.getByRole("dialog")
    await form.getByText(/The bank reserves the money; you take it/).waitFor()
    await button("Save").click()
    await form.getByText(/bKash: their acquirers cannot reserve money/).waitFor()
    await picture("captures-settings-refused-light")
    await page.keyboard.press("Escape")
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click()
    await page.getByLabel("Edit bKash").click()
    await choose("Money is taken", "At once")
    await button("Save").click()
    await toast("bKash saved")
    await section.getByRole("button", { name: "Edit" }).click()
    await choose("Money is taken", "When you capture it")
    await button("Save").click()
    await toast("Settings for taking money saved")
    await section.getByText("When you capture it").waitFor()
    expect(await accessibilityProblems(page, PAGES)).toEqual([])
    await admin.picture("captures-settings-light", 3200)
    const { capture } = await store
      .db("gateway_merchant_environment")
      .where({ merchant_id: merchant.id, environment: "sandbox" })
      .first()
    expect(capture).toBe("manual")
  })
})
