import { typedNumber } from "../../../i18n/typed"
import { Button, Hint, Text } from "@medusajs/ui"
import { changedMembers, useEditForm } from "../use"
import { useAdminQuery } from "../data"
import type { AdminError } from "../http"
import { useFormats } from "../format"
import { acquirerName, serviceName } from "../payments/parts"
import { SmallTable } from "../table/small-table"
import { useText } from "../text"
import { ActButton, Badge, OnOff } from "../ui/bits"
import { TextField } from "../ui/fields"
import { faultOf, FormDrawer, type FieldTexts } from "../ui/form"
import { ErrorState, Loading, Section } from "../ui/section"
import { AS_MERCHANT, CAPTURE_MODES, CaptureField, type CaptureMode } from "./parts"

/** As it is typed; "" is none. */
type Route = { acquirer: string; share: string; from: string; to: string }
type Service = {
  service_id: number
  code: string
  fee_percent: string
  fee_fixed: string
  supports_refunds: boolean
  is_active: boolean
  capture: CaptureMode | null
  /** It is not offered: its acquirer cannot reserve money. */
  capture_unsupported: boolean
  routes: Route[]
  possible_acquirers: { id: string; name: string }[]
}
type Stored = { [Name in keyof Route]: Name extends "share" ? number | null : string | null } & { acquirer: string }
type Answer = { payment_services: (Omit<Service, "routes"> & { routes: Stored[] })[] }

const typedRoute = ({ acquirer, share, from, to }: Stored): Route => {
  return { acquirer, share: share === null ? "" : String(share), from: from ?? "", to: to ?? "" }
}

function bodyOf({ fee_percent, fee_fixed, is_active, supports_refunds, routes, capture }: Service) {
  const sent = routes.map(({ acquirer, share, from, to }) => {
    return { acquirer, share: typedNumber(share) ?? null, from: from || null, to: to || null }
  })
  return { fee_percent, fee_fixed, is_active, supports_refunds, routes: sent, capture }
}

/** Every payment service with its fee. */
export const Fees = () => {
  const say = useText()
  const { data, error, refetch } = useAdminQuery<Answer>("/payment-services")
  const form = useEditForm<Service>({
    path: ({ service_id }) => `/payment-services/${service_id}`,
    change: (draft, opened) => changedMembers(bodyOf(draft), bodyOf(opened)),
    done: () => say("settings.fees.saved", { service: name }),
  })
  const name = serviceName(say, form.draft?.code ?? null)
  return (
    <Section heading={say("settings.fees.title")} description={say("settings.fees.description")}>
      {data === undefined ? (
        error === null ? (
          <Loading lines={7} />
        ) : (
          <ErrorState error={error} retry={() => void refetch()} />
        )
      ) : (
        <FeeTable
          services={data.payment_services.map((one) => ({ ...one, routes: one.routes.map(typedRoute) }))}
          onEdit={form.start}
        />
      )}
      <FormDrawer {...form.drawer} title={say("settings.fees.edit", { service: name })} submit={say("common.save")}>
        {form.draft !== null && <ServiceFields draft={form.draft} error={form.error} onChange={form.edit} />}
      </FormDrawer>
    </Section>
  )
}

const FeeTable = ({ services, onEdit }: { services: Service[]; onEdit: (service: Service) => void }) => {
  const say = useText()
  const { money, rate } = useFormats()
  return (
    <SmallTable
      label={say("settings.fees.title")}
      rows={services}
      keyOf={({ service_id }) => service_id}
      columns={[
        { name: say("settings.fees.service"), cell: ({ code }) => serviceName(say, code) },
        {
          name: say("settings.fees.fee"),
          cell: ({ fee_percent, fee_fixed }) =>
            say("settings.fees.fee_of", { percent: rate(fee_percent), fixed: money(fee_fixed, "BDT") }),
        },
        { name: say("settings.fees.offered"), cell: (service) => <Offered {...service} /> },
        {
          name: say("settings.fees.capture"),
          cell: ({ capture }) => say(`settings.capture.modes.${capture ?? AS_MERCHANT}`),
        },
        { name: say("settings.fees.refunds"), cell: ({ supports_refunds }) => <YesNo yes={supports_refunds} /> },
        {
          name: say("common.edit"),
          isUnnamed: true,
          cell: (service) => (
            <ActButton
              area="payment-services"
              variant="transparent"
              aria-label={say("settings.fees.edit", { service: serviceName(say, service.code) })}
              onClick={() => onEdit(service)}
            >
              {say("common.edit")}
            </ActButton>
          ),
        },
      ]}
    />
  )
}

const Offered = ({ is_active, capture_unsupported }: Service) => {
  const say = useText()
  return (
    <>
      <YesNo yes={is_active && !capture_unsupported} />
      {capture_unsupported && (
        <Text size="xsmall" className="text-ui-fg-subtle max-w-64 whitespace-normal">
          {say("settings.capture.unsupported")}
        </Text>
      )}
    </>
  )
}

const YesNo = ({ yes }: { yes: boolean }) => {
  const say = useText()
  return <Badge color={yes ? "green" : "grey"}>{say(yes ? "common.yes" : "common.no")}</Badge>
}

