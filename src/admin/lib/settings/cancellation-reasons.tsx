import { changedMembers, useEditForm } from "../use"
import { useReasonWords } from "../subscriptions/parts"
import { useText } from "../text"
import { ActButton } from "../ui/bits"
import { ChoiceField, TextAreaField } from "../ui/fields"
import { faultOf, FormDrawer } from "../ui/form"
import { Facts, Section } from "../ui/section"

export type ReasonSettings = { cancellation_reasons: string[] | null; cancellation_reasons_default: string[] }

/** The form's values: `lines` are the merchant's own reasons, one a line. */
type Draft = { whose: "default" | "own"; lines: string }

function bodyOf({ whose, lines }: Draft) {
  const own = lines.split("\n").map((line) => line.trim())
  return { cancellation_reasons: whose === "default" ? null : own.filter((line) => line !== "") }
}

/** What customers and admins choose from who cancel a subscription. */
export const CancellationReasons = ({ settings }: { settings: ReasonSettings }) => {
  const say = useText()
  const words = useReasonWords()
  const { cancellation_reasons: own, cancellation_reasons_default } = settings
  const defaults = cancellation_reasons_default.map(words)
  const form = useEditForm<Draft>({
    path: () => "/settings",
    change: (draft, opened) => changedMembers(bodyOf(draft), bodyOf(opened)),
    done: () => say("settings.reasons.saved"),
  })
  const start = () => form.start({ whose: own === null ? "default" : "own", lines: (own ?? defaults).join("\n") })
  const { draft } = form
  return (
    <Section
      heading={say("settings.reasons.title")}
      description={say("settings.reasons.description")}
      actions={
        <ActButton area="settings" variant="secondary" onClick={start}>
          {say("common.edit")}
        </ActButton>
      }
    >
      <Facts
        rows={[
          [say(own === null ? "settings.reasons.default" : "settings.reasons.own"), (own ?? defaults).join(" · ")],
        ]}
      />
      <FormDrawer {...form.drawer} title={say("settings.reasons.edit")} submit={say("common.save")}>
        {draft !== null && (
          <>
            <ChoiceField
              label={say("settings.reasons.whose")}
              value={draft.whose}
              options={(["default", "own"] as const).map((value) => ({
                value,
                label: say(`settings.reasons.${value}`),
              }))}
              onChange={(whose) => form.edit({ ...draft, whose })}
            />
            {draft.whose === "own" && (
              <TextAreaField
                label={say("settings.reasons.lines")}
                hint={say("settings.reasons.lines_hint")}
                fault={faultOf(form.error, "cancellation_reasons")}
                rows={8}
                value={draft.lines}
                onChange={(lines) => form.edit({ ...draft, lines })}
              />
            )}
          </>
        )}
      </FormDrawer>
    </Section>
  )
}
