import type { Logger } from "@medusajs/framework/types"
import type { Environment } from "../kernel/money/clock"
import { acquirerCalls, acquirerTroubles } from "../kernel/http/metrics"
import { inSpan, telemetry } from "../kernel/http/tracing"
import type { Acquirer, Refused, Trouble, Unknown } from "./port"
import type { SettlementPage } from "./settlement-port"

/** Calls in a row that did not reach the acquirer, until it counts as down. */
const FAILURES = 5
/** How long an acquirer that is down gets no new payment; then one call tries it again. */
const PAUSE_MS = 60_000

type Answer = { result: string; trouble?: Trouble }

/** Whether an acquirer can be reached, from what its last calls found. Each process finds out for itself. */
export class Breaker {
  private failures = 0
  private openedAt = 0

  /**
   * Down: a payment goes to another acquirer, or is refused before its attempt. A payment under way is never touched.
   */
  isUp(now = Date.now()): boolean {
    return this.failures < FAILURES || now - this.openedAt >= PAUSE_MS
  }

  /**
   * A call begins. A call that tries the acquirer again after the pause starts the pause anew, so that no other payment
   * follows it into the same time-out.
   */
  begin(now = Date.now()): void {
    if (this.failures >= FAILURES && this.isUp(now)) {
      this.openedAt = now
    }
  }

  /** What a call found. */
  note(wasReached: boolean, now = Date.now()): void {
    this.failures = wasReached ? 0 : this.failures + 1
    if (this.failures >= FAILURES) {
      this.openedAt = now
    }
  }
}

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

/**
 * The same acquirer; each call is timed and traced, informs the breaker whether the acquirer was reached, and reports
 * trouble.
 */
export function watched(inner: Acquirer, breaker: Breaker, reports: TroubleReports): Acquirer {
  const timed = async <Result extends Answer>(name: string, ask: () => Promise<Result>): Promise<Result> => {
    const end = acquirerCalls.startTimer({ acquirer: inner.id, call: name })
    breaker.begin()
    try {
      const answer = await ask()
      breaker.note(answer.trouble !== "network" && answer.trouble !== "maintenance")
      reports.note(name, answer.trouble)
      end({ result: answer.result })
      return answer
    } catch (error) {
      breaker.note(false)
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
    start: (request) => call("start", () => inner.start(request)),
    query: (request) => call("query", () => inner.query(request)),
    refund: (request) => call("refund", () => inner.refund(request)),
    refundStatus: (request) => call("refund_status", () => inner.refundStatus(request)),
    ...(confirm && { confirm: (request) => call("confirm", () => confirm.call(inner, request)) }),
    ...(abandon && { abandon: (request) => call("abandon", () => abandon.call(inner, request)) }),
    ...(charge && { charge: (request) => call("charge", () => charge.call(inner, request)) }),
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
