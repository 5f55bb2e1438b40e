import { Button, Input } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { faultOf, Field, FormDrawer } from "../ui/form"
import { OnOff } from "../ui/on-off"
import { Facts, Section } from "../ui/section"

export type RefundSettings = {
  refund_approval_threshold: string | null
  may_overdraw: boolean
  returns_automatic: boolean
  returns_refund_shipping: boolean
}

/** Fixed by the contract: nobody can refund anything older. */
const WINDOW_DAYS = 180
const RULES = ["may_overdraw", "returns_automatic", "returns_refund_shipping"] as const

/** Which refunds need an admin's approval, and how returns are refunded. */
export const RefundRules = ({ settings }: { settings: RefundSettings }) => {
  const say = useText()
  const { money, number } = useFormats()
  const [draft, setDraft] = useState<RefundSettings | null>(null)
  const threshold = settings.refund_approval_threshold
  const yesNo = (yes: boolean) => say(yes ? "common.yes" : "common.no")
  return (
    <Section
      heading={say("settings.refunds.title")}
      description={say("settings.refunds.description")}
      actions={
        <Button size="small" variant="secondary" onClick={() => setDraft(settings)}>
          {say("common.edit")}
        </Button>
      }
    >
      <Facts
        rows={[
          [
            say("settings.refunds.threshold"),
            threshold === null
              ? say("settings.refunds.no_threshold")
              : say("settings.refunds.above", { amount: money(threshold, "BDT") }),
          ],
          ...RULES.map((rule) => [say(`settings.refunds.${rule}`), yesNo(settings[rule])] as const),
          [say("settings.refunds.window"), say("settings.refunds.window_days", { days: number(WINDOW_DAYS) })],
        ]}
      />
      <EditRules draft={draft} onChange={setDraft} />
    </Section>
  )
}

const EditRules = ({
  draft,
  onChange,
}: {
  draft: RefundSettings | null
  onChange: (draft: RefundSettings | null) => void
}) => {
  const say = useText()
  const save = useAdminMutation<RefundSettings>(
    {
      path: () => "/settings",
      body: ({ refund_approval_threshold, may_overdraw, returns_automatic, returns_refund_shipping }) => {
        return {
          refund_approval_threshold: refund_approval_threshold || null,
          may_overdraw,
          returns_automatic,
          returns_refund_shipping,
        }
      },
    },
    { done: () => say("settings.refunds.saved"), onDone: () => onChange(null) }
  )
  const close = () => {
    save.reset()
    onChange(null)
  }
  return (
    <FormDrawer
      open={draft !== null}
      onClose={close}
      title={say("settings.refunds.edit")}
      submit={say("common.save")}
      pending={save.isPending}
      onSubmit={() => draft && save.mutate(draft)}
    >
      {draft !== null && (
        <>
          <Field
            optional
            label={say("settings.refunds.threshold")}
            hint={say("settings.refunds.threshold_hint")}
            fault={faultOf(save.error, "refund_approval_threshold")}
          >
            {(tied) => (
              <Input
                {...tied}
                inputMode="decimal"
                value={draft.refund_approval_threshold ?? ""}
                onChange={({ target }) => onChange({ ...draft, refund_approval_threshold: target.value })}
              />
            )}
          </Field>
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
      )}
    </FormDrawer>
  )
}
