import { useEffect, useState } from "react"
import { useTenantState } from "./data"
import { type Mail, type Wait, mailsDue } from "./invoices/invoices"
import { POLL_MS, usePolling } from "./use"

const LATER_MS = 30_000

/** What takes longer waits for an acquirer, maybe for days. */
const SOON_FOR_MS = 60_000

type Mails = readonly Pick<Mail, "status" | "due_at">[]

type Refetch = Parameters<typeof usePolling>[1]

/** Refreshes a page while its money moves or its e-mails are pending, by the merchant's clock. */
export function useUnderWay(money: Wait | null, mails: Mails, refetch: Refetch): void {
  const ahead = useTenantState()?.offset_seconds ?? 0
  const waits = [money, mailsDue(mails, Date.now() + ahead * 1_000)]
  const isSoon = waits.includes("soon")
  const isLong = useLongerThan(SOON_FOR_MS, isSoon)
  usePolling(isSoon || waits.includes("later"), refetch, isSoon && !isLong ? POLL_MS : LATER_MS)
}

/** Whether something has lasted for longer than `ms`. */
function useLongerThan(ms: number, lasts: boolean): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    setLong(false)
    const timer = lasts ? setTimeout(() => setLong(true), ms) : undefined
    return () => clearTimeout(timer)
  }, [ms, lasts])
  return isLong
}
