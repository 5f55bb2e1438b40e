import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { GatewayError } from "../../src/modules/gateway/kernel/errors"
import { SandboxAcquirer } from "../../src/modules/gateway/acquirers/sandbox"
import { readSettlement, type LineResult } from "../../src/modules/gateway/settlements/files/lines"
import { readSheet } from "../../src/modules/gateway/settlements/files/sheet"
import { readTemplate } from "../../src/modules/gateway/settlements/files/template"
import { SettlementDepositService } from "../../src/modules/gateway/settlements/deposits"
import { SettlementImportService } from "../../src/modules/gateway/settlements/imports"
import { SettlementLineService } from "../../src/modules/gateway/settlements/lines"
import type { StoredTemplate } from "../../src/modules/gateway/settlements/records"
import { SettlementTermService } from "../../src/modules/gateway/settlements/terms"
import { processServices } from "./services"

/*
 * Imports the files of PLAN, undoes and rematches imports, and decides about their lines and deposits, until it is killed: npm run chaos -- settlements.
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
  const settlementLineService = new SettlementLineService({ ...cradle, settlementTermService })
  const own = { ...cradle, settlementTermService, settlementLineService }
  return {
    database: cradle.database,
    terms: settlementTermService,
    imports: new SettlementImportService(own),
    lines: settlementLineService,
    deposits: new SettlementDepositService(own),
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
    "SELECT id FROM gateway_settlement_import WHERE state <> 'undone' ORDER BY $1 > 1 AND source LIKE 'bank:%' DESC, random() LIMIT $1",
    [many]
  )
  for (const { id } of made) {
    await refusable(imports.undo(tenant, id, "Chaos"))
  }
}

type Line = { id: string; state: string; reference: string | null; source: string; gross: string }

/** As an admin does who takes what the deposit names, or the first suggestion. */
async function matchDeposit(deposits: SettlementDepositService, { id, gross }: Line): Promise<void> {
  const suggested = await deposits.suggestions(tenant, id)
  const named = suggested.filter(({ is_named }) => is_named)
  const taken = named.length > 0 ? named : suggested.slice(0, 1)
  const left = taken.map((one) => ({ ...one, amount: BigInt(one.net) - BigInt(one.deposited) }))
  // Of one settlement a part may come.
  const allocations = left.map(({ source, batch, amount }) => ({
    source,
    batch,
    amount: left.length === 1 && amount > BigInt(gross) && Math.random() < 0.5 ? BigInt(gross) : amount,
  }))
  const bank_charge = allocations.reduce((sum, { amount }) => sum + amount, 0n) - BigInt(gross)
  await deposits.match(tenant, id, { allocations, bank_charge: bank_charge < 0n ? 0n : bank_charge, note: null })
}

/** Somebody matches, explains or undoes a line; two may do it to the same one. */
async function decide({ database, lines, deposits }: Services): Promise<void> {
  const isOpen = Math.random() < 0.7
  const found = await database.query<Line>(
    `SELECT id, state, reference, source, gross_minor::text AS gross FROM gateway_settlement_line WHERE state ${isOpen ? "IN ('unknown', 'differs')" : "IN ('matched', 'explained')"}
     ORDER BY source, key LIMIT 60`
  )
  const line = pick(found)
  if (line === undefined) {
    await sleep(20)
    return
  }
  const { id, state, reference } = line
  if (!isOpen || Math.random() < 0.2) {
    await refusable(lines.undo(tenant, id, "Chaos"))
  } else if (line.source.startsWith("bank:") && Math.random() < 0.8) {
    await refusable(matchDeposit(deposits, line))
  } else if (state === "unknown" && reference !== null && Math.random() < 0.6) {
    await refusable(lines.match(tenant, id, { number: reference, note: null }))
  } else {
    await refusable(lines.explain(tenant, id, "Chaos"))
  }
}

async function rematch({ database, imports }: Services): Promise<void> {
  const made = await database.query<{ id: string }>(
    "SELECT id FROM gateway_settlement_import WHERE state <> 'undone' ORDER BY random() LIMIT 1"
  )
  for (const { id } of made) {
    await refusable(imports.rematch(tenant, id))
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
    forEver(() => rematch(own), 100),
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
    // A settlement cannot be undone while a deposit brings it: banks' files first.
    await undoImports(own, 100_000)
  } else {
    await work(own, files)
  }
  process.exit(0)
}

void main()
