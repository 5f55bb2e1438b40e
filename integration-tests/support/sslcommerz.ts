import { join } from "node:path"
import type { StandIn } from "../acquirers/sslcommerz/support"
import { importModule } from "./import-module.cjs"

/** SSLCommerz's stand-in, from the first test on: one for the files that share a store. */
export let sslcommerz: StandIn
/** The environment of a store that finds SSLCommerz there, without an account at it: complete before it boots. */
export const SSLCOMMERZ: Record<string, string> = {}
let isOpen = false

/** Starts the stand-in before the store boots: of a group of files with the first call, by the group. */
export function openSslcommerz(): void {
  if (isOpen) {
    return
  }
  isOpen = true
  beforeAll(async () => {
    const file = join(__dirname, "../acquirers/sslcommerz/stand-in.mjs")
    sslcommerz = await (await importModule<{ startStandIn(): Promise<StandIn> }>(file)).startStandIn()
    SSLCOMMERZ.SSLCOMMERZ_BASE_URL = sslcommerz.url
  })
  afterAll(() => sslcommerz?.close())
}
