import { useEffect, useMemo, useState } from "react"
import { useTenantState } from "../data"
import { presets } from "./presets"

const LOOK_MS = 60_000

/**
 * The beginning of today in Bangladesh, by the merchant's clock, or by the real one for what is listed by real time. A
 * page that stays open goes over to the next day.
 */
export function useToday(clock: "merchant" | "real" = "merchant"): Date {
  const ahead = useTenantState()?.offset_seconds ?? 0
  const offset = clock === "real" ? 0 : ahead * 1_000
  const beginning = () => presets(new Date(Date.now() + offset)).today.$gte
  const [, setSeen] = useState("")
  useEffect(() => {
    const timer = setInterval(() => setSeen(beginning()), LOOK_MS)
    return () => clearInterval(timer)
  })
  const today = beginning()
  return useMemo(() => new Date(today), [today])
}
