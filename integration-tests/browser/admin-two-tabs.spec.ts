import { prepareAdmin } from "../support/admin"
import { admin, merchant, open, useAdminPages } from "../support/admin-screens"
import { useStore } from "../support/store"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

describe("two tabs", () => {
  it("each keeps its environment, whatever the other one chooses", async () => {
    await open("/payments")
    // By the menu, whose addresses name no merchant and no environment.
    await admin.go("gateway/emi")
    const other = await admin.page.context().newPage()
    await other.goto(`${store.url}/app/gateway/emi?merchant_id=${merchant.id}&environment=production`)
    await other.getByText("No acquirer is set up for this environment").waitFor()
    expect(await other.getByRole("note", { name: "Test mode" }).count()).toBe(0)
    await other.close()
    await admin.button("Add offer").click()
    await admin.page.getByLabel("Bank", { exact: true }).fill("Shapla Bank")
    await admin.page.getByLabel("Months", { exact: true }).fill("12")
    await admin.page.getByLabel("Interest rate in percent").fill("12")
    await admin.button("Save").click()
    await admin.shows("EMI configuration saved")
    expect(
      await store.db("gateway_emi_configuration").where({ merchant_id: merchant.id }).pluck("environment")
    ).toEqual(["sandbox"])
  })
})
