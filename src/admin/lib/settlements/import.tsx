import { Alert, Button, Text } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation, useAdminQuery } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { ActButton, Ask, Moment } from "../ui/bits"
import { TextAreaField } from "../ui/fields"
import { faultOf, FormDrawer } from "../ui/form"
import { Link } from "../ui/page-links"
import { Facts, Section } from "../ui/section"
import { By, FileErrors, ImportBadge, useSourceName } from "./parts"
import type { Import } from "./types"

const pathOf = ({ id }: Pick<Import, "id">) => `/settlements/imports/${encodeURIComponent(id)}`

/** Ends an import that is being read. What is written by then stays. */
export const StopImport = ({ found }: { found: Pick<Import, "id"> }) => {
  const say = useText()
  const stop = useAdminMutation<void>(
    { path: () => `${pathOf(found)}/stop` },
    { done: () => say("settlements.stopped") }
  )
  return (
    <Ask
      area="settlements"
      label={say("settlements.stop")}
      title={say("settlements.stop_title")}
      text={say("settlements.stop_text")}
      pending={stop.isPending}
      act={() => stop.mutate()}
    />
  )
}

/** Takes a file out again, with the reason. */
const UndoImport = ({ found }: { found: Import }) => {
  const say = useText()
  const [note, setNote] = useState<string | null>(null)
  const undo = useAdminMutation<string>(
    { path: () => `${pathOf(found)}/undo`, body: (text) => ({ note: text.trim() }) },
    { done: () => say("settlements.undone"), onDone: () => setNote(null) }
  )
  return (
    <>
      <ActButton area="settlements" variant="secondary" onClick={() => setNote("")}>
        {say("settlements.undo")}
      </ActButton>
      <FormDrawer
        open={note !== null}
        onClose={() => setNote(null)}
        title={say("settlements.undo_title", { file: found.file_name })}
        description={say("settlements.undo_text", { count: found.new })}
        submit={say("settlements.undo")}
        area="settlements"
        pending={undo.isPending}
        onSubmit={() => note !== null && undo.mutate(note)}
      >
        <TextAreaField
          label={say("settlements.why")}
          fault={faultOf(undo.error, "note")}
          maxLength={500}
          value={note ?? ""}
          onChange={setNote}
        />
      </FormDrawer>
    </>
  )
}

/** Looks again at the lines that nobody knows: a payment or a settlement may be here by now. */
const Rematch = ({ found }: { found: Import }) => {
  const say = useText()
  const rematch = useAdminMutation<void, { matched: number }>(
    { path: () => `${pathOf(found)}/rematch` },
    { done: ({ matched }) => say("settlements.rematched", { count: matched }) }
  )
  return (
    <ActButton area="settlements" variant="secondary" isLoading={rematch.isPending} onClick={() => rematch.mutate()}>
      {say("settlements.rematch")}
    </ActButton>
  )
}

/** What was imported: by whom, how many lines of which kind, and what may be done with it. */
export const ImportSummary = ({ found }: { found: Import }) => {
  const say = useText()
  const { number } = useFormats()
  const sourceName = useSourceName()
  const isOpen = found.status === "reading"
  return (
    <Section
      level="h1"
      heading={found.file_name}
      description={isOpen ? say("settlements.reading_hint") : undefined}
      actions={
        <>
          <ImportBadge status={found.status} />
          {isOpen && <StopImport found={found} />}
          {(found.status === "finished" || found.status === "stopped") && <Rematch found={found} />}
          {found.status !== "undone" && <UndoImport found={found} />}
        </>
      }
    >
      <Facts
        rows={[
          [say("settlements.source"), sourceName(found.source)],
          [
            say("settlements.template"),
            found.template_id === null ? (
              say("settlements.fetch.by_api", { name: sourceName(found.source) })
            ) : (
              <Link
                key="t"
                to={`/gateway/settlements/templates/${found.template_id}`}
                className="text-ui-fg-interactive"
              >
                {say("settlements.template_open")}
              </Link>
            ),
          ],
          [say("settlements.counts.read"), number(found.read)],
          [say("settlements.counts.new"), number(found.new)],
          [say("settlements.counts.known"), number(found.known)],
          [say("settlements.counts.skipped"), number(found.skipped)],
          [say("settlements.imported_at"), <Moment key="a" at={found.imported_at} />],
          [say("settlements.imported_by"), <By key="b" id={found.imported_by} name={found.imported_by_name} />],
          ...(found.undone_by === null
            ? []
            : ([
                [say("settlements.undone_at"), <Moment key="u" at={found.undone_at} />],
                [say("settlements.undone_by"), <By key="w" id={found.undone_by} name={found.undone_by_name} />],
                [say("settlements.why"), found.undone_note],
              ] as const)),
        ]}
      />
    </Section>
  )
}

/** What is left to do about the file's lines, as links to them. */
export const ImportLeft = ({ found: { id, status } }: { found: Import }) => {
  const say = useText()
  const query = { import_id: id, limit: 1 }
  const { data: unknown } = useAdminQuery<{ count: number }>("/settlements/lines", { ...query, status: "unknown" })
  const { data: differing } = useAdminQuery<{ count: number }>("/settlements/lines", { ...query, status: "differs" })
  const left = [
    ["unknown", unknown?.count ?? 0],
    ["differs", differing?.count ?? 0],
  ] as const
  if (status === "undone" || left.every(([, count]) => count === 0)) {
    return null
  }
  return (
    <Alert variant="warning">
      <Text size="small" weight="plus">
        {say("settlements.left.title")}
      </Text>
      <ul className="flex flex-col gap-1">
        {left.map(
          ([state, count]) =>
            count > 0 && (
              <li key={state}>
                <Link
                  to={`/gateway/settlements/lines?import_id=${id}&status=${state}`}
                  className="txt-small text-ui-fg-interactive"
                >
                  {say(`settlements.left.${state}`, { count })}
                </Link>
              </li>
            )
        )}
      </ul>
    </Alert>
  )
}

/** The lines of a file that could not be read. */
export const ImportErrors = ({ found: { errors, template_id } }: { found: Import }) => {
  const say = useText()
  return errors.length === 0 ? null : (
    <Section
      heading={say("settlements.errors", { count: errors.length })}
      description={say(template_id === null ? "settlements.fetch.errors_hint" : "settlements.errors_hint")}
      actions={
        <Button size="small" variant="secondary" asChild>
          <Link to="/gateway/settlements/import">{say("settlements.file.open")}</Link>
        </Button>
      }
    >
      <FileErrors errors={errors} label={say("settlements.errors", { count: errors.length })} />
    </Section>
  )
}
