import { Select } from "@medusajs/ui"
import { type ReactNode, useId } from "react"
import { useTranslation } from "react-i18next"
import { typedNumber } from "../../../i18n/typed"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import { NAMESPACE, useText } from "../text"
import { AdminPage } from "../ui/admin-page"
import { ActButton, OnOff, PageTabs } from "../ui/bits"
import { ChoiceField, TextField } from "../ui/fields"
import { FormDrawer, faultOf, type FieldTexts } from "../ui/form"
import { Facts, Section } from "../ui/section"
import { changedMembers, useEditForm } from "../use"

/** The pages of the settings. */
export const SettingsPages = ({ children }: { children: ReactNode }) => {
  const say = useText()
  const tabs = [
    { to: "/gateway/settings", name: say("acquirers.general"), end: true },
    { to: "/gateway/settings/acquirers", name: say("acquirers.title") },
  ]
  return (
    <AdminPage>
      <PageTabs label={say("acquirers.tabs")} tabs={tabs} />
      {children}
    </AdminPage>
  )
}

const OFFERED = ["en", "bn"] as const

/** Bangla is chosen here: Medusa's own list of languages, in the profile, is fixed and lacks it. */
export const Language = () => {
  const say = useText()
  const { i18n } = useTranslation(NAMESPACE)
  const current = OFFERED.find((language) => language === i18n.language)
  return (
    <Section
      heading={say("settings.language.title")}
      description={say("settings.language.description")}
      actions={
        <Select value={current ?? "other"} onValueChange={(language) => void i18n.changeLanguage(language)}>
          <Select.Trigger aria-label={say("settings.language.title")} className="w-48">
            <Select.Value />
          </Select.Trigger>
          <Select.Content>
            {current === undefined && <Select.Item value="other">{say("settings.language.other")}</Select.Item>}
            {OFFERED.map((language) => (
              <Select.Item key={language} value={language}>
                {say(`settings.language.${language}`)}
              </Select.Item>
            ))}
          </Select.Content>
        </Select>
      }
    />
  )
}

const MAX = { width: 480, height: 160 }

/**
 * A picture as base64, small enough for a page that loads quickly, and as PNG, which a PDF can hold too. Rejects when the
 * browser cannot read the file as a picture.
 */
export async function logoContent(file: File): Promise<string> {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, MAX.width / picture.width, MAX.height / picture.height)
  const canvas = document.createElement("canvas")
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL("image/png").split(",")[1]
}

/** An emptied field is refused: there is no default (decisions: Checkout). */
const attemptsOf = (text: string) => ({ payment_attempts: typedNumber(text) ?? 0 })

/** How often a shopper may try to pay one checkout. */
export const PaymentAttempts = ({ attempts }: { attempts: number }) => {
  const say = useText()
  const { number } = useFormats()
  const form = useEditForm<string>({
    path: () => "/settings",
    change: (draft, opened) => changedMembers(attemptsOf(draft), attemptsOf(opened)),
    done: () => say("settings.attempts.saved"),
  })
  return (
    <Section
      heading={say("settings.attempts.title")}
      description={say("settings.attempts.description")}
      actions={
        <ActButton area="settings" variant="secondary" onClick={() => form.start(String(attempts))}>
          {say("common.edit")}
        </ActButton>
      }
    >
      <Facts rows={[[say("settings.attempts.attempts"), number(attempts)]]} />
      <FormDrawer {...form.drawer} title={say("settings.attempts.edit")} submit={say("common.save")}>
        <TextField
          label={say("settings.attempts.attempts")}
          hint={say("settings.attempts.attempts_hint")}
          fault={faultOf(form.error, "payment_attempts")}
          inputMode="numeric"
          value={form.draft ?? ""}
          onChange={(value) => form.edit(value)}
        />
      </FormDrawer>
    </Section>
  )
}

export const CAPTURE_MODES = ["automatic", "manual", "on_fulfilment"] as const
export type CaptureMode = (typeof CAPTURE_MODES)[number]

/** What a payment service may choose besides: as the merchant says for all. */
export const AS_MERCHANT = "as_merchant"

type CaptureFieldProps<Mode extends string> = {
  modes: readonly Mode[]
  value: Mode
  fault: FieldTexts["fault"]
  onChange: (mode: Mode) => void
}

/** When money is taken; one sentence says what the choice does. */
export function CaptureField<Mode extends CaptureMode | typeof AS_MERCHANT>(props: CaptureFieldProps<Mode>) {
  const say = useText()
  const { modes, value, fault, onChange } = props
  return (
    <ChoiceField
      label={say("settings.capture.mode")}
      hint={say(`settings.capture.hints.${value}`)}
      fault={fault}
      value={value}
      options={modes.map((mode) => ({ value: mode, label: say(`settings.capture.modes.${mode}`) }))}
      onChange={onChange}
    />
  )
}

/** When the money of payments is taken. */
export const CaptureTime = ({ mode }: { mode: CaptureMode }) => {
  const say = useText()
  const form = useEditForm<CaptureMode>({
    path: () => "/settings",
    change: (draft, opened) => changedMembers({ capture: draft }, { capture: opened }),
    done: () => say("settings.capture.saved"),
  })
  return (
    <Section
      heading={say("settings.capture.title")}
      description={say("settings.capture.description")}
      actions={
        <ActButton area="settings" variant="secondary" onClick={() => form.start(mode)}>
          {say("common.edit")}
        </ActButton>
      }
    >
      <Facts rows={[[say("settings.capture.mode"), say(`settings.capture.modes.${mode}`)]]} />
      <FormDrawer {...form.drawer} title={say("settings.capture.edit")} submit={say("common.save")}>
        {form.draft !== null && (
          <CaptureField
            modes={CAPTURE_MODES}
            value={form.draft}
            fault={faultOf(form.error, "capture")}
            onChange={form.edit}
          />
        )}
      </FormDrawer>
    </Section>
  )
}

/** Whose days and months the merchant's are: of billing, documents, the admin's pages and settlements (decisions: Days). */
export const TimeZone = ({ zone }: { zone: string }) => {
  const say = useText()
  const known = useId()
  const form = useEditForm<string>({
    path: () => "/settings",
    change: (draft, opened) => changedMembers({ time_zone: draft.trim() }, { time_zone: opened }),
    done: () => say("settings.time_zone.saved"),
  })
  return (
    <Section
      heading={say("settings.time_zone.title")}
      description={say("settings.time_zone.description")}
      actions={
        <ActButton area="settings" variant="secondary" onClick={() => form.start(zone)}>
          {say("common.edit")}
        </ActButton>
      }
    >
      <Facts rows={[[say("settings.time_zone.zone"), zone]]} />
      <FormDrawer {...form.drawer} title={say("settings.time_zone.edit")} submit={say("common.save")}>
        <TextField
          label={say("settings.time_zone.zone")}
          hint={say("settings.time_zone.zone_hint")}
          fault={faultOf(form.error, "time_zone")}
          list={known}
          value={form.draft ?? ""}
          onChange={form.edit}
        />
        <datalist id={known}>
          {Intl.supportedValuesOf("timeZone").map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </FormDrawer>
    </Section>
  )
}

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
