import { AsyncLocalStorage } from "node:async_hooks"

const addresses = new AsyncLocalStorage<string>()

/** Runs `work` for the visitor of this address: a workflow's hook does not see the request that it runs for. */
export function forVisitor<Result>(address: string, work: () => Result): Result {
  return addresses.run(address, work)
}

/** The address of the visitor for whom this runs; null for a task, a delivery or a host's own code. */
export function visitorAddress(): string | null {
  return addresses.getStore() ?? null
}
