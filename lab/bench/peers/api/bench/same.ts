import { createHash, randomBytes } from "node:crypto"
import { checkoutAnswer, LIFE_MS, pool, type Body } from "./rows"

/**
 * The gateway's own prepared statements, by name, as its connections had them: this peer runs the same text with the
 * same parameters, so that only what is around the statements differs.
 */
let statements: Readonly<Record<string, string>> = {}

export function useStatements(given: Readonly<Record<string, string>>): void {
  statements = given
}

type Keyed = { headers: Record<string, unknown> }

const USE_PRECISION_MS = 60_000

type Queried = { name: string; text: string; values: unknown[] }
type Caller = Record<string, string>
type By = { query(asked: Queried): Promise<{ rows: Caller[] }> }

async function rowOf(by: By, name: string, values: unknown[]) {
  const { rows } = await by.query({ name, text: statements[name], values })
  if (rows.length !== 1) {
    throw new Error(`${name} found ${rows.length} rows`)
  }
  return rows[0]
}

function callerValues({ headers }: Keyed, now: number): unknown[] {
  const hash = createHash("sha256").update(String(headers["x-merchant-api-key"])).digest("hex")
  return [hash, new Date(now), new Date(now - USE_PRECISION_MS)]
}

/** The key's caller, then session and transaction: two statements, as the gateway's. `extra` runs between them. */
export async function checkoutBySameStatements(
  request: Keyed & { body: Body },
  extra?: (caller: Caller) => void | Promise<void>,
  by: By = pool
) {
  const now = Date.now()
  const caller = await rowOf(by, "gateway_authenticate", callerValues(request, now))
  await extra?.(caller)
  const { body } = request
  const session_id = `ses_${randomBytes(24).toString("base64url")}`
  const transaction_id = `txn${randomBytes(16).toString("hex")}`
  const expires_at = new Date(now + LIFE_MS)
  const session = {
    id: session_id,
    merchant_id: caller.merchant_id,
    environment: caller.environment,
    order_id: body.order_id,
    currency: body.currency,
    amount_minor: Math.round(Number(body.order_amount) * 100),
    description: body.order_description,
    success_url: body.success_url,
    fail_url: body.fail_url,
    cancel_url: body.cancel_url,
    ipn_url: body.ipn_url,
    customer: body.customer,
    customer_phone: body.customer.phone,
    shipping: body.shipping,
    items: body.order_items,
    payment_info: body.payment_info,
    metadata: body.metadata,
    source: "api",
    opened_at: new Date(now),
    expires_at,
  }
  await rowOf(by, "gateway_checkout_create", [JSON.stringify(session), transaction_id, null, null])
  return checkoutAnswer(session_id, transaction_id, expires_at)
}
