import { Table } from "@medusajs/ui"
import { useState, type ReactNode } from "react"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { ActButton, Copied, Moment } from "../ui/bits"
import { TextAreaField, TextField } from "../ui/fields"
import { faultOf, FormDrawer } from "../ui/form"
import { Link } from "../ui/page-links"
import { Facts, Section } from "../ui/section"
import { MatchDeposit } from "./deposit"
import { LineHint } from "./lines"
import { By, LineState, useSourceName } from "./parts"
import { settles, type Line, type WholeLine } from "./types"

type What = "match" | "explain" | "undo"
type Draft = { what: What; number: string; note: string }

/** What may be said of a line in each of its states. */
const WHATS: Readonly<Record<Line["status"], readonly What[]>> = {
  unknown: ["match", "explain"],
  matched: ["undo"],
  differs: ["explain", "undo"],
  explained: ["undo"],
}

/** Of a bank's line the settlements are said that it brings, and no payment. */
function whatsOf({ status, source }: Pick<Line, "status" | "source">): readonly What[] {
  return WHATS[status].filter((what) => what !== "match" || settles(source))
}

function bodyOf({ what, number, note }: Draft) {
  const said = note.trim() || undefined
  return what === "match" ? { number: number.trim(), note: said } : { note: said }
}

/** Says which payment a line is, what it is, or that it is not what it was taken for. */
const LineActions = ({ line }: { line: WholeLine }) => {
  const say = useText()
  const [draft, setDraft] = useState<Draft | null>(null)
  const act = useAdminMutation<Draft>(
    { path: ({ what }) => `/settlements/lines/${encodeURIComponent(line.id)}/${what}`, body: bodyOf },
    { done: () => say("settlements.line_done"), onDone: () => setDraft(null) }
  )
  const start = (what: What) => {
    act.reset()
    setDraft({ what, number: "", note: "" })
  }
  const what = draft?.what ?? "match"
  return (
    <>
      {line.status === "unknown" && !settles(line.source) && <MatchDeposit line={line} />}
      {whatsOf(line).map((one) => (
        <ActButton
          key={one}
          area="settlements"
          variant={one === "undo" ? "secondary" : "primary"}
          onClick={() => start(one)}
        >
          {say(`settlements.acts.${one}`)}
        </ActButton>
      ))}
      <FormDrawer
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say(`settlements.acts.${what}`)}
        description={say(`settlements.act_hints.${what}`)}
        submit={say(`settlements.acts.${what}`)}
        area="settlements"
        pending={act.isPending}
        onSubmit={() => draft !== null && act.mutate(draft)}
      >
        {draft?.what === "match" && (
          <TextField
            label={say("settlements.number")}
            hint={say("settlements.number_hint")}
            fault={faultOf(act.error, "number")}
            value={draft.number}
            onChange={(number) => setDraft({ ...draft, number })}
          />
        )}
        {draft !== null && (
          <TextAreaField
            optional={draft.what === "match"}
            label={say("settlements.why")}
            fault={faultOf(act.error, "note")}
            maxLength={500}
            value={draft.note}
            onChange={(note) => setDraft({ ...draft, note })}
          />
        )}
      </FormDrawer>
    </>
  )
}

/** A line by its amount and kind, its status, and what to do about it. */
export const LineSummary = ({ line }: { line: WholeLine }) => {
  const say = useText()
  const { money } = useFormats()
  const heading = `${say(`settlements.kinds.${line.kind}`)} ${money(line.gross, line.currency)}`
  return (
    <Section
      level="h1"
      heading={heading}
      actions={
        <>
          <LineState {...line} />
          <LineActions line={line} />
        </>
      }
    >
      <LineHint line={line} />
    </Section>
  )
}

/** Four columns fit a phone: a clerk must see the difference beside the figures. Days and times may take two rows. */
const CELL = "!px-2 sm:!px-6 sm:whitespace-nowrap xl:!px-3"

