import { prepareAdmin } from "../support/admin"
import { admin, held, open, useAdminPages } from "../support/admin-screens"
import { useStore } from "../support/store"

const store = useStore({ shop: true, prepare: prepareAdmin, withAdmin: true })
useAdminPages(store)

describe("the overview's period", () => {
  it("keeps both days that are typed one after the other", async () => {
    await open("?from=2026-01-01&to=2026-01-31")
    const asked = await held(/\/admin\/gateway\/overview\?/, "GET")
    await admin.page.getByLabel("From", { exact: true }).fill("2026-01-10")
    await admin.page.getByLabel("To", { exact: true }).fill("2026-01-20")
    await asked.first
    await admin.page.getByLabel("To", { exact: true }).blur()
    await admin.page.waitForURL(/to=2026-01-20/)
    expect(new URL(admin.page.url()).searchParams.get("from")).toBe("2026-01-10")
    asked.release()
    await admin.page.unrouteAll({ behavior: "wait" })
  })
})
