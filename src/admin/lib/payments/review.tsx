import { Text } from "@medusajs/ui"
import { useState, type ReactNode } from "react"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import { useMessage, useText } from "../text"
import { ActButton, Moment } from "../ui/bits"
import { useConfirm, useUnsaved } from "../ui/leaving"
import { Facts, Section } from "../ui/section"
import { TextAreaField } from "../ui/fields"
import type { Note, PaymentTimeline, Review } from "./types"

type Flagged = Pick<PaymentTimeline, "id" | "amount" | "currency"> & { review: Review }

/** What is flagged about a payment, and the decision an admin can still make, or has made. */
export const ReviewPayment = ({ payment }: { payment: Flagged }) => {
  const say = useText()
  const words = useMessage()
  const { state, risk, differences, reviewed_by, reviewed_by_name, reviewed_at, note } = payment.review
  const isOpen = state === "held" || state === "flagged"
  const about = risk === null ? "instalments" : state === "held" ? "held" : "flagged"
  const flagged: [string, ReactNode][] = [
    ...(risk === null ? [] : [[say("payments.review.risk"), risk] as [string, ReactNode]]),
    ...differences.map((message): [string, ReactNode] => [say("payments.review.instalments_differ"), words(message)]),
  ]
  const decided: [string, ReactNode][] = isOpen
    ? []
    : [
        [say("payments.review.decision"), say(`payments.review.decided.${state}`)],
        [say("payments.review.by"), reviewed_by_name ?? reviewed_by],
        [say("payments.review.at"), <Moment key="at" at={reviewed_at} />],
        [say("payments.review.note"), note],
      ]
  return (
    <Section
      heading={say(risk === null ? "payments.review.instalments_title" : "payments.review.title")}
      description={isOpen ? say(`payments.review.${about}`) : undefined}
    >
      <Facts rows={[...flagged, ...decided]} />
      {isOpen && <Decide payment={payment} isHeld={state === "held"} />}
    </Section>
  )
}

type Decision = "accept" | "give-back" | "seen"

const Decide = ({ payment, isHeld }: { payment: Flagged; isHeld: boolean }) => {
  const say = useText()
  const { money } = useFormats()
  const confirm = useConfirm()
  const [note, setNote] = useState("")
  useUnsaved(note !== "")
  const decide = useAdminMutation<Decision>(
    {
      path: (what) => `/payments/${encodeURIComponent(payment.id)}/${what}`,
      body: () => ({ note: note.trim() || undefined }),
    },
    { done: () => say("payments.review.done"), onDone: () => setNote("") }
  )
  const ask = async (what: "accept" | "give-back") => {
    const texts = what === "accept" ? "accept" : "give_back"
    const title = say(`payments.review.${texts}_title`, { amount: money(payment.amount, payment.currency) })
    const [description, label] = [say(`payments.review.${texts}_hint`), say(`payments.review.${texts}`)]
    if (await confirm({ title, description, confirm: label, danger: what === "give-back" })) {
      decide.mutate(what)
    }
  }
  return (
    <div className="flex flex-col gap-4 px-6 py-4">
      <TextAreaField
        optional
        label={say("payments.review.note")}
        hint={say("payments.review.note_hint")}
        maxLength={500}
        value={note}
        onChange={setNote}
      />
      <div className="flex flex-wrap gap-2">
        {isHeld ? (
          <>
            <ActButton area="payments" isLoading={decide.isPending} onClick={() => void ask("accept")}>
              {say("payments.review.accept")}
            </ActButton>
            <ActButton
              area="payments"
              variant="danger"
              isLoading={decide.isPending}
              onClick={() => void ask("give-back")}
            >
              {say("payments.review.give_back")}
            </ActButton>
          </>
        ) : (
          <ActButton
            area="payments"
            variant="secondary"
            isLoading={decide.isPending}
            onClick={() => decide.mutate("seen")}
          >
            {say("payments.review.see")}
          </ActButton>
        )}
      </div>
    </div>
  )
}

/** What admins wrote about a payment, and the field for another note. */
export const Notes = ({ payment: { id, notes } }: { payment: { id: string; notes: readonly Note[] } }) => {
  const say = useText()
  const [text, setText] = useState("")
  useUnsaved(text.trim() !== "")
  const add = useAdminMutation<string>(
    { path: () => `/payments/${encodeURIComponent(id)}/notes`, body: (note) => ({ note }) },
    { done: () => say("payments.notes.done"), onDone: () => setText("") }
  )
  return (
    <Section heading={say("payments.notes.title")} description={say("payments.notes.description")}>
      {notes.length > 0 && (
        <ul className="divide-y">
          {notes.map((note) => (
            <li key={note.id} className="px-6 py-3">
              <Text size="small" className="whitespace-pre-wrap break-words">
                {note.text}
              </Text>
              <Text size="xsmall" className="text-ui-fg-subtle break-words">
                {note.by_name}
                {" · "}
                <Moment at={note.created_at} />
              </Text>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-col gap-4 px-6 py-4">
        <TextAreaField label={say("payments.notes.label")} maxLength={1000} value={text} onChange={setText} />
        <ActButton
          area="payments"
          variant="secondary"
          className="self-start"
          disabled={text.trim() === ""}
          isLoading={add.isPending}
          onClick={() => add.mutate(text.trim())}
        >
          {say("payments.notes.add")}
        </ActButton>
      </div>
    </Section>
  )
}
