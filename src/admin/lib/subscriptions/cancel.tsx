import { Label, RadioGroup } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { useText } from "../text"
import { ActButton } from "../ui/act-button"
import { faultOf, Field, FormDrawer } from "../ui/form"
import { TextAreaField } from "../ui/text-field"
import type { SubscriptionTimeline } from "./types"

type Draft = { when: "end" | "now"; reason: string }

/** Asks when and why; the form is the confirmation, because cancelling cannot be undone. */
export const CancelSubscription = ({ subscription }: { subscription: SubscriptionTimeline }) => {
  const say = useText()
  const [draft, setDraft] = useState<Draft | null>(null)
  const cancel = useAdminMutation<Draft>(
    {
      path: () => `/subscriptions/${subscription.id}/cancel`,
      body: ({ when, reason }) => ({ cancel_at_period_end: when === "end", cancellation_reason: reason }),
    },
    { done: () => say("subscriptions.cancelled"), onDone: () => setDraft(null) }
  )
  const start = () => {
    cancel.reset()
    setDraft({ when: "end", reason: "" })
  }
  return (
    <>
      <ActButton area="subscriptions" variant="danger" onClick={start}>
        {say("subscriptions.cancel")}
      </ActButton>
      <FormDrawer
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say("subscriptions.cancel")}
        description={say("subscriptions.cancel_hint")}
        submit={say("subscriptions.cancel")}
        leave={say("common.close")}
        pending={cancel.isPending}
        onSubmit={() => draft && cancel.mutate(draft)}
      >
        {draft && (
          <>
            <Field label={say("subscriptions.cancel_when")} fault={faultOf(cancel.error, "cancel_at_period_end")}>
              {(tied) => (
                <RadioGroup
                  {...tied}
                  aria-label={say("subscriptions.cancel_when")}
                  value={draft.when}
                  onValueChange={(when) => setDraft({ ...draft, when: when === "now" ? "now" : "end" })}
                >
                  {(["end", "now"] as const).map((when) => (
                    <Label size="small" key={when} className="flex items-center gap-2">
                      <RadioGroup.Item value={when} />
                      {say(`subscriptions.cancel_${when}`)}
                    </Label>
                  ))}
                </RadioGroup>
              )}
            </Field>
            <TextAreaField
              optional
              label={say("subscriptions.cancel_reason")}
              fault={faultOf(cancel.error, "cancellation_reason")}
              value={draft.reason}
              onChange={(reason) => setDraft({ ...draft, reason })}
            />
          </>
        )}
      </FormDrawer>
    </>
  )
}
