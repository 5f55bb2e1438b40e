import type { ReactNode } from "react"
import { useFrame } from "../admin-api"

type Props = {
  /** What the reference opens at; without it, at its beginning, where it takes a key. */
  at?: { operation: string } | { event: string }
  children: ReactNode
}

/** Leads to the reference pages in a tab of their own; where they are switched off, the content alone. */
export const ReferenceLink = ({ at, children }: Props) => {
  const { data: frame } = useFrame()
  if (!frame?.reference_url) {
    return <>{children}</>
  }
  const query = at === undefined ? "" : `?${new URLSearchParams(at).toString()}`
  return (
    <a
      className="text-ui-fg-interactive hover:text-ui-fg-interactive-hover"
      href={`${frame.reference_url}${query}`}
      target="_blank"
      rel="noreferrer"
    >
      {children}
    </a>
  )
}
