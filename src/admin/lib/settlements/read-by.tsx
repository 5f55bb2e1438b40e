import { Text } from "@medusajs/ui"
import { useEffect, useState } from "react"
import { useSearchParams } from "react-router-dom"
import { useAdminMutation } from "../data"
import type { Query } from "../http"
import { useText } from "../text"
import { ActButton } from "../ui/bits"
import { ChoiceField } from "../ui/fields"
import { useUnsaved } from "../ui/leaving"
import { Loading, Section } from "../ui/section"
import { Mapping, type MappingProps } from "./mapping"
import { definitionOf, draftOf, type Draft } from "./mapping-draft"
import { sourceOf, usualSource, useSources } from "./parts"
import { NoPreview, RawRows, ReadLines, useLater, usePreview, type Chosen } from "./preview"
import { Progress, useImportRun } from "./run"
import type { Preview, Reading, Template } from "./types"

const NEW = "new"

type Props = {
  chosen: Chosen
  preview: Preview
  templates: readonly Template[]
  /** What is being mapped; null: a stored template is used as it is. */
  draft: Draft | null
  onDraft: (draft: Draft | null) => void
}

/** By what the file is read: a stored template, or one that is being made; and what it says by that. */
function useReading({ chosen, preview, templates, draft, onDraft }: Props) {
  const [params] = useSearchParams()
  const [choice, choose] = useState<string | null>(params.get("template"))
  const [saved, setSaved] = useState<Template | null>(null)
  const sources = useSources()
  const { fitting_template_ids, suggested } = preview
  const known = saved === null ? templates : [saved, ...templates.filter(({ name }) => name !== saved.name)]
  const template = known.find(({ id }) => id === (choice ?? fitting_template_ids.at(0)))
  const empty = suggested && draftOf(suggested, { name: "", source: usualSource(sources, suggested.kind) })
  const own = draft ?? (template === undefined ? empty : null)
  // Somebody may begin to type before it is known of whom files come.
  const mapping = own?.source === "" ? { ...own, source: usualSource(sources, own.kind) } : own
  const of = mapping === null ? null : { definition: definitionOf(mapping), source: sourceOf(mapping) }
  const by = useLater(of === null ? (template?.id ?? "") : JSON.stringify(of))
  const asked = usePreview(chosen, by.startsWith("{") ? queryOf(by) : { template_id: by })
  return {
    known,
    template,
    mapping,
    error: asked.error,
    reading: asked.data?.preview.reading ?? null,
    choose: (id: string) => {
      choose(id)
      onDraft(id === NEW ? empty : null)
    },
    take: (made: Template) => {
      setSaved(made)
      choose(made.id)
      onDraft(null)
    },
  }
}

/** A template that is being made, with whose files it reads, where that is said already. */
function queryOf(written: string): Query {
  const { definition, source } = JSON.parse(written) as { definition: object; source: string }
  return { definition: JSON.stringify(definition), source: source || undefined }
}

/** Which template reads the file, or the form that makes one; below, what its lines would be, and the import. */
export const ReadBy = (props: Props) => {
  const say = useText()
  const { chosen, preview, draft, onDraft } = props
  const { known, template, mapping, error, reading, choose, take } = useReading(props)
  const save = useSave(take)
  useUnsaved(draft !== null && !save.isPending)
  useFirstFault(save.error)
  return (
    <>
      <Section
        heading={say("settlements.template")}
        description={say(template === undefined ? "settlements.map.none_fits" : "settlements.map.fits")}
        actions={
          template !== undefined &&
          mapping === null && (
            <ActButton
              area="settlements"
              variant="secondary"
              onClick={() => onDraft(draftOf(template.definition, template))}
            >
              {say("settlements.map.change")}
            </ActButton>
          )
        }
      >
        <div className="px-6 py-4">
          <div className="sm:max-w-md">
            <ChoiceField
              label={say("settlements.map.read_by")}
              value={template?.id ?? NEW}
              options={[
                ...known.map(({ id, name }) => ({ value: id, label: name })),
                { value: NEW, label: say("settlements.map.new") },
              ]}
              onChange={choose}
            />
          </div>
        </div>
        <RawRows preview={preview} />
      </Section>
      {mapping !== null && (
        <MappingSection
          draft={mapping}
          onChange={onDraft}
          error={save.error ?? error}
          preview={preview}
          words={reading?.words ?? []}
          isKnown={template !== undefined}
          pending={save.isPending}
          onSave={() => save.mutate(mapping)}
          onLeave={() => onDraft(null)}
        />
      )}
      <Section heading={say("settlements.preview.title")} description={say("settlements.preview.description")}>
        {error !== null && <NoPreview error={error} />}
        {error === null &&
          (reading === null ? <Loading lines={4} /> : <ReadLines reading={reading} mapped={mapping !== null} />)}
        {reading !== null && mapping === null && template !== undefined && (
          <ImportRun key={template.id} chosen={chosen} template={template} reading={reading} />
        )}
        {mapping !== null && <SaveFirst pending={save.isPending} onSave={() => save.mutate(mapping)} />}
      </Section>
    </>
  )
}

