import { ArrowDownTray } from "@medusajs/icons"
import { Button } from "@medusajs/ui"
import { useState, type ReactNode } from "react"
import { useParams } from "react-router-dom"
import { useAdminMutation, useAdminQuery, useDownload } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { ActButton, Moment } from "../ui/bits"
import { TextAreaField } from "../ui/fields"
import { faultOf, FormDrawer } from "../ui/form"
import { NotThere } from "../ui/missing"
import { Link } from "../ui/page-links"
import { Facts, NotRefreshed, Section } from "../ui/section"
import { By, useSourceName } from "./parts"
import { MonthBadge } from "./months"
import type { Month } from "./types"

type Figures = Month["figures"][number]
type Figure = Figures["bank"]["opening"]

/** Each block in the order in which it adds up; what is taken off has a minus before it. */
const HELD = ["opening", "payments", "refunds", "disputes", "settled", "closing"] as const
const SETTLED = ["gross", "refunds", "disputes", "adjustments", "fees", "charges", "vat", "net"] as const
const BESIDE = ["agreed_fees", "agreed_vat", "differences"] as const
const BANK = ["opening", "settled", "deposited", "charges", "closing"] as const

/** The page of the list that a figure is made of. */
function pageOf(opens: NonNullable<Figure["opens"]>): string {
  const { list, query } = opens
  return `/gateway/settlements/${list === "batches" ? "deposits" : list}?${new URLSearchParams(query).toString()}`
}

export const OneMonth = () => {
  const say = useText()
  const { source = "", month = "" } = useParams()
  const path = `/settlements/months/${encodeURIComponent(source)}/${encodeURIComponent(month)}`
  const { data, error, refetch } = useAdminQuery<{ month: Month }>(path)
  if (data === undefined) {
    return (
      <NotThere
        error={error}
        retry={() => void refetch()}
        title={say("settlements.month.missing")}
        text={say("settlements.missing_hint")}
        back={say("settlements.month.back")}
        to="/gateway/settlements/months"
      />
    )
  }
  return (
    <>
      <NotRefreshed error={error} retry={() => void refetch()} />
      <Summary found={data.month} path={path} />
      {data.month.figures.map((figures) => (
        <Blocks key={figures.currency} figures={figures} />
      ))}
    </>
  )
}

const Summary = ({ found, path }: { found: Month; path: string }) => {
  const say = useText()
  const { month: monthName } = useFormats()
  const sourceName = useSourceName()
  const download = useDownload()
  const { source, month, status, closed_by, reopened_by } = found
  const files = [
    { name: "report_pdf", path: `${path}/report`, query: { format: "pdf" } },
    { name: "report_csv", path: `${path}/report`, query: { format: "csv" } },
    { name: "journal", path: "/settlements/journal", query: { source, month } },
  ] as const
  return (
    <Section
      level="h1"
      heading={`${monthName(`${month}-01`)}, ${sourceName(source)}`}
      description={say(`settlements.month.status_hints.${status}`)}
      actions={
        <>
          <MonthBadge status={status} />
          {files.map((file) => (
            <Button
              key={file.name}
              size="small"
              variant="secondary"
              onClick={() => download.mutate({ path: file.path, query: file.query })}
            >
              <ArrowDownTray />
              {say(`settlements.month.${file.name}`)}
            </Button>
          ))}
          <CloseOrReopen key={status} path={path} status={status} />
        </>
      }
    >
      {closed_by !== null && (
        <Facts
          rows={[
            [say("settlements.month.closed_at"), <Moment key="c" at={found.closed_at} />],
            [say("settlements.month.closed_by"), <By key="b" id={closed_by} name={found.closed_by_name} />],
            [say("payouts.note"), found.note],
            ...(reopened_by === null
              ? []
              : ([
                  [say("settlements.month.reopened_at"), <Moment key="r" at={found.reopened_at} />],
                  [say("settlements.month.reopened_by"), <By key="o" id={reopened_by} name={found.reopened_by_name} />],
                  [say("settlements.why"), found.reopened_note],
                ] as const)),
          ]}
        />
      )}
    </Section>
  )
}

const CloseOrReopen = ({ path, status }: { path: string; status: Month["status"] }) => {
  const say = useText()
  const [note, setNote] = useState<string | null>(null)
  const what = status === "open" ? "close" : "reopen"
  const act = useAdminMutation<string>(
    { path: () => `${path}/${what}`, body: (text) => ({ note: text.trim() || undefined }) },
    { done: () => say(`settlements.month.done.${what}`), onDone: () => setNote(null) }
  )
  return (
    <>
      <ActButton
        area="settlement-closings"
        variant={what === "close" ? "primary" : "secondary"}
        onClick={() => {
          act.reset()
          setNote("")
        }}
      >
        {say(`settlements.month.acts.${what}`)}
      </ActButton>
      <FormDrawer
        open={note !== null}
        onClose={() => setNote(null)}
        title={say(`settlements.month.acts.${what}`)}
        description={say(`settlements.month.act_hints.${what}`)}
        submit={say(`settlements.month.acts.${what}`)}
        area="settlement-closings"
        pending={act.isPending}
        onSubmit={() => note !== null && act.mutate(note)}
      >
        <TextAreaField
          optional={what === "close"}
          label={say(what === "close" ? "payouts.note" : "settlements.why")}
          fault={faultOf(act.error, "note")}
          maxLength={500}
          value={note ?? ""}
          onChange={setNote}
        />
      </FormDrawer>
    </>
  )
}

/** The three blocks of a month in one currency, each of which adds up, and what nobody has explained yet. */
const Blocks = ({ figures }: { figures: Figures }) => {
  const say = useText()
  const { money } = useFormats()
  const { currency, held, settled, bank, unexplained } = figures
  const shown = ({ amount, opens }: Figure, label: string): ReactNode =>
    opens === null ? (
      money(amount, currency)
    ) : (
      <Link to={pageOf(opens)} className="text-ui-fg-interactive" aria-label={`${label}: ${money(amount, currency)}`}>
        {money(amount, currency)}
      </Link>
    )
  const row = (label: string, figure: Figure) => [label, shown(figure, label)] as const
  const block = (part: "held" | "settled" | "bank" | "unexplained") =>
    say("settlements.month.part_in", { part: say(`settlements.parts_of.${part}`), currency })
  return (
    <div className="grid grid-cols-1 gap-3 xl:grid-cols-2">
      <Section heading={block("held")} description={say("settlements.month.part_hints.held")}>
        <Facts rows={HELD.map((name) => row(say(`settlements.figures_of.held.${name}`), held[name]))} />
      </Section>
      <Section heading={block("settled")} description={say("settlements.month.part_hints.settled")}>
        <Facts
          rows={[...SETTLED, ...BESIDE].map((name) =>
            row(say(`settlements.figures_of.settled.${name}`), settled[name])
          )}
        />
      </Section>
      <Section heading={block("bank")} description={say("settlements.month.part_hints.bank")}>
        <Facts rows={BANK.map((name) => row(say(`settlements.figures_of.bank.${name}`), bank[name]))} />
      </Section>
      <Section heading={block("unexplained")} description={say("settlements.month.part_hints.unexplained")}>
        <Facts
          rows={(["unknown", "differs"] as const).map((name) =>
            row(
              say(`settlements.figures_of.unexplained.${name}`, { number: unexplained[name].count }),
              unexplained[name]
            )
          )}
        />
      </Section>
    </div>
  )
}
