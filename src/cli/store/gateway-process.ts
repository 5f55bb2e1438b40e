import type { Gateway } from "../../modules/gateway/container"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { openGateway } from "./open-gateway"
import { createKey } from "./create-key"
import { testAcquirers } from "./test-acquirers"

const WORK = {
  "create-key": createKey,
  "rotate-secrets": (gateway: Gateway) => gateway.secretRotation.run(),
  "test-acquirers": testAcquirers,
}
export type Work = typeof WORK

/** What the command sends, and what it gets: over a channel, because no key may pass through an output. */
export type Asked = { directory: string; name: keyof Work; input: unknown }
export type Report = { result: unknown } | { refusal: string }

/** What the gateway refuses is reported in words; anything else ends the process with an error. */
async function work({ directory, name, input }: Asked): Promise<Report> {
  const { gateway, close } = await openGateway(directory).catch(saidInWords)
  try {
    return { result: await WORK[name](gateway, input as never) }
  } catch (error) {
    if (!GatewayError.is(error)) {
      throw error
    }
    return { refusal: error.message }
  } finally {
    // A new key must be shown, even if the connections cannot be closed.
    await close().catch(() => undefined)
  }
}

/** What keeps the gateway from opening is a fault of the set-up: its message says it, and a stack would bury it. */
function saidInWords(error: unknown): never {
  if (error instanceof Error) {
    error.stack = ""
  }
  throw error
}

// What the store's configuration has opened, such as a connection to Redis, would keep the process from ending.
process.once("message", (asked: Asked) => {
  void work(asked).then(
    (report) => process.send?.(report, () => process.exit(0)),
    (error: unknown) => {
      // The message last: the command shows the end of the output.
      const { stack = "", message = String(error) } = error instanceof Error ? error : {}
      process.stderr.write(`${stack}\n${message}\n`, () => process.exit(1))
    }
  )
})
