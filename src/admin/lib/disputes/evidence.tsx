import { ArrowUpTray } from "@medusajs/icons"
import { Button, Text } from "@medusajs/ui"
import { useEffect, useState } from "react"
import { useAdminMutation, useDownload } from "../data"
import { useFormats } from "../format"
import { useForbidden } from "../use"
import { useText } from "../text"
import { ActButton, Ask } from "../ui/bits"
import { ChoiceField, TextAreaField } from "../ui/fields"
import { FileButton } from "../ui/files"
import { faultOf } from "../ui/form"
import { useUnsaved } from "../ui/leaving"
import { Section } from "../ui/section"
import { type EvidenceFile, FILE_KINDS, type FileKind, type WholeDispute } from "./types"

/** What is typed and not saved yet; null: nothing. No refetch of the page changes it. */
export type TextDraft = { text: string | null; set: (text: string | null) => void }

export function useTextDraft(saved: string | null): TextDraft {
  const [text, set] = useState<string | null>(null)
  // Once it is saved, the text of another admin may follow it.
  useEffect(() => set((now) => (now === (saved ?? "") ? null : now)), [saved])
  return { text, set }
}

type Props = { dispute: WholeDispute; draft: TextDraft }

/** The text and the files for the bank; until they are submitted they can be changed. */
export const Evidence = ({ dispute, draft }: Props) => {
  const say = useText()
  const { awaits_response, evidence_text, files } = dispute
  return (
    <Section heading={say("disputes.evidence")} description={say("disputes.evidence_hint")}>
      {awaits_response ? (
        <EvidenceText dispute={dispute} draft={draft} />
      ) : (
        <Text size="small" className="whitespace-pre-wrap px-6 py-4">
          {evidence_text ?? say(files.length === 0 ? "disputes.no_evidence" : "disputes.files_alone")}
        </Text>
      )}
      <ul className="divide-y">
        {files.map((file) => (
          <FileRow key={file.id} dispute={dispute} file={file} />
        ))}
      </ul>
      {awaits_response && <Upload dispute={dispute} />}
    </Section>
  )
}

const EvidenceText = ({ dispute: { id, evidence_text }, draft }: Props) => {
  const say = useText()
  const isForbidden = useForbidden("disputes") !== undefined
  const text = draft.text ?? evidence_text ?? ""
  useUnsaved(text !== (evidence_text ?? ""))
  const save = useAdminMutation<string>(
    { path: () => `/disputes/${id}/evidence`, body: (next) => ({ evidence_text: next }) },
    { done: () => say("disputes.saved") }
  )
  return (
    <div className="flex flex-col items-start gap-3 px-6 py-4">
      <div className="w-full">
        <TextAreaField
          label={say("disputes.text")}
          fault={faultOf(save.error, "evidence_text")}
          rows={6}
          maxLength={20_000}
          readOnly={isForbidden}
          value={text}
          onChange={draft.set}
        />
      </div>
      <ActButton
        area="disputes"
        variant="secondary"
        disabled={text === (evidence_text ?? "")}
        isLoading={save.isPending}
        onClick={() => save.mutate(text)}
      >
        {say("common.save")}
      </ActButton>
    </div>
  )
}

const FileRow = ({ dispute, file }: { dispute: WholeDispute; file: EvidenceFile }) => {
  const say = useText()
  const { number } = useFormats()
  const download = useDownload()
  const path = `/disputes/${dispute.id}/files/${file.id}`
  const name = say(`disputes.kinds.${file.kind}`)
  const remove = useAdminMutation<void>({ path: () => path, method: "DELETE" }, { done: () => say("disputes.removed") })
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-6 py-3">
      <div className="min-w-0">
        <Text size="small" weight="plus">
          {name}
        </Text>
        <Text size="small" className="text-ui-fg-subtle break-all">
          {`${file.file_name}, ${number(Math.ceil(file.size_bytes / 1_000))} kB`}
        </Text>
      </div>
      <div className="flex gap-2">
        <Button
          size="small"
          variant="secondary"
          aria-label={`${say("disputes.download")}: ${name}`}
          onClick={() => download.mutate({ path })}
        >
          {say("disputes.download")}
        </Button>
        {dispute.awaits_response && (
          <Ask
            area="disputes"
            deletes
            variant="transparent"
            label={say("disputes.remove")}
            aria-label={`${say("disputes.remove")}: ${name}`}
            title={say("disputes.remove_title", { file: file.file_name })}
            text={say("disputes.remove_text")}
            pending={remove.isPending}
            act={() => remove.mutate()}
          />
        )}
      </div>
    </li>
  )
}

const Upload = ({ dispute: { id, files } }: { dispute: WholeDispute }) => {
  const say = useText()
  const missing = FILE_KINDS.filter((kind) => !files.some((file) => file.kind === kind))
  const [chosen, setChosen] = useState<FileKind>("receipt")
  const kind = missing.includes(chosen) ? chosen : missing[0]
  const upload = useAdminMutation<File>(
    { path: () => `/disputes/${id}/files`, query: ({ name }) => ({ kind, name }), file: (file) => file },
    { done: () => say("disputes.uploaded") }
  )
  if (kind === undefined) {
    return null
  }
  return (
    <div className="flex flex-col items-start gap-3 px-6 py-4">
      <div className="w-full max-w-sm">
        <ChoiceField
          label={say("disputes.kind")}
          fault={faultOf(upload.error, "kind")}
          otherFault={faultOf(upload.error, "file")}
          value={kind}
          options={missing.map((value) => ({ value, label: say(`disputes.kinds.${value}`) }))}
          onChange={setChosen}
        />
      </div>
      <FileButton
        label={say("disputes.file")}
        area="disputes"
        accept=".pdf,.jpg,.jpeg,.png,application/pdf,image/jpeg,image/png"
        pending={upload.isPending}
        onFile={(file) => upload.mutate(file)}
      >
        <ArrowUpTray />
        {say("disputes.upload")}
      </FileButton>
    </div>
  )
}
