import { accountCookie } from "../http/cookies"
import type { Visitor } from "../http/visitor"
import type { Reply } from "./states"

/** Exchanges a proof for this browser's key; null: it is not valid. */
type Claim = (sessionId: string, proof: string) => Promise<string | null>

/**
 * Leads to the payment page in any case. Without a valid proof it is the page that everybody with its address sees:
 * nothing saved is offered or can be paid with.
 */
export async function admitAccount(
  { sessionId, path, visitor, proof }: { sessionId: string; path: string; visitor: Visitor; proof: string },
  claim: Claim
): Promise<Reply> {
  const key = proof === "" ? null : await claim(sessionId, proof)
  return { status: 303, location: path, cookie: key === null ? null : accountCookie(visitor, path, key) }
}
