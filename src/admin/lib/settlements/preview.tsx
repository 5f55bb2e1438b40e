import { clx, Table, Text } from "@medusajs/ui"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { useTenant } from "../admin-api"
import { useFormats } from "../format"
import { request, type AdminError, type Query } from "../http"
import { innermostKind, isMessage } from "../../../i18n/message"
import { sentences, useMessage, useText, type PresentedMessage } from "../text"
import { Badge, type Color } from "../ui/bits"
import type { Preview, Reading } from "./types"

/** `key`: another file, or the same once more, is another choice. */
export type Chosen = { file: File; key: number }

/** What a file says; nothing is written. `query`: what it is read by. */
export function usePreview({ file, key }: Chosen, query: Query) {
  const { tenant } = useTenant()
  return useQuery<{ preview: Preview }, AdminError>({
    // Not below "gateway": the file is not sent again because something else has changed.
    queryKey: ["settlement-preview", tenant, file.name, key, query],
    queryFn: ({ signal }) =>
      request("/settlements/preview", {
        method: "POST",
        file,
        query: { ...query, file_name: file.name, ...tenant },
        signal,
      }),
    enabled: tenant !== null,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
}

const PAUSE_MS = 250

/** A text once it has not changed for a moment: a file is not sent at each letter. */
export function useLater(text: string): string {
  const [later, setLater] = useState(text)
  useEffect(() => {
    const pause = setTimeout(() => setLater(text), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [text])
  return later
}

/** The file's first rows as they stand in it; the names of the columns are marked. */
export const RawRows = ({ preview: { rows, header_line } }: { preview: Preview }) => {
  const say = useText()
  const { number } = useFormats()
  return (
    <div
      className="max-h-72 overflow-auto"
      tabIndex={0}
      role="region"
      aria-label={say("settlements.preview.rows")}
      translate="no"
    >
      <Table>
        <Table.Body>
          {rows.map(({ line, cells }) => (
            <Table.Row key={line} className={clx(line === header_line && "bg-ui-bg-subtle txt-compact-small-plus")}>
              <Table.Cell className="text-ui-fg-muted">{number(line)}</Table.Cell>
              {cells.map((cell, index) => (
                <Table.Cell key={index} className="max-w-60 truncate whitespace-nowrap" title={cell}>
                  {cell}
                </Table.Cell>
              ))}
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
    </div>
  )
}

type Result = Reading["results"][number]

const COLORS: Readonly<Record<Result["outcome"], Color>> = { line: "green", skipped: "grey", error: "red" }

type ReadProps = {
  reading: Reading
  /** The template is being made: of lines whose word has no meaning yet, one sentence speaks for all. */
  mapped: boolean
}

/** What each of the first lines would be read as, what is skipped and why, and what cannot be read. */
export const ReadLines = ({ reading, mapped }: ReadProps) => {
  const say = useText()
  const words = useMessage()
  const { errors, failures, read, skipped, wrong } = reading
  const waiting = mapped ? reading.unmapped : 0
  const results = reading.results.filter((one) => !mapped || !isUnmapped(one.errors))
  const counts = [
    say("settlements.preview.good", { count: read - skipped - wrong }),
    ...(skipped === 0 ? [] : [say("settlements.counted.skipped", { count: skipped })]),
    ...(wrong === waiting ? [] : [say("settlements.counted.errors", { count: wrong - waiting })]),
  ]
  const more = errors.filter((one) => !mapped || !isUnmapped([one])).map(({ reason }) => words(reason))
  return (
    <>
      <Text size="small" weight="plus" role="status" className="px-6 py-4">
        {failures.length > 0 ? sentences(failures.map(({ reason }) => words(reason))) : counts.join(", ")}
      </Text>
      {waiting > 0 && (
        <Text size="small" className="px-6 py-4">
          {say("settlements.preview.unmapped", { count: waiting })}
        </Text>
      )}
      <ul className="max-h-96 divide-y overflow-y-auto" tabIndex={0} aria-label={say("settlements.preview.lines")}>
        {results.map((result) => (
          <OneResult key={result.number} result={result} />
        ))}
        {more.map((message, index) => (
          <li key={`more-${index}`} className="txt-compact-small text-ui-fg-error break-words px-6 py-3">
            {message}
          </li>
        ))}
      </ul>
    </>
  )
}

/** What is wrong, without the line, which stands above it. */
function withoutLine(reason: PresentedMessage): PresentedMessage {
  const what = reason.kind === "file.line" ? reason.params?.what : undefined
  return what !== undefined && isMessage(what) ? { ...what, message: reason.message } : reason
}

function isUnmapped(errors: readonly { reason: PresentedMessage }[]): boolean {
  return errors.length > 0 && errors.every(({ reason }) => innermostKind(reason) === "file.kind_unknown")
}

const OneResult = ({ result: { number: line, outcome, line: read, why, errors } }: { result: Result }) => {
  const say = useText()
  const words = useMessage()
  const { money, number, fileTime } = useFormats()
  return (
    <li className="txt-compact-small flex flex-col gap-1 px-6 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="flex flex-wrap items-baseline gap-x-3 break-words">
          <span className="text-ui-fg-subtle">{say("settlements.line", { number: number(line) })}</span>
          {read !== null && (
            <>
              <span className="font-medium">{say(`settlements.kinds.${read.kind}`)}</span>
              {[read.reference, read.order_reference].map(
                (one, index) =>
                  one !== null && (
                    <code key={index} className="break-all font-mono">
                      {one}
                    </code>
                  )
              )}
              <span className="text-ui-fg-subtle">{fileTime(read.occurred_at)}</span>
            </>
          )}
          {why !== null && <span>{words(why)}</span>}
        </span>
        <Badge color={COLORS[outcome]}>{say(`settlements.outcomes.${outcome}`)}</Badge>
      </div>
      {read !== null && (
        <span className="flex flex-wrap gap-x-4 tabular-nums">
          {(["gross", "fee", "vat", "net"] as const).map((name) => (
            <span key={name}>
              <span className="text-ui-fg-subtle">{`${say(`settlements.${name}`)} `}</span>
              {money(read[name], read.currency)}
            </span>
          ))}
        </span>
      )}
      {errors.map(({ reason }, index) => (
        <span key={index} className="text-ui-fg-error break-words">
          {words(withoutLine(reason))}
        </span>
      ))}
    </li>
  )
}

/** Why a file cannot be looked at: what it is wrong with it, or with the template. */
export const NoPreview = ({ error }: { error: AdminError }) => {
  const say = useText()
  const said = error.faults.length > 0 ? error.faults.map(({ message }) => message) : [error.message]
  return (
    <div role="alert" className="flex flex-col gap-1 px-6 py-4">
      <Text size="small" weight="plus">
        {say("settlements.preview.not_yet")}
      </Text>
      {said.map((message, index) => (
        <Text key={index} size="small" className="text-ui-fg-error break-words">
          {message}
        </Text>
      ))}
    </div>
  )
}
