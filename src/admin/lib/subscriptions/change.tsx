import { Button, Input } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { IntervalFields, numberOf, type IntervalDraft } from "../plans/interval-fields"
import { useText } from "../text"
import { faultOf, Field, FormDrawer } from "../ui/form"
import type { SubscriptionTimeline } from "./types"

type Draft = IntervalDraft & { amount: string }

/** Changes the terms from the next cycle on. */
export const ChangeSubscription = ({ subscription }: { subscription: SubscriptionTimeline }) => {
  const say = useText()
  const [draft, setDraft] = useState<Draft | null>(null)
  const save = useAdminMutation<Draft>(
    {
      path: () => `/subscriptions/${subscription.id}`,
      body: ({ amount, interval_count, interval_unit }) => ({
        amount,
        interval_count: numberOf(interval_count),
        interval_unit,
      }),
    },
    { done: () => say("subscriptions.changed"), onDone: () => setDraft(null) }
  )
  const start = () => {
    const { amount, interval_count, interval_unit } = subscription
    save.reset()
    setDraft({ amount, interval_count: String(interval_count), interval_unit })
  }
  return (
    <>
      <Button size="small" variant="secondary" onClick={start}>
        {say("subscriptions.change")}
      </Button>
      <FormDrawer
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say("subscriptions.change_title")}
        description={say("subscriptions.change_hint")}
        submit={say("common.save")}
        pending={save.isPending}
        onSubmit={() => draft && save.mutate(draft)}
      >
        {draft && (
          <>
            <Field label={say("plans.amount")} hint={say("plans.amount_hint")} fault={faultOf(save.error, "amount")}>
              {(tied) => (
                <Input
                  {...tied}
                  autoFocus
                  inputMode="decimal"
                  value={draft.amount}
                  onChange={({ target }) => setDraft({ ...draft, amount: target.value })}
                />
              )}
            </Field>
            <IntervalFields draft={draft} onChange={setDraft} error={save.error} />
          </>
        )}
      </FormDrawer>
    </>
  )
}
