import type { Mail } from "./types"

/** `later`: it ends at no known time, or not within half a minute. */
export type Wait = "soon" | "later"

const SOON_MS = 30_000

/** When something of a page's e-mails will change; null: none is pending. */
export function mailsDue(mails: readonly Pick<Mail, "status" | "due_at">[], now: number): Wait | null {
  const due = mails.filter(({ status }) => status === "pending").map(({ due_at }) => Date.parse(due_at))
  return due.length === 0 ? null : Math.min(...due) < now + SOON_MS ? "soon" : "later"
}
