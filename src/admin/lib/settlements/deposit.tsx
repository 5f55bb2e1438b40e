import { ArrowDownTray } from "@medusajs/icons"
import { Button, Checkbox, Label, Text } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation, useAdminQuery, useDownload } from "../data"
import { useFormats } from "../format"
import type { AdminError } from "../http"
import { useText } from "../text"
import { ActButton, Badge } from "../ui/bits"
import { TextAreaField, TextField } from "../ui/fields"
import { faultOf, FormDrawer, type FieldTexts } from "../ui/form"
import { Link } from "../ui/page-links"
import { ErrorState, Facts, Loading, Section } from "../ui/section"
import { decimalOf, minorOf } from "./amounts"
import { Quiet, useSourceName } from "./parts"
import type { Batch, WholeLine } from "./types"

type Suggested = Batch & { is_named: boolean }
/** The amounts of the chosen settlements, by their ids. */
type Draft = { amounts: Readonly<Record<string, string>>; note: string }

const EMPTY: Draft = { amounts: {}, note: "" }

/**
 * What the bank kept of the chosen settlements; below zero: more has come than they bring. Of none: what the bank has
 * taken by a line of its own. Null: an amount is none, or nothing is chosen for what came.
 */
function chargeOf({ amounts }: Draft, gross: string): bigint | null {
  const minors = Object.values(amounts).map(minorOf)
  const came = minorOf(gross)
  return came === null || (minors.length === 0 && came >= 0n) || minors.includes(null)
    ? null
    : minors.reduce<bigint>((sum, minor) => sum + (minor ?? 0n), -came)
}

/** Says which settlements a bank's line brings. Those that it names come first, with what is to come of each. */
export const MatchDeposit = ({ line }: { line: WholeLine }) => {
  const say = useText()
  const { money } = useFormats()
  const [draft, setDraft] = useState<Draft | null>(null)
  const path = `/settlements/deposits/${encodeURIComponent(line.id)}/suggestions`
  const asked = useAdminQuery<{ suggestions: Suggested[] }>(path, {}, draft !== null)
  const suggestions = asked.data?.suggestions
  const chosen = suggestions?.filter(({ id }) => draft?.amounts[id] !== undefined) ?? []
  const kept = draft === null ? null : chargeOf(draft, line.gross)
  const match = useAdminMutation<Draft>(
    {
      path: () => `/settlements/lines/${encodeURIComponent(line.id)}/deposit`,
      body: ({ amounts, note }) => ({
        allocations: chosen.map(({ id, source, batch }) => ({ source, batch, amount: amounts[id].trim() })),
        bank_charge: kept !== null && kept > 0n ? decimalOf(kept) : undefined,
        note: note.trim() || undefined,
      }),
    },
    { done: () => say("settlements.line_done"), onDone: () => setDraft(null) }
  )
  const start = () => {
    match.reset()
    setDraft(EMPTY)
  }
  return (
    <>
      <ActButton area="settlements" onClick={start}>
        {say("settlements.deposit.match")}
      </ActButton>
      <FormDrawer
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say("settlements.deposit.match")}
        description={say("settlements.deposit.match_hint", { amount: money(line.gross, line.currency) })}
        submit={say("settlements.deposit.match")}
        area="settlements"
        pending={match.isPending}
        onSubmit={() => draft !== null && match.mutate(draft)}
      >
        {suggestions === undefined &&
          (asked.error === null ? (
            <Loading lines={3} />
          ) : (
            <ErrorState error={asked.error} retry={() => void asked.refetch()} />
          ))}
        {draft !== null && suggestions !== undefined && (
          <Parts
            line={line}
            suggestions={suggestions}
            draft={draft}
            kept={kept}
            error={match.error}
            onChange={setDraft}
          />
        )}
      </FormDrawer>
    </>
  )
}

type PartsProps = {
  line: WholeLine
  suggestions: readonly Suggested[]
  draft: Draft
  kept: bigint | null
  error: AdminError | null
  onChange: (draft: Draft) => void
}

