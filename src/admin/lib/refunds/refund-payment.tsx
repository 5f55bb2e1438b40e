import { Button, Text } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import { useRequestKey } from "../request-key"
import { useText, useMessage } from "../text"
import { useOpened } from "../use"
import { ActButton } from "../ui/bits"
import { faultOf, FormDrawer } from "../ui/form"
import { Facts, Section } from "../ui/section"
import { TextAreaField, TextField } from "../ui/fields"
import { useConfirm } from "../ui/leaving"
import {
  REASON_MAX_CHARS,
  type Refund,
  type RefundDraft,
  type RefundFaults,
  type Refundable,
  faultsOf,
  quickAmounts,
} from "./draft"

/** What the address of a payment's page has where its refund form is open, as from an order's page. */
export const REFUND_FORM = "refund"

/** The refundable amount of a payment, or why there is none, and the refund form. */
export const RefundPayment = ({ payment }: { payment: Refundable }) => {
  const say = useText()
  const { money } = useFormats()
  const words = useMessage()
  const { refundable_amount, refund_obstacle, refunded_amount, waiting_amount, currency } = payment
  const whole = { amount: refundable_amount, reason: "" }
  const [opened, open] = useOpened()
  const [draft, setDraft] = useState<RefundDraft | null>(
    opened === REFUND_FORM && refund_obstacle === null ? whole : null
  )
  const change = (next: RefundDraft | null) => {
    setDraft(next)
    if (next === null && opened === REFUND_FORM) {
      open(null)
    }
  }
  const waits: [string, string] = [say("payments.waiting"), money(waiting_amount, currency)]
  const actions = refund_obstacle === null && (
    <ActButton area="refunds" variant="secondary" onClick={() => setDraft(whole)}>
      {say("refunds.make")}
    </ActButton>
  )
  return (
    <Section heading={say("payments.refunds")} actions={actions}>
      <Facts
        rows={[
          [say("payments.refunded"), money(refunded_amount, currency)],
          ...(Number(waiting_amount) > 0 ? [waits] : []),
          [say("refunds.refundable"), money(refundable_amount, currency)],
        ]}
      />
      {refund_obstacle !== null && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-3">
          {words(refund_obstacle)}
        </Text>
      )}
      {draft !== null && <RefundForm payment={payment} draft={draft} onChange={change} />}
    </Section>
  )
}

/** A refund of the same amount is the same request, however the amount and the reason are written. */
function subjectOf(body: object): unknown {
  const { transaction_id, refund_amount } = body as { transaction_id: string; refund_amount: string }
  return [transaction_id, Number(refund_amount).toFixed(2)]
}

function madeOf({ status }: Refund, isRepeated: boolean) {
  const outcome = status === "failed" ? "made_failed" : status === "pending" ? "made_held" : null
  return outcome ?? (isRepeated ? "made_before" : "made")
}

/** Asks for the refund of one payment; asking again without an answer makes no second refund. */
function useMakeRefund(payment: Refundable, onDone: () => void) {
  const say = useText()
  const { money } = useFormats()
  const key = useRequestKey(subjectOf)
  return useAdminMutation<RefundDraft, { refund: Refund }>(
    {
      path: () => "/refunds",
      body: ({ amount, reason }) => ({
        transaction_id: payment.id,
        refund_amount: amount.trim(),
        refund_reason: reason.trim(),
      }),
      key,
    },
    {
      done: ({ refund }, isRepeated) =>
        say(`refunds.${madeOf(refund, isRepeated)}`, { amount: money(refund.amount, refund.currency) }),
      onDone,
    }
  )
}

type FormProps = { payment: Refundable; draft: RefundDraft; onChange: (draft: RefundDraft | null) => void }

const RefundForm = ({ payment, draft, onChange }: FormProps) => {
  const say = useText()
  const { money } = useFormats()
  const confirm = useConfirm()
  const make = useMakeRefund(payment, () => onChange(null))
  // Shown from the first attempt on, and then as the admin types.
  const [isChecked, setChecked] = useState(false)
  const found = faultsOf(draft, payment.refundable_amount)
  const faults: RefundFaults = isChecked ? found : {}
  const left = money(payment.refundable_amount, payment.currency)
  const submit = async () => {
    setChecked(true)
    if (make.isPending || Object.keys(found).length > 0) {
      return
    }
    const title = say("refunds.make_title", { amount: money(draft.amount.trim(), payment.currency) })
    if (await confirm({ title, description: say("refunds.make_hint"), confirm: say("refunds.make") })) {
      make.mutate(draft)
    }
  }
  return (
    <FormDrawer
      open
      onClose={() => onChange(null)}
      title={say("refunds.make")}
      description={say("refunds.of_at_most", { amount: left })}
      submit={say("refunds.make")}
      pending={make.isPending}
      onSubmit={() => void submit()}
    >
      <TextField
        label={say("payments.amount")}
        hint={say("refunds.amount_hint")}
        fault={
          faults.amount === undefined ? faultOf(make.error, "refund_amount") : say(faults.amount, { amount: left })
        }
        inputMode="decimal"
        value={draft.amount}
        onChange={(amount) => onChange({ ...draft, amount })}
      />
      <QuickAmounts payment={payment} onChoose={(amount) => onChange({ ...draft, amount })} />
      <TextAreaField
        label={say("refunds.reason")}
        hint={say("refunds.reason_hint")}
        fault={faults.reason === undefined ? faultOf(make.error, "refund_reason") : say(faults.reason)}
        maxLength={REASON_MAX_CHARS}
        value={draft.reason}
        onChange={(reason) => onChange({ ...draft, reason })}
      />
    </FormDrawer>
  )
}

const QuickAmounts = ({ payment, onChoose }: { payment: Refundable; onChoose: (amount: string) => void }) => {
  const say = useText()
  const { money } = useFormats()
  return (
    <div role="group" aria-label={say("refunds.quick")} className="-mt-3 flex flex-wrap gap-2">
      {quickAmounts(payment.refundable_amount).map(({ share, amount }) => (
        <Button key={share} type="button" size="small" variant="secondary" onClick={() => onChoose(amount)}>
          {say(`refunds.shares.${share}`, { amount: money(amount, payment.currency) })}
        </Button>
      ))}
    </div>
  )
}
