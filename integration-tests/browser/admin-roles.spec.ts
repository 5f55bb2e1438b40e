import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { ADMIN, prepareAdmin } from "../support/admin"
import {
  button,
  confirm,
  open,
  page,
  paid,
  picture,
  region,
  tenant,
  toast,
  useAdminPages,
} from "../support/admin-screens"
import { gatewayOf } from "../support/api"
import { accessibilityProblems } from "../support/browser"
import { rbacOf, roleWith, withRbac, type Role } from "../support/rbac"
import { useStore, type Store } from "../support/store"
import { until } from "../support/until"

const POLICIES = ["setting", "refund", "payment"].flatMap((area) => [`gateway_${area}:read`, `gateway_${area}:update`])
let agent: Role
let lead: Role

/** The admin of the pages has one role: its token is made when it signs in. */
async function prepare(store: Store): Promise<void> {
  await prepareAdmin(store)
  agent = await roleWith(store, [...POLICIES, "gateway_refund_approval:update"], "Support agent")
  lead = await roleWith(store, [], "Shift lead")
  const { id: user_id } = await store.db("user").where({ email: ADMIN.email }).first()
  await store.container
    .resolve(ContainerRegistrationKeys.LINK)
    .create({ [Modules.USER]: { user_id }, [Modules.RBAC]: { rbac_role_id: agent.id } })
}

const store = useStore({ production: false, withAdmin: true, env: withRbac, prepare })
useAdminPages(store)
const limitsStored = async () => (await gatewayOf(store).merchants.environment(tenant())).refund_role_limits

describe("decisions: Approval of refunds — the limits of roles", () => {
  it("are chosen, changed and removed in the settings, also of a role that was deleted", async () => {
    const former = await roleWith(store, [], "Former role")
    await gatewayOf(store).merchants.configure(tenant(), {
      refund_role_limits: [{ role_id: former.id, amount_minor: 5_000 }],
    })
    await rbacOf(store).deleteRbacRoles([former.id])
    await open("/settings")
    await region("Refunds and returns").getByText(`A deleted role (${former.id}) refunds up to ৳50.00`).waitFor()
    await region("Refunds and returns").getByRole("button", { name: "Edit" }).click()
    const dialog = page.getByRole("dialog")
    const add = async (name: string) => {
      await dialog.getByRole("combobox", { name: "Another role" }).click()
      await page.getByRole("option", { name, exact: true }).click()
    }
    await add("Support agent")
    await add("Shift lead")
    await dialog.getByLabel("Limit of Support agent").fill("১০০")
    await dialog.getByLabel("Limit of Shift lead").fill("0")
    await button("Save").click()
    await page.locator("[role=alert]", { hasText: "Limit of Shift lead must be more than 0.00" }).waitFor()
    await picture("settings-role-limits-form")
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByLabel("Limit of Shift lead").fill("500")
    await dialog.getByRole("button", { name: `Remove the limit: A deleted role (${former.id})` }).click()
    await button("Save").click()
    await toast("Settings for refunds and returns saved")
    await region("Refunds and returns").getByText("Support agent refunds up to ৳100.00").waitFor()
    expect(await limitsStored()).toEqual([
      { role_id: agent.id, amount_minor: 10_000 },
      { role_id: lead.id, amount_minor: 50_000 },
    ])
    // A form that leaves them alone does not send them.
    await region("Refunds and returns").getByRole("button", { name: "Edit" }).click()
    await gatewayOf(store).merchants.configure(tenant(), {
      refund_role_limits: [{ role_id: lead.id, amount_minor: 100 }],
    })
    await dialog.getByLabel("Approval").fill("7000")
    await button("Save").click()
    await toast("Settings for refunds and returns saved")
    expect(await limitsStored()).toEqual([{ role_id: lead.id, amount_minor: 100 }])
  })

  it("a refund above the admin's own waits, and its approval is disabled with the reason", async () => {
    await gatewayOf(store).merchants.configure(tenant(), {
      refund_role_limits: [{ role_id: agent.id, amount_minor: 10_000 }],
    })
    const transaction_id = await paid()
    await open(`/payments/${transaction_id}`)
    await button("Refund").click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Amount").fill("100.01")
    await dialog.getByLabel("Reason of the refund").fill("Broken")
    await dialog.getByRole("button", { name: "Refund" }).click()
    await confirm("Refund")
    const states = async () =>
      (await gatewayOf(store).refunds.list(transaction_id)).map(({ state, held_for }) => [state, held_for])
    await until("the refund is requested", async () => (await states()).length === 1)
    expect(await states()).toEqual([["pending", "approval"]])
    await open("/refunds?held_for=approval")
    await page.locator("tbody tr").filter({ hasText: "Broken" }).getByRole("button").first().click()
    const approve = dialog.getByRole("button", { name: "Approve" })
    await approve.waitFor()
    expect(await approve.isDisabled()).toBe(true)
    await approve.locator("xpath=..").hover()
    await page
      .getByRole("tooltip")
      .getByText(/at most ৳100\.00 of one payment .* has to approve it/)
      .waitFor()
    await picture("refund-approval-above-role-limit")
    expect(await dialog.getByRole("button", { name: "Reject" }).isDisabled()).toBe(false)
    await dialog.getByRole("button", { name: "Reject" }).click()
    await confirm("Reject")
    await dialog.getByText("Cancelled").waitFor()
    expect(await states()).toEqual([["cancelled", "approval"]])
  })
})