/** What the file says beside what we know, and by how much they differ. */
export const Compared = ({ line }: { line: WholeLine }) => {
  const say = useText()
  const { money, day, dayOf, time } = useFormats()
  const { currency, ours, reasons } = line
  const known = ours?.amount ?? line.expected
  const inFile = (amount: string | null) => (amount === null ? null : money(amount, currency))
  const rows: [name: string, file: string, ours: string | null, difference: string | null, differs: boolean][] = [
    [
      say("settlements.gross"),
      money(line.gross, currency),
      known === null ? null : money(known, ours?.currency ?? currency),
      inFile(line.difference),
      reasons.includes("amount"),
    ],
    [
      say("settlements.fee"),
      money(line.fee, currency),
      inFile(line.agreed_fee),
      inFile(line.fee_difference),
      reasons.includes("fee"),
    ],
    [
      say("settlements.vat"),
      money(line.vat, currency),
      inFile(line.agreed_vat),
      inFile(line.vat_difference),
      reasons.includes("fee"),
    ],
    [say("settlements.net"), money(line.net, currency), null, null, false],
    [say("payments.currency"), currency, ours?.currency ?? null, null, reasons.includes("currency")],
    [
      say("settlements.occurred"),
      // Files have days alone.
      day(dayOf(line.occurred_at)),
      ours === null ? null : time(ours.moved_at),
      null,
      reasons.includes("date"),
    ],
  ]
  return (
    <Section heading={say("settlements.compared")} description={say("settlements.compared_hint")}>
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={say("settlements.figures")}>
        <Table>
          <Table.Header>
            <Table.Row>
              <Table.HeaderCell className={CELL}>
                <span className="sr-only">{say("settlements.figure")}</span>
              </Table.HeaderCell>
              <Table.HeaderCell className={`${CELL} text-right`}>{say("settlements.in_file")}</Table.HeaderCell>
              <Table.HeaderCell className={`${CELL} text-right`}>{say("settlements.known")}</Table.HeaderCell>
              <Table.HeaderCell className={`${CELL} text-right`}>{say("settlements.difference")}</Table.HeaderCell>
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {rows.map(([name, file, ownFigure, difference, differs]) => (
              <Table.Row key={name}>
                <Table.Cell className={`${CELL} text-ui-fg-subtle`}>{name}</Table.Cell>
                <Figure value={file} wraps={name === say("settlements.occurred")} />
                <Figure value={ownFigure} wraps={name === say("settlements.occurred")} />
                <Figure value={difference} isMarked={differs} />
              </Table.Row>
            ))}
          </Table.Body>
        </Table>
      </div>
    </Section>
  )
}

type FigureProps = { value: string | null; isMarked?: boolean; wraps?: boolean }

/** `wraps`: a day and its time. A minus must stay with its amount. */
const Figure = ({ value, isMarked = false, wraps = false }: FigureProps) => {
  const say = useText()
  const shown = value ?? (isMarked ? say("settlements.differs") : "–")
  return (
    <Table.Cell
      className={`${CELL} text-right tabular-nums ${wraps ? "" : "whitespace-nowrap"} ${isMarked ? "text-ui-fg-error font-medium" : ""}`}
    >
      {shown}
    </Table.Cell>
  )
}

/** Where what a line is has a page of its own; null: it has none. */
function pageOf(subject: string | null): { id: string; to: string; name: "refunds.one" | "disputes.one" } | null {
  const [kind, id = ""] = subject?.split(":") ?? []
  if (kind === "refund") {
    return { id, to: `/gateway/refunds?opened=${id}`, name: "refunds.one" }
  }
  return kind === "dispute" || kind === "dispute_reversal"
    ? { id, to: `/gateway/disputes/${id}`, name: "disputes.one" }
    : null
}

export const LineDetails = ({ line }: { line: WholeLine }) => {
  const say = useText()
  const { number, month: monthName } = useFormats()
  const sourceName = useSourceName()
  const code = (text: string | null): ReactNode => text && <Copied text={text} />
  const subject = pageOf(line.subject)
  const link = (to: string, name: string, id: string) => (
    <Link to={to} className="text-ui-fg-interactive" otherwise={<Copied text={id} />}>
      {name}
    </Link>
  )
  return (
    <Section heading={say("payments.details")}>
      <Facts
        rows={[
          [
            say("payments.one"),
            line.transaction_id &&
              link(`/gateway/payments/${line.transaction_id}`, say("payments.open_payment"), line.transaction_id),
          ],
          ...(subject === null
            ? []
            : [[say(subject.name), link(subject.to, say("settlements.open"), subject.id)] as const]),
          [say("settlements.source"), sourceName(line.source)],
          [
            say("settlements.file_line"),
            link(
              `/gateway/settlements/imports/${line.import_id}`,
              say("settlements.line", { number: number(line.line) }),
              line.import_id
            ),
          ],
          [say("settlements.columns.reference"), code(line.reference)],
          [say("settlements.columns.order_reference"), code(line.order_reference)],
          [say("settlements.columns.batch"), code(line.batch)],
          [say("settlements.month.one"), monthName(`${line.month}-01`)],
          [say("settlements.columns.description"), line.description],
          [say("settlements.why"), line.note],
          [say("settlements.decided_by"), line.decided_by && <By id={line.decided_by} name={line.decided_by_name} />],
          [say("settlements.decided_at"), <Moment key="d" at={line.decided_at} />],
          [say("settlements.id"), <Copied key="i" text={line.id} />],
        ]}
      />
    </Section>
  )
}
