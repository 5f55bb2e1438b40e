import { LIMITS } from "../domain/limits"
import type { Unknown } from "./port"

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
