import { FAULTS, type Params, sentenceOf } from "./words/faults"

type FaultCode = keyof typeof FAULTS

/** Exit codes; `--help` documents them. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Why a command could not do what it was asked, as a code with parameters: words/faults.ts has the sentences. */
export class Failure extends Error {
  constructor(
    readonly code: FaultCode,
    readonly params: Params = {},
    readonly exit: ExitCode = EXIT.failed
  ) {
    super(sentenceOf(FAULTS[code].message, params))
  }

  /** What to do about it. */
  get fix(): string {
    return sentenceOf(FAULTS[this.code].fix, this.params)
  }

  /** For programs. */
  get described(): { code: FaultCode; params: Params; message: string; fix: string } {
    const { code, params, message, fix } = this
    return { code, params, message, fix }
  }
}

/** Any error as a failure. What breaks because the user has stopped the command is no fault, unless it leaves a doubt. */
export function failureOf(error: unknown, stop: AbortSignal): Failure {
  const isDoubt = error instanceof Failure && error.code === "CLOCK_UNKNOWN"
  if (stop.aborted && !isDoubt) {
    return new Failure("STOPPED")
  }
  return error instanceof Failure
    ? error
    : new Failure("UNEXPECTED", { message: (error as Error).message ?? String(error) })
}

/** The command was written wrongly: exit code 2. */
export function wrongUsage(code: FaultCode, params: Params = {}): Failure {
  return new Failure(code, params, EXIT.usage)
}
