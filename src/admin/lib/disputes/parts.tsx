import { DISPUTE_STATUSES, type DisputeStatus, DISPUTE_COLORS, type Dispute } from "./types"
import { Alert, Text } from "@medusajs/ui"
import { adminOf, type Owned, useAdminQuery } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { Badge, Moment } from "../ui/bits"
import { Link } from "../ui/page-links"
import { Section } from "../ui/section"
import { RecordDispute } from "./record"

export const DisputeBadge = ({ status }: { status: DisputeStatus }) => {
  const say = useText()
  return <Badge color={DISPUTE_COLORS[status]}>{say(`disputes.statuses.${status}`)}</Badge>
}

/** Until when the bank takes evidence; once it has it, the deadline means nothing. */
export const Deadline = ({ dispute }: { dispute: Dispute }) => {
  const say = useText()
  const { evidence_due_by, is_overdue, awaits_response } = dispute
  if (evidence_due_by === null || !awaits_response) {
    return <span>–</span>
  }
  return is_overdue ? <Badge color="red">{say("disputes.overdue")}</Badge> : <Moment at={evidence_due_by} />
}

type Payment = Owned & { id: string; disputes: Dispute[] | null }

/** Beside a payment's status: each of its disputes, as a link to its page. */
export const DisputedBadges = ({ payment }: { payment: Payment }) => {
  const say = useText()
  return payment.disputes?.map(({ id, status }) => (
    <Link key={id} to={`/gateway/disputes/${id}?${adminOf(payment)}`}>
      <Badge color={DISPUTE_COLORS[status]}>
        {say("disputes.badge", { status: say(`disputes.statuses.${status}`) })}
      </Badge>
    </Link>
  ))
}

/** The disputes of a payment, and the form that records another; nothing for an admin who may not see them. */
export const PaymentDisputes = ({ payment: { id, disputes } }: { payment: Payment }) => {
  const say = useText()
  const { money } = useFormats()
  if (disputes === null) {
    return null
  }
  return (
    <Section heading={say("disputes.title")} actions={<RecordDispute transaction_id={id} />}>
      {disputes.length === 0 && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-3">
          {say("disputes.none_of_payment")}
        </Text>
      )}
      <ul className="divide-y">
        {disputes.map((dispute) => (
          <li key={dispute.id} className="flex flex-wrap items-center justify-between gap-3 px-6 py-3">
            <Link to={`/gateway/disputes/${dispute.id}`} className="text-ui-fg-interactive txt-compact-small">
              {`${money(dispute.amount, dispute.currency)}, ${dispute.reference}`}
            </Link>
            <DisputeBadge status={dispute.status} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The bank has not decided them yet. */
const OPEN = DISPUTE_STATUSES.filter((status) => !["won", "lost", "closed"].includes(status)).join(",")

/** Says on a subscription's page that one of its payments is disputed: it goes on as it is (docs/decisions/10). */
export const SubscriptionDisputes = ({ subscription_id }: { subscription_id: string }) => {
  const say = useText()
  const { data } = useAdminQuery<{ disputes: Dispute[] }>("/disputes", { subscription_id, status: OPEN })
  const [latest] = data?.disputes ?? []
  if (latest === undefined) {
    return null
  }
  return (
    <Alert variant="warning">
      <Text size="small">
        {say("disputes.of_subscription")}{" "}
        <Link to={`/gateway/disputes/${latest.id}`} className="text-ui-fg-interactive">
          {say(`disputes.statuses.${latest.status}`)}
        </Link>
      </Text>
    </Alert>
  )
}
