import { Button, Text } from "@medusajs/ui"
import { useState } from "react"
import type { presentOutcome } from "../../../api/admin/gateway/cash-orders/resource"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import type { Json } from "../http"
import { useMessage, useText } from "../text"
import { ActButton, Badge, type Color } from "../ui/bits"
import { TextAreaField, TextField } from "../ui/fields"
import { type CsvFile, CsvFileInput } from "../ui/files"
import { faultOf } from "../ui/form"
import { useConfirm, useUnsaved } from "../ui/leaving"
import { Link } from "../ui/page-links"
import { FaultList, Section } from "../ui/section"
import { useSum } from "./parts"

const COLUMNS = "order_number,collected,charge,date"
const EXAMPLE = "#1024,1250.00,60.00,2026-01-31"

type Line = Json<ReturnType<typeof presentOutcome>>
type Answer = { dry_run: boolean; outcomes: Line[] }
type Input = { csv: string; courier: string }

const COLORS: Readonly<Record<Line["outcome"], Color>> = {
  recorded: "green",
  known: "grey",
  doubtful: "orange",
  refused: "red",
}

function bodyOf({ csv, courier }: Input) {
  return { csv, courier: courier.trim() || undefined }
}

/** A courier's file: what would become of each line, and once it is sent what has. */
export const CashImport = () => {
  const [courier, setCourier] = useState("")
  const [result, setResult] = useState<Line[] | null>(null)
  return result === null ? (
    <CashFile courier={courier} onCourier={setCourier} onSent={setResult} />
  ) : (
    <Result lines={result} onOther={() => setResult(null)} />
  )
}

/** What the lines say now would do; `lines` is null while that is not known, as after a change of them. */
function usePreview(csv: string) {
  const [checked, setChecked] = useState<string | null>(null)
  const look = useAdminMutation<string, Answer>({
    path: () => "/cash-orders/import",
    body: (text) => ({ csv: text, dry_run: true }),
  })
  const isCurrent = checked === csv
  return {
    isCurrent,
    isPending: look.isPending,
    error: isCurrent ? look.error : null,
    lines: isCurrent && !look.isPending && look.error === null ? (look.data?.outcomes ?? null) : null,
    check: (text: string) => {
      setChecked(text)
      look.mutate(text)
    },
  }
}

type FileProps = { courier: string; onCourier: (courier: string) => void; onSent: (lines: Line[]) => void }

const CashFile = ({ courier, onCourier, onSent }: FileProps) => {
  const say = useText()
  const [name, setName] = useState<string | null>(null)
  const [csv, setCsv] = useState("")
  const preview = usePreview(csv)
  useUnsaved(csv !== "")
  const send = useAdminMutation<Input, Answer>(
    { path: () => "/cash-orders/import", body: bodyOf },
    { onDone: ({ outcomes }) => onSent(outcomes) }
  )
  const check = (text: string) => {
    send.reset()
    preview.check(text)
  }
  const take = (file: CsvFile) => {
    setName(file.name)
    setCsv(file.text)
    check(file.text)
  }
  return (
    <Section level="h1" heading={say("cash.import.title")} description={say("cash.import.description")}>
      <div className="flex flex-col gap-4 px-6 py-4">
        <CsvFileInput
          area="cash-orders"
          file={name === null ? null : { name, text: csv }}
          onFile={take}
          columns={COLUMNS}
          example={EXAMPLE}
        />
        <TextAreaField
          label={say("cash.import.text")}
          hint={say("cash.import.text_hint")}
          rows={6}
          className="font-mono"
          value={csv}
          onChange={setCsv}
        />
        <TextField
          optional
          label={say("cash.record.courier")}
          fault={faultOf(send.error, "courier")}
          value={courier}
          onChange={onCourier}
        />
        {!preview.isCurrent && (
          <ActButton area="cash-orders" className="self-start" disabled={csv.trim() === ""} onClick={() => check(csv)}>
            {say("cash.import.check")}
          </ActButton>
        )}
        {preview.isPending && (
          <Text size="small" role="status">
            {say("common.loading")}
          </Text>
        )}
        <FaultList error={preview.error} />
        <FaultList error={send.error} sent />
      </div>
      {preview.lines !== null && (
        <Preview lines={preview.lines} pending={send.isPending} onSend={() => send.mutate({ csv, courier })} />
      )}
    </Section>
  )
}

type PreviewProps = { lines: readonly Line[]; pending: boolean; onSend: () => void }

