import { Button, Text } from "@medusajs/ui"
import { useAdminAction, useDownload } from "../data"
import { useFormats } from "../format"
import type { MailStatus } from "../invoices/types"
import { MailBadge } from "../invoices/parts"
import type { PresentedMessage } from "../message"
import { useLocale, useMessage, useText } from "../text"
import { Ask } from "../ui/ask"

export type SentReceipt = {
  id: string
  status: MailStatus
  due_at: string
  sent_at: string | null
  last_error: PresentedMessage | null
}
/** `path`: of the payment or refund. `email`: the customer's; absent: not known on this page. */
type Props = { path: string; receipts: readonly SentReceipt[]; email?: string }

/** The receipt of a payment or refund: its PDF, the e-mails with it, and the button that sends it again. */
export const Receipt = ({ path, receipts, email }: Props) => {
  const say = useText()
  const words = useMessage()
  const { time } = useFormats()
  const download = useDownload()
  const lang = useLocale().startsWith("bn") ? "bn" : "en"
  const send = useAdminAction<null>({ path: () => `${path}/receipt` }, { done: () => say("receipts.on_its_way") })
  return (
    <div className="flex flex-col gap-3">
      {receipts.length === 0 && (
        <Text size="small" className="text-ui-fg-subtle">
          {say("receipts.none")}
        </Text>
      )}
      {receipts.length > 0 && (
        <ul className="flex flex-col gap-2">
          {receipts.map(({ id, status, due_at, sent_at, last_error }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-2">
              <Text size="small" className="min-w-0 break-words">
                {[
                  sent_at === null
                    ? say("invoices.mail_due", { time: time(due_at) })
                    : say("invoices.mail_sent", { time: time(sent_at) }),
                  last_error && words(last_error),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </Text>
              <MailBadge status={status} />
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          variant="secondary"
          isLoading={download.isPending}
          onClick={() => download.mutate({ path: `${path}/receipt`, query: { lang } })}
        >
          {say("receipts.pdf")}
        </Button>
        <Ask
          harmless
          label={say(receipts.length === 0 ? "receipts.send" : "receipts.send_again")}
          title={email === undefined ? say("receipts.send_title") : say("receipts.send_title_to", { email })}
          text={say("receipts.send_text")}
          pending={send.isPending}
          act={() => send.mutate(null)}
        />
      </div>
    </div>
  )
}
