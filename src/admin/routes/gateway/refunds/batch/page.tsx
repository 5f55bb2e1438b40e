import { useSearchParams } from "react-router-dom"
import { BatchFile } from "../../../../lib/refunds/batch-file"
import { BatchProgress } from "../../../../lib/refunds/batch-progress"
import { crumb } from "../../../../lib/ui/bits"
import { AdminPage } from "../../../../lib/ui/admin-page"

const BATCH = "batch"

/** The id of a submitted batch is in the address: its progress survives a reload, and a link leads to it. */
const Batch = () => {
  const [params, setParams] = useSearchParams()
  const show = (id: string | null) =>
    setParams((before) => {
      const after = new URLSearchParams(before)
      after.delete(BATCH)
      if (id !== null) {
        after.set(BATCH, id)
      }
      return after
    })
  const id = params.get(BATCH)
  return id === null ? <BatchFile onSent={show} /> : <BatchProgress id={id} onOther={() => show(null)} />
}

const BatchPage = () => (
  <AdminPage>
    <Batch />
  </AdminPage>
)

export const handle = crumb("refunds.batch.one")

export default BatchPage
