import { randomUUID } from "node:crypto"
import { apiOf, pause, type Api } from "../api"
import { URL_HELP, URL_OPTION, type Command, type Given } from "../command"
import type { Context } from "../context"
import { parseDuration, printJson, table } from "../output"
import { EXIT, Failure } from "../failure"

/** A month of a busy sandbox is a lot of work, and the gateway answers when all of it is done. */
const MOVE_TIMEOUT_MS = 15 * 60_000
const LOOK_MS = 1_000
/** After so many broken connections in a row somebody should look. */
const MOST_BREAKS = 3
/** Nothing was sent: the gateway does not run, or the address is wrong. */
const NOT_SENT: readonly (string | number)[] = ["ECONNREFUSED", "ENOTFOUND"]

type Clock = { now: string; offset_seconds: number; processed: Record<string, number> }

export const clock: Command = {
  name: "clock",
  summary: "show the sandbox's clock",
  options: URL_OPTION,
  help: [URL_HELP],
  about: "Shows the time of the merchant's sandbox, and how many seconds it is ahead of real time.",
  run: async (context, given) => {
    const { data } = await apiOf(context, given, { sandbox: true }).get<Clock>("/sandbox/clock")
    show(context, given, data)
    return EXIT.ok
  },
}

export const advance: Command = {
  name: "clock advance",
  arguments: ["TIME"],
  summary: "move the sandbox's clock forward: 30m, 12h, 3d, 2w, 1d12h",
  options: URL_OPTION,
  help: [URL_HELP],
  about: `Moves the clock of the merchant's sandbox, and does everything that falls due on the way: expiries,
charges of subscriptions, retries, refunds. The clock never moves back. If the connection breaks
meanwhile, the command asks again with the same Idempotency-Key: the clock moves once.`,
  run: async (context, given) => {
    const advance_seconds = parseDuration(given.positionals[0])
    const data = await move(apiOf(context, given, { sandbox: true }), advance_seconds, context.stop)
    show(context, given, data)
    return EXIT.ok
  },
}

/** Throws CLOCK_UNKNOWN when no answer shows whether the clock has moved. */
async function move(api: Api, advance_seconds: number, stop: AbortSignal): Promise<Clock> {
  const options = { idempotencyKey: randomUUID(), timeoutMs: MOVE_TIMEOUT_MS }
  const deadline = Date.now() + MOVE_TIMEOUT_MS
  for (let breaks = 0; ; await pause(LOOK_MS, stop)) {
    try {
      return (await api.post<Clock>("/sandbox/clock", { advance_seconds }, options)).data
    } catch (error) {
      const { code, params } = error instanceof Failure ? error : { code: null, params: {} as Failure["params"] }
      const isRunning = params.api_code === "IDEMPOTENCY_KEY_IN_USE"
      if (!isRunning && (code !== "GATEWAY_UNREACHABLE" || (breaks === 0 && NOT_SENT.includes(params.reason)))) {
        throw error
      }
      breaks = isRunning ? breaks : breaks + 1
      if (breaks >= MOST_BREAKS || stop.aborted || Date.now() > deadline) {
        const reason = isRunning ? "it is still busy" : params.reason
        throw new Failure("CLOCK_UNKNOWN", { url: api.url, reason: stop.aborted ? "the command was stopped" : reason })
      }
    }
  }
}

function show(context: Context, { values }: Given, { now, offset_seconds, processed }: Clock): void {
  if (values.json === true) {
    printJson(context, { now, offset_seconds, processed })
    return
  }
  context.out(`${now}, ${offset_seconds} seconds ahead of real time\n`)
  const done = Object.entries(processed).filter(([, count]) => count > 0)
  if (done.length > 0) {
    context.out(
      table(
        ["DONE", "COUNT"],
        done.map(([name, count]) => [name.replaceAll("_", " "), String(count)])
      )
    )
  }
}
