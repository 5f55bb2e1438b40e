import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import { minorOf } from "../../providers/gateway-payment/session"
import { countCollection, paymentOf, REFUND_MARK, removeRefunds, type MedusaRefund } from "./medusa-payment"
import { noteFailedRefund } from "./order-books"
import { unlinkSurplus } from "./sync-order-refund"

const PAGE = 500
const WINDOW_DAYS = 3
/** The gateway reserves a refund within seconds of Medusa's row, or refuses it, and then Medusa deletes the row. */
const GRACE_SECONDS = 600

type Row = MedusaRefund & { payment?: { payment_session?: { id: string } | null } | null }

/**
 * Medusa records its refund before it calls the payment provider. A process that crashes in between leaves a row that
 * shows a refund of money that never moved. The row is removed, with a note on the order, instead of refunding now: the
 * caller got no answer and may have tried again, and the money must not be refunded twice.
 */
export async function sweepRefundRows(scope: MedusaContainer): Promise<void> {
  const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
  const { orderRefunds } = gatewayIn(scope)
  for (let skip = 0; ; skip += PAGE) {
    const rows = await page(scope, skip)
    const asked = rows.flatMap((row) =>
      isOwn(row) ? [{ id: row.id, payment_session_id: row.payment?.payment_session?.id ?? "" }] : []
    )
    const never = new Set(asked.length === 0 ? [] : await orderRefunds.neverAskedFor(asked))
    for (const row of rows.filter(({ id }) => never.has(id))) {
      try {
        await unlink(scope, row)
      } catch (error) {
        logger.warn(
          `gateway: Medusa's refund ${row.id} was never requested from the gateway and is still on its payment: ${(error as Error).message}`
        )
      }
    }
    if (rows.length < PAGE) {
      return
    }
  }
}

/** A row that mirrors a refund of the gateway belongs to the task that syncs it. */
function isOwn({ metadata }: Row): boolean {
  return typeof metadata?.[REFUND_MARK] !== "string"
}

/** In an order that removals do not change, so a page skips a row at worst until the next run. */
async function page(scope: MedusaContainer, skip: number): Promise<Row[]> {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()
  const { data } = await scope.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "refund",
    fields: ["id", "raw_amount", "metadata", "payment.payment_session.id"],
    filters: { created_at: { $gt: ago(WINDOW_DAYS * 86_400), $lt: ago(GRACE_SECONDS) } },
    pagination: { take: PAGE, skip, order: { created_at: "DESC" } },
  })
  return data as unknown as Row[]
}

/** Deletes the row last, so that the next run repeats one that crashed. */
async function unlink(scope: MedusaContainer, row: Row): Promise<void> {
  const place = await paymentOf(scope, row.payment?.payment_session?.id ?? "")
  if (place === null) {
    return
  }
  const { payment, order_id } = place
  if (order_id !== null) {
    const amount = formatAmount(minorOf(row.raw_amount))
    const currency = payment.currency_code.toUpperCase()
    await noteFailedRefund(
      scope,
      order_id,
      row.id,
      `${amount} ${currency}: the store stopped before it asked for this refund; no money has moved`
    )
  }
  await countCollection(scope, payment.payment_collection_id, row.id)
  if (order_id !== null) {
    await unlinkSurplus(scope, { payment, order_id }, row.id)
  }
  await removeRefunds(scope, [row.id])
  scope
    .resolve(ContainerRegistrationKeys.LOGGER)
    .warn(`gateway: Medusa's refund ${row.id} was never requested from the gateway: it is removed from its payment`)
}
