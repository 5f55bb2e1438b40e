import { defineRouteConfig } from "@medusajs/admin-sdk"
import { InvoiceTable } from "../../../lib/invoices/table"
import { crumb } from "../../../lib/ui/crumb"
import { DeskPage } from "../../../lib/ui/desk-page"

const InvoicesPage = () => (
  <DeskPage>
    <InvoiceTable />
  </DeskPage>
)

export const config = defineRouteConfig({ label: "menu.invoices", translationNs: "gateway", rank: 27 })
export const handle = crumb("menu.invoices")

export default InvoicesPage
