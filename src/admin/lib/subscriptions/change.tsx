import { useState } from "react"
import { useAdminMutation } from "../data"
import { IntervalFields } from "../plans/interval-fields"
import { useText } from "../text"
import { ActButton } from "../ui/act-button"
import { faultOf, FormDrawer } from "../ui/form"
import { TextField } from "../ui/text-field"
import { changeOf, draftOf, type TermsDraft } from "./terms"
import type { SubscriptionTimeline } from "./types"

/** Changes the terms from the next cycle on. */
export const ChangeSubscription = ({ subscription }: { subscription: SubscriptionTimeline }) => {
  const say = useText()
  const [form, setForm] = useState<{ opened: TermsDraft; draft: TermsDraft } | null>(null)
  const close = () => setForm(null)
  const save = useAdminMutation<object>(
    { path: () => `/subscriptions/${subscription.id}`, body: (change) => change },
    { done: () => say("subscriptions.changed"), onDone: close }
  )
  const start = () => {
    const opened = draftOf(subscription)
    save.reset()
    setForm({ opened, draft: opened })
  }
  const edit = (draft: TermsDraft) => setForm((now) => now && { ...now, draft })
  const submit = ({ opened, draft }: { opened: TermsDraft; draft: TermsDraft }) => {
    const change = changeOf(draft, opened)
    return Object.keys(change).length === 0 ? close() : save.mutate(change)
  }
  return (
    <>
      <ActButton area="subscriptions" variant="secondary" onClick={start}>
        {say("subscriptions.change")}
      </ActButton>
      <FormDrawer
        open={form !== null}
        onClose={close}
        title={say("subscriptions.change_title")}
        description={say("subscriptions.change_hint")}
        submit={say("common.save")}
        pending={save.isPending}
        onSubmit={() => form && submit(form)}
      >
        {form && (
          <>
            <TextField
              label={say("plans.amount")}
              hint={say("plans.amount_hint")}
              fault={faultOf(save.error, "amount")}
              autoFocus
              inputMode="decimal"
              value={form.draft.amount}
              onChange={(amount) => edit({ ...form.draft, amount })}
            />
            <IntervalFields draft={form.draft} onChange={edit} error={save.error} />
          </>
        )}
      </FormDrawer>
    </>
  )
}
