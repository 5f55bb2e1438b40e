import { ExclamationCircle, ExclamationCircleSolid } from "@medusajs/icons"
import { Alert, Button, Container, FocusModal, Heading, Skeleton, Text } from "@medusajs/ui"
import type { ReactNode } from "react"
import type { AdminError } from "../http"
import { useLocale, useText } from "../text"
import { Copied } from "./bits"

type SectionProps = {
  heading: string
  level?: "h1" | "h2"
  description?: string
  actions?: ReactNode
  children?: ReactNode
}

/** One box of a page: heading, description, actions, and content. */
export const Section = ({ heading, level = "h2", description, actions, children }: SectionProps) => (
  <Container className="divide-y p-0" role="region" aria-label={heading}>
    <div className="flex flex-wrap items-start justify-between gap-3 px-6 py-4">
      {/* On a phone the actions wrap below instead of squeezing the heading. */}
      <div className="min-w-[min(100%,14rem)] flex-1">
        <Heading level={level} className="break-words">
          {heading}
        </Heading>
        {description !== undefined && (
          <Text size="small" className="text-ui-fg-subtle">
            {description}
          </Text>
        )}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
    {children}
  </Container>
)

/** `isCode`: the name is the merchant's own, not a word of ours. */
type Fact = readonly [name: string, value: ReactNode, isCode?: boolean]

/** Names and values, stacked on a phone; a dash for a missing value. */
export const Facts = ({ rows }: { rows: readonly Fact[] }) => (
  <dl className="divide-y">
    {rows.map(([name, value, isCode = false]) => (
      <div key={name} className="grid grid-cols-1 gap-1 px-6 py-3 sm:grid-cols-2 sm:gap-4">
        <dt className="txt-compact-small-plus text-ui-fg-subtle">
          {isCode ? <code className="break-all font-mono">{name}</code> : name}
        </dt>
        <dd className="txt-compact-small break-words">
          {[null, undefined, false, ""].includes(value as null) ? "–" : value}
        </dd>
      </div>
    ))}
  </dl>
)

/** A failed load: what, why, and a button to retry. */
export const ErrorState = ({ error, retry }: { error: Error; retry: () => void }) => {
  const say = useText()
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      <ExclamationCircle className="text-ui-fg-subtle" />
      <div>
        <Text weight="plus">{say("common.not_loaded")}</Text>
        <Text size="small" className="text-ui-fg-subtle">
          {error.message}
        </Text>
      </div>
      <Button size="small" variant="secondary" onClick={retry}>
        {say("common.again")}
      </Button>
    </div>
  )
}

/** A failed refresh, above what was loaded before; nothing while there is none. */
export const NotRefreshed = ({ error, retry }: { error: Error | null; retry: () => void }) => {
  const say = useText()
  return error === null ? null : (
    <Alert variant="warning" role="alert">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Text size="small">{`${say("common.not_refreshed")} ${error.message}`}</Text>
        <Button size="small" variant="secondary" onClick={retry}>
          {say("common.again")}
        </Button>
      </div>
    </Alert>
  )
}

/** A placeholder while data loads. */
export const Loading = ({ lines = 4 }: { lines?: number }) => {
  const say = useText()
  return (
    <div role="status" aria-label={say("common.loading")} className="flex flex-col gap-3 px-6 py-4">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} className="h-6 w-full" />
      ))}
    </div>
  )
}

type SecretProps = { secret: string | null; title: string; hint: string; onStored: () => void }

/** Shows a secret that is shown only once. Only the button closes it: a click beside it must not lose the secret. */
export const SecretModal = ({ secret, title, hint, onStored }: SecretProps) => {
  const say = useText()
  const locale = useLocale()
  return (
    <FocusModal open={secret !== null}>
      <FocusModal.Content
        lang={locale}
        aria-describedby={undefined}
        onEscapeKeyDown={(event) => event.preventDefault()}
      >
        <FocusModal.Body className="flex flex-1 flex-col items-center overflow-y-auto">
          <div className="flex w-full max-w-[640px] flex-col gap-6 px-4 py-16">
            <FocusModal.Title asChild>
              <Heading>{title}</Heading>
            </FocusModal.Title>
            <div className="bg-ui-bg-subtle border-ui-border-base rounded-lg border p-4">
              <Copied text={secret ?? ""} />
            </div>
            <Alert variant="warning">
              <Text size="small">{hint}</Text>
            </Alert>
            <Button className="self-start" onClick={onStored}>
              {say("developers.keys.stored")}
            </Button>
          </div>
        </FocusModal.Body>
      </FocusModal.Content>
    </FocusModal>
  )
}

type FaultListProps = {
  error: AdminError | null
  /** Whether it is the error of sending the file, and not of looking at what that would do. */
  sent?: boolean
}

/**
 * The first errors of a file, in the order of its lines, and how many more there are; nothing of the file was applied.
 * Without an answer it may have been: sending it once more does nothing twice.
 */
export const FaultList = ({ error, sent = false }: FaultListProps) => {
  const say = useText()
  if (error === null) {
    return null
  }
  error.faults.forEach((fault) => error.shown.add(fault))
  const isAnswered = error.status !== undefined
  const messages = error.faults.length > 0 ? error.faults.map(({ message }) => message) : [error.message]
  return (
    <div role="alert" className="border-ui-border-error bg-ui-bg-subtle rounded-lg border p-4">
      <div className="flex items-center gap-2">
        <ExclamationCircleSolid className="text-ui-fg-error shrink-0" />
        <Text size="small" weight="plus">
          {sent && !error.isRefusal
            ? say("csv.unsure")
            : say("csv.faults", { count: messages.length + error.faultsOmitted })}
        </Text>
      </div>
      {isAnswered && (
        <ul className="mt-2 flex max-h-80 list-disc flex-col gap-1 overflow-y-auto pl-6">
          {messages.map((message, index) => (
            <li key={index} className="txt-small">
              {message}
            </li>
          ))}
          {error.faultsOmitted > 0 && <li className="txt-small">{say("csv.more", { count: error.faultsOmitted })}</li>}
        </ul>
      )}
    </div>
  )
}
