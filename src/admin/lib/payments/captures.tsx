import { Text } from "@medusajs/ui"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { refreshAll, useAdminMutation } from "../data"
import { useFormats } from "../format"
import { amountFault } from "../refunds/draft"
import { Who } from "../refunds/refund-drawer"
import { useRequestKey } from "../request-key"
import { useText } from "../text"
import { ActButton, Ask, Badge, Moment, type Color } from "../ui/bits"
import { TextField } from "../ui/fields"
import { faultOf, FormDrawer } from "../ui/form"
import { useConfirm } from "../ui/leaving"
import { Facts, Section } from "../ui/section"
import type { PaymentTimeline, Reserved } from "./types"

type Payment = Pick<PaymentTimeline, "id" | "currency"> & { reserved: Reserved }
type Capture = Reserved["captures"][number]

const COLORS: Readonly<Record<Capture["status"], Color>> = { processing: "blue", completed: "green", failed: "red" }

const WRONG = {
  "refunds.amount_invalid": "refunds.amount_invalid",
  "refunds.amount_over": "captures.over",
} as const

/** What is reserved for a payment and what of it was captured, and the buttons for what can still be. */
export const Captures = ({ payment }: { payment: Payment }) => {
  const say = useText()
  const { reserved } = payment
  const isOpen = Number(reserved.capturable_amount) > 0
  const isIdle = Number(reserved.processing_amount) === 0
  return (
    <Section
      heading={say("captures.title")}
      description={say(`captures.modes.${reserved.mode}`)}
      actions={
        isOpen && (
          <>
            {isIdle && <VoidRest payment={payment} />}
            <CaptureForm payment={payment} />
          </>
        )
      }
    >
      <Sums payment={payment} />
      {reserved.captures.length > 0 && (
        <ul className="divide-y" aria-label={say("captures.list")}>
          {reserved.captures.map((capture) => (
            <CaptureRow key={capture.id} capture={capture} currency={payment.currency} />
          ))}
        </ul>
      )}
    </Section>
  )
}

const Sums = ({ payment: { reserved, currency } }: { payment: Payment }) => {
  const say = useText()
  const { money } = useFormats()
  const { processing_amount, released_amount, ended_because, state } = reserved
  const rows = [
    [say("captures.reserved"), money(reserved.amount, currency)],
    [say("captures.captured"), money(reserved.captured_amount, currency)],
    ...(Number(processing_amount) > 0 ? [[say("captures.under_way"), money(processing_amount, currency)]] : []),
    ...(state === "open" ? [[say("captures.left"), money(reserved.capturable_amount, currency)]] : []),
    ...(Number(released_amount) > 0 ? [[say("captures.released"), money(released_amount, currency)]] : []),
  ].map(([name, value]) => [name, value] as const)
  const end =
    ended_because === null
      ? ([say("captures.until"), <Moment key="u" at={reserved.capture_before} />] as const)
      : ([say("captures.ended"), <End key="e" reserved={reserved} />] as const)
  return <Facts rows={[...rows, end]} />
}

const End = ({ reserved: { ended_because, ended_by, ended_by_name, ended_at } }: { reserved: Reserved }) => {
  const say = useText()
  return (
    <>
      {ended_because !== null && say(`captures.reasons.${ended_because}`)}
      {" · "}
      <Moment at={ended_at} />
      {ended_because === "voided" && ended_by !== null && (
        <>
          {" · "}
          <Who id={ended_by} name={ended_by_name} />
        </>
      )}
    </>
  )
}

const CaptureRow = ({ capture, currency }: { capture: Capture; currency: string }) => {
  const say = useText()
  const { money } = useFormats()
  const { status, amount, requested_by, requested_by_name, requested_at, completed_at, error_message } = capture
  return (
    <li className="flex flex-col gap-1 px-6 py-3">
      <div className="flex items-center justify-between gap-2">
        <Text size="small" weight="plus" leading="compact">
          {money(amount, currency)}
        </Text>
        <Badge color={COLORS[status]}>{say(`captures.states.${status}`)}</Badge>
      </div>
      {error_message !== null && (
        <Text size="small" className="text-ui-fg-error break-words">
          {error_message}
        </Text>
      )}
      <Text size="xsmall" className="text-ui-fg-subtle break-words">
        <Moment at={completed_at ?? requested_at} />
        {" · "}
        <Who id={requested_by} name={requested_by_name} />
      </Text>
    </li>
  )
}

