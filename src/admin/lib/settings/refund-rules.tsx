import { changedMembers, useEditForm } from "../use"
import { useFormats } from "../format"
import type { AdminError } from "../http"
import { useText } from "../text"
import { ActButton, OnOff } from "../ui/bits"
import { faultOf, FormDrawer } from "../ui/form"
import { Facts, Section } from "../ui/section"
import { TextField } from "../ui/fields"

/** What of a payment or of a day is refunded without approval, as text in BDT; null: no limit. */
const LIMITS = ["refund_approval_threshold", "refund_daily_limit", "refund_daily_key_limit"] as const

export type RefundSettings = Record<(typeof LIMITS)[number], string | null> & {
  approval_by_another: boolean
  may_overdraw: boolean
  returns_automatic: boolean
  returns_refund_shipping: boolean
}

/** Fixed by the contract: nobody can refund anything older. */
const WINDOW_DAYS = 180
const RULES = ["approval_by_another", "may_overdraw", "returns_automatic", "returns_refund_shipping"] as const

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
    change: (draft, opened) => changedMembers(bodyOf(draft), bodyOf(opened)),
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
