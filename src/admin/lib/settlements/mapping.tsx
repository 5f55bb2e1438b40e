import { Button, Text } from "@medusajs/ui"
import type { ReactNode } from "react"
import type { AdminError } from "../http"
import { useText } from "../text"
import { useFormats } from "../format"
import { ChoiceField, entryOf, TextAreaField, TextField } from "../ui/fields"
import { faultOf } from "../ui/form"
import {
  COLUMNS,
  DATE_FORMATS,
  FILE_KINDS,
  kindsOf,
  NONE,
  wordsOf,
  withSuggested,
  withWord,
  type Column,
  type Draft,
} from "./mapping-draft"
import { SourceFields } from "./parts"
import type { Preview } from "./types"

export type MappingProps = {
  draft: Draft
  onChange: (draft: Draft) => void
  /** Of the last look at the file, or of the attempt to save. */
  error: AdminError | null
  /** What the file's first rows say. */
  preview: Preview
  /** What the column of kinds says. */
  words: readonly string[]
  /** The template exists: its name and source stay. */
  isKnown: boolean
}

const CURRENCIES = ["BDT", "USD", "EUR", "GBP", "INR"]

/** How the files of one source are read: which column is what, and how it writes amounts, dates and kinds. */
export const Mapping = (props: MappingProps) => (
  <div className="flex flex-col gap-6 px-6 py-4">
    {!props.isKnown && <About {...props} />}
    <Columns {...props} />
    {props.draft.columns.kind !== undefined && <Words {...props} />}
    <Writing {...props} />
    <Further {...props} />
  </div>
)