type FieldsProps = { draft: Service; error: AdminError | null; onChange: (draft: Service) => void }

const ServiceFields = ({ draft, error, onChange }: FieldsProps) => {
  const say = useText()
  return (
    <>
      <FeeFields draft={draft} error={error} onChange={onChange} />
      {draft.possible_acquirers.length > 1 && (
        <Routes service={draft} error={error} onChange={(routes) => onChange({ ...draft, routes })} />
      )}
      <CaptureField
        modes={[AS_MERCHANT, ...CAPTURE_MODES]}
        value={draft.capture ?? AS_MERCHANT}
        fault={faultOf(error, "capture")}
        onChange={(mode) => onChange({ ...draft, capture: mode === AS_MERCHANT ? null : mode })}
      />
      <OnOff
        label={say("settings.fees.is_active")}
        on={draft.is_active}
        onChange={(is_active) => onChange({ ...draft, is_active })}
      />
      <OnOff
        label={say("settings.fees.supports_refunds")}
        on={draft.supports_refunds}
        onChange={(supports_refunds) => onChange({ ...draft, supports_refunds })}
      />
    </>
  )
}

const FeeFields = ({ draft, error, onChange }: FieldsProps) => {
  const say = useText()
  return (
    <>
      <TextField
        label={say("settings.fees.percent")}
        fault={faultOf(error, "fee_percent")}
        inputMode="decimal"
        value={draft.fee_percent}
        onChange={(fee_percent) => onChange({ ...draft, fee_percent })}
      />
      <TextField
        label={say("settings.fees.fixed")}
        hint={say("settings.fees.fixed_hint")}
        fault={faultOf(error, "fee_fixed")}
        inputMode="decimal"
        value={draft.fee_fixed}
        onChange={(fee_fixed) => onChange({ ...draft, fee_fixed })}
      />
    </>
  )
}

type RoutesProps = { service: Service; error: AdminError | null; onChange: (routes: Route[]) => void }

/** Which acquirers are asked first, in order, each for a share of the payments or for some amounts. */
const Routes = ({ service: { routes, possible_acquirers: possible }, error, onChange }: RoutesProps) => {
  const say = useText()
  const possible_acquirers = possible.map(({ id, name }) => ({ id, name: acquirerName(say, id, name) }))
  const named = new Set(routes.map(({ acquirer }) => acquirer))
  const nameOf = (id: string) => possible_acquirers.find((one) => one.id === id)?.name ?? id
  const moveUp = (at: number) =>
    onChange([...routes.slice(0, at - 1), routes[at], routes[at - 1], ...routes.slice(at + 1)])
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="txt-compact-small-plus pb-1">{say("settings.fees.routes")}</legend>
      <Hint>{say("settings.fees.routes_hint")}</Hint>
      {faultOf(error, "routes") !== undefined && routes.length === 0 && (
        <Hint variant="error">{faultOf(error, "routes")?.message}</Hint>
      )}
      {routes.map((route, at) => (
        <RouteFields
          key={route.acquirer}
          name={nameOf(route.acquirer)}
          route={route}
          faultAt={(name) => faultOf(error, `routes[${at}].${name}`)}
          onChange={(changed) => onChange(routes.map((one) => (one === route ? changed : one)))}
          onUp={at > 0 ? () => moveUp(at) : null}
          onRemove={() => onChange(routes.filter((one) => one !== route))}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        {possible_acquirers
          .filter(({ id }) => !named.has(id))
          .map(({ id, name }) => (
            <Button
              key={id}
              type="button"
              size="small"
              variant="secondary"
              onClick={() => onChange([...routes, { acquirer: id, share: "", from: "", to: "" }])}
            >
              {say("settings.fees.add_route", { name })}
            </Button>
          ))}
      </div>
    </fieldset>
  )
}

const NUMBERS = ["share", "from", "to"] as const

type RouteProps = {
  name: string
  route: Route
  faultAt: (name: (typeof NUMBERS)[number]) => FieldTexts["fault"]
  onChange: (route: Route) => void
  /** null: it comes first already. */
  onUp: (() => void) | null
  onRemove: () => void
}

const RouteFields = ({ name, route, faultAt, onChange, onUp, onRemove }: RouteProps) => {
  const say = useText()
  return (
    <div role="group" aria-label={name} className="flex flex-col gap-2 rounded border p-3">
      <div className="flex items-center justify-between gap-2">
        <Text size="small" weight="plus">
          {name}
        </Text>
        <div className="flex gap-1">
          {onUp !== null && (
            <Button type="button" size="small" variant="transparent" onClick={onUp}>
              {say("settings.fees.move_up")}
            </Button>
          )}
          <Button type="button" size="small" variant="transparent" onClick={onRemove}>
            {say("settings.fees.remove_route")}
          </Button>
        </div>
      </div>
      <div className="grid grid-cols-3 gap-2">
        {NUMBERS.map((field) => (
          <TextField
            key={field}
            label={say(`settings.fees.${field}`)}
            fault={faultAt(field)}
            inputMode={field === "share" ? "numeric" : "decimal"}
            value={route[field]}
            onChange={(value) => onChange({ ...route, [field]: value })}
          />
        ))}
      </div>
    </div>
  )
}
