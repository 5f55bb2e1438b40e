import { GatewayError } from "../../kernel/errors"
import {
  awaitsResponse,
  checkFile,
  decideDispute,
  EVIDENCE_FILES_MAX_BYTES,
  safeFileName,
  stepsTo,
  takenBy,
  type DisputableFacts,
} from "../rules"
import { DISPUTE_STATES, type DisputeState } from "../states"

const FACTS: DisputableFacts = {
  state: "SUCCESS",
  currency: "BDT",
  amount_minor: 10_000,
  refunded_minor: 0,
  disputed_minor: 0,
}

function codeOf(work: () => unknown): string {
  try {
    return String(work())
  } catch (error) {
    if (!GatewayError.is(error)) {
      throw error
    }
    return [error.code, error.field].filter(Boolean).join(" ")
  }
}

describe("docs/decisions/10 — what an admin may record", () => {
  it.each<[string, Partial<DisputableFacts>, bigint | undefined, string]>([
    ["all of it, by default", {}, undefined, "10000"],
    ["what refunds and other disputes leave", { refunded_minor: 4_000, disputed_minor: 1_000 }, undefined, "5000"],
    ["a part", {}, 1n, "1"],
    ["more than is left", { refunded_minor: 4_000 }, 6_001n, "DISPUTE_EXCEEDED amount"],
    ["of a payment that was refunded whole", { state: "REFUNDED", refunded_minor: 10_000 }, 1n, "DISPUTE_NOT_ALLOWED"],
    ["of a payment that is disputed whole", { disputed_minor: 10_000 }, undefined, "DISPUTE_NOT_ALLOWED"],
    ["of one that an acquirer has overdrawn", { disputed_minor: 10_500 }, 1n, "DISPUTE_NOT_ALLOWED"],
    ["of a payment that took no money", { state: "FAILED" }, 1n, "DISPUTE_NOT_ALLOWED"],
    ["of a payment that is held", { state: "HELD" }, 1n, "DISPUTE_NOT_ALLOWED"],
  ])("%s", (_name, facts, amount, expected) => {
    expect(codeOf(() => decideDispute({ ...FACTS, ...facts }, amount))).toBe(expected)
  })
})

describe("docs/decisions/10 — what a refused chargeback says", () => {
  it.each<[string, Partial<DisputableFacts>, string]>([
    ["of a refunded payment", { state: "REFUNDED", refunded_minor: 10_000 }, "All of this payment is refunded"],
    [
      "of a payment whose refund waits",
      { refunded_minor: 10_000 },
      "A refund of all that was paid is not completed yet",
    ],
    ["of more than a refund has left", { refunded_minor: 4_000 }, "40.00 of this payment is refunded or disputed"],
    ["of more than was paid", {}, "At most 100.00 is left to dispute"],
  ])("%s", (_name, facts, expected) => {
    expect(() => decideDispute({ ...FACTS, ...facts }, 10_001n)).toThrow(expected)
  })
})

describe("docs/decisions/10 — what the acquirer's reports mean", () => {
  it.each<[DisputeState, DisputeState, string[] | null]>([
    ["inquiry", "inquiry", []],
    ["inquiry", "lost", ["escalate", "lose"]],
    ["inquiry", "under_review", ["escalate", "submit"]],
    ["inquiry", "closed", ["end"]],
    ["needs_response", "won", ["win"]],
    ["under_review", "needs_response", null],
    ["lost", "won", ["reinstate"]],
    ["won", "lost", null],
    ["won", "needs_response", null],
    ["closed", "needs_response", null],
  ])("%s to %s", (from, to, steps) => {
    expect(stepsTo(from, to)).toEqual(steps)
  })

  it("never repeat the merchant's own decision", () => {
    const steps = DISPUTE_STATES.flatMap((from) => DISPUTE_STATES.flatMap((to) => stepsTo(from, to) ?? []))
    expect(steps).not.toContain("accept")
  })

  it("count what the acquirer has taken, and nothing else", () => {
    const taken = DISPUTE_STATES.map((state) => [state, takenBy({ state, amount_minor: 7 })])
    expect(Object.fromEntries(taken)).toEqual({
      inquiry: 0,
      needs_response: 7,
      under_review: 7,
      won: 0,
      lost: 7,
      closed: 0,
    })
  })

  it("ask for a response until one is submitted", () => {
    const waiting = DISPUTE_STATES.filter((state) => awaitsResponse({ state, submitted_at: null }))
    expect(waiting).toEqual(["inquiry", "needs_response"])
    expect(awaitsResponse({ state: "inquiry", submitted_at: new Date() })).toBe(false)
  })
})

describe("docs/decisions/10 — files of evidence", () => {
  const pdf = Buffer.from("%PDF-1.7 and more")
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1])
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])

  it.each<[string, Buffer, string]>([
    ["PDF", pdf, "application/pdf"],
    ["JPEG", jpeg, "image/jpeg"],
    ["PNG", png, "image/png"],
    ["a page", Buffer.from("<html><script>"), "VALIDATION_ERROR file"],
    ["a page with a PDF in it", Buffer.from("<html>%PDF-"), "VALIDATION_ERROR file"],
    ["SVG", Buffer.from("<svg xmlns="), "VALIDATION_ERROR file"],
    ["a part of a signature", png.subarray(0, 4), "VALIDATION_ERROR file"],
    ["nothing", Buffer.alloc(0), "VALIDATION_ERROR file"],
  ])("%s is what its first bytes say", (_name, content, expected) => {
    expect(codeOf(() => checkFile(content, 0))).toBe(expected)
  })

  it("all together stay below the limit", () => {
    expect(checkFile(pdf, EVIDENCE_FILES_MAX_BYTES - pdf.length)).toBe("application/pdf")
    expect(codeOf(() => checkFile(pdf, EVIDENCE_FILES_MAX_BYTES - pdf.length + 1))).toBe("VALIDATION_ERROR file")
  })

  it.each([
    ["Receipt 12.PDF", "Receipt-12.png"],
    ["../../etc/passwd", "passwd.png"],
    ["C:\\scans\\proof.exe", "proof.png"],
    ['a"; filename="b.html', "a-filename-b.png"],
    ["line\r\nSet-Cookie: x", "line-Set-Cookie-x.png"],
    ["চালান", "evidence.png"],
    ["...", "evidence.png"],
    ["x".repeat(300), `${"x".repeat(100)}.png`],
  ])("%p is called %p", (name, expected) => {
    expect(safeFileName(name, "image/png")).toBe(expected)
  })
})
