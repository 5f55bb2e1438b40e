import { type Bench, type Call, type Fault, NotApplicable, promise } from "../bench"
import type { Disturbance } from "../line"

/** One promise of an adapter. `why`: what goes wrong in a shop whose adapter does not keep it. */
export type Case = { code: string; promise: string; why: string; run(bench: Bench): Promise<void> }

/** More requests than any call makes. */
const REQUESTS_MAX = 8

/**
 * Plays a scenario once for every request of a call and every way in which it may go wrong. `play` fails by itself when a
 * promise is broken; the message then says what was disturbed. Throws NotApplicable when the call makes no request.
 */
export async function disturbEach(
  bench: Bench,
  call: Call,
  hows: readonly Disturbance[],
  play: (fault: Fault) => Promise<void>
): Promise<void> {
  for (let nth = 1; ; nth++) {
    let isOver = false
    for (const how of hows) {
      const fault = { call, nth, how }
      bench.plan(fault)
      try {
        await play(fault)
      } catch (error) {
        const about = `request ${nth} of ${call}, ${how}: `
        throw error instanceof Error ? Object.assign(error, { message: about + error.message }) : error
      }
      isOver ||= !bench.met()
    }
    if (isOver) {
      requireApplicable(nth > 1, `${call} makes no request`)
      return
    }
    promise(nth < REQUESTS_MAX, `${call} makes more than ${REQUESTS_MAX} requests`)
  }
}

export function requireApplicable(applies: boolean, otherwise: string): asserts applies {
  if (!applies) {
    throw new NotApplicable(otherwise)
  }
}

/** Replaces what answers say of an amount or currency while `act` runs. Throws NotApplicable when none says it. */
export async function misstated<T>(
  bench: Bench,
  rewrite: (text: string) => string,
  act: () => Promise<T>,
  what: string
): Promise<T> {
  bench.line.rewritten = 0
  bench.line.rewrite = rewrite
  try {
    const answer = await act()
    requireApplicable(bench.line.rewritten > 0, `no answer that the tests can change names the ${what}`)
    return answer
  } finally {
    bench.line.rewrite = null
  }
}
