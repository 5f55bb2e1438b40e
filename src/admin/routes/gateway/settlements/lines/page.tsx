import { Alert, Button, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { LineTable } from "../../../../lib/settlements/lines"
import { SettlementPage } from "../../../../lib/settlements/parts"
import { useAddressFilter } from "../../../../lib/table/url-state"
import { useText } from "../../../../lib/text"
import { crumb } from "../../../../lib/ui/bits"

const Lines = () => {
  const say = useText()
  const [import_id, setImport] = useAddressFilter("import_id")
  return (
    <>
      {import_id !== null && (
        <Alert variant="info" role="note">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <Text size="small">
              {say("settlements.of_one_file")}{" "}
              <Link to={`/gateway/settlements/imports/${import_id}`} className="text-ui-fg-interactive">
                {say("settlements.open")}
              </Link>
            </Text>
            <Button size="small" variant="secondary" onClick={() => setImport(null)}>
              {say("settlements.of_all_files")}
            </Button>
          </div>
        </Alert>
      )}
      <LineTable
        heading={say("settlements.lines")}
        description={say("settlements.lines_description")}
        fixed={{ import_id: import_id ?? undefined }}
      />
    </>
  )
}

const LinesPage = () => (
  <SettlementPage>
    <Lines />
  </SettlementPage>
)

export const handle = crumb("settlements.lines")

export default LinesPage
