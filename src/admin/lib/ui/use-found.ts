import { useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import type { AdminError } from "../http"

export type Item = { value: string; label: string }
export type Found<One extends Item> = { items: readonly One[]; more: boolean }

/** How one of many is found: by the server, from what has been typed so far. */
export type Search<One extends Item> = {
  /** Whose rows they are, and which: what was found in one is never shown in another. Null: not known yet. */
  scope: readonly unknown[] | null
  /** An empty text finds the first ones. */
  find: (text: string, signal: AbortSignal) => Promise<Found<One>>
  /** What is said when there is nothing at all, and when nothing is like the text. */
  none: string
  nothing: string
}

/** The server is asked when the typing pauses, not at each letter. */
const PAUSE_MS = 250

/** What the server finds for the text; nothing while it is asked: an answer to an earlier text could be taken for it. */
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
