import { useAdminMutation } from "../data"
import { useText } from "../text"
import { OnOff } from "../ui/on-off"
import { Section } from "../ui/section"

/** Whether payments that the acquirer flags as risky wait for an admin. */
export const RiskyPayments = ({ hold }: { hold: boolean }) => {
  const say = useText()
  const save = useAdminMutation<boolean>(
    { path: () => "/settings", body: (hold_risky) => ({ hold_risky }) },
    { done: () => say("settings.risk.saved") }
  )
  return (
    <Section heading={say("settings.risk.title")} description={say("settings.risk.description")}>
      <div className="px-6 py-4">
        <OnOff
          area="settings"
          pending={save.isPending}
          label={say("settings.risk.hold_risky")}
          hint={say("settings.risk.hold_risky_hint")}
          on={hold}
          onChange={(on) => save.mutate(on)}
        />
      </div>
    </Section>
  )
}
