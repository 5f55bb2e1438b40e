import { Container, Heading, Text } from "@medusajs/ui"
import type { ReactNode } from "react"

type Props = { heading: string; level?: "h1" | "h2"; description?: string; actions?: ReactNode; children?: ReactNode }

/** One box of a page: heading, description, actions, and content. */
export const Section = ({ heading, level = "h2", description, actions, children }: Props) => (
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

/** Names and values, stacked on a phone; a dash for a missing value. */
export const Facts = ({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="divide-y">
    {rows.map(([name, value]) => (
      <div key={name} className="grid grid-cols-1 gap-1 px-6 py-3 sm:grid-cols-2 sm:gap-4">
        <dt className="txt-compact-small-plus text-ui-fg-subtle">{name}</dt>
        <dd className="txt-compact-small break-words">
          {value === null || value === undefined || value === "" ? "–" : value}
        </dd>
      </div>
    ))}
  </dl>
)
