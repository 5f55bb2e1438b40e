import { ArrowDownMini, ArrowUpMini, Trash } from "@medusajs/icons"
import { Alert, Button, Container, Text } from "@medusajs/ui"
import { useAdminQuery } from "../data"
import { useFormats } from "../format"
import type { AdminError } from "../http"
import { useText } from "../text"
import { ActButton, ActIconButton } from "../ui/bits"
import { ChoiceField, entryOf, TextField } from "../ui/fields"
import { faultOf, FormModal } from "../ui/form"
import { ErrorState, Facts, Loading, Section } from "../ui/section"
import { useEditForm } from "../use"
import {
  changeOf,
  CONDITIONS,
  mayExceed,
  ruleDraft,
  type CashSettings,
  type Draft,
  type Rule,
  type RuleDraft,
} from "./draft"

const ADVANCES = ["none", "delivery", "fixed", "percent"] as const
const REFUSED = ["keep", "give_back"] as const

/** How the store takes cash on delivery: the rules of the advance in their order, and what follows. */
export const CashRules = () => {
  const say = useText()
  const { number } = useFormats()
  const { data, error, refetch } = useAdminQuery<{ cash_settings: CashSettings }>("/cash-settings")
  const form = useEditForm<Draft>({
    path: () => "/cash-settings",
    change: changeOf,
    done: () => say("cash.rules.saved"),
  })
  if (data === undefined) {
    return (
      <Container className="p-0">
        {error === null ? <Loading lines={4} /> : <ErrorState error={error} retry={() => void refetch()} />}
      </Container>
    )
  }
  const { rules, late_after_days, refused_advance, noted_advance_percent: noted } = data.cash_settings
  const stored = (): Draft => ({
    rules: rules.map(ruleDraft),
    late_after_days: String(late_after_days),
    refused_advance,
  })
  return (
    <Section
      heading={say("cash.rules.title")}
      description={say("cash.rules.description")}
      actions={
        <ActButton area="cash-settings" variant="secondary" onClick={() => form.start(stored())}>
          {say("common.edit")}
        </ActButton>
      }
    >
      <ol aria-label={say("cash.rules.list")} className="txt-compact-small divide-y">
        {rules.map((rule, index) => (
          <OneRule key={index} rule={rule} position={index + 1} />
        ))}
        <li className="text-ui-fg-subtle px-6 py-3">
          {say(rules.length === 0 ? "cash.rules.none" : "cash.rules.otherwise")}
        </li>
      </ol>
      <Facts
        rows={[
          [
            say("cash.rules.late_after_days"),
            say("cash.rules.late_days", { count: late_after_days, number: number(late_after_days) }),
          ],
          [say("cash.rules.refused_advance"), say(`cash.refuse.advances.${refused_advance}`)],
        ]}
      />
      {rules.some((rule) => mayExceed(rule, noted)) && (
        <div className="px-6 py-4">
          <Notice noted={noted} />
        </div>
      )}
      <FormModal
        {...form.drawer}
        title={say("cash.rules.edit")}
        submit={say("common.save")}
        area="cash-settings"
        changed={form.draft !== null && Object.keys(changeOf(form.draft, stored())).length > 0}
      >
        {form.draft !== null && <Fields draft={form.draft} error={form.error} noted={noted} onChange={form.edit} />}
      </FormModal>
    </Section>
  )
}

const Notice = ({ noted }: { noted: string }) => {
  const say = useText()
  const { rate } = useFormats()
  return (
    <Alert variant="info" role="note">
      <Text size="small" weight="plus">
        {say("cash.rules.notice_title", { percent: rate(noted) })}
      </Text>
      <Text size="small">{say("cash.rules.notice")}</Text>
    </Alert>
  )
}

const OneRule = ({ rule, position }: { rule: Rule; position: number }) => {
  const say = useText()
  const { money, number, rate } = useFormats()
  const { advance, amount, percent, districts } = rule
  const conditions = [
    ...(districts.length > 0 ? [say("cash.rules.if_districts", { districts: districts.join(", ") })] : []),
    ...CONDITIONS.flatMap(([name]) => {
      const value = rule[name]
      const shown = typeof value === "number" ? number(value) : money(value ?? "0", "BDT")
      return value === null ? [] : [say(`cash.rules.if_${name}`, { value: shown })]
    }),
  ]
  const asked =
    advance === "fixed"
      ? money(amount ?? "0", "BDT")
      : advance === "percent"
        ? say("cash.rules.percent_of", { percent: rate(percent ?? "0") })
        : say(`cash.rules.advances.${advance}`)
  return (
    <li className="flex gap-3 px-6 py-3">
      <span className="text-ui-fg-muted tabular-nums">{number(position)}</span>
      <div className="min-w-0 break-words">
        <span className="txt-compact-small-plus block">{`${say("cash.rules.advance")}: ${asked}`}</span>
        <span className="text-ui-fg-subtle block">
          {conditions.length === 0 ? say("cash.rules.always") : conditions.join(" · ")}
        </span>
      </div>
    </li>
  )
}

