import { setTimeout as sleep } from "node:timers/promises"
import { LIMITS } from "../../kernel/limits"
import type { Refused, Unknown } from "./port"

/** A payment network that could not be reached is tried this often in all (decisions: Sandbox, 400.00). */
const NETWORK_TRIES = 3
const NETWORK_PAUSE_MS = 200

/** A payment attempt this old (real time) is over: every try of its call has been given up by then. */
export const ATTEMPT_LIFE_MS = (NETWORK_TRIES * LIMITS.acquirerCallSeconds + 10) * 1000

/** Asks an acquirer to move money, again when its network could not be reached; `unknown` when it does not answer. */
export async function askForMoney<Answer extends { result: string }>(
  call: () => Promise<Answer | Refused>
): Promise<Answer | Refused | Unknown> {
  for (let attempt = 1; ; attempt++) {
    const answer = await inTime(call)
    if (!("retry" in answer) || answer.retry !== true || attempt === NETWORK_TRIES) {
      return answer
    }
    await sleep(NETWORK_PAUSE_MS * attempt)
  }
}

/**
 * An acquirer's answer, or `unknown` when it throws or takes longer than 30 seconds: money may have moved, so
 * neither may be taken for a refusal (design: six rules, 2).
 */
export async function inTime<Answer>(call: () => Promise<Answer>): Promise<Answer | Unknown> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<Unknown>((resolve) => {
    const late: Unknown = { result: "unknown", message: "The acquirer did not answer in time" }
    timer = setTimeout(() => resolve(late), LIMITS.acquirerCallSeconds * 1000)
  })
  try {
    return await Promise.race([call(), tooLate])
  } catch (error) {
    return { result: "unknown", message: error instanceof Error ? error.message : "The acquirer failed" }
  } finally {
    clearTimeout(timer)
  }
}
