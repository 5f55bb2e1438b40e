import { useAdminMutation } from "../data"
import { useText } from "../text"
import { OnOff } from "../ui/on-off"
import { Section } from "../ui/section"

/** Whether requests are accepted as shop modules send them. */
export const ShopModules = ({ on }: { on: boolean }) => {
  const say = useText()
  const save = useAdminMutation<boolean>(
    { path: () => "/settings", body: (shop_modules) => ({ shop_modules }) },
    { done: () => say("settings.shop_modules.saved") }
  )
  return (
    <Section heading={say("settings.shop_modules.title")} description={say("settings.shop_modules.description")}>
      <div className="px-6 py-4">
        <OnOff
          area="settings"
          pending={save.isPending}
          label={say("settings.shop_modules.compatible")}
          hint={say("settings.shop_modules.compatible_hint")}
          on={on}
          onChange={(next) => save.mutate(next)}
        />
      </div>
    </Section>
  )
}