const Part = ({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-4">
    <div>
      <Text size="small" weight="plus">
        {title}
      </Text>
      {hint !== undefined && (
        <Text size="small" className="text-ui-fg-subtle">
          {hint}
        </Text>
      )}
    </div>
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">{children}</div>
  </section>
)

const About = ({ draft, onChange, error }: MappingProps) => {
  const say = useText()
  return (
    <Part title={say("settlements.map.about")}>
      <TextField
        label={say("settlements.map.name")}
        hint={say("settlements.map.name_hint")}
        fault={faultOf(error, "name")}
        maxLength={100}
        {...entryOf(draft, onChange, "name")}
      />
      <SourceFields
        source={draft.source}
        named={draft.named}
        fault={faultOf(error, "source")}
        onChange={(change) => onChange({ ...draft, ...change })}
      />
    </Part>
  )
}

const Columns = ({ draft, onChange, error, preview }: MappingProps) => {
  const say = useText()
  const header = preview.rows.find(({ line }) => line === preview.header_line)
  const names = [...new Set(header?.names.filter((name) => name !== ""))]
  const choose = (column: Column, name: string) => {
    const columns = { ...draft.columns, [column]: name === NONE ? undefined : name }
    // Where a column says the kind or the currency of a line, nothing is assumed for lines without.
    const says = { kind: { default_kind: NONE }, currency: { currency: NONE } }
    const usual = { kind: { default_kind: "by_sign" }, currency: { currency: "BDT" } }
    const also = column === "kind" || column === "currency" ? (name === NONE ? usual : says)[column] : {}
    onChange({ ...draft, columns, ...also } as Draft)
  }
  return (
    <Part title={say("settlements.map.columns")} hint={say("settlements.map.columns_hint")}>
      <ChoiceField
        label={say("settlements.map.kind")}
        fault={faultOf(error, "definition.kind")}
        value={draft.kind}
        options={FILE_KINDS.map((value) => ({ value, label: say(`settlements.file_kinds.${value}`) }))}
        onChange={(kind) => onChange({ ...draft, kind })}
      />
      {COLUMNS[draft.kind].map((column) => {
        const chosen = draft.columns[column]
        const all = chosen === undefined || names.includes(chosen) ? names : [chosen, ...names]
        return (
          <ChoiceField
            key={column}
            label={say(`settlements.columns.${column}`)}
            hint={say(`settlements.column_hints.${column}`)}
            fault={faultOf(error, `definition.columns.${column}`)}
            value={chosen ?? NONE}
            options={[
              { value: NONE, label: say("settlements.map.not_in_file") },
              ...all.map((value) => ({ value, label: value })),
            ]}
            onChange={(name) => choose(column, name)}
          />
        )
      })}
      {preview.suggested !== null && (
        <Button
          size="small"
          variant="secondary"
          type="button"
          className="self-end justify-self-start"
          onClick={() => preview.suggested && onChange(withSuggested(draft, preview.suggested))}
        >
          {say("settlements.map.suggest")}
        </Button>
      )}
    </Part>
  )
}

const Words = ({ draft, onChange, error, words }: MappingProps) => {
  const say = useText()
  return (
    <Part title={say("settlements.map.words")} hint={say("settlements.map.words_hint")}>
      {wordsOf(draft, words).map((word) => (
        <ChoiceField
          key={word}
          label={word}
          fault={faultOf(error, `definition.kinds.${word}`)}
          value={draft.kinds[word] ?? NONE}
          options={[
            { value: NONE, label: say("settlements.map.not_said") },
            ...kindsOf(draft.kind).map((value) => ({ value, label: say(`settlements.kinds.${value}`) })),
            { value: "skip", label: say("settlements.map.skip_line") },
          ]}
          onChange={(kind) => onChange(withWord(draft, word, kind))}
        />
      ))}
    </Part>
  )
}

const Writing = (props: MappingProps) => {
  const say = useText()
  const { draft, onChange, error } = props
  return (
    <Part title={say("settlements.map.writing")} hint={say("settlements.map.writing_hint")}>
      <ChoiceField
        label={say("settlements.map.date_format")}
        fault={faultOf(error, "definition.date_format")}
        value={draft.date_format}
        options={DATE_FORMATS.map(([value, name]) => ({ value, label: say(`settlements.formats.${name}`) }))}
        onChange={(date_format) => onChange({ ...draft, date_format })}
      />
      <ChoiceField
        label={say("settlements.map.decimal")}
        fault={faultOf(error, "definition.decimal")}
        value={draft.decimal}
        options={[
          { value: ".", label: say("settlements.map.decimal_point") },
          { value: ",", label: say("settlements.map.decimal_comma") },
        ]}
        onChange={(decimal) => onChange({ ...draft, decimal })}
      />
      {draft.kind !== "statement" && <Signs {...props} />}
      <Usual {...props} />
    </Part>
  )
}

const Signs = ({ draft, onChange, error }: MappingProps) => {
  const say = useText()
  const options = (["negative", "positive"] as const).map((value) => ({
    value,
    label: say(`settlements.signs.${value}`),
  }))
  return (
    <>
      <ChoiceField
        label={say("settlements.map.refund_sign")}
        fault={faultOf(error, "definition.refund_sign")}
        value={draft.refund_sign}
        options={options}
        onChange={(refund_sign) => onChange({ ...draft, refund_sign })}
      />
      <ChoiceField
        label={say("settlements.map.fee_sign")}
        fault={faultOf(error, "definition.fee_sign")}
        value={draft.fee_sign}
        options={options}
        onChange={(fee_sign) => onChange({ ...draft, fee_sign })}
      />
    </>
  )
}

/** What holds where no column says it. */
const Usual = ({ draft, onChange, error }: MappingProps) => {
  const say = useText()
  const { currency, default_kind, columns, kind } = draft
  const currencies = [...new Set([...CURRENCIES, ...(currency === NONE ? [] : [currency])])]
  const none = (label: string) => ({ value: NONE, label }) as const
  return (
    <>
      <ChoiceField
        label={say("payments.currency")}
        fault={faultOf(error, "definition.currency")}
        value={currency}
        options={[
          ...(columns.currency === undefined ? [] : [none(say("settlements.map.in_column"))]),
          ...currencies.map((value) => ({ value, label: value })),
        ]}
        onChange={(next) => onChange({ ...draft, currency: next })}
      />
      <ChoiceField<Draft["default_kind"]>
        label={say("settlements.map.default_kind")}
        hint={say("settlements.map.default_kind_hint")}
        fault={faultOf(error, "definition.default_kind")}
        value={default_kind}
        options={[
          ...(columns.kind === undefined ? [] : [none(say("settlements.map.is_error"))]),
          { value: "by_sign", label: say("settlements.map.by_sign") },
          ...kindsOf(kind).map((value) => ({ value, label: say(`settlements.kinds.${value}`) })),
        ]}
        onChange={(next) => onChange({ ...draft, default_kind: next })}
      />
    </>
  )
}

const NAMES_SHOWN = 3

const Further = ({ draft, onChange, error, preview }: MappingProps) => {
  const say = useText()
  const { number } = useFormats()
  const lines = preview.rows.filter(({ names }) => names.some((name) => name !== ""))
  return (
    <Part title={say("settlements.map.further")} hint={say("settlements.map.further_hint")}>
      <ChoiceField
        label={say("settlements.map.header_line")}
        fault={faultOf(error, "definition.header_line")}
        value={draft.header_line}
        options={[
          { value: NONE, label: say("settlements.map.header_found") },
          ...lines.map(({ line, names }) => ({
            value: String(line),
            label: `${say("settlements.line", { number: number(line) })}: ${names.filter(Boolean).slice(0, NAMES_SHOWN).join(", ")}`,
          })),
        ]}
        onChange={(header_line) => onChange({ ...draft, header_line })}
      />
      <TextField
        optional
        label={say("settlements.map.sheet")}
        hint={say("settlements.map.sheet_hint")}
        fault={faultOf(error, "definition.sheet")}
        {...entryOf(draft, onChange, "sheet")}
      />
      <TextField
        label={say("settlements.map.time_zone")}
        hint={say("settlements.map.time_zone_hint")}
        fault={faultOf(error, "definition.time_zone")}
        {...entryOf(draft, onChange, "time_zone")}
      />
      <TextAreaField
        optional
        label={say("settlements.map.skip")}
        hint={say("settlements.map.skip_hint")}
        fault={faultOf(error, "definition.skip")}
        rows={3}
        {...entryOf(draft, onChange, "skip")}
      />
    </Part>
  )
}
