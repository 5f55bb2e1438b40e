import { useFormats } from "../format"
import { useMessage, useText } from "../text"
import { Badge } from "../ui/bits"
import { INVOICE_COLORS, MAIL_COLORS, type InvoiceStatus, type Mail, type MailStatus } from "./types"

export const InvoiceBadge = ({ status }: { status: InvoiceStatus }) => {
  const say = useText()
  return <Badge color={INVOICE_COLORS[status]}>{say(`invoices.statuses.${status}`)}</Badge>
}

export const MailBadge = ({ status }: { status: MailStatus }) => {
  const say = useText()
  return <Badge color={MAIL_COLORS[status]}>{say(`invoices.mail_statuses.${status}`)}</Badge>
}

/** When an e-mail was sent or is due, and why it could not be sent. */
export const MailTime = ({ mail: { sent_at, due_at, last_error } }: { mail: Omit<Mail, "kind"> }) => {
  const say = useText()
  const words = useMessage()
  const { time } = useFormats()
  const when =
    sent_at === null
      ? say("invoices.mail_due", { time: time(due_at) })
      : say("invoices.mail_sent", { time: time(sent_at) })
  return <>{last_error === null ? when : `${when} · ${words(last_error)}`}</>
}
