import { Button, Text } from "@medusajs/ui"
import type { ReactNode } from "react"
import { useParams } from "react-router-dom"
import { useAdminQuery } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { Badge, Moment } from "../ui/bits"
import { NotThere } from "../ui/missing"
import { Link } from "../ui/page-links"
import { ErrorState, Facts, Loading, NotRefreshed, Section } from "../ui/section"
import { COLUMNS, DATE_FORMATS } from "./mapping-draft"
import { By, Quiet, useSourceName } from "./parts"
import type { Definition, Template } from "./types"

/** The newest version of each template. */
export const TemplateList = () => {
  const say = useText()
  const { number } = useFormats()
  const sourceName = useSourceName()
  const { data, error, refetch } = useAdminQuery<{ templates: Template[] }>("/settlements/templates")
  return (
    <Section
      level="h1"
      heading={say("settlements.templates.title")}
      description={say("settlements.templates.description")}
      actions={
        <Button size="small" asChild>
          <Link to="/gateway/settlements/import">{say("settlements.file.open")}</Link>
        </Button>
      }
    >
      {data === undefined &&
        (error === null ? <Loading lines={3} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {data?.templates.length === 0 && (
        <div className="px-6 py-4">
          <Quiet>{say("settlements.templates.none")}</Quiet>
        </div>
      )}
      <ul className="divide-y">
        {data?.templates.map(({ id, name, version, source, definition }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-6 py-3">
            <Link
              to={`/gateway/settlements/templates/${id}`}
              className="text-ui-fg-interactive txt-compact-small break-words"
            >
              {name}
            </Link>
            <Text size="small" className="text-ui-fg-subtle">
              {[
                sourceName(source),
                say(`settlements.file_kinds.${definition.kind}`),
                say("settlements.templates.version", { number: number(version) }),
              ].join(" · ")}
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** One version of a template, and the way to the others. */
export const TemplateDetails = () => {
  const say = useText()
  const { id = "" } = useParams()
  const { data, error, refetch } = useAdminQuery<{ template: Template; versions: Template[] }>(
    `/settlements/templates/${encodeURIComponent(id)}`
  )
  if (data === undefined) {
    return (
      <NotThere
        error={error}
        retry={() => void refetch()}
        title={say("settlements.templates.missing")}
        text={say("settlements.missing_hint")}
        back={say("settlements.templates.back")}
        to="/gateway/settlements/templates"
      />
    )
  }
  const { template, versions } = data
  const isNewest = versions[0].id === template.id
  return (
    <>
      <NotRefreshed error={error} retry={() => void refetch()} />
      <TemplateFacts template={template} isNewest={isNewest} />
      <div className="grid grid-cols-1 gap-3 xl:grid-cols-2">
        <ColumnFacts definition={template.definition} />
        <Versions versions={versions} shown={template.id} />
      </div>
    </>
  )
}

const TemplateFacts = ({ template, isNewest }: { template: Template; isNewest: boolean }) => {
  const say = useText()
  const { number } = useFormats()
  const sourceName = useSourceName()
  const { id, name, version, source, definition } = template
  const format = DATE_FORMATS.find(([value]) => value === definition.date_format)?.[1] ?? "year_first"
  return (
    <Section
      level="h1"
      heading={name}
      description={say("settlements.templates.version", { number: number(version) })}
      actions={
        isNewest ? (
          <Button size="small" variant="secondary" asChild>
            <Link to={`/gateway/settlements/import?template=${id}`}>{say("settlements.templates.use")}</Link>
          </Button>
        ) : (
          <Badge color="grey">{say("settlements.templates.old")}</Badge>
        )
      }
    >
      <Facts
        rows={[
          [say("settlements.source"), sourceName(source)],
          [say("settlements.map.kind"), say(`settlements.file_kinds.${definition.kind}`)],
          [say("settlements.map.date_format"), say(`settlements.formats.${format}`)],
          [
            say("settlements.map.decimal"),
            say(definition.decimal === "." ? "settlements.map.decimal_point" : "settlements.map.decimal_comma"),
          ],
          [say("settlements.map.refund_sign"), say(`settlements.signs.${definition.refund_sign}`)],
          [say("settlements.map.fee_sign"), say(`settlements.signs.${definition.fee_sign}`)],
          [say("payments.currency"), definition.currency ?? say("settlements.map.in_column")],
          [say("settlements.map.default_kind"), <DefaultKind key="k" definition={definition} />],
          [say("settlements.map.sheet"), definition.sheet],
          [say("settlements.map.time_zone"), <code key="z">{definition.time_zone}</code>],
        ]}
      />
    </Section>
  )
}

const DefaultKind = ({ definition: { default_kind } }: { definition: Definition }) => {
  const say = useText()
  if (default_kind === null || default_kind === "by_sign") {
    return <>{say(default_kind === null ? "settlements.map.is_error" : "settlements.map.by_sign")}</>
  }
  return <>{say(`settlements.kinds.${default_kind}`)}</>
}

const ColumnFacts = ({ definition: { kind, columns, kinds, skip } }: { definition: Definition }) => {
  const say = useText()
  const own = (text: string): ReactNode => <code className="break-words font-mono">{text}</code>
  const meaning = (what: Definition["kinds"][string]) =>
    what === "skip" ? say("settlements.map.skip_line") : say(`settlements.kinds.${what}`)
  return (
    <Section heading={say("settlements.map.columns")}>
      <Facts
        rows={[
          ...COLUMNS[kind].flatMap((name) => {
            const column = columns[name]
            return column === undefined ? [] : [[say(`settlements.columns.${name}`), own(column)] as const]
          }),
          ...Object.entries(kinds).map(([word, what]) => [word, meaning(what), true] as const),
          [say("settlements.map.skip"), own(skip.join(", "))],
        ]}
      />
    </Section>
  )
}

const Versions = ({ versions, shown }: { versions: Template[]; shown: string }) => {
  const say = useText()
  const { number } = useFormats()
  return (
    <Section heading={say("settlements.templates.versions")} description={say("settlements.templates.versions_hint")}>
      <ul className="divide-y">
        {versions.map(({ id, version, created_at, created_by, created_by_name }) => (
          <li
            key={id}
            className="txt-compact-small flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-6 py-3"
          >
            {id === shown ? (
              <span className="font-medium">{say("settlements.templates.version", { number: number(version) })}</span>
            ) : (
              <Link to={`/gateway/settlements/templates/${id}`} className="text-ui-fg-interactive">
                {say("settlements.templates.version", { number: number(version) })}
              </Link>
            )}
            <span className="text-ui-fg-subtle break-words">
              <Moment at={created_at} />
              {" · "}
              <By id={created_by} name={created_by_name} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
