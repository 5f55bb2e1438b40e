import { useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import type { AdminError } from "../http"

export type Item = { value: string; label: string }
export type Found<One extends Item> = { items: readonly One[]; more: boolean }

/** How to find one of many items: by the server, from the typed text. */
export type Search<One extends Item> = {
  /** The scope of the rows: results of one scope are never shown in another. Null: not known yet. */
  scope: readonly unknown[] | null
  /** An empty text finds the first ones. */
  find: (text: string, signal: AbortSignal) => Promise<Found<One>>
  /** The messages for no items at all, and for no match. */
  none: string
  nothing: string
}

/** The search starts when the typing pauses, not at each letter. */
const PAUSE_MS = 250

/**
 * The server's matches for the text; none while the search runs, because results for an earlier text could be mistaken
 * for them.
 */
export function useFound<One extends Item>({ scope, find }: Search<One>, text: string, enabled: boolean) {
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    const pause = setTimeout(() => setAsked(text), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [text])
  const { data, error } = useQuery<Found<One>, AdminError>({
    queryKey: ["gateway", "found", scope, asked],
    queryFn: ({ signal }) => find(asked, signal),
    enabled: enabled && scope !== null,
    staleTime: 0,
    retry: false,
  })
  return text === asked ? { found: data, error } : { found: undefined, error: null }
}
