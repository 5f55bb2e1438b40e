/*
 * npm run chaos -- settlements             200 times kill -9 while settlement files are imported, matched and undone
 * npm run chaos -- settlements --kills 20
 *
 * The demo's month of 2,000 payments. Its files are imported once, and the totals are kept; then they are undone, and the
 * books must be as if nothing had ever come. After that a process imports the files again and again, several times at
 * once, undoes imports, and matches, explains and undoes lines and deposits; it is killed at random points. In the end all is undone
 * and imported once more: the totals must be those of the beginning.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { writeMonth } from "../../scripts/demo/month-books.mjs"
import { demoMonth } from "../../scripts/demo/month.mjs"
import { bundle } from "../../scripts/lib/bundle.mjs"
import { Complaint, ROOT, say } from "../../scripts/lib/console.mjs"
import { startBundle } from "../../scripts/lib/dispatchers.mjs"
import { chaos, wrongInBooks } from "./run.mjs"

const PROGRAM = join(ROOT, "integration-tests/support/settlement-process.ts")
const MERCHANT_ID = "mer_chaos"
const MERCHANT = `
  WITH merchant AS (INSERT INTO gateway_merchant (id, name) VALUES ('${MERCHANT_ID}', 'Chaos'))
  INSERT INTO gateway_merchant_environment (id, merchant_id, environment, services, ip_allow_list)
  VALUES ('menv_chaos', '${MERCHANT_ID}', 'sandbox', '{checkout}', '{}')`
/** The longest life of a process; killed earlier, it is killed in the middle of its first files. */
const LIFE_MS = 2_500

const BANGLA = {
  columns: {
    ...{ id: "আইডি", kind: "ধরন", reference: "ট্রানজেকশন আইডি", date: "তারিখ", gross: "পরিমাণ" },
    ...{ fee: "চার্জ", vat: "ভ্যাট", net: "নিট", batch: "ব্যাচ" },
  },
  kinds: { পেমেন্ট: "payment", ফেরত: "refund" },
}
/** By source: how its files are read. */
const TEMPLATES = {
  sslcommerz: {
    kind: "settlement",
    columns: {
      ...{ id: "Line", kind: "Type", order_reference: "Tran ID", reference: "Bank Tran ID", date: "Transaction Date" },
      ...{ gross: "Gross Amount", fee: "Charge", vat: "VAT", net: "Payable", batch: "Settlement ID" },
    },
    kinds: { Sale: "payment", Refund: "refund" },
    date_format: "DD/MM/YYYY",
  },
  bkash: { kind: "settlement", ...BANGLA, date_format: "DD/MM/YYYY" },
  stripe: {
    kind: "settlement",
    columns: {
      ...{ id: "balance_transaction_id", kind: "reporting_category", reference: "source_id", date: "created_utc" },
      ...{ gross: "gross", fee: "fee", net: "net", currency: "currency", batch: "automatic_payout_id" },
    },
    kinds: { charge: "payment", refund: "refund", dispute: "dispute", adjustment: "adjustment" },
    time_zone: "UTC",
  },
  "courier:pathao": {
    kind: "courier",
    columns: {
      ...{ id: "Line", order_reference: "Order number", date: "Delivery date", gross: "Collected" },
      ...{ fee: "Delivery charge", batch: "Payment batch" },
    },
  },
  "bank:city": {
    kind: "statement",
    columns: { date: "Date", description: "Particulars", debit: "Debit", credit: "Credit", balance: "Balance" },
  },
}

const ACCOUNTS = `
  SELECT account, currency, sum(amount_minor)::text AS sum FROM gateway_ledger_entry
  GROUP BY 1, 2 HAVING sum(amount_minor) <> 0 ORDER BY 1, 2`
const LINES = `
  SELECT source, state, reasons, count(*)::int, sum(gross_minor)::text AS gross, sum(fee_minor)::text AS fee
  FROM gateway_settlement_line GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`
const COUNTS = `
  SELECT (SELECT count(*)::int FROM gateway_settlement_line) AS lines,
         (SELECT count(*)::int FROM gateway_settlement_import) AS imports,
         (SELECT count(*)::int FROM gateway_settlement_import WHERE state = 'undone') AS undone,
         (SELECT count(*)::int FROM gateway_ledger_entry WHERE kind ~ '^(settlement|deposit)_') AS entries,
         (SELECT count(*)::int FROM gateway_settlement_allocation) AS allocations`

const rowsOf = async (client, query) => (await client.query(query)).rows
const totals = async (client) => ({ accounts: await rowsOf(client, ACCOUNTS), lines: await rowsOf(client, LINES) })

/** Runs the program until it ends by itself. */
async function runOnce({ databaseUrl, file, env }, MODE) {
  const child = await startBundle(file, databaseUrl, { ...env, MODE })
  while (child.isRunning()) {
    await sleep(50)
  }
  if (child.output().trim() !== "") {
    throw new Complaint(child.output())
  }
}

async function rounds({ kills }, { client, databaseUrl, file, env }) {
  for (let kill = 1; kill <= kills; kill++) {
    const worker = await startBundle(file, databaseUrl, env)
    await sleep(Math.random() ** 2 * LIFE_MS)
    if (!worker.isRunning()) {
      throw new Complaint(worker.output())
    }
    await worker.kill("SIGKILL")
    if (kill % 20 === 0 || kill === kills) {
      say(`${kill} kills: ${JSON.stringify((await rowsOf(client, COUNTS))[0])}`)
    }
  }
}

/** Each comparison by name, and whether it holds. */
function compared(comparisons) {
  const wrong = comparisons.filter(([, one, other]) => !isDeepStrictEqual(one, other))
  comparisons.forEach(([what]) => say(`${wrong.some(([name]) => name === what) ? "DIFFERS" : "equal"}: ${what}`))
  wrong.forEach(([what, one, other]) => say(`${what}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`))
  return wrong.length
}

async function scenario({ options, client, databaseUrl, file }) {
  const folder = mkdtempSync(join(tmpdir(), "settlements-"))
  const env = { PLAN: join(folder, "plan.json") }
  const place = { client, databaseUrl, file, env }
  try {
    const month = demoMonth("2026-10")
    const files = month.files.flatMap((one) =>
      TEMPLATES[one.source] === undefined ? [] : [{ ...one, definition: TEMPLATES[one.source] }]
    )
    writeFileSync(env.PLAN, JSON.stringify({ merchant_id: MERCHANT_ID, files }))
    await client.query(MERCHANT)
    await writeMonth(client, MERCHANT_ID, month)
    const before = await totals(client)
    await runOnce(place, "import")
    const once = await totals(client)
    await runOnce(place, "undo")
    const undone = await totals(client)
    await rounds(options, place)
    const wrong = await wrongInBooks(client, {})
    await runOnce(place, "undo")
    const undoneAgain = await totals(client)
    await runOnce(place, "import")
    const isMoved = once.accounts.some(({ account }) => account === "settlements") && once.lines.length > 0
    const differ = compared([
      ["the books before any file came, and after all were undone", before, undone],
      ["the same after the kills", before, undoneAgain],
      ["the totals of one import, and those after the kills", once, await totals(client)],
    ])
    return isMoved && wrong + differ + (await wrongInBooks(client, {})) === 0 ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}

await chaos({ defaults: { kills: 200 }, build: () => bundle(PROGRAM), scenario })
