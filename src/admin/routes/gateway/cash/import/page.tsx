import { CashImport } from "../../../../lib/cash/import"
import { crumb } from "../../../../lib/ui/bits"
import { AdminPage } from "../../../../lib/ui/admin-page"

const ImportPage = () => (
  <AdminPage>
    <CashImport />
  </AdminPage>
)

export const handle = crumb("cash.import.title")

export default ImportPage
