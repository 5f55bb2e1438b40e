import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { GatewayError } from "../../src/modules/gateway/kernel/errors"
import { SandboxAcquirer } from "../../src/modules/gateway/acquirers/sandbox"
import { readSettlement, type LineResult } from "../../src/modules/gateway/settlements/files/lines"
import { readSheet } from "../../src/modules/gateway/settlements/files/sheet"
import { readTemplate } from "../../src/modules/gateway/settlements/files/template"
import { SettlementImportService } from "../../src/modules/gateway/settlements/imports"
import { SettlementLineService } from "../../src/modules/gateway/settlements/lines"
import type { StoredTemplate } from "../../src/modules/gateway/settlements/records"
import { SettlementTermService } from "../../src/modules/gateway/settlements/terms"
import { processServices } from "./services"

/*
 * Imports the files of PLAN, undoes imports, and decides about their lines, until it is killed: npm run chaos -- settlements.
 * With MODE=import it imports each file once and ends, with MODE=undo it undoes every import and ends. It says "ready"
 * over IPC.
 */

type Plan = { merchant_id: string; files: { name: string; source: string; text: string; definition: object }[] }
type File = { name: string; text: string; template: StoredTemplate }

const plan = JSON.parse(readFileSync(process.env.PLAN as string, "utf8")) as Plan
const tenant = { merchant_id: plan.merchant_id, environment: "sandbox" } as const
/** Smaller than a file's own parts, so that a kill leaves a file half written. */
const LINES_AT_ONCE = 60

function services() {
  const { cradle } = processServices(process.env.DATABASE_URL as string, (database) => new SandboxAcquirer(database))
  const settlementTermService = new SettlementTermService(cradle)
  const own = { ...cradle, settlementTermService }
  return {
    database: cradle.database,
    terms: settlementTermService,
    imports: new SettlementImportService(own),
    lines: new SettlementLineService(own),
  }
}

type Services = ReturnType<typeof services>

const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)]

/** A refusal is an expected outcome here; anything else is not. */
async function refusable(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!GatewayError.is(error)) {
      throw error
    }
  })
}

/** Each source's template, saved when it is not there yet. */
async function templates({ terms }: Services): Promise<File[]> {
  const files: File[] = []
  for (const { name, source, text, definition } of plan.files) {
    const there = (await terms.templates(tenant)).find((template) => template.source === source)
    const { value, failures } = readTemplate(definition)
    if (value === null) {
      throw new Error(JSON.stringify(failures))
    }
    files.push({
      name,
      text,
      template: there ?? (await terms.save(tenant, { name: source, source, definition: value })),
    })
  }
  return files
}

async function* inParts(batches: AsyncIterable<LineResult[]>): AsyncGenerator<LineResult[]> {
  for await (const batch of batches) {
    for (let from = 0; from < batch.length; from += LINES_AT_ONCE) {
      yield batch.slice(from, from + LINES_AT_ONCE)
    }
  }
}

async function importFile({ imports }: Services, { name, text, template }: File): Promise<void> {
  const bytes = (async function* () {
    yield Buffer.from(text)
  })()
  const rows = readSheet(bytes, name)
  await imports.run(tenant, { template, file_name: name }, inParts(readSettlement(rows, template.definition)))
}

async function undoImports({ database, imports }: Services, many: number): Promise<void> {
  const made = await database.query<{ id: string }>(
    "SELECT id FROM gateway_settlement_import WHERE state <> 'undone' ORDER BY random() LIMIT $1",
    [many]
  )
  for (const { id } of made) {
    await refusable(imports.undo(tenant, id, "Chaos"))
  }
}

type Line = { id: string; state: string; reference: string | null }

/** Somebody matches, explains or undoes a line; two may do it to the same one. */
async function decide({ database, lines }: Services): Promise<void> {
  const isOpen = Math.random() < 0.7
  const found = await database.query<Line>(
    `SELECT id, state, reference FROM gateway_settlement_line WHERE state ${isOpen ? "IN ('unknown', 'differs')" : "IN ('matched', 'explained')"}
     ORDER BY key LIMIT 40`
  )
  const line = pick(found)
  if (line === undefined) {
    await sleep(20)
    return
  }
  const { id, state, reference } = line
  if (!isOpen || Math.random() < 0.2) {
    await refusable(lines.undo(tenant, id, "Chaos"))
  } else if (state === "unknown" && reference !== null && Math.random() < 0.6) {
    await refusable(lines.match(tenant, id, { number: reference, note: null }))
  } else {
    await refusable(lines.explain(tenant, id, "Chaos"))
  }
}

async function work(own: Services, files: readonly File[]): Promise<void> {
  const forEver = async (what: () => Promise<unknown>, pause: number): Promise<never> => {
    for (;;) {
      await what()
      await sleep(Math.random() * pause)
    }
  }
  const importing = () => refusable(importFile(own, pick(files) as File))
  await Promise.all([
    ...[1, 2, 3].map(() => forEver(importing, 20)),
    ...[1, 2].map(() => forEver(() => decide(own), 10)),
    forEver(() => undoImports(own, 1), 400),
  ])
}

async function main(): Promise<void> {
  const own = services()
  const files = await templates(own)
  process.send?.("ready")
  if (process.env.MODE === "import") {
    for (const file of files) {
      await importFile(own, file)
    }
  } else if (process.env.MODE === "undo") {
    await undoImports(own, 100_000)
  } else {
    await work(own, files)
  }
  process.exit(0)
}

void main()
