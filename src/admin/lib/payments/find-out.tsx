import { Text } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import type { AdminError } from "../http"
import { areaOf } from "../use"
import { useText } from "../text"
import { ActButton, Copied, Moment } from "../ui/bits"
import { ChoiceField, TextAreaField, TextField } from "../ui/fields"
import { faultOf } from "../ui/form"
import { useConfirm, useUnsaved } from "../ui/leaving"
import { Facts } from "../ui/section"
import type { Unresolved } from "./types"

type Money = { amount: string; currency: string }
/** What it is about: a payment, money on its way back to the shopper, or reserved money. */
type Kind = "payment" | "return" | "capture" | "release"
type Props = { path: string; what: Unresolved; money: Money; kind?: Kind }
type Outcome = "moved" | "not_moved"
type Draft = { outcome: Outcome; reference: string; amount: string; note: string }

/** The question that only the acquirer's dashboard answers: what to look for there, and what was found. */
export const FindOut = ({ path, what: { key, since, by_hand, numbers, payment }, money, kind = "payment" }: Props) => {
  const say = useText()
  return (
    <div className="flex flex-col gap-4">
      <Text size="small">{say(by_hand ? "refunds.by_hand" : DESCRIPTIONS[kind])}</Text>
      <div className="-mx-6">
        <Facts
          rows={[
            [say("payments.dashboard.since"), <Moment key="s" at={since} />],
            [say("payments.dashboard.key"), <Copied key="k" text={key} />],
            ...numbers.map(({ name, value }) => [name, <Copied key={name} text={value} />] as const),
            ...(payment === null || payment === ""
              ? []
              : [[say("payments.dashboard.payment"), <Copied key="p" text={payment} />] as const]),
          ]}
        />
      </div>
      <FoundForm path={path} money={money} what={key} kind={kind} />
    </div>
  )
}

const DESCRIPTIONS = {
  payment: "payments.dashboard.description",
  return: "payments.dashboard.return_description",
  capture: "payments.dashboard.description",
  release: "payments.dashboard.release_description",
} as const

type FoundProps = Required<Pick<Props, "path" | "money" | "kind">> & { what: string }

const FoundForm = ({ path, money, what: key, kind }: FoundProps) => {
  const say = useText()
  const formats = useFormats()
  const confirm = useConfirm()
  // Money that was let go cannot have been captured: there is nothing to choose.
  const isRelease = kind === "release"
  const empty: Draft = { outcome: isRelease ? "not_moved" : "moved", reference: "", amount: money.amount, note: "" }
  const [draft, setDraft] = useState(empty)
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const isMoved = draft.outcome === "moved"
  useUnsaved(draft.reference !== "" || draft.note !== "" || draft.amount !== money.amount)
  const decide = useAdminMutation<Draft>(
    {
      path: () => path,
      body: ({ reference, amount, note }) =>
        isMoved
          ? { key, moved: true, reference: reference.trim(), amount: amount.trim(), note: note.trim() }
          : { key, moved: false, note: note.trim() },
    },
    { done: () => say("payments.dashboard.done"), onDone: () => setDraft(empty) }
  )
  const submit = async () => {
    // What is sent: the dashboard may show another amount than was requested.
    const amount = isMoved ? draft.amount.trim() : money.amount
    const texts = isRelease ? "released" : kind === "capture" && !isMoved ? "not_captured" : draft.outcome
    const title = say(`payments.dashboard.${texts}_title`, { amount: formats.money(amount, money.currency) })
    const [description, label] = [say(`payments.dashboard.${texts}_hint`), say("payments.dashboard.decide")]
    if (await confirm({ title, description, confirm: label })) {
      decide.mutate(draft)
    }
  }
  return (
    <>
      {!isRelease && (
        <ChoiceField
          label={say("payments.dashboard.found")}
          value={draft.outcome}
          options={(["moved", "not_moved"] as const).map((value) => ({
            value,
            label: say(`payments.dashboard.${value}`),
          }))}
          onChange={(outcome) => change({ outcome })}
        />
      )}
      {isMoved && <MovedFields draft={draft} change={change} error={decide.error} />}
      <TextAreaField
        label={say("payments.review.note")}
        hint={say("payments.dashboard.note_hint")}
        fault={faultOf(decide.error, "note")}
        maxLength={500}
        value={draft.note}
        onChange={(note) => change({ note })}
      />
      <div>
        <ActButton area={areaOf(path)} isLoading={decide.isPending} onClick={() => void submit()}>
          {say("payments.dashboard.decide")}
        </ActButton>
      </div>
    </>
  )
}

type MovedProps = { draft: Draft; change: (part: Partial<Draft>) => void; error: AdminError | null }

const MovedFields = ({ draft, change, error }: MovedProps) => {
  const say = useText()
  return (
    <>
      <TextField
        label={say("payments.reference")}
        hint={say("payments.dashboard.reference_hint")}
        fault={faultOf(error, "reference")}
        value={draft.reference}
        onChange={(reference) => change({ reference })}
      />
      <TextField
        label={say("payments.amount")}
        hint={say("payments.dashboard.amount_hint")}
        fault={faultOf(error, "amount")}
        inputMode="decimal"
        value={draft.amount}
        onChange={(amount) => change({ amount })}
      />
    </>
  )
}
