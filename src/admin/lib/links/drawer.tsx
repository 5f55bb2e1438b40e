import { Button, Heading, Text } from "@medusajs/ui"
import qrcode from "qrcode-generator"
import { type ReactNode, useMemo } from "react"
import { useAdminMutation, useAdminQuery } from "../data"
import { useFormats } from "../format"
import { saveFile } from "../http"
import { useText } from "../text"
import { ActButton, Badge, Copied, Moment } from "../ui/bits"
import { ReadDrawer } from "../ui/form"
import { useConfirm } from "../ui/leaving"
import { Link } from "../ui/page-links"
import { ErrorState, Facts, Loading } from "../ui/section"
import { PaymentBadge } from "../payments/parts"
import type { Payment } from "../payments/types"
import { TwoLines } from "../table/parts"
import { LINK_COLORS, type PaymentLink, amountWords } from "./create"

/** The blank modules around the code that readers need. */
const QUIET_ZONE = 4
/** Pixels of a module in a file: whole ones, so that its edges are sharp. */
const PNG_SCALE = 16

/** A QR code, black on white in both themes: many readers do not take it inverted. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { side, path } = useMemo(() => drawn(text), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      className="w-56 max-w-full rounded-lg"
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}

/** The dark modules of a text's code, within its quiet zone. */
function drawn(text: string): { side: number; path: string } {
  const code = qrcode(0, "M")
  code.addData(text)
  code.make()
  const modules = Array.from({ length: code.getModuleCount() }, (_, index) => index)
  const dark = modules.flatMap((row) =>
    modules.filter((column) => code.isDark(row, column)).map((column) => [row, column])
  )
  const path = dark.map(([row, column]) => `M${column + QUIET_ZONE} ${row + QUIET_ZONE}h1v1h-1z`).join("")
  return { side: modules.length + 2 * QUIET_ZONE, path }
}

/** For print, in any size. */
function svgOf(text: string): Blob {
  const { side, path } = drawn(text)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${side * PNG_SCALE}" height="${side * PNG_SCALE}" shape-rendering="crispEdges"><rect width="${side}" height="${side}" fill="#ffffff"/><path d="${path}" fill="#000000"/></svg>`
  return new Blob([svg], { type: "image/svg+xml" })
}

/** For messages and documents that take no SVG. */
function pngOf(text: string): Promise<Blob> {
  const { side, path } = drawn(text)
  const canvas = Object.assign(document.createElement("canvas"), { width: side * PNG_SCALE, height: side * PNG_SCALE })
  const context = canvas.getContext("2d")
  return new Promise((resolve, reject) => {
    if (context === null) {
      reject(new Error("this browser has no canvas"))
      return
    }
    context.fillStyle = "#ffffff"
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.scale(PNG_SCALE, PNG_SCALE)
    context.fillStyle = "#000000"
    context.fill(new Path2D(path))
    canvas.toBlob((file) => (file === null ? reject(new Error("no PNG was made")) : resolve(file)), "image/png")
  })
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
          {link.reusable && <Payments key={`${link.id} payments`} link={link} />}
          {link.status === "open" && <Disable key={link.id} link={link} />}
        </>
      )}
    </ReadDrawer>
  )
}

/** WhatsApp's address of a message to write: to this phone (E.164), or to whom the admin chooses. */
function whatsApp(phone: string | null, text: string): string {
  return `https://wa.me/${phone?.replace("+", "") ?? ""}?text=${encodeURIComponent(text)}`
}

