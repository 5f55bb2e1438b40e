import { networkInterfaces } from "node:os"
import type { AddressInfo } from "node:net"
import { ConnectionGuard } from "../modules/gateway/http-server/connections"
import { AccessLog } from "./access-log"
import { appOf } from "./app"
import { answeringOf, type Answering } from "./answering"
import { DRAIN_MS } from "./ending"
import { openGateway } from "./gateway"
import { storeWorkOf } from "./store-calls"

const IDLE_MS = 100

export type ServeOptions = { directory: string; port: number; host?: string }

/**
 * Serves `/api/v2` and the pages in this process until `stop` is aborted; then accepts no connection any more, finishes what is under
 * way, writes down what waits, and returns. Throws when it cannot start. `ready` receives the address.
 */
export async function serve(options: ServeOptions, stop: AbortSignal, ready: (address: string) => void): Promise<void> {
  const { gateway, logger, storeCors, close } = await openGateway(options.directory, { isTraced: true })
  const guard = new ConnectionGuard(gateway.options.server)
  guard.start()
  const { answer, settled } = followed(answeringOf({ gateway, logger, storeCors, store: storeWorkOf(gateway) }))
  const app = appOf({
    answer,
    readiness: { problem: async () => (stop.aborted ? "stopping" : gateway.readiness.problem()) },
    log: new AccessLog(logger, gateway.options.trustedProxies),
    logger,
  })
  try {
    if (!stop.aborted) {
      // The log says at the start what a probe would say later.
      await gateway.readiness.problem()
      await app.listen({ port: options.port, host: options.host ?? everyAddress() })
      ready(addressOf(app.server.address() as AddressInfo, options.host))
      await aborted(stop)
    }
  } finally {
    await drain(app)
    await Promise.race([settled(), pause(DRAIN_MS)])
    guard.stop()
    await close()
  }
}

/** Idle connections are closed as they become idle, and all that are left when the time is up. */
async function drain(app: ReturnType<typeof appOf>): Promise<void> {
  const { server } = app
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_MS)
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  try {
    await app.close()
  } finally {
    clearInterval(idle)
    clearTimeout(late)
  }
}

/** Work goes on when its client has left: `settled` waits for it, so that no transaction is cut off. */
function followed(work: Answering): { answer: Answering; settled: () => Promise<unknown> } {
  const underWay = new Set<Promise<void>>()
  const answer: Answering = async (...asked) => {
    const one = work(...asked)
    underWay.add(one)
    try {
      await one
    } finally {
      underWay.delete(one)
    }
  }
  return { answer, settled: () => Promise.allSettled(underWay) }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms).unref())
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) {
      done()
    } else {
      signal.addEventListener("abort", () => done(), { once: true })
    }
  })
}

/** As a store listens without a host: on every address, by IPv6 where the machine has it. */
function everyAddress(): string {
  const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ family }) => family === "IPv6")
  )
  return hasIpv6 ? "::" : "0.0.0.0"
}

function addressOf({ port }: AddressInfo, host = "localhost"): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`
}
