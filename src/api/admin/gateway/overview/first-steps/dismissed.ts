import type { Merchant } from "../../../../../modules/gateway/merchants/service"

/** Where a merchant's settings note that the checklist is not wanted any more. */
const DISMISSED = "first_steps_dismissed"

type Settings = Pick<Merchant, "settings">

export function isDismissed({ settings }: Settings): boolean {
  return settings[DISMISSED] === true
}

export function dismissed({ settings }: Settings): Settings {
  return { settings: { ...settings, [DISMISSED]: true } }
}
