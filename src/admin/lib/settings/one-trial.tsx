import { changedMembers, useEditForm } from "../use"
import { useText } from "../text"
import { ActButton } from "../ui/bits"
import { ChoiceField } from "../ui/fields"
import { faultOf, FormDrawer } from "../ui/form"
import { Facts, Section } from "../ui/section"

const MODES = ["store", "all", "off"] as const
export type OneTrialMode = (typeof MODES)[number]

/** Whether a customer gets one trial of a family of plans, and of whose subscriptions. */
export const OneTrial = ({ mode }: { mode: OneTrialMode }) => {
  const say = useText()
  const form = useEditForm<OneTrialMode>({
    path: () => "/settings",
    change: (draft, opened) => changedMembers({ one_trial_per_customer: draft }, { one_trial_per_customer: opened }),
    done: () => say("settings.one_trial.saved"),
  })
  return (
    <Section
      heading={say("settings.one_trial.title")}
      description={say("settings.one_trial.description")}
      actions={
        <ActButton area="settings" variant="secondary" onClick={() => form.start(mode)}>
          {say("common.edit")}
        </ActButton>
      }
    >
      <Facts rows={[[say("settings.one_trial.mode"), say(`settings.one_trial.modes.${mode}`)]]} />
      <FormDrawer {...form.drawer} title={say("settings.one_trial.edit")} submit={say("common.save")}>
        {form.draft !== null && (
          <ChoiceField
            label={say("settings.one_trial.mode")}
            fault={faultOf(form.error, "one_trial_per_customer")}
            value={form.draft}
            options={MODES.map((value) => ({ value, label: say(`settings.one_trial.modes.${value}`) }))}
            onChange={form.edit}
          />
        )}
      </FormDrawer>
    </Section>
  )
}
