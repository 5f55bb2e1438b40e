import { useState } from "react"
import { useAdminMutation, useAdminQuery } from "../data"
import { useFormats } from "../format"
import type { AdminError } from "../http"
import { serviceName } from "../payments/parts"
import { SERVICES } from "../payments/types"
import { useAddressFilter } from "../table/url-state"
import { SmallTable } from "../table/small-table"
import { useText } from "../text"
import { ActButton } from "../ui/bits"
import { ChoiceField, entryOf, TextField } from "../ui/fields"
import { faultOf, FormModal } from "../ui/form"
import { ErrorState, Loading, Section } from "../ui/section"
import { Quiet, SourceChoice, SourceFields, sourceOf, useSources } from "./parts"
import type { Agreement } from "./types"

/** The fees that were agreed with one source, oldest first. */
export const Agreements = () => {
  const say = useText()
  const [chosen, choose] = useAddressFilter("source")
  const [first] = useSources()
  const source = chosen ?? first?.source
  const asked = useAdminQuery<{ agreements: Agreement[] }>("/settlements/agreements", { source }, source !== undefined)
  const { error, refetch } = asked
  const data = asked.isPlaceholderData ? undefined : asked.data
  return (
    <Section
      level="h1"
      heading={say("settlements.fees.title")}
      description={say("settlements.fees.description")}
      actions={<NewAgreement source={source ?? ""} onSaved={choose} />}
    >
      {source !== undefined && (
        <div className="px-6 py-4">
          <div className="sm:max-w-xs">
            <SourceChoice value={source} onChange={choose} />
          </div>
        </div>
      )}
      {data === undefined &&
        (error === null ? <Loading lines={2} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {data?.agreements.length === 0 && (
        <div className="px-6 py-4">
          <Quiet>{say("settlements.fees.none")}</Quiet>
        </div>
      )}
      {data !== undefined && data.agreements.length > 0 && <AgreementTable agreements={data.agreements} />}
    </Section>
  )
}

const AgreementTable = ({ agreements }: { agreements: Agreement[] }) => {
  const say = useText()
  const { day, rate, money } = useFormats()
  return (
    <SmallTable
      label={say("settlements.fees.list")}
      rows={agreements}
      keyOf={({ valid_from, payment_service }) => `${valid_from}/${payment_service}`}
      columns={[
        { name: say("settlements.fees.valid_from"), cell: ({ valid_from }) => day(valid_from) },
        {
          name: say("payments.method"),
          cell: ({ payment_service }) =>
            payment_service === null ? say("settlements.fees.all") : serviceName(say, payment_service),
        },
        { name: say("settlements.fees.rate"), isNumber: true, cell: ({ rate_percent }) => rate(rate_percent) },
        { name: say("settlements.fees.fixed"), isNumber: true, cell: ({ fixed }) => money(fixed, "BDT") },
        { name: say("settlements.fees.vat"), isNumber: true, cell: ({ vat_percent }) => rate(vat_percent) },
      ]}
    />
  )
}

const ALL = "all"
type Draft = {
  source: string
  named: string
  payment_service: string
  valid_from: string
  rate_percent: string
  fixed: string
  vat_percent: string
}

function bodyOf(draft: Draft) {
  const { payment_service, valid_from, rate_percent, fixed, vat_percent } = draft
  return {
    source: sourceOf(draft),
    payment_service: payment_service === ALL ? undefined : payment_service,
    valid_from: valid_from || undefined,
    rate_percent: rate_percent.trim(),
    fixed: fixed.trim() || undefined,
    vat_percent: vat_percent.trim() || undefined,
  }
}

const NewAgreement = ({ source, onSaved }: { source: string; onSaved: (source: string) => void }) => {
  const say = useText()
  const [draft, setDraft] = useState<Draft | null>(null)
  const save = useAdminMutation<Draft>(
    { path: () => "/settlements/agreements", body: bodyOf },
    {
      done: () => say("settlements.fees.saved"),
      onDone: () => {
        if (draft !== null) {
          onSaved(sourceOf(draft))
        }
        setDraft(null)
      },
    }
  )
  const start = () => {
    save.reset()
    const empty = { payment_service: ALL, valid_from: "", rate_percent: "", fixed: "", vat_percent: "15" }
    setDraft({ ...empty, source, named: "" })
  }
  return (
    <>
      <ActButton area="settlements" onClick={start}>
        {say("settlements.fees.add")}
      </ActButton>
      <FormModal
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say("settlements.fees.add")}
        description={say("settlements.fees.add_hint")}
        submit={say("common.save")}
        area="settlements"
        pending={save.isPending}
        onSubmit={() => draft !== null && save.mutate(draft)}
      >
        {draft !== null && <Fields draft={draft} onChange={setDraft} error={save.error} />}
      </FormModal>
    </>
  )
}

type FieldsProps = { draft: Draft; onChange: (draft: Draft) => void; error: AdminError | null }

const Fields = ({ draft, onChange, error }: FieldsProps) => {
  const say = useText()
  const typed = (name: "valid_from" | "rate_percent" | "fixed" | "vat_percent") => ({
    fault: faultOf(error, name),
    ...entryOf(draft, onChange, name),
  })
  return (
    <>
      <SourceFields
        source={draft.source}
        named={draft.named}
        fault={faultOf(error, "source")}
        onChange={(change) => onChange({ ...draft, ...change })}
      />
      <ChoiceField
        label={say("payments.method")}
        hint={say("settlements.fees.service_hint")}
        fault={faultOf(error, "payment_service")}
        value={draft.payment_service}
        options={[
          { value: ALL, label: say("settlements.fees.all") },
          ...SERVICES.map((value) => ({ value, label: serviceName(say, value) })),
        ]}
        onChange={(payment_service) => onChange({ ...draft, payment_service })}
      />
      <TextField
        label={say("settlements.fees.valid_from")}
        hint={say("settlements.fees.valid_hint")}
        type="date"
        {...typed("valid_from")}
      />
      <TextField label={say("settlements.fees.rate")} inputMode="decimal" {...typed("rate_percent")} />
      <TextField optional label={say("settlements.fees.fixed")} inputMode="decimal" {...typed("fixed")} />
      <TextField
        optional
        label={say("settlements.fees.vat")}
        hint={say("settlements.fees.vat_hint")}
        inputMode="decimal"
        {...typed("vat_percent")}
      />
    </>
  )
}
