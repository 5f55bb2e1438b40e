import type { Caller } from "../../modules/gateway/kernel/types"
import type { Answering } from "./answers"
import { endpoint, type LookUpFor, type OperationContext } from "./endpoint"
import { openEndpoint, type OpenPage } from "./open-endpoint"
import type { Described, Operation } from "./types"

type Declared<Result, As extends Caller> = Omit<Described, "answer" | "open"> & {
  answer: Answering<Result>
  /** Another statement than the usual one may find the caller, together with what it asks for. */
  lookUp?: LookUpFor<As>
  run: (context: OperationContext<As>) => Promise<NoInfer<Result>>
}

/**
 * An operation of `/api/v2`, whole: `export const POST = operation({ ... })` in the route file at its path. `run` returns
 * what `answer` describes.
 */
export function operation<Result, As extends Caller = Caller>(declared: Declared<Result, As>): Operation {
  const { run, lookUp, answer } = declared
  const handler = endpoint<As>(async (context) => answer.of(await run(context)), lookUp)
  return Object.assign(handler, { described: declared as unknown as Described })
}

type DeclaredOpen = Omit<Described, "answer" | "open" | "scope"> & { answer: Answering<never>; page: OpenPage }

/** An operation that needs no key, and answers a JSON text that clients may keep. */
export function openOperation(declared: DeclaredOpen): Operation {
  const described: Described = { ...declared, scope: null, open: true }
  return Object.assign(openEndpoint(declared.page), { described })
}
