import { Heading } from "@medusajs/ui"
import { useState, type ReactNode } from "react"
import { useAdminMutation, useAdminQuery } from "../data"
import { useFormats } from "../format"
import type { Wait } from "../invoices/invoices"
import { useMessage, useText } from "../text"
import { FindOut } from "../payments/find-out"
import { Receipt } from "../receipts/receipt"
import { declineWords } from "../payments/parts"
import { ActButton, Copied, Moment } from "../ui/bits"
import { ReadDrawer } from "../ui/form"
import { useConfirm, useUnsaved } from "../ui/leaving"
import { ErrorState, Facts, Loading, NotRefreshed } from "../ui/section"
import { TextAreaField } from "../ui/fields"
import { Link } from "../ui/page-links"
import { useUnderWay } from "../under-way"
import { RefundBadge } from "./parts"
import { type NamedRefund, why } from "./draft"

/** One refund: its state, and the decisions an admin can still make. */
export const RefundDrawer = ({ id, onClose }: { id: string | null; onClose: () => void }) => {
  const say = useText()
  const { data, error, refetch } = useAdminQuery<{ refund: NamedRefund }>(`/refunds/${id}`, {}, id !== null)
  const refund = id !== null && data?.refund.id === id ? data.refund : undefined
  useUnderWay(refund === undefined ? null : waitOf(refund), refund?.receipts ?? [], refetch)
  return (
    <ReadDrawer open={id !== null} onClose={onClose} title={say("refunds.one")}>
      {refund === undefined &&
        (error === null ? <Loading lines={8} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {refund !== undefined && (
        <>
          <NotRefreshed error={error} retry={() => void refetch()} />
          <div className="-mx-6 -mt-4">
            <Essentials refund={refund} />
          </div>
          {refund.status === "failed" && refund.dealt_with_at === null && refund.requested_by !== "gateway" && (
            <DealWith key={`${refund.id}-failed`} id={refund.id} />
          )}
          {refund.status === "pending" && <Decide key={refund.id} refund={refund} />}
          {refund.unresolved !== null && (
            <FindOut
              key={`${refund.id}-found`}
              path={`/refunds/${encodeURIComponent(refund.id)}/outcome`}
              what={refund.unresolved}
              money={refund}
            />
          )}
          <div className="-mx-6">
            <RefundFacts refund={refund} />
          </div>
          {refund.status === "completed" && (
            <section aria-label={say("receipts.title")} className="flex flex-col gap-3">
              <Heading level="h2">{say("receipts.title")}</Heading>
              <Receipt path={`/refunds/${encodeURIComponent(refund.id)}`} receipts={refund.receipts} />
            </section>
          )}
        </>
      )}
    </ReadDrawer>
  )
}

function waitOf({ status, unresolved }: NamedRefund): Wait | null {
  return status !== "processing" ? null : unresolved === null ? "soon" : "later"
}

/** What a decision is about: it stands above it. */
const Essentials = ({ refund }: { refund: NamedRefund }) => {
  const say = useText()
  const { money } = useFormats()
  return (
    <Facts
      rows={[
        [say("payments.amount"), <strong key="a">{money(refund.amount, refund.currency)}</strong>],
        ...(refund.customer === null ? [] : [[say("payments.customer"), nameAndMail(refund.customer)] as const]),
        [say("payments.status"), <RefundBadge key="s" {...refund} />],
      ]}
    />
  )
}

function nameAndMail({ name, email }: { name: string; email: string }): string {
  return [name, email].filter(Boolean).join(" · ")
}

const RefundFacts = ({ refund }: { refund: NamedRefund }) => {
  const say = useText()
  const words = useMessage()
  const isWaiting = refund.status === "pending" || refund.status === "processing"
  const rows: [string, ReactNode][] = [
    [say("refunds.type"), say(`refunds.types.${refund.type}`)],
    [say("refunds.reason"), why(words, refund)],
    [
      say("refunds.failure"),
      refund.error_code && declineWords(say, { code: refund.error_code, said: refund.error_message }),
    ],
    [
      say("payments.transaction"),
      <Link key="p" to={`/gateway/payments/${refund.transaction_id}`} className="text-ui-fg-interactive break-all">
        {refund.transaction_id}
      </Link>,
    ],
    [say("refunds.id"), <Copied key="i" text={refund.id} />],
    [
      say("refunds.batch.one"),
      refund.batch_id && (
        <Link
          key="b"
          to={`/gateway/refunds/batch?batch=${refund.batch_id}`}
          className="text-ui-fg-interactive break-all"
        >
          {refund.batch_id}
        </Link>
      ),
    ],
    [say("refunds.requested_by"), <Who key="r" id={refund.requested_by} name={refund.requested_by_name} />],
    [
      say("refunds.reviewed_by"),
      refund.reviewed_by && <Who key="v" id={refund.reviewed_by} name={refund.reviewed_by_name} />,
    ],
    [say("refunds.note"), refund.review_note ?? refund.note],
    [
      say("refunds.dealt_with_by"),
      refund.dealt_with_by && <Who key="d" id={refund.dealt_with_by} name={refund.dealt_with_by_name} />,
    ],
    [say("refunds.dealt_with_note"), refund.dealt_with_note],
    [say("refunds.dealt_with_at"), refund.dealt_with_at && <Moment key="w" at={refund.dealt_with_at} />],
    [say("payments.reference"), refund.acquirer_reference && <Copied key="a" text={refund.acquirer_reference} />],
    [say("payments.created"), <Moment key="c" at={refund.created_at} />],
    [
      isWaiting ? say("refunds.expected") : say("refunds.finished"),
      <Moment key="f" at={isWaiting ? refund.estimated_completion : refund.completed_at} />,
    ],
  ]
  // Hides empty rows: most refunds have no batch, no note and no failure.
  return <Facts rows={rows.filter(([, value]) => value !== null && value !== "")} />
}

/** What of the store or of the gateway may request a refund: nobody's name. */
const PROCESSES = ["store", "gateway", "reconciler", "workflow", "automatic", "acquirer"] as const
type Process = (typeof PROCESSES)[number]

const isProcess = (id: string): id is Process => PROCESSES.some((process) => process === id)

/** The name of a person or a key, or what acted; the id where there is no name any more. */
export const Who = ({ id, name }: { id: string; name: string | null }) => {
  const say = useText()
  if (isProcess(id)) {
    return <span>{say(`refunds.requesters.${id}`)}</span>
  }
  return name === null || name === id ? (
    <code className="break-all font-mono">{id}</code>
  ) : (
    <span className="break-all">{name}</span>
  )
}

/** The money has gone back in another way, or need not: the refund then needs no attention any more. */
const DealWith = ({ id }: { id: string }) => {
  const say = useText()
  const [note, setNote] = useState("")
  useUnsaved(note !== "")
  const deal = useAdminMutation<string>(
    { path: () => `/refunds/${encodeURIComponent(id)}/dealt-with`, body: (text) => ({ note: text }) },
    { done: () => say("refunds.dealt_with_done"), onDone: () => setNote("") }
  )
  return (
    <div className="flex flex-col gap-4">
      <TextAreaField
        label={say("refunds.dealt_with_note")}
        hint={say("refunds.dealt_with_hint")}
        maxLength={500}
        value={note}
        onChange={setNote}
      />
      <div>
        <ActButton
          area="refunds"
          variant="secondary"
          isLoading={deal.isPending}
          disabled={note.trim() === ""}
          onClick={() => deal.mutate(note.trim())}
        >
          {say("refunds.deal_with")}
        </ActButton>
      </div>
    </div>
  )
}

type Decision = "approve" | "reject" | "cancel"

const Decide = ({ refund }: { refund: NamedRefund }) => {
  const say = useText()
  const words = useMessage()
  const { money } = useFormats()
  const confirm = useConfirm()
  const [note, setNote] = useState("")
  useUnsaved(note !== "")
  const decide = useAdminMutation<Decision>(
    {
      path: (what) => (what === "cancel" ? `/refunds/${refund.id}/cancel` : `/refund-approvals/${refund.id}/${what}`),
      body: (what) => (what === "cancel" ? {} : { note: note.trim() || undefined }),
    },
    { done: () => say("refunds.decided"), onDone: () => setNote("") }
  )
  const act = async (what: Decision) => {
    if (
      await confirm({
        title: say(`refunds.${what}_title`, { amount: money(refund.amount, refund.currency) }),
        description: say(`refunds.${what}_hint`),
        confirm: say(`refunds.${what}`),
        leave: say("common.close"),
        danger: what !== "approve",
      })
    ) {
      decide.mutate(what)
    }
  }
  const isHeld = refund.held_for === "approval"
  return (
    <div className="flex flex-col gap-4">
      {isHeld && (
        <TextAreaField
          optional
          label={say("refunds.note")}
          hint={say("refunds.note_hint")}
          maxLength={500}
          value={note}
          onChange={setNote}
        />
      )}
      <div className="flex flex-wrap gap-2">
        {isHeld && (
          <>
            <ActButton
              area="refund-approvals"
              obstacle={refund.approval_obstacle === null ? undefined : words(refund.approval_obstacle)}
              isLoading={decide.isPending}
              onClick={() => void act("approve")}
            >
              {say("refunds.approve")}
            </ActButton>
            <ActButton
              area="refund-approvals"
              variant="secondary"
              isLoading={decide.isPending}
              onClick={() => void act("reject")}
            >
              {say("refunds.reject")}
            </ActButton>
          </>
        )}
        {!isHeld && (
          <ActButton area="refunds" variant="danger" isLoading={decide.isPending} onClick={() => void act("cancel")}>
            {say("refunds.cancel")}
          </ActButton>
        )}
      </div>
    </div>
  )
}
