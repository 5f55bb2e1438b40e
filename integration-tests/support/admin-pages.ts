import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Browser, BrowserContext, Locator, Page } from "playwright-core"
import { launchBrowser } from "./browser"
import { ADMIN } from "./admin"
import { ROOT, type Store } from "./store"

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
/** A folder for pictures of the pages: SCREENSHOTS=1 npm test -- browser groups/browser */
const SCREENSHOTS = process.env.SCREENSHOTS ? join(ROOT, ".test/screenshots") : null

/** The built admin in Chromium, with an admin signed in. */
export class AdminPages {
  readonly faults: string[] = []
  #browser?: Browser
  #context?: BrowserContext
  page!: Page

  constructor(private readonly store: Store) {}

  async open(): Promise<void> {
    this.#browser = await launchBrowser()
    this.#context = await this.#browser.newContext({ viewport: WIDE, locale: "en-GB", timezoneId: "Asia/Dhaka" })
    this.#context.setDefaultTimeout(30_000)
    this.page = await this.#context.newPage()
    this.page.on("pageerror", (error) => this.faults.push(String(error)))
    await this.page.goto(`${this.store.url}/app/login`)
    await this.page.fill("input[name=email]", ADMIN.email)
    await this.page.fill("input[name=password]", ADMIN.password)
    await this.page.click("button[type=submit]")
    await this.page.waitForURL(/\/app\/(orders|$)/)
  }

  async close(): Promise<void> {
    await this.#browser?.close()
  }

  /** A page of one merchant's sandbox admin. */
  async admin(path: string, merchant_id: string): Promise<void> {
    const separator = path.includes("?") ? "&" : "?"
    await this.go(`gateway${path}${separator}merchant_id=${merchant_id}&environment=sandbox`)
  }

  async go(path: string): Promise<void> {
    await this.page.goto(`${this.store.url}/app/${path}`)
    await this.settled()
  }

  async settled(): Promise<void> {
    await this.page.waitForFunction(
      () => document.querySelector("main h1") !== null && document.querySelector("main .animate-pulse") === null
    )
  }

  heading(text: string | RegExp): Locator {
    return this.page.getByRole("heading", { name: text }).first()
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name })
  }

  region(name: string | RegExp): Locator {
    return this.page.getByRole("region", { name, exact: true })
  }

  async answer(name: string): Promise<void> {
    await this.page.getByRole("alertdialog").getByRole("button", { name, exact: true }).click()
  }

  async shows(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor()
  }

  /** Selects a file in the page's file input. */
  async file(name: string, text: string, encoding: "utf8" | "utf16le" = "utf8"): Promise<void> {
    const buffer = Buffer.from(text, encoding)
    await this.page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer })
  }

  /** The name and text of what the browser downloads during the work. */
  async downloaded(work: () => Promise<void>): Promise<{ name: string; text: string }> {
    const [download] = await Promise.all([this.page.waitForEvent("download"), work()])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) {
      chunks.push(chunk as Buffer)
    }
    return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString("utf8") }
  }

  async look(theme: "light" | "dark", device: "wide" | "phone"): Promise<void> {
    await this.page.evaluate((value) => localStorage.setItem("medusa_admin_theme", value), theme)
    await this.page.setViewportSize(device === "wide" ? WIDE : PHONE)
  }

  /** The admin's language from the next page on, as the choice on Medusa's Settings page keeps it. */
  speak(language: string): Promise<void> {
    return this.page.evaluate((name) => {
      localStorage.setItem("lng", name)
      document.cookie = `lng=${name}; path=/`
    }, language)
  }

  fitsTheScreen(): Promise<boolean> {
    return this.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
  }

  /** `height`: of a screen that shows a whole long page at once. */
  async picture(name: string, height?: number): Promise<void> {
    if (SCREENSHOTS === null) {
      return
    }
    mkdirSync(SCREENSHOTS, { recursive: true })
    const size = this.page.viewportSize() ?? WIDE
    await this.page.setViewportSize({ ...size, height: height ?? size.height })
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
    await this.page.setViewportSize(size)
  }
}
