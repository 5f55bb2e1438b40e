import { changedMembers } from "../changed-members"
import { useFormats } from "../format"
import { useText } from "../text"
import { ActButton } from "../ui/act-button"
import { faultOf, FormDrawer } from "../ui/form"
import { Facts, Section } from "../ui/section"
import { TextField } from "../ui/text-field"
import { useEditForm } from "../use-edit-form"

/** decisions: Checkout */
const ATTEMPTS_MAX = 5

/** How often a shopper may try to pay one checkout. */
export const PaymentAttempts = ({ attempts }: { attempts: number }) => {
  const say = useText()
  const { number } = useFormats()
  const form = useEditForm<string>({
    path: () => "/settings",
    change: (draft, opened) =>
      changedMembers({ payment_attempts: Number(draft) }, { payment_attempts: Number(opened) }),
    done: () => say("settings.attempts.saved"),
  })
  return (
    <Section
      heading={say("settings.attempts.title")}
      description={say("settings.attempts.description")}
      actions={
        <ActButton area="settings" variant="secondary" onClick={() => form.start(String(attempts))}>
          {say("common.edit")}
        </ActButton>
      }
    >
      <Facts rows={[[say("settings.attempts.attempts"), number(attempts)]]} />
      <FormDrawer {...form.drawer} title={say("settings.attempts.edit")} submit={say("common.save")}>
        <TextField
          label={say("settings.attempts.attempts")}
          hint={say("settings.attempts.attempts_hint")}
          fault={faultOf(form.error, "payment_attempts")}
          type="number"
          min={1}
          max={ATTEMPTS_MAX}
          value={form.draft ?? ""}
          onChange={(value) => form.edit(value)}
        />
      </FormDrawer>
    </Section>
  )
}
