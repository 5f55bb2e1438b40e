import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { refreshAll } from "./data"

export const POLL_MS = 1_500

type Refetch = (options: { cancelRefetch: boolean }) => Promise<unknown>

/** Polls while something is under way; when it has ended, refetches everything else that shows it. */
export function usePolling(isUnderWay: boolean, refetch: Refetch, everyMs = POLL_MS): void {
  const client = useQueryClient()
  const wasUnderWay = useRef(false)
  useEffect(() => {
    if (wasUnderWay.current && !isUnderWay) {
      void refreshAll(client)
    }
    wasUnderWay.current = isUnderWay
    // On a slow line an answer takes longer than a round: to cancel its request would mean that none ever comes.
    const poll = () => void refetch({ cancelRefetch: false })
    const timer = isUnderWay ? setInterval(poll, everyMs) : undefined
    return () => clearInterval(timer)
  }, [client, isUnderWay, refetch, everyMs])
}
