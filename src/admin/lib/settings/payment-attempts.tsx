import { Button, Input } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { faultOf, Field, FormDrawer } from "../ui/form"
import { Facts, Section } from "../ui/section"

/** decisions: Checkout */
const ATTEMPTS_MAX = 5

/** How often a shopper may try to pay one checkout. */
export const PaymentAttempts = ({ attempts }: { attempts: number }) => {
  const say = useText()
  const { number } = useFormats()
  const [draft, setDraft] = useState<string | null>(null)
  const save = useAdminMutation<string>(
    { path: () => "/settings", body: (text) => ({ payment_attempts: Number(text) }) },
    { done: () => say("settings.attempts.saved"), onDone: () => setDraft(null) }
  )
  const close = () => {
    save.reset()
    setDraft(null)
  }
  return (
    <Section
      heading={say("settings.attempts.title")}
      description={say("settings.attempts.description")}
      actions={
        <Button size="small" variant="secondary" onClick={() => setDraft(String(attempts))}>
          {say("common.edit")}
        </Button>
      }
    >
      <Facts rows={[[say("settings.attempts.attempts"), number(attempts)]]} />
      <FormDrawer
        open={draft !== null}
        onClose={close}
        title={say("settings.attempts.edit")}
        submit={say("common.save")}
        pending={save.isPending}
        onSubmit={() => draft !== null && save.mutate(draft)}
      >
        <Field
          label={say("settings.attempts.attempts")}
          hint={say("settings.attempts.attempts_hint")}
          fault={faultOf(save.error, "payment_attempts")}
        >
          {(tied) => (
            <Input
              {...tied}
              type="number"
              min={1}
              max={ATTEMPTS_MAX}
              value={draft ?? ""}
              onChange={({ target }) => setDraft(target.value)}
            />
          )}
        </Field>
      </FormDrawer>
    </Section>
  )
}
