import { ImportFile } from "../../../../lib/settlements/file"
import { SettlementPage } from "../../../../lib/settlements/parts"
import { crumb } from "../../../../lib/ui/bits"

const ImportFilePage = () => (
  <SettlementPage>
    <ImportFile />
  </SettlementPage>
)

export const handle = crumb("settlements.file.open")

export default ImportFilePage
