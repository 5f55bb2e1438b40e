import { Text } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import { useMessage, useText, type PresentedMessage } from "../text"
import { ActButton, Badge } from "../ui/bits"
import { entryOf } from "../ui/fields"
import { FormDrawer, ReadDrawer } from "../ui/form"
import { orderName, useSum, type CashOrder } from "./parts"
import { Hints } from "./record"

/** The API takes so many at once. */
const MANY_MAX = 100

type Outcomes = { outcomes: { id: string; outcome: "recorded" | "refused"; reason: PresentedMessage | null }[] }
type Done = Outcomes & { orders: readonly CashOrder[] }
type Draft = { courier: string; note: string }

function useRecordMany(orders: readonly CashOrder[], onDone: (done: Done) => void) {
  return useAdminMutation<Draft, Outcomes>(
    {
      path: () => "/cash-orders/collect",
      body: ({ courier, note }) => ({
        ids: orders.map(({ id }) => id),
        courier: courier.trim() || undefined,
        note: note.trim() || undefined,
      }),
    },
    { onDone: ({ outcomes }) => onDone({ orders, outcomes }) }
  )
}

/** Below the list: the chosen orders, what is due for them in all, and the way to record all of it. */
export const RecordMany = ({ orders, onClear }: { orders: readonly CashOrder[]; onClear: () => void }) => {
  const say = useText()
  const sum = useSum()
  const [draft, setDraft] = useState<Draft | null>(null)
  const [done, setDone] = useState<Done | null>(null)
  const record = useRecordMany(orders, (outcome) => {
    setDone(outcome)
    setDraft(null)
    onClear()
  })
  const amount = sum(orders.map(({ due, currency }) => ({ amount: due, currency })))
  const start = () => {
    record.reset()
    setDraft({ courier: "", note: "" })
  }
  return (
    <>
      {orders.length > 0 && <Selected count={orders.length} amount={amount} onClear={onClear} onRecord={start} />}
      <FormDrawer
        open={draft !== null && orders.length > 0}
        onClose={() => setDraft(null)}
        title={say("cash.many.title", { count: orders.length })}
        description={say("cash.many.hint", { amount })}
        submit={say("cash.many.submit", { amount })}
        area="cash-orders"
        pending={record.isPending}
        onSubmit={() => draft !== null && record.mutate(draft)}
      >
        {draft !== null && (
          <Hints
            error={record.error}
            courier={entryOf(draft, setDraft, "courier")}
            note={entryOf(draft, setDraft, "note")}
          />
        )}
      </FormDrawer>
      <ReadDrawer open={done !== null} onClose={() => setDone(null)} title={say("cash.many.outcome")}>
        {done !== null && <ManyOutcomes {...done} />}
      </ReadDrawer>
    </>
  )
}

type SelectedProps = { count: number; amount: string; onClear: () => void; onRecord: () => void }

const Selected = ({ count, amount, onClear, onRecord }: SelectedProps) => {
  const say = useText()
  const isOver = count > MANY_MAX
  return (
    <div className="bg-ui-bg-base shadow-elevation-card-hover sticky bottom-4 z-10 flex flex-wrap items-center justify-between gap-3 rounded-lg px-6 py-3">
      <Text size="small" weight="plus" role="status">
        {say("cash.many.selected", { count, amount })}
      </Text>
      <div className="flex flex-wrap gap-2">
        <ActButton variant="secondary" onClick={onClear}>
          {say("cash.many.clear")}
        </ActButton>
        <ActButton area="cash-orders" disabled={isOver} onClick={onRecord}>
          {say("cash.record.title")}
        </ActButton>
      </div>
      {isOver && (
        <Text size="small" className="text-ui-fg-error w-full">
          {say("cash.many.over", { max: MANY_MAX })}
        </Text>
      )}
    </div>
  )
}

/** What became of each of the chosen orders, the refused ones first. */
const ManyOutcomes = ({ orders, outcomes }: Done) => {
  const say = useText()
  const words = useMessage()
  const { money } = useFormats()
  const isRecorded = ({ outcome }: Outcomes["outcomes"][number]) => outcome === "recorded"
  const sorted = [...outcomes].sort((one, other) => Number(isRecorded(one)) - Number(isRecorded(other)))
  return (
    <>
      <Text size="small" weight="plus" role="status">
        {say("cash.many.done", { count: outcomes.filter(isRecorded).length })}
      </Text>
      <ul className="-mx-6 divide-y" aria-label={say("cash.many.outcome")}>
        {sorted.map((one) => {
          const order = orders.find(({ id }) => id === one.id)
          return (
            <li key={one.id} className="flex flex-col gap-1 px-6 py-3">
              <div className="flex flex-wrap items-center justify-between gap-2">
                <Text size="small">
                  {order !== undefined && `${orderName(order)} · ${money(order.due, order.currency)}`}
                </Text>
                <Badge color={isRecorded(one) ? "green" : "red"}>{say(`cash.import.outcomes.${one.outcome}`)}</Badge>
              </div>
              {one.reason !== null && (
                <Text size="small" className="text-ui-fg-error break-words">
                  {words(one.reason)}
                </Text>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}
