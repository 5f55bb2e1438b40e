import { defineRouteConfig } from "@medusajs/admin-sdk"
import { InvoiceTable } from "../../../lib/invoices/invoices"
import { crumb } from "../../../lib/ui/bits"
import { AdminPage } from "../../../lib/ui/admin-page"

const InvoicesPage = () => (
  <AdminPage>
    <InvoiceTable />
  </AdminPage>
)

export const config = defineRouteConfig({ label: "menu.invoices", translationNs: "gateway", rank: 27 })
export const handle = crumb("menu.invoices")

export default InvoicesPage
