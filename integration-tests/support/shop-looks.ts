import type { BrowserContextOptions } from "playwright-core"
import { accessibilityProblems } from "./browser"
import { page, PHONE } from "./shop-screens"

/** `isAudited`: axe looks at it too; what it finds at 320 pixels, it finds at 390. */
type Look = {
  device: string
  viewport: { width: number; height: number }
  colorScheme: "light" | "dark"
  isAudited: boolean
}

export const LOOKS: Look[] = [
  { device: "a phone in daylight", viewport: { width: 390, height: 844 }, colorScheme: "light", isAudited: false },
  { device: "a phone at 320 pixels", viewport: { width: 320, height: 640 }, colorScheme: "light", isAudited: true },
  { device: "a dark desktop", viewport: { width: 1280, height: 800 }, colorScheme: "dark", isAudited: true },
]
/** Each screen is visited once in each language and checked in all these variants. */
export const WALKS: [string, BrowserContextOptions, Look[]][] = [
  ["in English", PHONE, LOOKS],
  ["in Bangla", { ...PHONE, locale: "bn-BD" }, LOOKS.slice(1, 2)],
]

/** Without animations: contrast cannot be measured in the middle of a colour transition. */
async function look({ viewport, colorScheme }: Look): Promise<void> {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
}

/** Fails on any axe violation and on anything wider than the window. */
export async function inspectScreen(walk: string, looks: Look[], screen: string): Promise<void> {
  for (const one of looks) {
    await look(one)
    const { device, isAudited } = one
    if (process.env.SCREENSHOTS) {
      await page.screenshot({
        path: `${process.env.SCREENSHOTS}/${walk}-${device}-${screen}.png`.replaceAll(" ", "-"),
        fullPage: true,
      })
    }
    const problems = isAudited ? await accessibilityProblems(page) : []
    expect({ screen, device, problems }).toEqual({ screen, device, problems: [] })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect({ screen, device, overflow: Math.max(0, overflow) }).toEqual({ screen, device, overflow: 0 })
  }
  await look(looks[0])
}
