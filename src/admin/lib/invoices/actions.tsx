import { Button } from "@medusajs/ui"
import { useAdminMutation, useDownload } from "../data"
import { useLocale, useText } from "../text"
import { Ask } from "../ui/ask"
import type { Invoice } from "./types"

/** The actions that an invoice's state allows. */
export const InvoiceActions = ({ invoice }: { invoice: Invoice }) => (
  <>
    <Pdf invoice={invoice} />
    {invoice.status === "PENDING" && (
      <>
        <SendAgain invoice={invoice} />
        <Void invoice={invoice} />
      </>
    )}
  </>
)

/** In the language of the admin's pages, when invoices have it. */
const Pdf = ({ invoice }: { invoice: Invoice }) => {
  const say = useText()
  const download = useDownload()
  const lang = useLocale().startsWith("bn") ? "bn" : "en"
  return (
    <Button
      size="small"
      variant="secondary"
      isLoading={download.isPending}
      onClick={() => download.mutate({ path: `/invoices/${invoice.id}/pdf`, query: { lang } })}
    >
      {say("invoices.pdf")}
    </Button>
  )
}

const SendAgain = ({ invoice }: { invoice: Invoice }) => {
  const say = useText()
  const send = useAdminMutation<null>(
    { path: () => `/invoices/${invoice.id}/send` },
    { done: () => say("invoices.sent") }
  )
  return (
    <Ask
      area="invoices"
      harmless
      label={say("invoices.send")}
      title={say("invoices.send_title", { email: invoice.customer.email })}
      text={say("invoices.send_text")}
      pending={send.isPending}
      act={() => send.mutate(null)}
    />
  )
}

const Void = ({ invoice }: { invoice: Invoice }) => {
  const say = useText()
  const change = useAdminMutation<null>(
    { path: () => `/invoices/${invoice.id}/void` },
    { done: () => say("invoices.voided") }
  )
  return (
    <Ask
      area="invoices"
      label={say("invoices.void")}
      title={say("invoices.void_title")}
      text={say("invoices.void_text")}
      pending={change.isPending}
      act={() => change.mutate(null)}
    />
  )
}
