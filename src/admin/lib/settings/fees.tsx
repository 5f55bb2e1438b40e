import { Text } from "@medusajs/ui"
import { changedMembers, useEditForm } from "../use"
import { useAdminQuery } from "../data"
import type { AdminError } from "../http"
import { useFormats } from "../format"
import { serviceName } from "../payments/parts"
import { SmallTable } from "../table/small-table"
import { useText } from "../text"
import { ActButton, Badge, OnOff } from "../ui/bits"
import { ChoiceField, TextField } from "../ui/fields"
import { faultOf, FormDrawer } from "../ui/form"
import { ErrorState, Loading, Section } from "../ui/section"
import { AS_MERCHANT, CAPTURE_MODES, CaptureField, type CaptureMode } from "./parts"

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
  acquirers: string[]
  possible_acquirers: { id: string; name: string }[]
}
type Answer = { payment_services: Service[] }

function bodyOf({ fee_percent, fee_fixed, is_active, supports_refunds, acquirers, capture }: Service) {
  return { fee_percent, fee_fixed, is_active, supports_refunds, acquirers, capture }
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
        <FeeTable services={data.payment_services} onEdit={form.start} />
      )}
      <FormDrawer {...form.drawer} title={say("settings.fees.edit", { service: name })} submit={say("common.save")}>
        {form.draft !== null && <ServiceFields draft={form.draft} error={form.error} onChange={form.edit} />}
      </FormDrawer>
    </Section>
  )
}

const FeeTable = ({ services, onEdit }: { services: Service[]; onEdit: (service: Service) => void }) => {
  const say = useText()
  const { money, number } = useFormats()
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
            say("settings.fees.fee_of", { percent: number(Number(fee_percent)), fixed: money(fee_fixed, "BDT") }),
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
        <FirstAcquirer
          service={draft}
          fault={faultOf(error, "acquirers")}
          onChange={(acquirers) => onChange({ ...draft, acquirers })}
        />
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

/** The select cannot have an item without a value. */
const ACCOUNTS_ORDER = "accounts"

type FirstAcquirerProps = {
  service: Service
  fault: string | undefined
  onChange: (acquirers: string[]) => void
}

const FirstAcquirer = ({ service: { acquirers, possible_acquirers }, fault, onChange }: FirstAcquirerProps) => {
  const say = useText()
  const choose = (id: string) => onChange(id === ACCOUNTS_ORDER ? [] : [id, ...acquirers.filter((one) => one !== id)])
  return (
    <ChoiceField
      label={say("settings.fees.first_acquirer")}
      hint={say("settings.fees.first_acquirer_hint")}
      fault={fault}
      value={acquirers[0] ?? ACCOUNTS_ORDER}
      options={[
        { value: ACCOUNTS_ORDER, label: say("settings.fees.accounts_order") },
        ...possible_acquirers.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={choose}
    />
  )
}