/** The settlements to choose from, how much of each, and what that leaves to the bank. */
const Parts = ({ line, suggestions, draft, kept, error, onChange }: PartsProps) => {
  const say = useText()
  const { money } = useFormats()
  const chosen = suggestions.filter(({ id }) => draft.amounts[id] !== undefined)
  const faultAt = (one: Suggested, name: "amount" | "batch") =>
    faultOf(error, `allocations[${chosen.indexOf(one)}].${name}`)
  return (
    <>
      {suggestions.length === 0 && <Quiet>{say("settlements.deposit.none")}</Quiet>}
      {suggestions.map((one) => (
        <Suggestion
          key={one.id}
          suggested={one}
          amount={draft.amounts[one.id]}
          fault={faultAt(one, "amount")}
          otherFault={faultAt(one, "batch")}
          onChange={(amount) => onChange({ ...draft, amounts: withAmount(draft.amounts, one.id, amount) })}
        />
      ))}
      {kept !== null && (
        <Text size="small" weight="plus" role="status">
          {say(kept < 0n ? "settlements.deposit.too_little" : "settlements.deposit.kept", {
            amount: money(decimalOf(kept < 0n ? -kept : kept), line.currency),
          })}
        </Text>
      )}
      <TextAreaField
        optional
        label={say("settlements.why")}
        fault={faultOf(error, "note")}
        otherFault={faultOf(error, "allocations") ?? faultOf(error, "bank_charge")}
        maxLength={500}
        value={draft.note}
        onChange={(note) => onChange({ ...draft, note })}
      />
    </>
  )
}

function withAmount(amounts: Draft["amounts"], id: string, amount: string | undefined): Draft["amounts"] {
  const others = Object.entries(amounts).filter(([one]) => one !== id)
  return Object.fromEntries(amount === undefined ? others : [...others, [id, amount]])
}

type SuggestionProps = Pick<FieldTexts, "fault" | "otherFault"> & {
  suggested: Suggested
  /** Undefined: it is not chosen. */
  amount: string | undefined
  onChange: (amount: string | undefined) => void
}

const Suggestion = ({ suggested, amount, fault, otherFault, onChange }: SuggestionProps) => {
  const say = useText()
  const { money, day } = useFormats()
  const sourceName = useSourceName()
  const { id, source, batch, outstanding, currency, last_day, is_named } = suggested
  return (
    <div className="border-ui-border-base flex flex-col gap-3 rounded-lg border p-4">
      <div className="flex items-start gap-3">
        <Checkbox
          id={id}
          checked={amount !== undefined}
          onCheckedChange={(checked) => onChange(checked === true ? outstanding : undefined)}
        />
        <Label htmlFor={id} size="small" className="min-w-0 flex-1 break-words">
          {`${sourceName(source)} · ${batch} · ${money(outstanding, currency)}`}
        </Label>
        {is_named && <Badge color="green">{say("settlements.deposit.named")}</Badge>}
      </div>
      <Text size="xsmall" className="text-ui-fg-subtle">
        {say("settlements.deposit.until", { day: day(last_day) })}
      </Text>
      {amount !== undefined && (
        <TextField
          label={say("settlements.deposit.amount", { batch })}
          fault={fault}
          otherFault={otherFault}
          inputMode="decimal"
          value={amount}
          onChange={onChange}
        />
      )}
    </div>
  )
}

/** What a bank's line brings: parts of settlements, and what the bank has kept. */
export const DepositParts = ({ line }: { line: WholeLine }) => {
  const say = useText()
  const { money } = useFormats()
  const sourceName = useSourceName()
  const download = useDownload()
  const { allocations, currency, bank_charge, source, month } = line
  return (
    <Section
      heading={say("settlements.deposit.brings")}
      description={say("settlements.deposit.brings_hint")}
      actions={
        // A charge alone is in no month of a source, whose page has the journal.
        allocations.length === 0 && (
          <Button
            size="small"
            variant="secondary"
            onClick={() => download.mutate({ path: "/settlements/journal", query: { source, month } })}
          >
            <ArrowDownTray />
            {say("settlements.month.journal")}
          </Button>
        )
      }
    >
      <ul className="divide-y">
        {allocations.map(({ source, batch, amount }) => (
          <li key={`${source}/${batch}`} className="txt-compact-small flex flex-wrap justify-between gap-x-4 px-6 py-3">
            <Link
              to={`/gateway/settlements/lines?${new URLSearchParams({ q: batch, source }).toString()}`}
              className="text-ui-fg-interactive break-words"
            >
              {`${sourceName(source)} · ${batch}`}
            </Link>
            <span className="tabular-nums">{money(amount, currency)}</span>
          </li>
        ))}
      </ul>
      <Facts
        rows={[
          [say("settlements.deposit.charge"), bank_charge && money(bank_charge, currency)],
          [say("settlements.deposit.came"), money(line.gross, currency)],
        ]}
      />
    </Section>
  )
}
