import { apiOf } from "../api"
import { URL_HELP, URL_OPTION, type Command, type Given } from "../command"
import type { Context } from "../context"
import { parseDuration } from "../duration"
import { EXIT } from "../failure"
import { printJson, table } from "../output"

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
charges of subscriptions, retries, refunds. The clock never moves back.`,
  run: async (context, given) => {
    const advance_seconds = parseDuration(given.positionals[0])
    const { data } = await apiOf(context, given, { sandbox: true }).post<Clock>("/sandbox/clock", { advance_seconds })
    show(context, given, data)
    return EXIT.ok
  },
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
