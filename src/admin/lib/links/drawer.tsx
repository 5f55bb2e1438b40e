import { Button } from "@medusajs/ui"
import qrcode from "qrcode-generator"
import { type ReactNode, useMemo } from "react"
import { Link } from "react-router-dom"
import { useAdminMutation, useAdminQuery } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { ActButton, Badge, Copied, Moment } from "../ui/bits"
import { ReadDrawer } from "../ui/form"
import { useConfirm } from "../ui/leaving"
import { ErrorState, Facts, Loading } from "../ui/section"
import { LINK_COLORS, type PaymentLink } from "./create"

/** The blank modules around the code that readers need. */
const QUIET_ZONE = 4

/** A QR code, black on white in both themes: many readers do not take it inverted. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { size, path } = useMemo(() => drawn(text), [text])
  const side = size + 2 * QUIET_ZONE
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`}
      className="w-56 max-w-full rounded-lg"
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET_ZONE} y={-QUIET_ZONE} width={side} height={side} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}

function drawn(text: string): { size: number; path: string } {
  const code = qrcode(0, "M")
  code.addData(text)
  code.make()
  const size = code.getModuleCount()
  const rows = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (__, column) => (code.isDark(row, column) ? `M${column} ${row}h1v1h-1z` : "")).join("")
  )
  return { size, path: rows.join("") }
}

/** One link: its address to copy, share and scan, its state, and the way to close it. */
export const LinkDrawer = ({ id, onClose }: { id: string | null; onClose: () => void }) => {
  const say = useText()
  const { data, error, refetch } = useAdminQuery<{ payment_link: PaymentLink }>(`/payment-links/${id}`, {}, id !== null)
  const link = id !== null && data?.payment_link.id === id ? data.payment_link : undefined
  return (
    <ReadDrawer open={id !== null} onClose={onClose} title={say("links.one")}>
      {link === undefined &&
        (error === null ? <Loading lines={8} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {link !== undefined && (
        <>
          {link.status === "open" && <Share link={link} />}
          <div className="-mx-6">
            <LinkFacts link={link} />
          </div>
          {link.status === "open" && <Disable key={link.id} link={link} />}
        </>
      )}
    </ReadDrawer>
  )
}

const Share = ({ link: { url, description } }: { link: PaymentLink }) => {
  const say = useText()
  // Only browsers that can share offer it: phones, mostly, and only over https.
  const canShare = typeof navigator.share === "function"
  // Closing the browser's own dialogue rejects; nothing has gone wrong then.
  const share = () => navigator.share({ title: description, url }).catch(() => undefined)
  return (
    <div className="flex flex-col items-start gap-4">
      <Copied text={url} />
      <QrCode text={url} label={say("links.qr")} />
      {canShare && (
        <Button size="small" variant="secondary" onClick={() => void share()}>
          {say("links.share")}
        </Button>
      )}
    </div>
  )
}

const LinkFacts = ({ link }: { link: PaymentLink }) => {
  const say = useText()
  const { money } = useFormats()
  const { customer } = link
  const rows: [string, ReactNode][] = [
    [say("payments.amount"), money(link.amount, link.currency)],
    [
      say("payments.status"),
      <Badge key="s" color={LINK_COLORS[link.status]}>
        {say(`links.statuses.${link.status}`)}
      </Badge>,
    ],
    [say("links.description_label"), link.description],
    [say("links.customer"), customer && [customer.name, customer.email, customer.phone].join(", ")],
    [say("links.expires"), link.expires_at && <Moment key="e" at={link.expires_at} />],
    [say("links.paid"), link.paid_at && <Moment key="p" at={link.paid_at} />],
    [say("links.closed"), link.disabled_at && <Moment key="d" at={link.disabled_at} />],
    [
      say("payments.one"),
      link.transaction_id && (
        <Link key="t" to={`/gateway/payments/${link.transaction_id}`} className="text-ui-fg-interactive">
          {say("payments.open_payment")}
        </Link>
      ),
    ],
    [say("links.id"), <Copied key="i" text={link.id} />],
    [say("payments.created"), <Moment key="c" at={link.created_at} />],
  ]
  return <Facts rows={rows.filter(([, value]) => value !== null)} />
}

const Disable = ({ link }: { link: PaymentLink }) => {
  const say = useText()
  const confirm = useConfirm()
  const disable = useAdminMutation<void>(
    { path: () => `/payment-links/${link.id}/disable`, body: () => ({}) },
    { done: () => say("links.disabled") }
  )
  const act = async () => {
    const asked = { title: say("links.disable_title"), description: say("links.disable_hint") }
    if (await confirm({ ...asked, confirm: say("links.disable"), danger: true })) {
      disable.mutate()
    }
  }
  return (
    <ActButton
      area="payment-links"
      className="self-start"
      variant="secondary"
      isLoading={disable.isPending}
      onClick={() => void act()}
    >
      {say("links.disable")}
    </ActButton>
  )
}
