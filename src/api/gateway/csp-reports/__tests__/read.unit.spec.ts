import fc from "fast-check"
import { readReports } from "../read"

const SECRET = `ses_${"a".repeat(32)}`
const page = `https://pay.example.com/pay/${SECRET}?token=${SECRET}#${SECRET}`

describe("reports of a browser's content rules", () => {
  it("of the Reporting API: what was blocked by its origin, the page without its id; other kinds of reports are left out", () => {
    const body = {
      effectiveDirective: "script-src-elem",
      blockedURL: `https://evil.example/x.js?${SECRET}`,
      documentURL: page,
    }
    const text = JSON.stringify([
      { type: "csp-violation", url: page, body },
      { type: "deprecation", body: {} },
    ])
    expect(readReports("application/reports+json", text)).toEqual([
      { directive: "script-src-elem", blocked: "https://evil.example", page: "/pay/*" },
    ])
  })

  it("of report-uri, with the word where nothing was loaded", () => {
    const report = {
      "violated-directive": "style-src-attr 'self'",
      "blocked-uri": "inline",
      "document-uri": `https://pay.example.com/pay/invoice/inp_${"0".repeat(32)}/pdf`,
    }
    expect(readReports("application/csp-report", JSON.stringify({ "csp-report": report }))).toEqual([
      { directive: "style-src-attr", blocked: "inline", page: "/pay/invoice/*/pdf" },
    ])
  })

  it("an address without a path is none", () => {
    const text = JSON.stringify([{ type: "csp-violation", body: { documentURL: "x:", blockedURL: "y:" } }])
    expect(readReports("application/reports+json", text)).toEqual([
      { directive: "other", blocked: "y:", page: "unknown" },
    ])
  })

  it.each([
    ["no JSON", "{"],
    ["no list", "{}"],
    ["nothing", ""],
    ["a number", "1"],
  ])("%s is none", (_what, text) => {
    expect(readReports("application/reports+json", text)).toBeNull()
    expect(readReports("application/csp-report", text)).toBeNull()
  })

  it("whatever is sent: at most ten, each of bounded plain text", () => {
    const text = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.constant(page),
      fc.constant("data:text/html,\nx"),
      fc.integer(),
      fc.constant("x".repeat(5_000))
    )
    const body = fc.record({ effectiveDirective: text, blockedURL: text, documentURL: text }, { requiredKeys: [] })
    const entry = fc.oneof(
      fc.record({ type: fc.constant("csp-violation"), url: text, body }, { requiredKeys: ["type"] }),
      fc.jsonValue()
    )
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
        const reports = readReports("application/reports+json", JSON.stringify(entries)) ?? []
        expect(reports.length).toBeLessThanOrEqual(10)
        for (const { directive, blocked, page: shown } of reports) {
          expect(`${directive} ${blocked} ${shown}`).toMatch(
            /^[\x21-\x7e]{1,100} [\x21-\x7e]{1,100} [\x21-\x7e]{1,100}$/
          )
          expect(blocked + shown).not.toMatch(/ses_|[?#]/)
        }
      })
    )
  })
})
