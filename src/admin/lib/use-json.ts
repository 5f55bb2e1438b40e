import { useCallback, useEffect, useState } from "react"
import { getJson } from "./client"

export type Loaded<Answer> = { data: Answer | null; error: string | null; loading: boolean; reload: () => void }

/** Loads a path, and again when it changes; an answer that comes too late is thrown away. */
export function useJson<Answer>(path: string): Loaded<Answer> {
  const [state, setState] = useState<{ data: Answer | null; error: string | null; loading: boolean }>({
    data: null,
    error: null,
    loading: true,
  })
  const [round, setRound] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    setState((before) => ({ ...before, loading: true }))
    getJson<Answer>(path, controller.signal)
      .then((data) => setState({ data, error: null, loading: false }))
      .catch((error: Error) => {
        if (!controller.signal.aborted) {
          setState({ data: null, error: error.message, loading: false })
        }
      })
    return () => controller.abort()
  }, [path, round])
  return { ...state, reload: useCallback(() => setRound((count) => count + 1), []) }
}
