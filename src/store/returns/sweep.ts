import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules, OrderChangeStatus, OrderChangeType } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"
import { PROPOSAL_KINDS, type ProposalKind } from "../../modules/gateway/refunds/proposals/rules"
import type { StoreChange } from "../../modules/gateway/refunds/proposals/return-notices"

const PAGE = 200
/** Rows of a transaction that committed late are still found. */
const OVERLAP_MS = 3_600_000

/**
 * Records what has happened in the store since the last run. Medusa's events are not stored, so they only say when to
 * look. This reads Medusa's own rows, oldest first, so that nothing before the latest notice is missed.
 */
export async function sweep(container: MedusaContainer): Promise<void> {
  const { returnNotices } = gatewayIn(container)
  for (const kind of PROPOSAL_KINDS) {
    const latest = await returnNotices.since(kind)
    if (latest === null) {
      continue
    }
    const since = new Date(latest.getTime() - OVERLAP_MS)
    let skip = 0
    for (
      let page = await changesSince(container, kind, since, skip);
      page.length > 0;
      page = await changesSince(container, kind, since, skip)
    ) {
      await returnNotices.record(page)
      skip += page.length
    }
  }
}

/**
 * Medusa gives the changes that cancel an exchange or a claim no type, and those of fulfilments neither: the exchange or
 * the claim tells them apart.
 */
const CHANGES: Readonly<Record<Exclude<ProposalKind, "cancellation">, object>> = {
  return: { change_type: OrderChangeType.RETURN_RECEIVE },
  claim: { change_type: OrderChangeType.CLAIM },
  edit: {
    $or: [
      { change_type: [OrderChangeType.EDIT, OrderChangeType.EXCHANGE] },
      { change_type: null, exchange_id: { $ne: null } },
      { change_type: null, claim_id: { $ne: null } },
    ],
  },
}

async function changesSince(
  container: MedusaContainer,
  kind: ProposalKind,
  since: Date,
  skip: number
): Promise<StoreChange[]> {
  const orders = container.resolve(Modules.ORDER)
  if (kind === "cancellation") {
    const cancelled = await orders.listOrders({ canceled_at: { $gte: since } } as object, {
      select: ["id", "canceled_at"],
      order: { canceled_at: "ASC", id: "ASC" },
      take: PAGE,
      skip,
    })
    return cancelled.map(({ id, canceled_at }) => ({
      kind,
      source_id: id,
      order_id: id,
      changed_at: new Date(canceled_at as Date),
    }))
  }
  const changes = await orders.listOrderChanges(
    { ...CHANGES[kind], status: OrderChangeStatus.CONFIRMED, confirmed_at: { $gte: since } } as object,
    { select: ["id", "order_id", "confirmed_at"], order: { confirmed_at: "ASC", id: "ASC" }, take: PAGE, skip }
  )
  return changes.map(({ id, order_id, confirmed_at }) => ({
    kind,
    source_id: id,
    order_id,
    changed_at: new Date(confirmed_at as Date),
  }))
}
