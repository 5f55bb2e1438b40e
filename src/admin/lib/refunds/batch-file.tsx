import { Text } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import { useRequestKey } from "../request-key"
import { TwoLines } from "../table/parts"
import { useIsNarrow } from "../table/rows"
import { SmallTable } from "../table/small-table"
import { useText } from "../text"
import { ActButton } from "../ui/bits"
import { type CsvFile, CsvFileInput } from "../ui/files"
import { FaultList, Section } from "../ui/section"
import { useConfirm } from "../ui/leaving"
import { Link } from "../ui/page-links"
import type { OfPayment, RefundBatch } from "./draft"

const COLUMNS = "transaction_id,refund_amount,refund_reason,refund_type,notify_customer"
const EXAMPLE = "txn0123456789abcdef0123456789abcdef,250.00,One cup was broken,partial,yes"

type PreviewLine = {
  line: number
  transaction_id: string
  order_id: string
  amount: string
  type: "full" | "partial"
  currency: string
  reason: string
} & OfPayment
/** `totals`: one for each currency; `waiting`: how many lines wait for an admin's approval. */
type Preview = { waiting: number; lines: PreviewLine[]; totals: { currency: string; amount: string }[] }

/** Uploads a file of refunds: previews it first, and sends it only when every line is valid. */
export const BatchFile = ({ onSent }: { onSent: (batch_id: string) => void }) => {
  const say = useText()
  const { money } = useFormats()
  const confirm = useConfirm()
  const [file, setFile] = useState<CsvFile | null>(null)
  const key = useRequestKey()
  const preview = useAdminMutation<string, Preview>({
    path: () => "/refund-batches",
    body: (csv) => ({ csv, dry_run: true }),
  })
  const send = useAdminMutation<string, { refund_batch: RefundBatch }>(
    { path: () => "/refund-batches", body: (csv) => ({ csv }), key },
    { onDone: ({ refund_batch }) => onSent(refund_batch.id) }
  )
  const take = (chosen: CsvFile) => {
    key.renew()
    setFile(chosen)
    send.reset()
    preview.mutate(chosen.text)
  }
  const sum = ({ totals }: Preview) => totals.map(({ amount, currency }) => money(amount, currency)).join(" + ")
  const act = async (shown: Preview) => {
    const title = say("refunds.batch.send_title", { count: shown.lines.length, amount: sum(shown) })
    if (
      file !== null &&
      (await confirm({ title, description: say("refunds.make_hint"), confirm: say("refunds.batch.send") }))
    ) {
      send.mutate(file.text)
    }
  }
  const looked = preview.isPending || preview.error !== null ? undefined : preview.data
  return (
    <Section level="h1" heading={say("refunds.batch.title")} description={say("refunds.batch.description")}>
      <div className="flex flex-col gap-4 px-6 py-4">
        <CsvFileInput area="refund-batches" file={file} onFile={take} columns={COLUMNS} example={EXAMPLE} />
        {preview.isPending && (
          <Text size="small" role="status">
            {say("common.loading")}
          </Text>
        )}
        <FaultList error={preview.error} />
        <FaultList error={send.error} sent />
      </div>
      {looked !== undefined && (
        <>
          <PreviewTable preview={looked} />
          <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
            <Text size="small" weight="plus">
              {say("refunds.batch.total", {
                count: looked.lines.length,
                amount: sum(looked),
              })}
              {looked.waiting > 0 && ` · ${say("refunds.batch.waiting", { count: looked.waiting })}`}
            </Text>
            <ActButton
              area="refund-batches"
              isLoading={send.isPending}
              disabled={send.error?.isRefusal}
              onClick={() => void act(looked)}
            >
              {say("refunds.batch.send")}
            </ActButton>
          </div>
        </>
      )}
    </Section>
  )
}

const PreviewTable = ({ preview }: { preview: Preview }) => {
  const say = useText()
  const { money, number } = useFormats()
  // On a phone the number is the row's heading, and no column's name is above it.
  const isNarrow = useIsNarrow()
  return (
    <SmallTable
      className="max-h-96 overflow-auto"
      label={say("refunds.batch.preview")}
      rows={preview.lines}
      keyOf={({ line }) => line}
      columns={[
        {
          name: say("csv.line"),
          cell: ({ line }) => (isNarrow ? say("cash.import.line", { number: number(line) }) : number(line)),
        },
        {
          name: say("payments.order"),
          cell: ({ transaction_id, order_id, order_number, customer }) => (
            <TwoLines
              first={
                <Link to={`/gateway/payments/${transaction_id}`} className="text-ui-fg-interactive font-mono">
                  {order_number ?? order_id}
                </Link>
              }
              second={customer?.name ?? null}
            />
          ),
        },
        { name: say("payments.amount"), isNumber: true, cell: ({ amount, currency }) => money(amount, currency) },
        { name: say("refunds.type"), cell: ({ type }) => say(`refunds.types.${type}`) },
        { name: say("refunds.reason"), cell: ({ reason }) => reason },
      ]}
    />
  )
}
