import { useText } from "../text"
import { Badge } from "../ui/bits"
import { INVOICE_COLORS, MAIL_COLORS, type InvoiceStatus, type MailStatus } from "./types"

export const InvoiceBadge = ({ status }: { status: InvoiceStatus }) => {
  const say = useText()
  return <Badge color={INVOICE_COLORS[status]}>{say(`invoices.statuses.${status}`)}</Badge>
}

export const MailBadge = ({ status }: { status: MailStatus }) => {
  const say = useText()
  return <Badge color={MAIL_COLORS[status]}>{say(`invoices.mail_statuses.${status}`)}</Badge>
}
