import { setTimeout as sleep } from "node:timers/promises"
import type { Acquirer, PaymentRequest } from "../../src/modules/gateway/acquirers/port"
import type { CaptureRequest } from "../../src/modules/gateway/acquirers/authorization-port"
import { SandboxAcquirer } from "../../src/modules/gateway/acquirers/sandbox"
import { SandboxAuthorizing } from "../../src/modules/gateway/acquirers/sandbox-authorizing"
import { CashImportService } from "../../src/modules/gateway/cash/import"
import { CashService } from "../../src/modules/gateway/cash/service"
import { CashSettingService } from "../../src/modules/gateway/cash/settings"
import { LedgerService } from "../../src/modules/gateway/ledger/service"
import { RefundPreviewService } from "../../src/modules/gateway/refunds/preview"
import type { Database } from "../../src/modules/gateway/kernel/database/database"
import { GatewayError } from "../../src/modules/gateway/kernel/errors"
import { CaptureService } from "../../src/modules/gateway/payments/captures/service"
import { ReleaseService } from "../../src/modules/gateway/payments/captures/releases"
import { StoreConnection } from "../../src/modules/gateway/store-port"
import { processServices } from "./services"

/*
 * Authorises, captures and voids payments and records couriers' cash as fast as it can, until it is killed: npm run
 * chaos -- captures. With SETTLE_ONLY it begins nothing, and only reconciles what is there. It says "ready" over IPC.
 */

const AT_ONCE = 12
const SLOWEST_CALL_MS = 30
const MERCHANT = { merchant_id: "mer_chaos", environment: "sandbox" } as const
const CARD = { method: "card", card: { number: "4242424242424242" } } as const

const aWhile = () => sleep(Math.random() * SLOWEST_CALL_MS)

/** The sandbox's acquirer over a slow line, so that kills hit calls in flight in both directions. */
class SlowAcquirer extends SandboxAcquirer implements Acquirer {
  override readonly authorizing: SandboxAuthorizing

  constructor(database: Database) {
    super(database)
    this.authorizing = new (class extends SandboxAuthorizing {
      override async capture(request: CaptureRequest) {
        await aWhile()
        const answer = await super.capture(request)
        await aWhile()
        return answer
      }
    })(database)
  }

  override async start(request: PaymentRequest) {
    await aWhile()
    const answer = await super.start(request)
    await aWhile()
    return answer
  }
}

function services() {
  const own = processServices(process.env.DATABASE_URL as string, (database) => new SlowAcquirer(database))
  const cradle = { ...own.cradle, acquirerRegistry: own.acquirers, transactionService: own.transactions }
  const cashSettingService = new CashSettingService(cradle)
  const ledgerService = new LedgerService(cradle)
  const refundPreviewService = new RefundPreviewService({ ...cradle, ledgerService })
  const cashService = new CashService({ ...cradle, cashSettingService, refundPreviewService })
  return {
    ...own,
    captures: new CaptureService({ ...cradle, storePort: new StoreConnection() }),
    releases: new ReleaseService(cradle),
    cash: cashService,
    cashImports: new CashImportService({ ...cradle, cashService }),
  }
}

type Services = ReturnType<typeof services>

const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)]
const upTo = (most: number) => 1 + Math.floor(Math.random() * most)

/** A refusal is an expected outcome here; anything else is not. */
async function refusable(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!GatewayError.is(error)) {
      throw error
    }
  })
}

async function forEver(work: () => Promise<unknown>): Promise<never> {
  for (;;) {
    await work()
  }
}

async function authorize({ database, payments }: Services): Promise<void> {
  const open = await database.query<{ session_id: string }>(
    "SELECT session_id FROM gateway_transaction WHERE state = 'OPEN' ORDER BY created_at LIMIT 20"
  )
  const one = pick(open)
  await (one === undefined
    ? sleep(20)
    : refusable(payments.pay({ ...one, instrument: CARD, page_url: "http://pay.test/pay/x" })))
}

/** The oldest authorised payments, of which each gets many captures; some are repeated with their key. */
async function captureOrVoid({ database, captures, releases }: Services): Promise<void> {
  const rows = await database.query<{ transaction_id: string }>(
    "SELECT transaction_id FROM gateway_authorization WHERE state = 'open' ORDER BY created_at LIMIT 8"
  )
  const transaction_id = pick(rows)?.transaction_id
  if (transaction_id === undefined) {
    await sleep(20)
  } else if (Math.random() < 0.05) {
    await refusable(releases.void(null, transaction_id, {}))
  } else {
    const amount = Math.random() < 0.1 ? null : BigInt(upTo(30_000))
    const request_key = Math.random() < 0.5 ? null : `chaos-${upTo(5)}`
    await refusable(captures.capture({ tenant: null, transaction_id, amount, by: {}, request_key }))
  }
}

/** A courier's file of three lines: the same file comes again and again, as after a lost answer. */
async function importCash({ database, cashImports }: Services): Promise<void> {
  const rows = await database.query<{ order_number: string }>(
    "SELECT order_number FROM gateway_cash_order WHERE state IN ('due', 'part_collected') ORDER BY placed_at, id LIMIT 30"
  )
  const lines = [1, 2, 3].flatMap(() => pick(rows)?.order_number ?? [])
  if (lines.length === 0) {
    await sleep(20)
    return
  }
  const csv = ["order_number,collected,charge", ...lines.map((number) => `${number},${upTo(3) * 100}.00,60.00`)].join(
    "\n"
  )
  await refusable(cashImports.run({ ...MERCHANT }, { csv, courier: "Chaos", dry_run: false }))
}

/** Couriers' parcels that were refused, whole or after a part. */
async function giveUp({ database, cash }: Services): Promise<void> {
  const rows = await database.query<{ id: string }>(
    "SELECT id FROM gateway_cash_order WHERE state IN ('due', 'part_collected') ORDER BY placed_at, id LIMIT 60"
  )
  const one = pick(rows)
  if (one !== undefined && Math.random() < 0.3) {
    await refusable(cash.cancel(one.id))
  }
  await sleep(50)
}

async function main(): Promise<void> {
  const own = services()
  const stop = new AbortController().signal
  const every = (work: () => Promise<unknown>) =>
    forEver(async () => {
      await work()
      await sleep(10)
    })
  const settling = [
    every(() => own.reconciliation.run(50)),
    every(() => own.captures.due.run({ stop })),
    every(() => own.releases.due.run({ stop })),
  ]
  const making = process.env.SETTLE_ONLY
    ? []
    : [
        ...Array.from({ length: AT_ONCE }, () => forEver(() => authorize(own))),
        ...Array.from({ length: AT_ONCE }, () => forEver(() => captureOrVoid(own))),
        ...Array.from({ length: 4 }, () => forEver(() => importCash(own))),
        forEver(() => giveUp(own)),
      ]
  process.once("SIGTERM", () => process.exit(0))
  process.send?.("ready")
  await Promise.all([...settling, ...making])
}

void main()
