import { Trash } from "@medusajs/icons"
import { Hint, IconButton } from "@medusajs/ui"
import { changedMembers, useEditForm } from "../use"
import { useFormats } from "../format"
import type { AdminError } from "../http"
import { useText } from "../text"
import { ActButton, OnOff } from "../ui/bits"
import { faultOf, FormDrawer } from "../ui/form"
import { Facts, Section } from "../ui/section"
import { ChoiceField, TextField } from "../ui/fields"

/** What of a payment or of a day is refunded without approval, as text in BDT; null: no limit. */
const LIMITS = ["refund_approval_threshold", "refund_daily_limit", "refund_daily_key_limit"] as const

/** In BDT. `role_name`: null for a role that has been deleted. */
type RoleLimit = { role_id: string; role_name: string | null; amount: string }

export type RefundSettings = Record<(typeof LIMITS)[number], string | null> & {
  /** The roles of Medusa's RBAC; null: it is off, and the limits of roles do not hold. */
  refund_roles: { id: string; name: string }[] | null
  refund_role_limits: RoleLimit[]
  approval_by_another: boolean
  may_overdraw: boolean
  returns_automatic: boolean
  returns_refund_shipping: boolean
}

/** Fixed by the contract: nobody can refund anything older. */
const WINDOW_DAYS = 180
const RULES = ["approval_by_another", "may_overdraw", "returns_automatic", "returns_refund_shipping"] as const

/** The limits of roles are one member, of objects: they are sent when one of them was touched. */
function changeOf(draft: RefundSettings, opened: RefundSettings) {
  const change = changedMembers(bodyOf(draft), bodyOf(opened))
  return draft.refund_role_limits === opened.refund_role_limits
    ? change
    : { ...change, refund_role_limits: draft.refund_role_limits.map(({ role_id, amount }) => ({ role_id, amount })) }
}

function bodyOf(draft: RefundSettings) {
  const { approval_by_another, may_overdraw, returns_automatic, returns_refund_shipping } = draft
  return {
    ...Object.fromEntries(LIMITS.map((limit) => [limit, draft[limit] || null])),
    approval_by_another,
    may_overdraw,
    returns_automatic,
    returns_refund_shipping,
  }
}

/** Which refunds need an admin's approval, and how returns are refunded. */
export const RefundRules = ({ settings }: { settings: RefundSettings }) => {
  const say = useText()
  const { money, number } = useFormats()
  const form = useEditForm<RefundSettings>({
    path: () => "/settings",
    change: changeOf,
    done: () => say("settings.refunds.saved"),
  })
  const limited = (limit: string | null) =>
    limit === null ? say("settings.refunds.no_limit") : say("settings.refunds.above", { amount: money(limit, "BDT") })
  const yesNo = (yes: boolean) => say(yes ? "common.yes" : "common.no")
  return (
    <Section
      heading={say("settings.refunds.title")}
      description={say("settings.refunds.description")}
      actions={
        <ActButton area="settings" variant="secondary" onClick={() => form.start(settings)}>
          {say("common.edit")}
        </ActButton>
      }
    >
      <Facts
        rows={[
          ...LIMITS.map((limit) => [say(`settings.refunds.${limit}`), limited(settings[limit])] as const),
          ...(settings.refund_roles === null
            ? []
            : ([
                [say("settings.refunds.role_limits"), <RoleLimits key="r" limits={settings.refund_role_limits} />],
              ] as const)),
          ...RULES.map((rule) => [say(`settings.refunds.${rule}`), yesNo(settings[rule])] as const),
          [say("settings.refunds.window"), say("settings.refunds.window_days", { days: number(WINDOW_DAYS) })],
        ]}
      />
      <FormDrawer {...form.drawer} title={say("settings.refunds.edit")} submit={say("common.save")}>
        {form.draft !== null && <RuleFields draft={form.draft} error={form.error} onChange={form.edit} />}
      </FormDrawer>
    </Section>
  )
}

