import { Button, Input, Text, Textarea } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import { useRequestKey } from "../request-key"
import { useText, useMessage } from "../text"
import { faultOf, Field, FormDrawer } from "../ui/form"
import { Facts, Section } from "../ui/section"
import { useConfirm } from "../ui/use-confirm"
import type { Refund, Refundable } from "./types"

type Draft = { amount: string; reason: string }

/** The refundable amount of a payment, or why there is none, and the refund form. */
export const RefundPayment = ({ payment }: { payment: Refundable }) => {
  const say = useText()
  const { money } = useFormats()
  const [draft, setDraft] = useState<Draft | null>(null)
  const words = useMessage()
  const { refundable_amount, refund_obstacle, refunded_amount, currency } = payment
  const actions = refund_obstacle === null && (
    <Button size="small" variant="secondary" onClick={() => setDraft({ amount: refundable_amount, reason: "" })}>
      {say("refunds.make")}
    </Button>
  )
  return (
    <Section heading={say("payments.refunds")} actions={actions}>
      <Facts
        rows={[
          [say("payments.refunded"), money(refunded_amount, currency)],
          [say("refunds.refundable"), money(refundable_amount, currency)],
        ]}
      />
      {refund_obstacle !== null && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-3">
          {words(refund_obstacle)}
        </Text>
      )}
      {draft !== null && <RefundForm payment={payment} draft={draft} onChange={setDraft} />}
    </Section>
  )
}

/** Asks for the refund of one payment; the same key every time, so that asking again makes no second refund. */
function useMakeRefund(payment: Refundable, onDone: () => void) {
  const say = useText()
  const { money } = useFormats()
  const [request_key] = useRequestKey()
  return useAdminMutation<Draft, { refund: Refund }>(
    {
      path: () => "/refunds",
      body: ({ amount, reason }) => ({
        transaction_id: payment.id,
        refund_amount: amount.trim(),
        refund_reason: reason.trim(),
        request_key,
      }),
    },
    {
      done: ({ refund }) =>
        say(refund.status === "failed" ? "refunds.made_failed" : "refunds.made", {
          amount: money(refund.amount, refund.currency),
        }),
      onDone,
    }
  )
}

type FormProps = { payment: Refundable; draft: Draft; onChange: (draft: Draft | null) => void }

const RefundForm = ({ payment, draft, onChange }: FormProps) => {
  const say = useText()
  const { money } = useFormats()
  const confirm = useConfirm()
  const make = useMakeRefund(payment, () => onChange(null))
  const submit = async () => {
    const amount = Number(draft.amount)
    const title = Number.isFinite(amount)
      ? say("refunds.make_title", { amount: money(draft.amount, payment.currency) })
      : say("refunds.make")
    if (
      !make.isPending &&
      (await confirm({ title, description: say("refunds.make_hint"), confirm: say("refunds.make") }))
    ) {
      make.mutate(draft)
    }
  }
  return (
    <FormDrawer
      open
      onClose={() => onChange(null)}
      title={say("refunds.make")}
      description={say("refunds.of_at_most", { amount: money(payment.refundable_amount, payment.currency) })}
      submit={say("refunds.make")}
      pending={make.isPending}
      onSubmit={() => void submit()}
    >
      <Field
        label={say("payments.amount")}
        hint={say("refunds.amount_hint")}
        fault={faultOf(make.error, "refund_amount")}
      >
        {(tied) => (
          <Input
            {...tied}
            inputMode="decimal"
            value={draft.amount}
            onChange={({ target }) => onChange({ ...draft, amount: target.value })}
          />
        )}
      </Field>
      <Field
        label={say("refunds.reason")}
        hint={say("refunds.reason_hint")}
        fault={faultOf(make.error, "refund_reason")}
      >
        {(tied) => (
          <Textarea
            {...tied}
            value={draft.reason}
            onChange={({ target }) => onChange({ ...draft, reason: target.value })}
          />
        )}
      </Field>
    </FormDrawer>
  )
}