type FieldsProps = { draft: Draft; error: AdminError | null; noted: string; onChange: (draft: Draft) => void }

const Fields = ({ draft, error, noted, onChange }: FieldsProps) => {
  const say = useText()
  const { rules } = draft
  const put = (next: RuleDraft[]) => onChange({ ...draft, rules: next })
  const move = (from: number, to: number) => {
    const next = [...rules]
    next.splice(to, 0, ...next.splice(from, 1))
    put(next)
  }
  return (
    <>
      {rules.map((rule, index) => (
        <RuleFields
          key={rule.key}
          rule={rule}
          index={index}
          isLast={index === rules.length - 1}
          error={error}
          onChange={(next) => put(rules.map((one) => (one.key === rule.key ? next : one)))}
          onMove={(by) => move(index, index + by)}
          onRemove={() => put(rules.filter((one) => one.key !== rule.key))}
        />
      ))}
      <Button
        size="small"
        variant="secondary"
        type="button"
        className="self-start"
        onClick={() => put([...rules, ruleDraft()])}
      >
        {say("cash.rules.add")}
      </Button>
      {rules.some((rule) => mayExceed(rule, noted)) && <Notice noted={noted} />}
      <TextField
        label={say("cash.rules.late_after_days_field")}
        fault={faultOf(error, "late_after_days")}
        inputMode="numeric"
        {...entryOf(draft, onChange, "late_after_days")}
      />
      <ChoiceField
        label={say("cash.rules.refused_advance")}
        fault={faultOf(error, "refused_advance")}
        value={draft.refused_advance}
        options={REFUSED.map((value) => ({ value, label: say(`cash.refuse.advances.${value}`) }))}
        onChange={(refused_advance) => onChange({ ...draft, refused_advance })}
      />
    </>
  )
}

type RuleProps = {
  rule: RuleDraft
  index: number
  isLast: boolean
  error: AdminError | null
  onChange: (rule: RuleDraft) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

const RuleFields = ({ rule, index, isLast, error, onChange, onMove, onRemove }: RuleProps) => {
  const say = useText()
  const place = { number: index + 1 }
  const of = rule.advance === "fixed" ? "amount" : rule.advance === "percent" ? "percent" : undefined
  const tools = [
    { name: "up", icon: <ArrowUpMini />, disabled: index === 0, act: () => onMove(-1) },
    { name: "down", icon: <ArrowDownMini />, disabled: isLast, act: () => onMove(1) },
    { name: "remove", icon: <Trash />, disabled: false, act: onRemove },
  ] as const
  const fault = (name: string) => faultOf(error, `rules[${index}].${name}`)
  const entry = (name: Exclude<keyof Rule, "advance">) => ({ fault: fault(name), ...entryOf(rule, onChange, name) })
  return (
    <div
      role="group"
      aria-label={say("cash.rules.rule", place)}
      className="border-ui-border-base flex flex-col gap-4 rounded-lg border p-4"
    >
      <div className="flex items-center justify-between gap-2">
        <Text size="small" weight="plus">
          {say("cash.rules.rule", place)}
        </Text>
        <div className="flex gap-1">
          {tools.map(({ name, icon, disabled, act }) => (
            <ActIconButton
              key={name}
              type="button"
              aria-label={say(`cash.rules.${name}`, place)}
              disabled={disabled}
              onClick={act}
            >
              {icon}
            </ActIconButton>
          ))}
        </div>
      </div>
      <ChoiceField
        label={say("cash.rules.advance")}
        fault={fault("advance")}
        value={rule.advance}
        options={ADVANCES.map((value) => ({ value, label: say(`cash.rules.advances.${value}`) }))}
        onChange={(advance) => onChange({ ...rule, advance })}
      />
      {of !== undefined && <TextField label={say(`cash.rules.${of}`)} inputMode="decimal" {...entry(of)} />}
      <Text size="small" weight="plus">
        {say("cash.rules.when")}
      </Text>
      <TextField
        optional
        label={say("cash.rules.districts")}
        hint={say("cash.rules.districts_hint")}
        {...entry("districts")}
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {CONDITIONS.map(([name, kind]) => (
          <TextField
            key={name}
            optional
            label={say(`cash.rules.${name}`)}
            hint={kind === "numeric" ? say("cash.rules.earlier_hint") : undefined}
            inputMode={kind}
            {...entry(name)}
          />
        ))}
      </div>
    </div>
  )
}
