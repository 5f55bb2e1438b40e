import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"

const LOOK_AGAIN_MS = 1500

/** Looks again at what is under way until it no longer is; whatever else shows it is then read anew. */
export function useLookAgain(isUnderWay: boolean, refetch: () => Promise<unknown>): void {
  const client = useQueryClient()
  const wasUnderWay = useRef(false)
  useEffect(() => {
    if (wasUnderWay.current && !isUnderWay) {
      void client.invalidateQueries({ queryKey: ["gateway"] })
    }
    wasUnderWay.current = isUnderWay
    const timer = isUnderWay ? setInterval(() => void refetch(), LOOK_AGAIN_MS) : undefined
    return () => clearInterval(timer)
  }, [client, isUnderWay, refetch])
}
