import type { ExecArgs } from "@medusajs/framework/types"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type GatewayModuleService from "../../modules/gateway/service"
import { INPUT_VARIABLE, type Report } from "./medusa"

const GATEWAY_MODULE = "gateway"

/**
 * A script for `medusa exec` that a command of this package starts: it reads its input from a variable and reports over
 * the channel to the command. What the gateway refuses is reported in words; anything else ends `medusa exec` with an
 * error.
 */
export function scriptOf<Input>(work: (gateway: GatewayModuleService, input: Input) => Promise<unknown>) {
  return async ({ container }: ExecArgs): Promise<void> => {
    const gateway = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
    const input = JSON.parse(process.env[INPUT_VARIABLE] ?? "{}") as Input
    try {
      await report({ result: await work(gateway, input) })
    } catch (error) {
      if (!GatewayError.is(error)) {
        throw error
      }
      await report({ refusal: error.message })
    }
  }
}

/** `medusa exec` ends the process as soon as the script is done: the report has to be on its way by then. */
function report(message: Report): Promise<void> {
  return new Promise((sent, failed) => {
    if (process.send === undefined) {
      failed(new Error("this script is started by `npx medusa-payment-gateway` only"))
    } else {
      process.send(message, (error: Error | null) => (error === null ? sent() : failed(error)))
    }
  })
}