/** Shows the first field that was refused: the button at the bottom is far from it. */
function useFirstFault(error: Error | null): void {
  useEffect(() => {
    if (error !== null) {
      document.querySelector<HTMLElement>("[data-gateway-admin] [aria-invalid=true]")?.focus()
    }
  }, [error])
}

/** Where the file would be imported, once the template is saved. */
const SaveFirst = ({ pending, onSave }: Pick<SectionProps, "pending" | "onSave">) => {
  const say = useText()
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
      <Text size="small" className="text-ui-fg-subtle min-w-0 flex-1">
        {say("settlements.map.save_first")}
      </Text>
      <ActButton area="settlements" isLoading={pending} onClick={onSave}>
        {say("settlements.map.save")}
      </ActButton>
    </div>
  )
}

type SectionProps = MappingProps & { pending: boolean; onSave: () => void; onLeave: () => void }

const MappingSection = ({ pending, onSave, onLeave, ...mapping }: SectionProps) => {
  const say = useText()
  return (
    <Section
      heading={say(mapping.isKnown ? "settlements.map.next_version" : "settlements.map.title")}
      description={say("settlements.map.description")}
      actions={
        <>
          {mapping.isKnown && (
            <ActButton variant="secondary" onClick={onLeave}>
              {say("common.cancel")}
            </ActButton>
          )}
          <ActButton area="settlements" isLoading={pending} onClick={onSave}>
            {say("settlements.map.save")}
          </ActButton>
        </>
      }
    >
      <Mapping {...mapping} />
    </Section>
  )
}

function useSave(onSaved: (template: Template) => void) {
  const say = useText()
  return useAdminMutation<Draft, { template: Template }>(
    {
      path: () => "/settlements/templates",
      body: (draft) => ({ name: draft.name.trim(), source: sourceOf(draft), definition: definitionOf(draft) }),
    },
    {
      done: ({ template: { name, version } }) => say("settlements.map.saved", { name, version }),
      onDone: ({ template }) => onSaved(template),
    }
  )
}

/** Sends the file; meanwhile how far it is, and the button that ends it. Afterwards it leads to what was imported. */
const ImportRun = ({ chosen, template, reading }: { chosen: Chosen; template: Template; reading: Reading }) => {
  const say = useText()
  const { file } = chosen
  const run = useImportRun<void>(
    {
      path: () => "/settlements/imports",
      query: () => ({ template_id: template.id, file_name: file.name }),
      file: () => file,
    },
    ({ file_name }) => file_name === file.name
  )
  const good = reading.read - reading.skipped - reading.wrong
  if (run.isPending) {
    return <Progress current={run.current} total={reading.read} />
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
      <Text size="small" className="text-ui-fg-subtle min-w-0 flex-1">
        {say(reading.wrong > 0 ? "settlements.file.wrong_hint" : "settlements.file.import_hint")}
      </Text>
      <ActButton area="settlements" disabled={reading.failures.length > 0 || good === 0} onClick={() => run.start()}>
        {say("settlements.file.import", { count: good })}
      </ActButton>
      {run.error !== null && (
        <Text size="small" role="alert" className="text-ui-fg-error w-full break-words">
          {`${say("settlements.file.failed")} ${run.error.message}`}
        </Text>
      )}
    </div>
  )
}
