import { Button, Container, Input, Label, Switch, Text } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation, useAdminQuery } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { faultOf, Field, FormDrawer } from "../ui/form"
import { Facts, Section } from "../ui/section"
import { ErrorState, Loading } from "../ui/states"
import { useConfirm } from "../ui/use-confirm"
import { Receipts } from "./receipts"
import { PaymentAttempts } from "./payment-attempts"
import { RiskyPayments } from "./risky-payments"
import { RefundRules, type RefundSettings } from "./refund-rules"
import { ShopModules } from "./shop-modules"
import { Retries, type RetrySettings } from "./retries"

const SERVICES = ["checkout", "emi", "subscriptions", "refunds"] as const
const URLS = ["success_url", "fail_url", "cancel_url", "ipn_url"] as const
type Service = (typeof SERVICES)[number]
type Url = (typeof URLS)[number]

type Settings = Record<Url, string | null> &
  RefundSettings &
  RetrySettings & {
    services: Service[]
    payment_attempts: number
    hold_risky: boolean
    shop_modules: boolean
    receipts: boolean
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
      <PaymentAttempts attempts={data.settings.payment_attempts} />
      <RiskyPayments hold={data.settings.hold_risky} />
      <ShopModules on={data.settings.shop_modules} />
      <Receipts on={data.settings.receipts} />
      <RefundRules settings={data.settings} />
      <Retries settings={data.settings} />
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
          <Switch
            id={`service-${service}`}
            className="shrink-0"
            disabled={change.isPending}
            checked={services.includes(service)}
            onCheckedChange={(on) => void toggle(service, on)}
          />
        </div>
      ))}
    </Section>
  )
}

const Callbacks = ({ settings }: { settings: Settings }) => {
  const say = useText()
  const [draft, setDraft] = useState<Record<Url, string> | null>(null)
  const save = useAdminMutation<Record<Url, string>>(
    { path: () => "/settings", body: (urls) => urls },
    { done: () => say("settings.callbacks.saved"), onDone: () => setDraft(null) }
  )
  const start = () => {
    const { success_url, fail_url, cancel_url, ipn_url } = settings
    save.reset()
    setDraft({
      success_url: success_url ?? "",
      fail_url: fail_url ?? "",
      cancel_url: cancel_url ?? "",
      ipn_url: ipn_url ?? "",
    })
  }
  return (
    <Section
      heading={say("settings.callbacks.title")}
      description={say("settings.callbacks.description")}
      actions={
        <Button size="small" variant="secondary" onClick={start}>
          {say("common.edit")}
        </Button>
      }
    >
      <Facts rows={URLS.map((url) => [say(`settings.callbacks.${url}`), settings[url]] as const)} />
      <FormDrawer
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say("settings.callbacks.edit")}
        submit={say("common.save")}
        pending={save.isPending}
        onSubmit={() => draft && save.mutate(draft)}
      >
        {draft !== null &&
          URLS.map((url) => (
            <Field key={url} optional label={say(`settings.callbacks.${url}`)} fault={faultOf(save.error, url)}>
              {(tied) => (
                <Input
                  {...tied}
                  inputMode="url"
                  placeholder="https://"
                  value={draft[url]}
                  onChange={({ target }) => setDraft({ ...draft, [url]: target.value })}
                />
              )}
            </Field>
          ))}
      </FormDrawer>
    </Section>
  )
}

const RateLimit = ({ settings: { rate_limit_requests, rate_limit_default } }: { settings: Settings }) => {
  const say = useText()
  const { number } = useFormats()
  const [draft, setDraft] = useState<string | null>(null)
  const save = useAdminMutation<string>(
    { path: () => "/settings", body: (text) => ({ rate_limit_requests: text === "" ? null : Number(text) }) },
    { done: () => say("settings.limits.saved"), onDone: () => setDraft(null) }
  )
  const named = (limit: number) => (limit === 0 ? say("settings.limits.none") : number(limit))
  return (
    <Section
      heading={say("settings.limits.title")}
      description={say("settings.limits.description")}
      actions={
        <Button
          size="small"
          variant="secondary"
          onClick={() => setDraft(rate_limit_requests === null ? "" : String(rate_limit_requests))}
        >
          {say("common.edit")}
        </Button>
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
      <FormDrawer
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say("settings.limits.edit")}
        submit={say("common.save")}
        pending={save.isPending}
        onSubmit={() => draft !== null && save.mutate(draft)}
      >
        <Field
          optional
          label={say("settings.limits.requests")}
          hint={say("settings.limits.requests_hint", { count: named(rate_limit_default) })}
          fault={faultOf(save.error, "rate_limit_requests")}
        >
          {(tied) => (
            <Input
              {...tied}
              type="number"
              min={0}
              value={draft ?? ""}
              onChange={({ target }) => setDraft(target.value)}
            />
          )}
        </Field>
      </FormDrawer>
    </Section>
  )
}
