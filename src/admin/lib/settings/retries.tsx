import { typedNumber } from "../../../i18n/typed"
import { changedMembers, useEditForm } from "../use"
import { useFormats, type Formats } from "../format"
import type { AdminError } from "../http"
import { useText, type Say } from "../text"
import { ActButton } from "../ui/bits"
import { ChoiceField, TextField } from "../ui/fields"
import { faultOf, FormDrawer } from "../ui/form"
import { Facts, Section } from "../ui/section"

type AfterLast = "cancel" | "past_due"
export type RetrySettings = {
  retry_days: number[] | null
  retry_days_default: number[]
  after_last_retry: AfterLast | null
  after_last_retry_default: AfterLast
}

type When = "default" | "days" | "never"
/** The form's values. */
type Draft = { when: When; days: string; after: AfterLast | "default" }

/** The webhooks' retry schedule is the same for all merchants (decisions: Webhooks). */
const WEBHOOK_MINUTES = [1, 5, 30]
const WEBHOOK_HOURS = [2, 5, 10, 14, 20, 24]

/** When a subscription's failed charge is retried, and what follows the last failure. */
export const Retries = ({ settings }: { settings: RetrySettings }) => {
  const say = useText()
  const formats = useFormats()
  const form = useEditForm<Draft>({
    path: () => "/settings",
    change: (draft, opened) => changedMembers(bodyOf(draft), bodyOf(opened)),
    done: () => say("settings.retries.saved"),
  })
  const { retry_days, retry_days_default, after_last_retry, after_last_retry_default } = settings
  const when = retry_days === null ? "default" : retry_days.length === 0 ? "never" : "days"
  const start = () => form.start({ when, days: (retry_days ?? []).join(", "), after: after_last_retry ?? "default" })
  const after = say(`settings.retries.${after_last_retry ?? after_last_retry_default}`)
  const days = daysText(say, formats, retry_days ?? retry_days_default)
  return (
    <Section
      heading={say("settings.retries.title")}
      description={say("settings.retries.description")}
      actions={
        <ActButton area="settings" variant="secondary" onClick={start}>
          {say("common.edit")}
        </ActButton>
      }
    >
      <Facts
        rows={[
          [say("settings.retries.days"), retry_days === null ? say("settings.retries.own", { value: days }) : days],
          [
            say("settings.retries.after"),
            after_last_retry === null ? say("settings.retries.own", { value: after }) : after,
          ],
          [
            say("settings.retries.webhooks"),
            say("settings.retries.webhooks_after", {
              minutes: WEBHOOK_MINUTES.map(formats.number).join(", "),
              hours: WEBHOOK_HOURS.map(formats.number).join(", "),
            }),
          ],
        ]}
      />
      <FormDrawer {...form.drawer} title={say("settings.retries.edit")} submit={say("common.save")}>
        {form.draft !== null && (
          <RetryFields settings={settings} draft={form.draft} error={form.error} onChange={form.edit} />
        )}
      </FormDrawer>
    </Section>
  )
}

function daysText(say: Say, { number }: Formats, days: readonly number[]): string {
  const last = days.at(-1)
  return last === undefined
    ? say("settings.retries.never")
    : say("settings.retries.after_days", { count: last, days: days.map(number).join(", ") })
}

/** Parses `1, 3, 5`; anything that is no number goes to the API as it is, which explains the error. */
function readDays({ when, days }: Draft): unknown[] | null {
  if (when !== "days") {
    return when === "never" ? [] : null
  }
  const parts = days.split(/[\s,]+/).filter((part) => part !== "")
  return parts.length === 0 ? [""] : parts.map(typedNumber)
}

function bodyOf(draft: Draft) {
  return { retry_days: readDays(draft), after_last_retry: draft.after === "default" ? null : draft.after }
}

function optionsOf(settings: RetrySettings, say: Say, formats: Formats) {
  const own = (value: string) => say("settings.retries.own", { value })
  return {
    whens: [
      { value: "default", label: own(daysText(say, formats, settings.retry_days_default)) },
      { value: "days", label: say("settings.retries.when_days") },
      { value: "never", label: say("settings.retries.never") },
    ],
    afters: [
      { value: "default", label: own(say(`settings.retries.${settings.after_last_retry_default}`)) },
      { value: "cancel", label: say("settings.retries.cancel") },
      { value: "past_due", label: say("settings.retries.past_due") },
    ],
  } as const
}

type FieldsProps = {
  settings: RetrySettings
  draft: Draft
  error: AdminError | null
  onChange: (draft: Draft) => void
}

const RetryFields = ({ settings, draft, error, onChange }: FieldsProps) => {
  const say = useText()
  const formats = useFormats()
  const { whens, afters } = optionsOf(settings, say, formats)
  return (
    <>
      <ChoiceField
        label={say("settings.retries.when")}
        value={draft.when}
        options={whens}
        onChange={(when) => onChange({ ...draft, when })}
      />
      {draft.when === "days" && (
        <TextField
          label={say("settings.retries.days")}
          hint={say("settings.retries.days_hint")}
          fault={faultOf(error, "retry_days")}
          placeholder="1, 3, 5, 7"
          value={draft.days}
          onChange={(days) => onChange({ ...draft, days })}
        />
      )}
      <ChoiceField
        label={say("settings.retries.after")}
        value={draft.after}
        options={afters}
        onChange={(after) => onChange({ ...draft, after })}
      />
    </>
  )
}
