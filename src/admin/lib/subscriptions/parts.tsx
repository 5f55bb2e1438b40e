import { instrumentName, serviceName } from "../payments/parts"
import { useText, type Say } from "../text"
import { Badge } from "../ui/bits"
import { RECORD_COLORS, STATUS_COLORS, type Means, type RecordStatus, type Status } from "./types"

export const SubscriptionBadge = ({ status }: { status: Status }) => {
  const say = useText()
  return <Badge color={STATUS_COLORS[status]}>{say(`subscriptions.statuses.${status}`)}</Badge>
}

export const RecordBadge = ({ status }: { status: RecordStatus }) => {
  const say = useText()
  return <Badge color={RECORD_COLORS[status]}>{say(`subscriptions.records.${status}`)}</Badge>
}

/** `Card Visa •••• 4242` */
export function meansName(say: Say, { service, brand, last_four, account }: Means): string {
  const about = { brand: brand ?? undefined, last_four: last_four ?? undefined, account: account ?? undefined }
  return [serviceName(say, service), instrumentName(about)].filter(Boolean).join(" ")
}
