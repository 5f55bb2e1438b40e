import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, Modules } from "@medusajs/framework/utils"

/** A capture of a payment as Medusa's payment module keeps it. */
export type MedusaCapture = {
  id: string
  raw_amount: BigNumberInput
  created_at: Date | string
  created_by?: string | null
}

/** Medusa writes its capture before it asks for it: a row that is older belongs to a process that died. */
const GRACE_SECONDS = 120

/** The order's transactions of captures, of all its payments. */
export async function shownCaptures(
  container: MedusaContainer,
  order_id: string
): Promise<{ reference_id: string; amount: BigNumberInput }[]> {
  return container
    .resolve(Modules.ORDER)
    .listOrderTransactions({ order_id, reference: "capture" }, { select: ["id", "reference_id", "amount"] })
}

/** Those of a payment's captures that the order does not show. */
export async function missingCaptures<Capture extends { id: string }>(
  container: MedusaContainer,
  order_id: string,
  captures: readonly Capture[]
): Promise<Capture[]> {
  const shown = await shownCaptures(container, order_id)
  return captures.filter(({ id }) => shown.every(({ reference_id }) => reference_id !== id))
}

/** Writes the order's transactions of captures. Nothing in Medusa keeps an order from showing the same money twice. */
export async function addCaptures(
  container: MedusaContainer,
  { order_id, currency_code }: { order_id: string; currency_code: string },
  captures: readonly { id: string; raw_amount: BigNumberInput }[]
): Promise<void> {
  if (captures.length === 0) {
    // Medusa fails when it is given nothing.
    return
  }
  await container.resolve(Modules.ORDER).addOrderTransactions(
    captures.map(({ id, raw_amount }) => ({
      order_id,
      amount: MathBN.convert(raw_amount),
      currency_code,
      reference: "capture",
      reference_id: id,
    }))
  )
}

/** How the ids of Medusa's captures begin. */
const CAPTURE_ID = "capt_"

type Shown = Awaited<ReturnType<typeof shownCaptures>>[number]

/**
 * What the order's transactions of this payment's captures lack, or have too much. One whose capture Medusa has deleted is
 * taken off; those of other payments, and those that somebody has imported, are not ours to correct.
 */
export async function correctionsOf(
  container: MedusaContainer,
  captures: readonly MedusaCapture[],
  shown: readonly Shown[]
) {
  const own = new Map(captures.map(({ id, raw_amount }) => [id, raw_amount]))
  const ids = [...new Set(shown.map(({ reference_id }) => reference_id))]
  const unknown = ids.filter((id) => !own.has(id) && id.startsWith(CAPTURE_ID))
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const filters = { id: unknown }
  const { data } =
    unknown.length === 0 ? { data: [] } : await query.graph({ entity: "capture", fields: ["id"], filters })
  const others = new Set(data.map(({ id }) => id as string))
  return ids
    .filter((id) => own.has(id) || (unknown.includes(id) && !others.has(id)))
    .map((id) => {
      const amounts = shown.filter(({ reference_id }) => reference_id === id).map(({ amount }) => amount)
      return { id, raw_amount: MathBN.sub(own.get(id) ?? 0, MathBN.sum(0, ...amounts)) }
    })
    .filter(({ raw_amount }) => !MathBN.eq(raw_amount, 0))
}

/** Medusa is no longer at work on it. */
export function isOld({ created_at }: Pick<MedusaCapture, "created_at">): boolean {
  return new Date(created_at).getTime() < Date.now() - GRACE_SECONDS * 1_000
}

/** What of Medusa's payment module no type of it names. */
type Payments = {
  softDeleteCaptures(ids: string[]): Promise<unknown>
  updatePayment(change: { id: string; captured_at: null }): Promise<unknown>
  maybeUpdatePaymentCollection_(id: string): Promise<unknown>
}

/**
 * Removes captures of Medusa whose process died before it asked for them: they show money that never moved, and take the
 * room of money that did. `known`: the ids of those that show money. Returns the captures that are left: one that is not
 * known is young, and Medusa may be at work on it.
 */
export async function removeLost<Kept extends MedusaCapture>(
  container: MedusaContainer,
  { id, captures }: { id: string; captures: readonly Kept[] },
  known: ReadonlySet<string | null>
): Promise<Kept[]> {
  const lost = captures.filter((capture) => !known.has(capture.id) && isOld(capture))
  const left = captures.filter((capture) => !lost.includes(capture))
  if (lost.length === 0) {
    return left
  }
  const payments = container.resolve(Modules.PAYMENT) as unknown as Payments
  await payments.softDeleteCaptures(lost.map((capture) => capture.id))
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const fields = ["amount", "captured_at", "payment_collection_id"]
  const { data } = await query.graph({ entity: "payment", fields, filters: { id } })
  const payment = data[0] as unknown as { amount: BigNumberInput; captured_at: unknown; payment_collection_id: string }
  const captured = MathBN.sum(0, ...left.map(({ raw_amount }) => raw_amount))
  if (payment.captured_at !== null && MathBN.lt(captured, payment.amount)) {
    // Medusa makes no capture of a payment that it takes for captured whole.
    await payments.updatePayment({ id, captured_at: null })
  }
  await payments.maybeUpdatePaymentCollection_(payment.payment_collection_id)
  container
    .resolve(ContainerRegistrationKeys.LOGGER)
    .warn(`gateway: captures of Medusa's payment ${id} that were never asked for are removed from it`)
  return left
}
