import { Bench, Broken, NotApplicable } from "./bench"
import { AUTHORIZATION_CASES } from "./cases/authorizations"
import type { Case } from "./cases/case"
import { CHARGE_CASES } from "./cases/charges"
import { HINT_CASES } from "./cases/hints"
import { PAYMENT_CASES } from "./cases/payments"
import { REFUND_CASES } from "./cases/refunds"
import { requireNoSecret, SECRET_CASES } from "./cases/secrets"
import { Line } from "./line"
import type { AcquirerStandIn } from "./stand-in"

export type { AcquirerStandIn, BroughtBack, Movement, PaidPayment } from "./stand-in"

/** `details`: what an adapter did that breaks the promise, or why the case is about nothing that it has. */
export type TestResult = {
  code: string
  promise: string
  why: string
  outcome: "kept" | "broken" | "skipped"
  details: string
}

/** Every promise that an adapter makes, in the order in which they are tried. */
export const ACQUIRER_TESTS: readonly Case[] = [
  // First: the requests for access tokens are made once.
  ...SECRET_CASES,
  ...PAYMENT_CASES,
  ...HINT_CASES,
  ...REFUND_CASES,
  ...CHARGE_CASES,
  ...AUTHORIZATION_CASES,
]

/**
 * Tries an adapter against the stand-in of its acquirer (docs/acquirers.md, Test your adapter). `only`: the codes of the
 * cases to run. A throw of the stand-in's own methods is a broken promise too: then the case could not be played. Throws
 * for a code that is none.
 */
export async function runAcquirerTests(standIn: AcquirerStandIn, only?: readonly string[]): Promise<TestResult[]> {
  const unknown = only?.find((code) => !ACQUIRER_TESTS.some((one) => one.code === code))
  if (unknown !== undefined) {
    throw new Error(`There is no case ${unknown}; they are ${ACQUIRER_TESTS.map(({ code }) => code).join(", ")}`)
  }
  const line = await new Line(standIn.url).open()
  const bench = new Bench(standIn, line)
  const results: TestResult[] = []
  try {
    for (const { code, promise, why, run } of ACQUIRER_TESTS) {
      if (only === undefined || only.includes(code)) {
        results.push({ code, promise, why, ...(await outcomeOf(() => run(bench))) })
      }
    }
    const late = await outcomeOf(async () => requireNoSecret(bench))
    const secrets = results.find(({ code, outcome }) => code === "secrets" && outcome === "kept")
    Object.assign(secrets ?? {}, late)
  } finally {
    await line.close()
  }
  return results
}

/**
 * Throws with every promise that is broken, one a line; returns when there is none. `skipped`: the codes of all cases that
 * may be skipped; another one that is skipped proves nothing, and counts as broken. Absent: any may be.
 */
export function requireKept(results: readonly TestResult[], skipped?: readonly string[]): void {
  const broken = results.filter(
    ({ code, outcome }) => outcome === "broken" || (outcome === "skipped" && skipped?.includes(code) === false)
  )
  if (broken.length > 0) {
    throw new Error(
      broken.map(({ code, promise, why, details }) => `${code}: ${promise} ${why}\n  ${details}`).join("\n")
    )
  }
}

async function outcomeOf(run: () => Promise<void>): Promise<Pick<TestResult, "outcome" | "details">> {
  try {
    await run()
    return { outcome: "kept", details: "" }
  } catch (error) {
    if (error instanceof NotApplicable) {
      return { outcome: "skipped", details: error.message }
    }
    const details = error instanceof Broken ? error.message : `the case could not be played: ${String(error)}`
    return { outcome: "broken", details }
  }
}
