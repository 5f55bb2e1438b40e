import { lookup, Resolver, type LookupAddress } from "node:dns"

export type Resolve = (hostname: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => void

/** The second try waits twice as long. With several name servers the limit of the connection ends it (guarded-agent.ts). */
const TIMEOUT_MS = 3_000
const TRIES = 2
const ERRORS_OF_THE_NAME: readonly unknown[] = ["ENOTFOUND", "ENODATA"]

/** No name server gave an answer. That is not the receiver's fault. */
class LookupFailedError extends Error {
  readonly code = "LOOKUP_FAILED"
}

const LOOPBACK_NAME = /^(?:.+\.)?localhost\.?$/i

/** As the operating system does it, with its hosts file: for receivers on a private network. */
export const resolveAsSystem: Resolve = (hostname, callback) =>
  lookup(hostname, { all: true, verbatim: true }, (error, addresses) => callback(error, addresses ?? []))

/**
 * Asks the name servers of the system itself. `dns.lookup` would take one of the process's four threads until the name
 * is answered: a few names whose servers are silent would block all other lookups, those of acquirers and of PostgreSQL
 * too, and any merchant can name such a receiver. `servers` is an argument for the tests' sake.
 */
export function resolveByNameServers(servers?: readonly string[]): Resolve {
  return (hostname, callback) => {
    // No name server has to know it (RFC 6761).
    if (LOOPBACK_NAME.test(hostname)) {
      callback(null, [{ address: "127.0.0.1", family: 4 }])
      return
    }
    // A new one for each name: it reads the system's name servers, which may have changed since the last.
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
    if (servers !== undefined) {
      resolver.setServers(servers)
    }
    const families: (LookupAddress[] | Error | null)[] = [null, null]
    const answered = (index: 0 | 1, family: 4 | 6) => (error: Error | null, addresses: string[] | undefined) => {
      families[index] = error ?? (addresses ?? []).map((address) => ({ address, family }))
      if (!families.includes(null)) {
        finish(families as (LookupAddress[] | Error)[], callback)
      }
    }
    resolver.resolve4(hostname, answered(0, 4))
    resolver.resolve6(hostname, answered(1, 6))
  }
}

/** A name may well have addresses of one family only. */
function finish(families: readonly (LookupAddress[] | Error)[], callback: Parameters<Resolve>[1]): void {
  const addresses = families.flatMap((family) => (Array.isArray(family) ? family : []))
  const errors = families.filter((family) => !Array.isArray(family)) as NodeJS.ErrnoException[]
  const other = errors.find(({ code }) => !ERRORS_OF_THE_NAME.includes(code))
  const failed = other === undefined ? errors[0] : new LookupFailedError(other.message)
  callback(addresses.length === 0 ? (failed ?? null) : null, addresses)
}
