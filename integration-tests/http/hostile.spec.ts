import { join } from "node:path"
import { importModule } from "../support/import-module.cjs"
import { ROOT } from "../support/store"

type AttackedStore = { close(): Promise<void> }
type Finding = { what: string; count: number; samples: { detail: string; curl?: string }[] }
type Counts = Record<string, number>
type AttacksModule = {
  openAttackedStore(server: { adminUrl?: string; template?: string }): Promise<AttackedStore>
  runPart(
    name: string,
    attacked: AttackedStore,
    options: { counts: Counts; seed: number }
  ): Promise<{ figures: unknown; findings: Finding[] }>
}

const SEED = 20_260
const BOOT_TIMEOUT_MS = 180_000
/**
 * A small part of what `npm run chaos -- hostile` does; the rest includes RBAC's feature flag.
 */
const COUNTS: Counts = {
  requests: 1_000,
  paths: 2_500,
  connections: 4,
  held: 0,
  unread: 20,
  carts: 3,
  lengths: 200,
  places: 1,
  rbac: 0,
  logos: 30,
}

/*
 * One store in production mode for all parts, in the order of the table below: leftovers of other parts must not move
 * money while the part about suspended merchants counts charges.
 */
describe("a store in production mode, and what strangers may try", () => {
  let module: AttacksModule
  let attacked: AttackedStore

  beforeAll(async () => {
    module = await importModule<AttacksModule>(join(ROOT, "lab/chaos/hostile/parts.mjs"))
    attacked = await module.openAttackedStore({
      adminUrl: process.env.TEST_ADMIN_URL,
      template: process.env.TEST_TEMPLATE,
    })
  }, BOOT_TIMEOUT_MS)

  afterAll(() => attacked?.close(), BOOT_TIMEOUT_MS)

  it.each([
    ["sessions", "design: Guard at Pay — forged session data buys nothing, in no order of calls"],
    [
      "tenants",
      "contract 5, 7.3 — another merchant's ids are unknown everywhere, and a suspended merchant moves no money",
    ],
    ["refundLimits", "decisions: Approval of refunds — no limit falls to splitting"],
    ["urls", "contract 6.3 rule 3 — no spelling of an inner address is called"],
    ["rbac", "design: RBAC — only an admin can use the admin routes"],
    ["logos", "docs/decisions/15 — no picture keeps a PDF from coming, or the process from running"],
    ["connections", "broken connections of every kind leave the process as it was"],
    ["unread", "decision 24: answers that nobody reads do not fill the memory, and others are answered meanwhile"],
    ["paths", "distinct paths are not kept in memory"],
    ["lengths", "decisions: Lengths before contents — refusals are short, however long the lists, maps and files are"],
    ["fuzz", "contract 7.1 — mutated requests over all routes get an answer of the contract's shape, never a 5xx"],
  ])("%s: %s", async (name) => {
    const { findings } = await module.runPart(name, attacked, { counts: COUNTS, seed: SEED })
    expect(findings).toEqual([])
  })
})
