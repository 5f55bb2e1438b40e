import { readFileSync } from "node:fs"
import type Axe from "axe-core"
import { chromium, type Browser, type Page } from "playwright-core"

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8")
const RULES: Axe.RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  // What passes is not reported, and none of these rules reads style sheets: describing both takes most of the time.
  resultTypes: ["violations"],
  preload: false,
}

/** A real, headless Chromium. `npm test` finds it and sets CHROMIUM_PATH. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM_PATH || "/usr/bin/chromium", args: ARGUMENTS })
}

/**
 * What axe-core finds wrong on the current page, one line per element: on all of it, or within the part whose frame,
 * colours and icons are ours.
 */
export async function accessibilityProblems(page: Page, part?: string): Promise<string[]> {
  // Evaluated by the browser's debugger, so that the page's own CSP does not block it; once per document.
  if (!(await page.evaluate(() => "axe" in globalThis))) {
    await page.evaluate(AXE)
  }
  const rules =
    part === undefined
      ? RULES
      : { ...RULES, rules: { "color-contrast": { enabled: false }, "role-img-alt": { enabled: false } } }
  // Only the violations leave the page: the whole result describes every element.
  const violations = await page.evaluate(
    async ([options, within]) =>
      (await (globalThis as unknown as { axe: typeof Axe }).axe.run(within ?? document, options)).violations,
    [rules, part] as const
  )
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} (${node.failureSummary})`))
}
