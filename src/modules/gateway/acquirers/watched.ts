import type { Logger } from "@medusajs/framework/types"
import type { Environment } from "../kernel/money/clock"
import { acquirerCalls, acquirerTroubles } from "../kernel/http/metrics"
import { inSpan, telemetry } from "../kernel/http/tracing"
import { findingOf, type AcquirerHealth, type Finding } from "./health"
import type { Acquirer, Done, Redirect, Refused, Trouble, Unknown } from "./port"
import type { SettlementPage } from "./settlement-port"

type Answer = { result: string; trouble?: Trouble }

/** Problems that do not end without an admin: the acquirer was reached, and refuses this account or our requests. */
const FOR_AN_ADMIN: readonly (Trouble | undefined)[] = ["credentials", "rate_limited", "bad_request"]
const REPORTED_EVERY_MS = 600_000

/**
 * Counts the problems that an admin has to solve, and logs each kind at most once in ten minutes, because every payment
 * meets the same problem.
 */
export class TroubleReports {
  private readonly reported = new Map<Trouble, number>()

  /** `account`: as the log names it. */
  constructor(
    private readonly logger: Logger,
    private readonly labels: { acquirer: string; environment: Environment },
    private readonly account: string
  ) {}

  note(call: string, trouble: Trouble | undefined, now = Date.now()): void {
    if (trouble === undefined || !FOR_AN_ADMIN.includes(trouble)) {
      return
    }
    acquirerTroubles.inc({ ...this.labels, trouble })
    const last = this.reported.get(trouble)
    if (last === undefined || now - last >= REPORTED_EVERY_MS) {
      this.reported.set(trouble, now)
      const advice = "test the account in Settings"
      this.logger.error(`gateway: ${this.account} refuses our calls: ${trouble}, in ${call}; ${advice}`)
    }
  }
}

/** The same acquirer; each call is timed and traced, and reports trouble; new payments show whether it is down. */
export function watched(
  inner: Acquirer,
  health: Pick<AcquirerHealth, "note">,
  reports: Pick<TroubleReports, "note">
): Acquirer {
  const timed = async <Result extends Answer>(name: string, ask: () => Promise<Result>): Promise<Result> => {
    const end = acquirerCalls.startTimer({ acquirer: inner.id, call: name })
    try {
      const answer = await ask()
      reports.note(name, answer.trouble)
      end({ result: answer.result })
      return answer
    } catch (error) {
      end({ result: "error" })
      throw error
    }
  }
  const call = <Result extends Answer>(name: string, ask: () => Promise<Result>): Promise<Result> => {
    const api = telemetry()
    if (api === undefined) {
      return timed(name, ask)
    }
    const attributes = { "gateway.acquirer": inner.id, "gateway.acquirer.call": name }
    return inSpan(api, { name: `acquirer ${inner.id} ${name}`, kind: "CLIENT", attributes }, async (span) => {
      const answer = await timed(name, ask)
      span.setAttribute("gateway.acquirer.result", answer.result)
      return answer
    })
  }
  const begins = <Result extends Begun>({ key }: { key: string }, ask: () => Promise<Result>) =>
    noted(inner.flow, (found) => health.note(found, key), ask)
  const { confirm, abandon, charge, forget, authorizing, dispute, submitEvidence, acceptDispute, settlements } = inner
  const { readReturn, readNotification, test } = inner
  return {
    id: inner.id,
    flow: inner.flow,
    instalments: inner.instalments,
    serialRefunds: inner.serialRefunds,
    refundReference: inner.refundReference,
    pageStaysOpen: inner.pageStaysOpen,
    check: (instrument) => inner.check(instrument),
    start: (request) => begins(request, () => call("start", () => inner.start(request))),
    query: (request) => call("query", () => inner.query(request)),
    refund: (request) => call("refund", () => inner.refund(request)),
    refundStatus: (request) => call("refund_status", () => inner.refundStatus(request)),
    ...(confirm && { confirm: (request) => call("confirm", () => confirm.call(inner, request)) }),
    ...(abandon && { abandon: (request) => call("abandon", () => abandon.call(inner, request)) }),
    ...(charge && { charge: (request) => begins(request, () => call("charge", () => charge.call(inner, request))) }),
    ...(forget && { forget: (token) => forget.call(inner, token) }),
    ...(authorizing && {
      authorizing: {
        capture: (request) => call("capture", () => authorizing.capture(request)),
        captureStatus: (request) => call("capture_status", () => authorizing.captureStatus(request)),
        release: (request) => call("release", () => authorizing.release(request)),
      },
    }),
    ...(dispute && { dispute: (reference) => call("dispute", () => dispute.call(inner, reference)) }),
    ...(submitEvidence && {
      submitEvidence: (evidence) => call("submit_evidence", () => submitEvidence.call(inner, evidence)),
    }),
    ...(acceptDispute && {
      acceptDispute: (reference) => call("accept_dispute", () => acceptDispute.call(inner, reference)),
    }),
    ...(settlements && { settlements: (period) => watchedPages(call, settlements.call(inner, period)) }),
    ...(readReturn && { readReturn: (incoming) => readReturn.call(inner, incoming) }),
    ...(readNotification && { readNotification: (incoming) => readNotification.call(inner, incoming) }),
    ...(test && { test: () => test.call(inner) }),
  }
}

type Begun = Done | Refused | Unknown | Redirect

/** A call that begins a payment, with what it says of the acquirer. */
async function noted<Result extends Begun>(
  flow: Acquirer["flow"],
  note: (found: Finding) => Promise<void>,
  ask: () => Promise<Result>
): Promise<Result> {
  const begun = performance.now()
  try {
    const answer = await ask()
    await note(findingOf(flow, answer, (performance.now() - begun) / 1_000))
    return answer
  } catch (error) {
    await note("network")
    throw error
  }
}

type Call = <Result extends Answer>(name: string, ask: () => Promise<Result>) => Promise<Result>

/** Each page is a call of its own, and nothing follows another answer than a page. */
async function* watchedPages(call: Call, pages: AsyncIterable<SettlementPage | Refused | Unknown>) {
  const all = pages[Symbol.asyncIterator]()
  for (;;) {
    const answer = await call("settlements", async () => {
      const next = await all.next()
      return next.done === true ? ({ result: "end" } as const) : next.value
    })
    if (answer.result === "end") {
      return
    }
    yield answer
    if (answer.result !== "page") {
      return
    }
  }
}
