import { prepareAdmin } from "../support/admin"
import { admin, elsewhere, merchant, open, PAGES, tenant, useAdminPages } from "../support/admin-screens"
import { gatewayOf } from "../support/api"
import { accessibilityProblems } from "../support/browser"
import { addEmi } from "../support/emi"
import { useStore } from "../support/store"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

describe("EMI", () => {
  it("configurations are added, changed, switched off, deleted and brought back", async () => {
    await open("/emi")
    await admin.shows("No EMI configurations yet")
    await admin.button("Add offer").click()
    await admin.page.getByLabel("Bank", { exact: true }).fill("Shapla Bank")
    await admin.page.getByLabel("Months", { exact: true }).fill("99")
    await admin.page.getByLabel("Interest rate in percent").fill("12")
    await admin.button("Save").click()
    await admin.page.getByRole("dialog").getByRole("alert").first().waitFor()
    await admin.page.getByLabel("Months", { exact: true }).fill("12")
    await admin.picture("emi-form")
    await admin.button("Save").click()
    await admin.shows("EMI configuration saved")
    await admin.button("Edit Shapla Bank, 12 months").click()
    await admin.page.getByLabel("Processing fee", { exact: true }).fill("250")
    await admin.button("Save").click()
    await admin.page.locator("td", { hasText: "৳250.00" }).waitFor()
    await admin.page.getByRole("switch", { name: "Shapla Bank, 12 months: offered" }).click()
    await admin.answer("Switch off")
    await admin.page.getByRole("switch", { name: "Shapla Bank, 12 months: offered", checked: false }).waitFor()
    expect(await gatewayOf(store).emi.configurations(tenant())).toEqual([])
    await admin.button("Delete Shapla Bank, 12 months").click()
    await admin.answer("Delete")
    await admin.shows("EMI configuration deleted")
    await open("/emi?archived=true")
    await admin.button("Bring back").click()
    await admin.shows("EMI configuration brought back")
  })

  it("a bank's table is imported after a look, exported, and calculated as the API does", async () => {
    await open("/emi")
    await admin.button("Import CSV").click()
    await admin.file("bad.csv", "bank_name,tenure,interest_rate\nShapla Bank,0,12\n")
    await admin.shows(/line 2: tenure must be/)
    await admin.file(
      "table.csv",
      "bank_name,tenure,interest_rate,merchant_bleeding\nShapla Bank,6,9,\nShapla Bank,12,12,\nAgrani Test Bank,12,0,true\n"
    )
    await admin.shows("3 new, 0 changed, 0 as they are, 0 deleted")
    await admin.picture("emi-import")
    await admin.button("Import").last().click()
    await admin.shows("Table imported")
    const { name, text } = await admin.downloaded(() => admin.button("Export for import").click())
    expect([name, text.split("\r\n").length]).toEqual(["emi-configurations.csv", 5])

    await admin.page.getByLabel("Order amount").fill("12000.00")
    await admin.button("Calculate").click()
    const { data } = (await merchant.call("POST", "/payments/emi-amounts", { order_amount: "12000.00" }))
      .body as unknown as { data: { emi_payment_options: { monthly_installment: string }[] } }
    const money = (amount: string) => `৳${Number(amount).toLocaleString("en-IN", { minimumFractionDigits: 2 })}`
    for (const { monthly_installment } of data.emi_payment_options) {
      await admin.region("Calculator").getByText(money(monthly_installment)).first().waitFor()
    }
    await admin.page.getByRole("combobox", { name: "Bank" }).click()
    await admin.page.getByRole("option", { name: "Agrani Test Bank" }).click()
    expect(await admin.region("Calculator").locator("tbody tr").count()).toBe(1)
    await admin.picture("emi-light")
    expect(await accessibilityProblems(admin.page, PAGES)).toEqual([])
    await elsewhere("/emi", "emi")
  })

  it("what the merchant pays for it is on the payment's page and in the ledger (decisions: EMI)", async () => {
    const emi = { bank_name: "Padma Bank", tenure: 3, interest_rate: "3", merchant_bleeding: true }
    const emi_configuration_id = await addEmi(store, tenant().merchant_id, emi)
    const { session_id, transaction_id } = await merchant.open({ order_amount: "12000.00" })
    await merchant.pay(session_id, { payment_method: "card", emi_configuration_id })
    await open(`/payments/${transaction_id}`)
    await admin.shows("What the bank takes from you (in the ledger: EMI costs)")
    await open("/payouts/ledger?account=emi_costs")
    await admin.page.locator("tbody").getByText("-৳360.00").waitFor()
  })
})
