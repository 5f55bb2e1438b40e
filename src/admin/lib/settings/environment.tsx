import { Container, Label, Switch, Text } from "@medusajs/ui"
import { typedNumber } from "../../../i18n/typed"
import { CashRules } from "../cash/rules"
import { changedMembers, useEditForm } from "../use"
import { useAdminMutation, useAdminQuery } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { ActButton, Guarded } from "../ui/bits"
import { faultOf, FormDrawer } from "../ui/form"
import { ErrorState, Facts, Loading, Section } from "../ui/section"
import { TextField } from "../ui/fields"
import { useConfirm } from "../ui/leaving"
import { CancellationReasons, type ReasonSettings } from "./cancellation-reasons"
import { CaptureTime, PaymentAttempts, Receipts, RiskyPayments, ShopModules, TimeZone, type CaptureMode } from "./parts"
import { OneTrial, type OneTrialMode } from "./one-trial"
import { RefundRules, type RefundSettings } from "./refund-rules"
import { Retries, type RetrySettings } from "./retries"

const SERVICES = ["checkout", "emi", "subscriptions", "refunds"] as const
const URLS = ["success_url", "fail_url", "cancel_url", "ipn_url"] as const
type Service = (typeof SERVICES)[number]
type Url = (typeof URLS)[number]

type Settings = Record<Url, string | null> &
  RefundSettings &
  RetrySettings &
  ReasonSettings & {
    services: Service[]
    payment_attempts: number
    hold_risky: boolean
    shop_modules: boolean
    receipts: boolean
    capture: CaptureMode
    time_zone: string
    one_trial_per_customer: OneTrialMode
    rate_limit_requests: number | null
    rate_limit_default: number
  }

/** The merchant's settings for the chosen environment. */
export const EnvironmentSections = () => {
  const { data, error, refetch } = useAdminQuery<{ settings: Settings }>("/settings")
  if (data === undefined) {
    return (
      <Container className="p-0">
        {error === null ? <Loading lines={6} /> : <ErrorState error={error} retry={() => void refetch()} />}
      </Container>
    )
  }
  return (
    <>
      <Services services={data.settings.services} />
      <Callbacks settings={data.settings} />
      <CaptureTime mode={data.settings.capture} />
      <CashRules />
      <PaymentAttempts attempts={data.settings.payment_attempts} />
      <RiskyPayments hold={data.settings.hold_risky} />
      <ShopModules on={data.settings.shop_modules} />
      <Receipts on={data.settings.receipts} />
      <RefundRules settings={data.settings} />
      <TimeZone zone={data.settings.time_zone} />
      <Retries settings={data.settings} />
      <OneTrial mode={data.settings.one_trial_per_customer} />
      <CancellationReasons settings={data.settings} />
      <RateLimit settings={data.settings} />
    </>
  )
}

const Services = ({ services }: { services: Service[] }) => {
  const say = useText()
  const confirm = useConfirm()
  const change = useAdminMutation<{ service: Service; on: boolean }>({
    path: () => "/settings",
    // Another admin may have switched another one since this page was loaded.
    body: ({ service, on }) => ({ service_changes: { [service]: on } }),
  })
  const toggle = async (service: Service, on: boolean) => {
    const name = say(`settings.services.${service}`)
    const [title, description] = [
      say("settings.services.off_title", { service: name }),
      say("settings.services.off_hint"),
    ]
    if (on || (await confirm({ title, description, confirm: say("developers.webhooks.switch_off") }))) {
      change.mutate({ service, on })
    }
  }
  return (
    <Section heading={say("settings.services.title")} description={say("settings.services.description")}>
      {SERVICES.map((service) => (
        <div key={service} className="flex items-center justify-between gap-4 px-6 py-3">
          <Label htmlFor={`service-${service}`} className="flex-1">
            <Text size="small" weight="plus" as="span">
              {say(`settings.services.${service}`)}
            </Text>
            <Text size="small" as="span" className="text-ui-fg-subtle block">
              {say(`settings.services.${service}_hint`)}
            </Text>
          </Label>
          <Guarded area="settings">
            {(isForbidden) => (
              <Switch
                id={`service-${service}`}
                className="shrink-0"
                disabled={isForbidden || change.isPending}
                checked={services.includes(service)}
                onCheckedChange={(on) => void toggle(service, on)}
              />
            )}
          </Guarded>
        </div>
      ))}
    </Section>
  )
}

const Callbacks = ({ settings }: { settings: Settings }) => {
  const say = useText()
  const form = useEditForm<Record<Url, string>>({
    path: () => "/settings",
    change: changedMembers,
    done: () => say("settings.callbacks.saved"),
  })
  const start = () => {
    const { success_url, fail_url, cancel_url, ipn_url } = settings
    form.start({
      success_url: success_url ?? "",
      fail_url: fail_url ?? "",
      cancel_url: cancel_url ?? "",
      ipn_url: ipn_url ?? "",
    })
  }
  const { draft } = form
  return (
    <Section
      heading={say("settings.callbacks.title")}
      description={say("settings.callbacks.description")}
      actions={
        <ActButton area="settings" variant="secondary" onClick={start}>
          {say("common.edit")}
        </ActButton>
      }
    >
      <Facts rows={URLS.map((url) => [say(`settings.callbacks.${url}`), settings[url]] as const)} />
      <FormDrawer {...form.drawer} title={say("settings.callbacks.edit")} submit={say("common.save")}>
        {draft !== null &&
          URLS.map((url) => (
            <TextField
              key={url}
              optional
              label={say(`settings.callbacks.${url}`)}
              fault={faultOf(form.error, url)}
              inputMode="url"
              placeholder="https://"
              value={draft[url]}
              onChange={(value) => form.edit({ ...draft, [url]: value })}
            />
          ))}
      </FormDrawer>
    </Section>
  )
}

function limitOf(text: string) {
  return { rate_limit_requests: typedNumber(text) ?? null }
}

const RateLimit = ({ settings: { rate_limit_requests, rate_limit_default } }: { settings: Settings }) => {
  const say = useText()
  const { number } = useFormats()
  const form = useEditForm<string>({
    path: () => "/settings",
    change: (draft, opened) => changedMembers(limitOf(draft), limitOf(opened)),
    done: () => say("settings.limits.saved"),
  })
  const named = (limit: number) => (limit === 0 ? say("settings.limits.none") : number(limit))
  return (
    <Section
      heading={say("settings.limits.title")}
      description={say("settings.limits.description")}
      actions={
        <ActButton
          area="settings"
          variant="secondary"
          onClick={() => form.start(rate_limit_requests === null ? "" : String(rate_limit_requests))}
        >
          {say("common.edit")}
        </ActButton>
      }
    >
      <Facts
        rows={[
          [
            say("settings.limits.requests"),
            rate_limit_requests === null
              ? say("settings.limits.default", { count: named(rate_limit_default) })
              : named(rate_limit_requests),
          ],
        ]}
      />
      <FormDrawer {...form.drawer} title={say("settings.limits.edit")} submit={say("common.save")}>
        <TextField
          optional
          label={say("settings.limits.requests")}
          hint={say("settings.limits.requests_hint", { count: named(rate_limit_default) })}
          fault={faultOf(form.error, "rate_limit_requests")}
          inputMode="numeric"
          value={form.draft ?? ""}
          onChange={(value) => form.edit(value)}
        />
      </FormDrawer>
    </Section>
  )
}
