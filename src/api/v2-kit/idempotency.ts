import { createHash } from "node:crypto"
import { messageOf } from "../../i18n/message"
import { fault, validationError } from "../../modules/gateway/kernel/errors"
import { LIMITS } from "../../modules/gateway/kernel/limits"
import type { Gateway } from "../../modules/gateway/container"
import type { IdempotencyClaim } from "../../modules/gateway/merchants/idempotency"
import type { By } from "../../modules/gateway/kernel/database/audit"
import type { Caller } from "../../modules/gateway/kernel/types"
import type { WireAnswer } from "./envelopes"

type Idempotent = { answer: WireAnswer; replayed: boolean }

type Request = { method: string; path: string; key: string | string[] | undefined; raw: Buffer }

/**
 * Runs a POST or PATCH once per Idempotency-Key and replays the stored response afterwards; without a key it just runs.
 * Responses of 500 and above are not stored (decisions: Requests), nor are larger ones than any operation has.
 */
export async function runIdempotently(
  gateway: Gateway,
  caller: Caller,
  request: Request,
  run: (claim: IdempotencyClaim | null) => Promise<WireAnswer>
): Promise<Idempotent> {
  const { method, path, key, raw } = request
  if (key === undefined || (method !== "POST" && method !== "PATCH")) {
    return { answer: await run(null), replayed: false }
  }
  if (typeof key !== "string" || key.length < 1 || key.length > LIMITS.idempotencyKeyMaxChars) {
    const field = "Idempotency-Key"
    const rule = messageOf("rule.length", { min: 1, max: LIMITS.idempotencyKeyMaxChars })
    throw validationError([fault(field, rule)])
  }
  const fingerprint = createHash("sha256").update(`${method} ${path}\n`).update(raw).digest("hex")
  const claim = await gateway.idempotency.begin(caller, key, fingerprint)
  if ("status" in claim) {
    return { answer: claim, replayed: true }
  }
  const answer = await whileLeased(gateway, claim, () => run(claim))
  await (isKept(answer) ? gateway.idempotency.finish(claim, answer) : gateway.idempotency.release(claim))
  return { answer, replayed: false }
}

/**
 * An answer that is not kept leaves its key as a crash would: the same request runs again, and finds what is done by
 * the key's record (docs/decisions/02).
 */
function isKept({ status, body }: WireAnswer): boolean {
  return status < 500 && Buffer.byteLength(body) <= LIMITS.idempotentAnswerMaxBytes
}

/**
 * The caller of an operation that makes one change. When the answer was lost after the change was made, the same request
 * finds it by its record: the change is neither made again nor refused (docs/decisions/02).
 */
export function repeatable({ caller, claim }: { caller: Caller; claim: IdempotencyClaim | null }): Caller & By {
  return claim === null ? caller : { ...caller, idempotency_id: claim.id }
}

/** Does the work of a claim, and prolongs its lease meanwhile: a move of a sandbox clock may take minutes. */
async function whileLeased<Result>(
  gateway: Gateway,
  claim: IdempotencyClaim,
  work: () => Promise<Result>
): Promise<Result> {
  let renewed = Promise.resolve()
  const renewing = setInterval(() => {
    // The lease outlasts two renewals that fail, and the work must not fail with them.
    renewed = gateway.idempotency.renew(claim).catch(() => undefined)
  }, LIMITS.idempotencyRenewSeconds * 1_000)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
    // One that came after the release would keep the key for another minute.
    await renewed
  }
}