/** A link's address to copy, scan and share. `mails`: also in a message of the admin's own. */
export const Share = ({ link, mails = true }: { link: PaymentLink; mails?: boolean }) => {
  const say = useText()
  const { money } = useFormats()
  const { url, description } = link
  // Only browsers that can share offer it, and only over https.
  const canShare = typeof navigator.share === "function"
  // Closing the browser's own dialogue rejects; nothing has gone wrong then.
  const share = () => navigator.share({ title: description, url }).catch(() => undefined)
  const words = {
    subject: description,
    body:
      link.amount === null
        ? say("links.email_body_open", { url })
        : say("links.email_body", { amount: money(link.amount, link.currency), url }),
  }
  const mail = `mailto:${encodeURIComponent(link.customer?.email ?? "")}?${new URLSearchParams(words)}`.replaceAll(
    "+",
    "%20"
  )
  const savePng = async () => saveFile(`${link.id}.png`, await pngOf(url))
  return (
    <div className="flex flex-col items-start gap-4">
      <Copied text={url} />
      <QrCode text={url} label={say("links.qr")} />
      <div className="flex flex-wrap gap-2">
        <Button size="small" variant="secondary" onClick={() => void savePng()}>
          {say("links.qr_png")}
        </Button>
        <Button size="small" variant="secondary" onClick={() => saveFile(`${link.id}.svg`, svgOf(url))}>
          {say("links.qr_svg")}
        </Button>
        {canShare && (
          <Button size="small" variant="secondary" onClick={() => void share()}>
            {say("links.share")}
          </Button>
        )}
        {mails && (
          <>
            <Button size="small" variant="secondary" asChild>
              <a href={mail}>{say("links.email")}</a>
            </Button>
            <Button size="small" variant="secondary" asChild>
              <a href={whatsApp(link.customer_phone, words.body)} target="_blank" rel="noreferrer">
                {say("links.whatsapp")}
              </a>
            </Button>
          </>
        )}
      </div>
    </div>
  )
}

const LinkFacts = ({ link }: { link: PaymentLink }) => {
  const say = useText()
  const { money, number } = useFormats()
  const { customer } = link
  const rows: [string, ReactNode][] = [
    [say("payments.amount"), amountWords(say, money, link)],
    [
      say("payments.status"),
      <Badge key="s" color={LINK_COLORS[link.status]}>
        {say(`links.statuses.${link.status}`)}
      </Badge>,
    ],
    [say("links.description_label"), link.description],
    [say("links.customer"), customer && [customer.name, customer.email, customer.phone].join(", ")],
    [say("links.expires"), link.expires_at && <Moment key="e" at={link.expires_at} />],
    [
      say("links.suggested"),
      link.open_amount?.suggested.map((amount) => money(amount, link.currency)).join(", ") || null,
    ],
    [say("links.max_payments"), link.reusable && link.max_payments !== null ? number(link.max_payments) : null],
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
    [say("links.made_by"), link.created_by_name],
    [say("links.id"), <Copied key="i" text={link.id} />],
    [say("payments.created"), <Moment key="c" at={link.created_at} />],
  ]
  return <Facts rows={rows.filter(([, value]) => value !== null)} />
}

/** The newest ones; the list of payments has the others, and what they add up to. */
const SHOWN = 10

/** Who has paid a link that many can pay: how often and how much in all, and the newest payments. */
const Payments = ({ link }: { link: PaymentLink }) => {
  const say = useText()
  const { money, time, number } = useFormats()
  const query = { q: link.id, limit: SHOWN }
  const { data, error, refetch } = useAdminQuery<{ payments: Payment[] }>("/payments", query)
  const amount = money(link.paid_amount, link.currency)
  return (
    <section aria-label={say("links.payments")} className="flex flex-col gap-3">
      <Heading level="h2">{say("links.payments")}</Heading>
      <Text size="small" className="text-ui-fg-subtle">
        {say("links.paid_sum", { count: link.paid_count, number: number(link.paid_count), amount })}
      </Text>
      {data === undefined &&
        (error === null ? <Loading lines={4} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {data?.payments.length === 0 && <Text size="small">{say("links.payments_none")}</Text>}
      <ul className="divide-y">
        {data?.payments.map((payment) => (
          <li key={payment.id} className="flex items-center justify-between gap-4">
            <TwoLines
              first={
                <Link to={`/gateway/payments/${payment.id}`} className="text-ui-fg-interactive">
                  {payment.customer.name}
                </Link>
              }
              second={time(payment.created_at)}
            />
            <span className="flex flex-wrap items-center justify-end gap-2">
              <span className="txt-compact-small tabular-nums">{money(payment.amount, payment.currency)}</span>
              <PaymentBadge {...payment} />
            </span>
          </li>
        ))}
      </ul>
      {data !== undefined && data.payments.length > 0 && (
        <Link to={`/gateway/payments?q=${link.id}`} className="text-ui-fg-interactive txt-compact-small">
          {say("links.payments_all")}
        </Link>
      )}
    </section>
  )
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