type FieldsProps = {
  draft: RefundSettings
  error: AdminError | null
  onChange: (draft: RefundSettings) => void
}

const RuleFields = ({ draft, error, onChange }: FieldsProps) => {
  const say = useText()
  return (
    <>
      {LIMITS.map((limit) => (
        <TextField
          key={limit}
          optional
          label={say(`settings.refunds.${limit}`)}
          hint={say(`settings.refunds.${limit}_hint`)}
          fault={faultOf(error, limit)}
          inputMode="decimal"
          value={draft[limit] ?? ""}
          onChange={(value) => onChange({ ...draft, [limit]: value })}
        />
      ))}
      {draft.refund_roles !== null && (
        <RoleLimitFields
          roles={draft.refund_roles}
          limits={draft.refund_role_limits}
          error={error}
          onChange={(refund_role_limits) => onChange({ ...draft, refund_role_limits })}
        />
      )}
      {RULES.map((rule) => (
        <OnOff
          key={rule}
          label={say(`settings.refunds.${rule}`)}
          hint={say(`settings.refunds.${rule}_hint`)}
          on={draft[rule]}
          onChange={(on) => onChange({ ...draft, [rule]: on })}
        />
      ))}
    </>
  )
}

function useRoleName() {
  const say = useText()
  return ({ role_id, role_name }: RoleLimit) => role_name ?? say("settings.refunds.role_deleted", { id: role_id })
}

const RoleLimits = ({ limits }: { limits: RoleLimit[] }) => {
  const say = useText()
  const { money } = useFormats()
  const name = useRoleName()
  if (limits.length === 0) {
    return say("settings.refunds.no_limit")
  }
  return (
    <ul>
      {limits.map((one) => (
        <li key={one.role_id} className="break-words">
          {say("settings.refunds.role_limit_of", { role: name(one), amount: money(one.amount, "BDT") })}
        </li>
      ))}
    </ul>
  )
}

type RoleLimitProps = {
  roles: { id: string; name: string }[]
  limits: RoleLimit[]
  error: AdminError | null
  onChange: (limits: RoleLimit[]) => void
}

/** No role: what the menu of roles shows until one is chosen. */
const NONE = "none"

const RoleLimitFields = ({ roles, limits, error, onChange }: RoleLimitProps) => {
  const say = useText()
  const name = useRoleName()
  const left = roles.filter(({ id }) => limits.every(({ role_id }) => role_id !== id))
  const add = (chosen: string) => {
    const role = left.find(({ id }) => id === chosen)
    return role && onChange([...limits, { role_id: role.id, role_name: role.name, amount: "" }])
  }
  const change = (index: number, amount: string) =>
    onChange(limits.map((one, place) => (place === index ? { ...one, amount } : one)))
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="txt-compact-small-plus mb-1">{say("settings.refunds.role_limits")}</legend>
      <Hint>{say("settings.refunds.role_limits_hint")}</Hint>
      {limits.map((one, index) => (
        <div key={one.role_id} className="flex items-end gap-2">
          <div className="grow">
            <TextField
              label={say("settings.refunds.role_limit", { role: name(one) })}
              fault={
                faultOf(error, `refund_role_limits[${index}].amount`) ?? faultOf(error, `refund_role_limits[${index}]`)
              }
              inputMode="decimal"
              value={one.amount}
              onChange={(amount) => change(index, amount)}
            />
          </div>
          <IconButton
            type="button"
            variant="transparent"
            aria-label={say("settings.refunds.role_remove", { role: name(one) })}
            onClick={() => onChange(limits.filter((_one, place) => place !== index))}
          >
            <Trash />
          </IconButton>
        </div>
      ))}
      {left.length > 0 && (
        <ChoiceField
          label={say("settings.refunds.role_add")}
          value={NONE}
          options={[
            { value: NONE, label: say("settings.refunds.role_add_placeholder") },
            ...left.map(({ id, name: label }) => ({ value: id, label })),
          ]}
          onChange={add}
        />
      )}
    </fieldset>
  )
}