const VoidRest = ({ payment: { id, currency, reserved } }: { payment: Payment }) => {
  const say = useText()
  const { money } = useFormats()
  const release = useAdminMutation<void>(
    { path: () => `/payments/${encodeURIComponent(id)}/void` },
    { done: () => say("captures.voided") }
  )
  const amount = money(reserved.capturable_amount, currency)
  const isWhole = Number(reserved.captured_amount) === 0
  return (
    <Ask
      area="payments"
      label={say("captures.void")}
      title={say("captures.void_title", { amount })}
      text={say(isWhole ? "captures.void_hint" : "captures.void_rest_hint")}
      pending={release.isPending}
      act={() => release.mutate()}
    />
  )
}

type Made = { capture: { status: Capture["status"]; amount: string; currency: string } }

/** Asks for a capture; asking again without an answer captures nothing more. */
function useCapture({ id }: Payment, onDone: () => void) {
  const say = useText()
  const { money } = useFormats()
  const key = useRequestKey(subjectOf)
  return useAdminMutation<string, Made>(
    {
      path: () => `/payments/${encodeURIComponent(id)}/capture`,
      body: (amount) => ({ transaction_id: id, amount: amount.trim() }),
      key,
    },
    {
      done: ({ capture: { status, amount, currency } }) =>
        say(status === "completed" ? "captures.done" : "captures.asked", {
          amount: money(amount, currency),
        }),
      onDone,
    }
  )
}

/** A capture of the same amount is the same request, however the amount is written. */
function subjectOf(body: object): unknown {
  const { transaction_id, amount } = body as { transaction_id: string; amount: string }
  return ["capture", transaction_id, Number(amount).toFixed(2)]
}

const CaptureForm = ({ payment }: { payment: Payment }) => {
  const say = useText()
  const { money, time } = useFormats()
  const confirm = useConfirm()
  const client = useQueryClient()
  const { reserved, currency } = payment
  const [amount, setAmount] = useState<string | null>(null)
  const [isChecked, setChecked] = useState(false)
  const capture = useCapture(payment, () => setAmount(null))
  const most = reserved.capturable_amount
  const left = money(most, currency)
  const wrong = amount === null ? undefined : amountFault(amount, most)
  const open = () => {
    capture.reset()
    setChecked(false)
    setAmount(most)
  }
  const submit = async (wanted: string) => {
    setChecked(true)
    if (capture.isPending || wrong !== undefined) {
      return
    }
    // What one capture leaves is gone.
    const losesRest = reserved.is_single && Number(wanted) < Number(most)
    const title = say("captures.single_title", { amount: money(wanted.trim(), currency) })
    const question = {
      title,
      description: say("captures.single_hint"),
      confirm: say("captures.capture"),
    }
    if (!losesRest || (await confirm({ ...question, danger: true }))) {
      // What the acquirer refuses stays on the page as a failed capture.
      capture.mutate(wanted, { onError: () => void refreshAll(client) })
    }
  }
  return (
    <>
      <ActButton area="payments" onClick={open}>
        {say("captures.capture")}
      </ActButton>
      <FormDrawer
        open={amount !== null}
        onClose={() => setAmount(null)}
        title={say("captures.capture")}
        description={say("captures.at_most", { amount: left, time: time(reserved.capture_before) })}
        submit={say("captures.capture")}
        area="payments"
        pending={capture.isPending}
        onSubmit={() => amount !== null && void submit(amount)}
      >
        <TextField
          label={say("payments.amount")}
          hint={say(reserved.is_single ? "captures.single_hint" : "captures.part_hint")}
          fault={
            isChecked && wrong !== undefined ? say(WRONG[wrong], { amount: left }) : faultOf(capture.error, "amount")
          }
          inputMode="decimal"
          value={amount ?? ""}
          onChange={setAmount}
        />
      </FormDrawer>
    </>
  )
}
