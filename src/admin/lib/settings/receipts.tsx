import { useAdminMutation } from "../data"
import { useText } from "../text"
import { OnOff } from "../ui/on-off"
import { Section } from "../ui/section"

/** Whether customers get receipts by e-mail. */
export const Receipts = ({ on }: { on: boolean }) => {
  const say = useText()
  const save = useAdminMutation<boolean>(
    { path: () => "/settings", body: (receipts) => ({ receipts }) },
    { done: () => say("settings.receipts.saved") }
  )
  return (
    <Section heading={say("settings.receipts.title")} description={say("settings.receipts.description")}>
      <div className="px-6 py-4">
        <OnOff
          area="settings"
          pending={save.isPending}
          label={say("settings.receipts.send")}
          hint={say("settings.receipts.send_hint")}
          on={on}
          onChange={(next) => save.mutate(next)}
        />
      </div>
    </Section>
  )
}
