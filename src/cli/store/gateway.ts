import { fork } from "node:child_process"
import { join } from "node:path"
import type { Context } from "../context"
import { Failure } from "../failure"
import { finished } from "./child"
import type { Asked, Report, Work } from "./gateway-process"

/**
 * Has the gateway's services do something on the store's database, in a process of its own: a store's configuration
 * prints what it likes, and its end must not be the command's. Throws STORE_REFUSED with what the gateway refuses, and
 * STORE_COMMAND_FAILED.
 */
export async function askGateway<Name extends keyof Work>(
  context: Context,
  name: Name,
  input: Parameters<Work[Name]>[1]
): Promise<Awaited<ReturnType<Work[Name]>>> {
  const { directory, env, stop } = context
  const child = fork(join(__dirname, "gateway-process.js"), [], {
    cwd: directory,
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    execArgv: [],
    signal: stop,
  })
  let report: Report | null = null
  child.on("message", (message) => (report = message as Report))
  const asked: Asked = { directory, name, input }
  // A process that has ended already says so by its end.
  child.send(asked, () => undefined)
  const output = await finished(child, name)
  if (report === null) {
    throw new Failure("STORE_COMMAND_FAILED", { what: name, output })
  }
  const { refusal, result } = report as { refusal?: string; result?: unknown }
  if (refusal !== undefined) {
    throw new Failure("STORE_REFUSED", { message: refusal })
  }
  return result as Awaited<ReturnType<Work[Name]>>
}
