import type { ReactNode } from "react"
import { useFrame } from "../admin-api"

type Props = {
  /** What the reference opens at; without it, at its beginning, where it takes a key. */
  at?: { operation: string } | { event: string } | { error: string }
  children: ReactNode
}

/** An error code leads to its row in the guide about errors. */
function placeOf(at: NonNullable<Props["at"]>): string {
  return "error" in at ? `/guides/errors#${at.error}` : `?${new URLSearchParams(at).toString()}`
}

/** Leads to the reference pages in a tab of their own; where they are switched off, the content alone. */
export const ReferenceLink = ({ at, children }: Props) => {
  const { data: frame } = useFrame()
  if (!frame?.reference_url) {
    return <>{children}</>
  }
  return (
    <a
      className="text-ui-fg-interactive hover:text-ui-fg-interactive-hover"
      href={`${frame.reference_url}${at === undefined ? "" : placeOf(at)}`}
      target="_blank"
      rel="noreferrer"
    >
      {children}
    </a>
  )
}
