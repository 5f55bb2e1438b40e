import { Button, Text } from "@medusajs/ui"
import { useAdminQuery } from "../data"
import { useFormats } from "../format"
import { usePolling } from "../use"
import { TwoLines } from "../table/parts"
import { SmallTable } from "../table/small-table"
import { useText, useMessage } from "../text"
import { ErrorState, Loading, Section } from "../ui/section"
import { RefundBadge } from "./parts"
import { type BatchRefund, REFUND_STATUSES, type RefundBatch, why } from "./draft"
import { Link } from "../ui/page-links"

/** The progress of a batch; polls until no refund of it is under way. */
export const BatchProgress = ({ id, onOther }: { id: string; onOther: () => void }) => {
  const say = useText()
  const { data, error, refetch } = useAdminQuery<{ refund_batch: RefundBatch }>(
    `/refund-batches/${encodeURIComponent(id)}`
  )
  const batch = data?.refund_batch
  usePolling(batch !== undefined && !batch.finished, refetch)
  return (
    <Section
      level="h1"
      heading={say("refunds.batch.one")}
      description={id}
      actions={
        <Button size="small" variant="secondary" onClick={onOther}>
          {say("refunds.batch.another")}
        </Button>
      }
    >
      {batch === undefined &&
        (error === null ? <Loading lines={6} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {batch !== undefined && (
        <>
          <Bar batch={batch} />
          <BatchTable refunds={batch.refunds} />
        </>
      )}
    </Section>
  )
}

const Bar = ({ batch: { total, progress, finished } }: { batch: RefundBatch }) => {
  const say = useText()
  const { number } = useFormats()
  const done = progress.completed + progress.failed + progress.cancelled
  const counts = REFUND_STATUSES.filter((status) => progress[status] > 0).map(
    (status) => `${say(`refunds.statuses.${status}`)}: ${number(progress[status])}`
  )
  return (
    <div className="flex flex-col gap-2 px-6 py-4">
      <div
        role="progressbar"
        aria-label={say("refunds.batch.progress")}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        className="bg-ui-bg-component h-2 overflow-hidden rounded-full"
      >
        <div
          className="bg-ui-tag-green-icon h-full rounded-full transition-all"
          style={{ width: `${(100 * done) / total}%` }}
        />
      </div>
      <Text size="small" role="status">
        {say(finished ? "refunds.batch.finished" : "refunds.batch.under_way", { done, total })} · {counts.join(" · ")}
      </Text>
    </div>
  )
}

const BatchTable = ({ refunds }: { refunds: BatchRefund[] }) => {
  const say = useText()
  const words = useMessage()
  const { money, number } = useFormats()
  return (
    <SmallTable
      label={say("payments.refunds")}
      rows={refunds}
      keyOf={({ position }) => position}
      columns={[
        {
          name: say("refunds.batch.position"),
          cell: ({ id, position, transaction_id }) => (
            <Link
              to={id === null ? `/gateway/payments/${transaction_id}` : `/gateway/refunds?opened=${id}`}
              className="text-ui-fg-interactive whitespace-nowrap"
            >
              {number(position + 1)}
            </Link>
          ),
        },
        {
          name: say("payments.order"),
          cell: ({ transaction_id, order_number, customer }) =>
            order_number === null ? (
              "–"
            ) : (
              <TwoLines
                first={
                  <Link to={`/gateway/payments/${transaction_id}`} className="text-ui-fg-interactive font-mono">
                    {order_number}
                  </Link>
                }
                second={customer?.name ?? null}
              />
            ),
        },
        {
          name: say("payments.amount"),
          isNumber: true,
          cell: (refund) => (refund.id === null ? "–" : money(refund.amount, refund.currency)),
        },
        { name: say("payments.status"), cell: (refund) => <RefundBadge {...refund} /> },
        { name: say("refunds.reason"), cell: (refund) => (refund.id === null ? "–" : why(words, refund)) },
        {
          name: say("refunds.failure"),
          cell: (refund) => (refund.refusal ? words(refund.refusal) : (refund.error_message ?? "–")),
        },
      ]}
    />
  )
}
