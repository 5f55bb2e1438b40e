import type { Command } from "../command"
import type { Context } from "../context"
import { CHECKS } from "../doctor/checks"
import { type Facts, type Finding } from "../doctor/facts"
import { readFacts } from "../doctor/read-facts"
import { EXIT, Failure, type ExitCode } from "../failure"
import { paint, printable, printJson, type Colour } from "../output"
import { FINDINGS } from "../words/findings"
import { sentenceOf } from "../words/faults"

type Status = "ok" | "warning" | "error" | "not_checked"
type Explained = Finding & { message: string; fix: string }
type Checked = { check: string; status: Status; findings: Explained[] }

export const doctor: Command = {
  name: "doctor",
  summary: "check the set-up of the store, and say how to correct it (in the store's folder)",
  about: `Checks versions, configuration, settings, database, clock, migrations, worker, public URL, encryption
keys, acquirers, Redis, regions and API keys. Changes nothing, except that it notes the result of each
test of an acquirer's account. Exit code 1 when there is an error; warnings alone are 0.`,
  run: async (context, { values }) => {
    const facts = await readFacts(context)
    // What was broken off is no fault of the set-up.
    if (context.stop.aborted) {
      throw new Failure("STOPPED")
    }
    const checked = examine(facts)
    const exit: ExitCode = checked.some(({ status }) => status === "error") ? EXIT.failed : EXIT.ok
    if (values.json === true) {
      printJson(context, { ok: exit === EXIT.ok, checks: checked })
    } else {
      print(context, checked)
    }
    return exit
  },
}

/** Every check with what it has found, in words too. */
export function examine(facts: Facts): Checked[] {
  return CHECKS.map(({ name, find }) => {
    const found = find(facts)
    const findings = (found === "not_checked" ? [] : found).map(explained)
    return { check: name, status: found === "not_checked" ? found : statusOf(findings), findings }
  })
}

function explained(finding: Finding): Explained {
  const { message, fix } = FINDINGS[finding.code]
  return { ...finding, message: sentenceOf(message, finding.params), fix: sentenceOf(fix, finding.params) }
}

function statusOf(findings: readonly Finding[]): Status {
  if (findings.some(({ level }) => level === "error")) {
    return "error"
  }
  return findings.some(({ level }) => level === "warning") ? "warning" : "ok"
}

const COLOURS: Readonly<Record<Status, Colour>> = { ok: "green", warning: "yellow", error: "red", not_checked: "dim" }

function print(context: Context, checked: readonly Checked[]): void {
  const width = Math.max(...checked.map(({ check }) => check.length))
  for (const { check, status, findings } of checked) {
    const word = status === "not_checked" ? "not checked" : status
    context.out(`${check.padEnd(width)}  ${paint(context, COLOURS[status], word)}\n`)
    for (const { level, code, message, fix } of findings) {
      const label = level === "note" ? "To change it:" : "Fix:"
      context.out(`  ${printable(message)} (${code})\n  ${paint(context, "bold", label)} ${fix}\n`)
    }
  }
  const count = (status: Status) => checked.filter((one) => one.status === status).length
  context.out(`\n${count("error")} with errors, ${count("warning")} with warnings, ${count("ok")} in order.\n`)
}
