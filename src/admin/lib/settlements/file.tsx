import { ArrowUpTray } from "@medusajs/icons"
import { Text } from "@medusajs/ui"
import { useState, type DragEvent } from "react"
import { useAdminQuery } from "../data"
import { useText } from "../text"
import { FileButton } from "../ui/files"
import { Loading, Section } from "../ui/section"
import { useForbidden } from "../use"
import { NONE, type Draft } from "./mapping-draft"
import { NoPreview, useLater, usePreview, type Chosen } from "./preview"
import { ReadBy } from "./read-by"
import { FetchForms } from "./run"
import type { Template } from "./types"

const ACCEPTED = ".csv,.tsv,.txt,.xlsx,text/csv,text/plain"

/** Imports a settlement file: chosen, read by a template that is there or made here, looked at, and only then written. */
export const ImportFile = () => {
  const say = useText()
  const isForbidden = useForbidden("settlements") !== undefined
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [isOver, setOver] = useState(false)
  const take = (file: File) => setChosen((before) => ({ file, key: (before?.key ?? 0) + 1 }))
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files.item(0)
    if (file !== null && !isForbidden) {
      take(file)
    }
  }
  return (
    <>
      <Section level="h1" heading={say("settlements.file.title")} description={say("settlements.file.description")}>
        <div className="px-6 py-4">
          <div
            className={`flex flex-col items-center gap-3 rounded-lg border border-dashed px-4 py-6 text-center ${isOver ? "bg-ui-bg-base-hover border-ui-border-interactive" : "border-ui-border-strong"}`}
            onDragOver={(event) => {
              event.preventDefault()
              setOver(true)
            }}
            onDragLeave={() => setOver(false)}
            onDrop={drop}
          >
            <FileButton label={say("settlements.file.one")} area="settlements" accept={ACCEPTED} onFile={take}>
              <ArrowUpTray />
              {say(chosen === null ? "csv.choose" : "csv.choose_another")}
            </FileButton>
            <Text size="small" className="text-ui-fg-subtle break-all">
              {chosen?.file.name ?? say("settlements.file.drop")}
            </Text>
          </div>
        </div>
      </Section>
      {chosen === null && <FetchForms />}
      {chosen !== null && <ChosenFile key={chosen.key} chosen={chosen} />}
    </>
  )
}

/** Its first rows come at once; what they are read by is chosen then. */
const ChosenFile = ({ chosen }: { chosen: Chosen }) => {
  const say = useText()
  const [draft, setDraft] = useState<Draft | null>(null)
  const line = draft === null || draft.header_line === NONE ? "" : draft.header_line
  const [header_line, sheet] = useLater(`${line}\n${draft?.sheet.trim() ?? ""}`).split("\n")
  const first = usePreview(chosen, { header_line, sheet })
  const templates = useAdminQuery<{ templates: Template[] }>("/settlements/templates")
  if (first.data === undefined || templates.data === undefined) {
    const error = first.error ?? templates.error
    return (
      <Section heading={say("settlements.preview.title")}>
        {error === null ? <Loading lines={4} /> : <NoPreview error={error} />}
      </Section>
    )
  }
  return (
    <ReadBy
      chosen={chosen}
      preview={first.data.preview}
      templates={templates.data.templates}
      draft={draft}
      onDraft={setDraft}
    />
  )
}
