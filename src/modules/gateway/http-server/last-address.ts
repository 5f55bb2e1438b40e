import type { IncomingMessage } from "node:http"

const lastKnown = new WeakMap<object, unknown>()

/**
 * Keeps Express's `request.ip` readable after the client is gone. Medusa's access log reads it when the answer is out;
 * whoever leaves a stream of the request early (`for await`, `pipeline`) takes its socket away, Express's getter then
 * throws out of an event, and an exception that nobody catches ends a process. The address that was read while the
 * client was there is answered instead.
 */
export function keepLastAddress(request: IncomingMessage): void {
  Object.defineProperty(request, "ip", { get: address, configurable: true, enumerable: true })
}

function address(this: IncomingMessage): unknown {
  const current = present(this)
  if (current !== undefined) {
    lastKnown.set(this, current)
  }
  return current ?? lastKnown.get(this)
}

/** What Express says, or undefined when there is no client to speak of. Faults of a request that is alive stay faults. */
function present(request: IncomingMessage): unknown {
  try {
    return Reflect.get(Object.getPrototypeOf(request) as object, "ip", request)
  } catch (error) {
    if (isConnected(request)) {
      throw error
    }
    return undefined
  }
}

function isConnected(request: IncomingMessage): boolean {
  const socket = request.socket as IncomingMessage["socket"] | null
  return socket !== null && !socket.destroyed
}
