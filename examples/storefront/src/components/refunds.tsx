import { h, type View } from "../lib/dom"
import { day, taka } from "../lib/format"
import type { OrderRefund } from "../store/refunds"
import { t } from "../text"

/** The refunds of an order, each with its amount and progress. */
export function OrderRefunds({ refunds }: { refunds: readonly OrderRefund[] }): View {
  return (
    <div class="panel" id="refunds">
      <h2>{t.order.refunds}</h2>
      <dl class="totals">
        {refunds.map(({ status, amount, completed_at }) => (
          <div>
            <dt>
              {status === "completed" && completed_at
                ? t.order.refundCompleted(day(completed_at))
                : t.order.refundOnItsWay}
            </dt>
            <dd>{taka(Number(amount))}</dd>
          </div>
        ))}
      </dl>
      <p class="muted small">{t.order.refundNote}</p>
    </div>
  )
}
