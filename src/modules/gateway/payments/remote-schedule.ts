import { addSeconds } from "../kernel/clock"
import type { TransactionStatus } from "./states"

type Asked = { status: TransactionStatus; created_at: Date; updated_at: Date; expires_at: Date }

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

/** After the checkout was opened: the shopper may have paid, and no notification has come. */
const WHILE_OPEN = [MINUTE, 3 * MINUTE, 10 * MINUTE, 30 * MINUTE]
/** After the checkout's time was up: now it has ended, or it is being paid. The two deployments' clocks may differ. */
const AFTER_END = [30, 5 * MINUTE, HOUR]
/** After the outcome was known: the order is missing, or the money is on its way back. */
const AFTER_OUTCOME = [MINUTE, 3 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR]

/** When the worker looks at a payment of another deployment next; in the end daily, for as long as something is open. */
export function nextAskAt({ status, created_at, updated_at, expires_at }: Asked, now: Date): Date {
  const times =
    status === "PENDING"
      ? [
          ...WHILE_OPEN.map((seconds) => addSeconds(created_at, seconds)).filter((at) => at < expires_at),
          ...AFTER_END.map((seconds) => addSeconds(expires_at, seconds)),
        ]
      : AFTER_OUTCOME.map((seconds) => addSeconds(updated_at, seconds))
  return times.find((at) => at > now) ?? addSeconds(now, DAY)
}
