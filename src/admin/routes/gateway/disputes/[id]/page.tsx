import { Text } from "@medusajs/ui"
import type { ReactNode } from "react"
import { useParams } from "react-router-dom"
import { useAdminQuery } from "../../../../lib/data"
import { DisputeActions } from "../../../../lib/disputes/actions"
import { Evidence, useTextDraft } from "../../../../lib/disputes/evidence"
import { Deadline, DisputeBadge } from "../../../../lib/disputes/parts"
import { type WholeDispute } from "../../../../lib/disputes/types"
import { useFormats } from "../../../../lib/format"
import { acquirerName } from "../../../../lib/payments/parts"
import { useText } from "../../../../lib/text"
import { AdminPage } from "../../../../lib/ui/admin-page"
import { Copied, Moment, crumb } from "../../../../lib/ui/bits"
import { NotThere } from "../../../../lib/ui/missing"
import { Link } from "../../../../lib/ui/page-links"
import { Facts, NotRefreshed, Section } from "../../../../lib/ui/section"

type Props = { dispute: WholeDispute }

const DisputeDetails = () => {
  const say = useText()
  const { money } = useFormats()
  const { id = "" } = useParams()
  const { data, error, refetch } = useAdminQuery<{ dispute: WholeDispute }>(`/disputes/${encodeURIComponent(id)}`)
  const draft = useTextDraft(data?.dispute.evidence_text ?? null)
  if (data === undefined) {
    const words = { title: say("disputes.one"), text: say("disputes.not_found"), back: say("disputes.back") }
    return <NotThere error={error} retry={() => void refetch()} to="/gateway/disputes" {...words} />
  }
  const { dispute } = data
  return (
    <>
      <NotRefreshed error={error} retry={() => void refetch()} />
      <Section
        level="h1"
        heading={money(dispute.amount, dispute.currency)}
        description={say(dispute.source === "acquirer" ? "disputes.by_acquirer" : "disputes.by_hand", {
          acquirer: acquirerName(say, dispute.acquirer),
        })}
        actions={
          <>
            <DisputeBadge status={dispute.status} />
            <DisputeActions dispute={dispute} draft={draft} />
          </>
        }
      />
      <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-2">
        <Evidence dispute={dispute} draft={draft} />
        <div className="flex flex-col gap-3">
          <Details dispute={dispute} />
          <History dispute={dispute} />
        </div>
      </div>
    </>
  )
}

const Details = ({ dispute }: Props) => {
  const say = useText()
  const { money } = useFormats()
  const fee = money(dispute.fee_amount, dispute.currency)
  const rows: [string, ReactNode][] = [
    [say("disputes.due"), <Deadline key="d" dispute={dispute} />],
    [say("disputes.reason"), say(`disputes.reasons.${dispute.reason}`)],
    [say("disputes.fee"), dispute.fee_returned ? say("disputes.fee_back", { fee }) : fee],
    [say("disputes.reference"), <Copied key="r" text={dispute.reference} />],
    [
      say("payments.one"),
      <Link key="p" to={`/gateway/payments/${dispute.transaction_id}`} className="text-ui-fg-interactive">
        {`${say("payments.order")} ${dispute.order_number}`}
      </Link>,
    ],
    [say("disputes.opened"), <Moment key="o" at={dispute.opened_at} />],
    [say("disputes.submitted"), <Moment key="s" at={dispute.submitted_at} />],
    [say("disputes.over"), <Moment key="c" at={dispute.closed_at} />],
    [say("payouts.note"), dispute.note],
  ]
  return (
    <Section heading={say("payments.details")}>
      <Facts rows={rows} />
    </Section>
  )
}

/** What was done, by whom, in real time: the audit log's entries about it. */
const History = ({ dispute: { history } }: Props) => {
  const say = useText()
  if (history.length === 0) {
    return null
  }
  return (
    <Section heading={say("disputes.history")}>
      <ol className="divide-y">
        {history.map(({ at, action, actor_type, actor_name }) => (
          <li key={`${at} ${action}`} className="flex flex-wrap items-center justify-between gap-3 px-6 py-3">
            <Text size="small">{say(`disputes.did.${action.slice("dispute.".length) as "opened"}`)}</Text>
            <Text size="small" className="text-ui-fg-subtle">
              <Moment at={at} />
              {`, ${actor_type === "system" ? say("audit.actors.system") : actor_name}`}
            </Text>
          </li>
        ))}
      </ol>
    </Section>
  )
}

const DisputePage = () => (
  <AdminPage>
    <DisputeDetails />
  </AdminPage>
)

export const handle = crumb("crumbs.dispute")

export default DisputePage
