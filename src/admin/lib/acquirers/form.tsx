import { Checkbox, Hint, Label, toast } from "@medusajs/ui"
import { useId, useState } from "react"
import { useAdminMutation } from "../data"
import { serviceName } from "../payments/parts"
import { useText } from "../text"
import type { AdminError } from "../http"
import { faultOf, FormDrawer } from "../ui/form"
import { OnOff } from "../ui/bits"
import { TextField } from "../ui/fields"
import { changeOf, credentialsOf, draftOf, type Acquirer, type AcquirerField, type Draft } from "./draft"
import { Addresses, ConnectionTest, fieldHint, outcomeText, useConnectionTest, useFieldName } from "./parts"

type Props = { acquirer: Acquirer; draft: Draft; onChange: (draft: Draft) => void; error: AdminError | null }

/**
 * Creates or changes the merchant's account. Credentials are tested before they are saved, and refused ones are saved
 * only switched off; what is saved is tested again, so that the list says how it stands.
 */
export const AccountForm = ({ acquirer, onClose }: { acquirer: Acquirer; onClose: () => void }) => {
  const say = useText()
  const [opened] = useState(() => draftOf(acquirer))
  const [draft, setDraft] = useState(opened)
  const { name, account } = acquirer
  const test = useConnectionTest(acquirer)
  const testSaved = useConnectionTest(acquirer, (outcome) => {
    const text = outcomeText(say, outcome)
    const show = outcome.works ? toast.success : toast.error
    show(name, { description: text })
  })
  const save = useAdminMutation<object, { acquirer: Acquirer }>(
    { path: () => `/acquirers/${acquirer.id}`, body: (change) => change },
    {
      done: () => say("acquirers.saved", { name }),
      onDone: (answer) => {
        if (answer.acquirer.account?.last_test === null) {
          testSaved.mutate({})
        }
        onClose()
      },
    }
  )
  /** Whether the acquirer refuses what was entered. Not known, as after too many tests: it is saved all the same. */
  const isRefused = () =>
    test.mutateAsync({ credentials: credentialsOf(acquirer, draft) }).then(
      ({ test: { problem } }) => problem === "credentials",
      ({ status }: AdminError) => status === 422
    )
  const submit = async () => {
    const body = changeOf(acquirer, draft, opened)
    if (Object.keys(body).length === 0) {
      return onClose()
    }
    // Shoppers would be sent to an acquirer that refuses every payment.
    if ("credentials" in body && draft.is_active && (await isRefused())) {
      return
    }
    save.mutate(body)
  }
  return (
    <FormDrawer
      open
      onClose={onClose}
      title={say(account === null ? "acquirers.set_up" : "acquirers.edit", { name })}
      description={say("acquirers.credentials_hint")}
      submit={say("common.save")}
      area="acquirers"
      pending={save.isPending || test.isPending}
      onSubmit={() => void submit()}
    >
      <Fields acquirer={acquirer} draft={draft} onChange={setDraft} error={save.error ?? test.error} />
      <ConnectionTest
        pending={test.isPending}
        outcome={test.data?.test}
        onTest={() => test.mutate({ credentials: credentialsOf(acquirer, draft) })}
      />
      <Routing acquirer={acquirer} draft={draft} onChange={setDraft} error={save.error} />
      <Addresses acquirer={acquirer} />
    </FormDrawer>
  )
}

const Fields = ({ acquirer, draft, onChange, error }: Props) => {
  const say = useText()
  const fieldName = useFieldName()
  const { fields, account } = acquirer
  const put = (name: string, value: string) => onChange({ ...draft, values: { ...draft.values, [name]: value } })
  const hintOf = ({ name, secret }: AcquirerField) =>
    secret && account?.secrets[name] ? say("acquirers.stored") : fieldHint(say, name)
  return fields.map((field) =>
    field.name === "unattended_agreements" ? (
      <OnOff
        key={field.name}
        label={fieldName(field.name)}
        hint={hintOf(field)}
        on={draft.values[field.name] === "yes"}
        onChange={(on) => put(field.name, on ? "yes" : "no")}
      />
    ) : (
      <TextField
        key={field.name}
        optional={!field.required}
        label={fieldName(field.name)}
        hint={hintOf(field)}
        fault={faultOf(error, `credentials.${field.name}`)}
        type={field.secret ? "password" : "text"}
        autoComplete={field.secret ? "new-password" : "off"}
        spellCheck={false}
        value={draft.values[field.name]}
        onChange={(value) => put(field.name, value)}
      />
    )
  )
}

const Routing = ({ acquirer, draft, onChange, error }: Props) => {
  const say = useText()
  const toggle = (code: string, on: boolean) => {
    const services = acquirer.services.filter((one) => (one === code ? on : draft.services.includes(one)))
    // None would mean all.
    if (services.length > 0) {
      onChange({ ...draft, services })
    }
  }
  return (
    <>
      {acquirer.services.length > 1 && (
        <div role="group" aria-label={say("acquirers.services")} className="flex flex-col gap-2">
          <Label size="small" weight="plus">
            {say("acquirers.services")}
          </Label>
          {acquirer.services.map((code) => (
            <Choice
              key={code}
              label={serviceName(say, code)}
              on={draft.services.includes(code)}
              onChange={(on) => toggle(code, on)}
            />
          ))}
          <Hint>{say("acquirers.services_hint")}</Hint>
        </div>
      )}
      <TextField
        optional
        label={say("acquirers.order")}
        hint={say("acquirers.order_hint")}
        fault={faultOf(error, "position")}
        inputMode="numeric"
        value={draft.position}
        onChange={(position) => onChange({ ...draft, position })}
      />
      <OnOff
        label={say("acquirers.is_active")}
        hint={say("acquirers.is_active_hint")}
        on={draft.is_active}
        onChange={(is_active) => onChange({ ...draft, is_active })}
      />
    </>
  )
}

const Choice = ({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) => {
  const id = useId()
  return (
    <div className="flex items-center gap-2">
      <Checkbox id={id} checked={on} onCheckedChange={(checked) => onChange(checked === true)} />
      <Label size="small" htmlFor={id}>
        {label}
      </Label>
    </div>
  )
}
