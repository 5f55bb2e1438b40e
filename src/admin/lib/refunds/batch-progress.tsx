import { Button, Table, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { useAdminQuery } from "../data"
import { useFormats } from "../format"
import { usePolling } from "../use"
import { useText, useMessage } from "../text"
import { ErrorState, Loading, Section } from "../ui/section"
import { RefundBadge } from "./parts"
import { type BatchRefund, REFUND_STATUSES, type RefundBatch } from "./draft"

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
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={say("payments.refunds")}>
      <Table>
        <Table.Header>
          <Table.Row>
            <Table.HeaderCell>{say("refunds.batch.position")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{say("payments.amount")}</Table.HeaderCell>
            <Table.HeaderCell>{say("payments.status")}</Table.HeaderCell>
            <Table.HeaderCell>{say("refunds.reason")}</Table.HeaderCell>
            <Table.HeaderCell>{say("refunds.failure")}</Table.HeaderCell>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {refunds.map((refund) => (
            <Table.Row key={refund.position}>
              <Table.Cell>
                <Link
                  to={
                    refund.id === null
                      ? `/gateway/payments/${refund.transaction_id}`
                      : `/gateway/refunds?opened=${refund.id}`
                  }
                  className="text-ui-fg-interactive whitespace-nowrap"
                >
                  {number(refund.position + 1)}
                </Link>
              </Table.Cell>
              <Table.Cell className="whitespace-nowrap text-right tabular-nums">
                {refund.id === null ? "–" : money(refund.amount, refund.currency)}
              </Table.Cell>
              <Table.Cell>
                <RefundBadge {...refund} />
              </Table.Cell>
              <Table.Cell className="min-w-40">{refund.id === null ? "–" : refund.reason}</Table.Cell>
              <Table.Cell className="min-w-40">
                {refund.refusal ? words(refund.refusal) : (refund.error_message ?? "–")}
              </Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
    </div>
  )
}
