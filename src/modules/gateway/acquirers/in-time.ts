import { setTimeout as sleep } from "node:timers/promises"
import { DeadlinePassed, withinDeadline } from "../kernel/database/deadline"
import { LIMITS } from "../kernel/limits"
import type { Refused, Unknown } from "./port"

/** Total tries of a call when the payment network cannot be reached (decisions: Sandbox, 400.00). */
const NETWORK_TRIES = 3
const NETWORK_PAUSE_MS = 200

/** After this long (real time) every try of an attempt's call has been abandoned. */
export const ATTEMPT_LIFE_MS = (NETWORK_TRIES * LIMITS.acquirerCallSeconds + 10) * 1000

/**
 * Asks an acquirer to move money, and retries when its network cannot be reached; `unknown` when it does not answer. A
 * caller whose time to ask is limited says by `mayRepeat` whether another try may begin, and by `seconds` how long one
 * may take.
 */
export async function askForMoney<Answer extends { result: string }>(
  call: () => Promise<Answer | Refused>,
  { mayRepeat = () => true, seconds }: { mayRepeat?: () => boolean; seconds?: number } = {}
): Promise<Answer | Refused | Unknown> {
  for (let attempt = 1; ; attempt++) {
    const answer = await inTime(call, seconds)
    if (!("retry" in answer) || answer.retry !== true || attempt === NETWORK_TRIES || !mayRepeat()) {
      return answer
    }
    await sleep(NETWORK_PAUSE_MS * attempt)
  }
}

/**
 * Returns the acquirer's answer, or `unknown` when it throws or takes too long. Money may have moved, so neither counts
 * as a refusal (design: six rules, 2).
 */
export async function inTime<Answer>(
  call: () => Promise<Answer>,
  seconds: number = LIMITS.acquirerCallSeconds
): Promise<Answer | Unknown> {
  try {
    return await withinDeadline(seconds, call)
  } catch (error) {
    if (error instanceof DeadlinePassed) {
      return { result: "unknown", message: "The acquirer did not answer in time" }
    }
    return { result: "unknown", message: error instanceof Error ? error.message : "The acquirer failed" }
  }
}

/** The answer of a call, with how long it took in milliseconds. */
export async function timed<Answer extends object>(
  call: () => Promise<Answer>
): Promise<Answer & { answer_ms: number }> {
  const begun = performance.now()
  const answer = await call()
  return { ...answer, answer_ms: Math.round(performance.now() - begun) }
}
