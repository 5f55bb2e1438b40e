import { Button, Text } from "@medusajs/ui"
import { useAdminMutation, useDownload } from "../data"
import { type Mail, MailBadge, MailTime } from "../invoices/invoices"
import { areaOf } from "../use"
import { useLocale, useText } from "../text"
import { Ask } from "../ui/bits"

export type SentReceipt = Omit<Mail, "kind">
/** `path`: of the payment or refund. `email`: the customer's; absent: not known on this page. */
type Props = { path: string; receipts: readonly SentReceipt[]; email?: string }

/** The receipt of a payment or refund: its PDF, the e-mails with it, and the button that sends it again. */
export const Receipt = ({ path, receipts, email }: Props) => {
  const say = useText()
  const download = useDownload()
  const lang = useLocale().startsWith("bn") ? "bn" : "en"
  const send = useAdminMutation<null>({ path: () => `${path}/receipt` }, { done: () => say("receipts.on_its_way") })
  return (
    <div className="flex flex-col gap-3">
      {receipts.length === 0 && (
        <Text size="small" className="text-ui-fg-subtle">
          {say(email === "" ? "receipts.no_address" : "receipts.none")}
        </Text>
      )}
      {receipts.length > 0 && (
        <ul className="flex flex-col gap-2">
          {receipts.map((mail) => (
            <li key={mail.id} className="flex flex-wrap items-center justify-between gap-2">
              <Text size="small" className="min-w-0 break-words">
                <MailTime mail={mail} />
              </Text>
              <MailBadge status={mail.status} />
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
        {email !== "" && (
          <Ask
            area={areaOf(path)}
            harmless
            label={say(receipts.length === 0 ? "receipts.send" : "receipts.send_again")}
            title={email === undefined ? say("receipts.send_title") : say("receipts.send_title_to", { email })}
            text={say("receipts.send_text")}
            pending={send.isPending}
            act={() => send.mutate(null)}
          />
        )}
      </div>
    </div>
  )
}