/** What would become of each line and in all, and the question before it is done. */
const Preview = ({ lines, pending, onSend }: PreviewProps) => {
  const say = useText()
  const confirm = useConfirm()
  const { recordedOf, words } = useSummary()
  const { count, amount } = recordedOf(lines)
  const send = say("cash.import.send", { amount })
  const act = async () => {
    const title = say("cash.import.send_title", { count, amount })
    if (await confirm({ title, description: say("cash.import.send_hint"), confirm: send })) {
      onSend()
    }
  }
  return (
    <>
      <Lines lines={lines} label={say("cash.import.preview")} isPreview />
      <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
        <Text size="small" weight="plus" role="status">
          {words(lines, "would_record")}
          {count === 0 && ` · ${say("cash.import.nothing")}`}
        </Text>
        {count > 0 && (
          <ActButton area="cash-orders" isLoading={pending} onClick={() => void act()}>
            {send}
          </ActButton>
        )}
      </div>
    </>
  )
}

/** How many lines of a file record what, were recorded before, or are refused. */
function useSummary() {
  const say = useText()
  const sum = useSum()
  const recordedOf = (lines: readonly Line[]) => {
    const recorded = lines.filter(({ outcome }) => outcome === "recorded")
    const amounts = recorded.map(({ collected, currency }) => ({ amount: collected, currency: currency ?? "" }))
    return { count: recorded.length, amount: sum(amounts) }
  }
  const words = (lines: readonly Line[], done: "would_record" | "recorded") => {
    const others = (["known", "doubtful", "refused"] as const).flatMap((outcome) => {
      const count = lines.filter((line) => line.outcome === outcome).length
      return count === 0 ? [] : [say(`cash.import.${outcome}`, { count })]
    })
    const recorded = recordedOf(lines)
    return [...(recorded.count === 0 ? [] : [say(`cash.import.${done}`, recorded)]), ...others].join("; ")
  }
  return { recordedOf, words }
}

const Result = ({ lines, onOther }: { lines: Line[]; onOther: () => void }) => {
  const say = useText()
  const { words } = useSummary()
  return (
    <Section
      level="h1"
      heading={say("cash.import.result")}
      description={words(lines, "recorded")}
      actions={
        <>
          <Button size="small" variant="secondary" onClick={onOther}>
            {say("cash.import.another")}
          </Button>
          <Button size="small" variant="secondary" asChild>
            <Link to="/gateway/cash">{say("cash.back")}</Link>
          </Button>
        </>
      }
    >
      <Lines lines={lines} label={say("cash.import.result")} />
    </Section>
  )
}

type LinesProps = { lines: readonly Line[]; label: string; isPreview?: boolean }

const Lines = ({ lines, label, isPreview = false }: LinesProps) => {
  const say = useText()
  const words = useMessage()
  const { money, number } = useFormats()
  // A line without a known order has no currency of its own: couriers pay taka.
  const shown = (amount: string, currency: string | null) => money(amount, currency ?? "BDT")
  const outcomeOf = (outcome: Line["outcome"]) => {
    const [will, willNot] = isPreview ? [outcome === "recorded", outcome === "refused"] : [false, false]
    return say(will ? "cash.import.would" : willNot ? "cash.import.would_not" : `cash.import.outcomes.${outcome}`)
  }
  return (
    <ul className="max-h-96 divide-y overflow-y-auto" tabIndex={0} aria-label={label}>
      {lines.map(({ line, cash_order_id, order_number, collected, charge, currency, outcome, reason }) => (
        <li key={line} className="txt-compact-small flex flex-col gap-1 px-6 py-3">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="flex flex-wrap items-baseline gap-x-3 break-all">
              <span className="text-ui-fg-subtle">{say("cash.import.line", { number: number(line) })}</span>
              {cash_order_id === null ? (
                <span>{`#${order_number}`}</span>
              ) : (
                <Link
                  to={`/gateway/cash/${cash_order_id}`}
                  className="text-ui-fg-interactive"
                >{`#${order_number}`}</Link>
              )}
              <span className="tabular-nums">{shown(collected, currency)}</span>
              {Number(charge) > 0 && (
                <span className="text-ui-fg-subtle">{say("cash.charge_of", { amount: shown(charge, currency) })}</span>
              )}
            </span>
            <Badge color={COLORS[outcome]}>{outcomeOf(outcome)}</Badge>
          </div>
          {reason !== null && <span className="text-ui-fg-error break-words">{words(reason)}</span>}
        </li>
      ))}
    </ul>
  )
}
