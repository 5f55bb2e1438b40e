import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"

const POLL_MS = 1500

/** Polls while something is under way; when it has ended, refetches everything else that shows it. */
export function usePolling(isUnderWay: boolean, refetch: () => Promise<unknown>): void {
  const client = useQueryClient()
  const wasUnderWay = useRef(false)
  useEffect(() => {
    if (wasUnderWay.current && !isUnderWay) {
      void client.invalidateQueries({ queryKey: ["gateway"] })
    }
    wasUnderWay.current = isUnderWay
    const timer = isUnderWay ? setInterval(() => void refetch(), POLL_MS) : undefined
    return () => clearInterval(timer)
  }, [client, isUnderWay, refetch])
}
