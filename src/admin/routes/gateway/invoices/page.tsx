import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container } from "@medusajs/ui"
import { InvoiceTable } from "../../../lib/invoices/table"
import { crumb } from "../../../lib/ui/crumb"
import { DeskPage } from "../../../lib/ui/desk-page"

const InvoicesPage = () => (
  <DeskPage>
    <Container className="overflow-hidden p-0">
      <InvoiceTable />
    </Container>
  </DeskPage>
)

export const config = defineRouteConfig({ label: "menu.invoices", translationNs: "gateway", rank: 27 })
export const handle = crumb("menu.invoices")

export default InvoicesPage
