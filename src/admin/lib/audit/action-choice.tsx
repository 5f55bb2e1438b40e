import { useMemo } from "react"
import { useFrame } from "../admin-api"
import { useAddressFilter } from "../table/url-state"
import { useText, type Say, type TextKey } from "../text"
import { SearchChoice } from "../ui/fields"
import type { Item, Search } from "../ui/leaving"

/** `refund.requested` as people say it: "Refund: requested". */
export function actionText(say: Say, action: string): string {
  const [what, done] = action.split(".")
  return `${say(`audit.subjects.${what}` as TextKey)}: ${done === "" ? say("audit.everything") : say(`audit.done.${done}` as TextKey)}`
}

/** Each kind of thing, and each action; the audit log filters by the beginning of an action. */
function itemsOf(say: Say, actions: Record<string, string[]>): { kinds: Item[]; all: Item[] } {
  const item = (value: string) => ({ value, label: actionText(say, value) })
  const kinds = Object.keys(actions).map((what) => item(`${what}.`))
  const all = Object.entries(actions).flatMap(([what, done]) => [
    item(`${what}.`),
    ...done.map((one) => item(`${what}.${one}`)),
  ])
  return { kinds, all }
}

/** The filter of the audit log by action: there are too many actions for a menu. */
export const ActionChoice = () => {
  const say = useText()
  const { data: frame } = useFrame()
  const [action, setAction] = useAddressFilter("action")
  const search = useMemo((): Search<Item> => {
    const { kinds, all } = itemsOf(say, frame?.audit_actions ?? {})
    return {
      scope: frame === undefined ? null : ["logged-actions", say("audit.what")],
      find: async (text) => {
        const typed = text.toLowerCase()
        const found = all.filter(({ value, label }) => label.toLowerCase().includes(typed) || value.includes(typed))
        return { items: typed === "" ? kinds : found, more: false }
      },
      none: say("audit.empty"),
      nothing: say("audit.no_action"),
    }
  }, [say, frame])
  return (
    <SearchChoice
      tied={{ "aria-label": say("audit.what") }}
      name={say("audit.what")}
      placeholder={say("audit.any_action")}
      chosen={action === null ? null : { value: action, label: actionText(say, action) }}
      onChoose={(item) => setAction(item?.value ?? null)}
      search={search}
      size="small"
    />
  )
}
