/**
 * What a browser reports to have blocked; every part is bounded and contains no query, no id and no control character.
 */
type CspReport = { directive: string; blocked: string; page: string }

/** The values that the metric counts by; any other directive is `other`. */
const DIRECTIVES = [
  "default-src",
  "script-src",
  "script-src-elem",
  "script-src-attr",
  "style-src",
  "style-src-elem",
  "style-src-attr",
  "img-src",
  "font-src",
  "connect-src",
  "media-src",
  "object-src",
  "frame-src",
  "child-src",
  "worker-src",
  "manifest-src",
  "form-action",
  "frame-ancestors",
  "base-uri",
  "require-trusted-types-for",
  "trusted-types",
]
/** The most reports read from one request; a page of ours causes one or two. */
const MOST = 10
const LONGEST = 100

/**
 * Parses the reports of a body: of the Reporting API (`application/reports+json`), or the one of `report-uri`
 * (`application/csp-report`). Null when the body is neither; reports of other kinds are left out.
 */
export function readReports(type: string, text: string): CspReport[] | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  if (type === "application/csp-report") {
    const report = objectOf(objectOf(parsed)?.["csp-report"])
    return report === null
      ? null
      : [
          reportOf(
            report["effective-directive"] ?? report["violated-directive"],
            report["blocked-uri"],
            report["document-uri"]
          ),
        ]
  }
  if (!Array.isArray(parsed)) {
    return null
  }
  return parsed
    .slice(0, MOST)
    .map(objectOf)
    .filter((entry) => entry?.type === "csp-violation")
    .map((entry) => {
      const body = objectOf(entry?.body) ?? {}
      return reportOf(body.effectiveDirective, body.blockedURL, body.documentURL ?? entry?.url)
    })
}

function reportOf(directive: unknown, blocked: unknown, page: unknown): CspReport {
  const [named] = textOf(directive).split(" ")
  return {
    directive: DIRECTIVES.includes(named) ? named : "other",
    blocked: originOf(textOf(blocked)),
    page: pathOf(textOf(page)),
  }
}

/** The origin of an address; words such as `inline` and `eval` stay as they are. */
function originOf(text: string): string {
  const url = urlOf(text)
  if (url === null) {
    return /^[a-z-]{1,30}$/.test(text) ? text : "unknown"
  }
  return (url.origin === "null" ? url.protocol : url.origin).slice(0, LONGEST)
}

/** The path of a page's address without the checkout's id or the invoice's token. */
function pathOf(text: string): string {
  // An address such as `x:` has an empty path.
  const path = urlOf(text)?.pathname || "unknown"
  const segments = path.split("/").map((segment) => (/^[a-z-]{0,20}$/.test(segment) ? segment : "*"))
  return segments.join("/").slice(0, LONGEST)
}

function urlOf(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}

function objectOf(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}
