import type { PresentedMessage } from "../message"
import type { DeliveryStatus } from "../payments/types"

export type Delivery = {
  id: string
  number: number
  kind: "webhook" | "ipn"
  event_id: string
  event_type: string
  webhook_deleted: boolean
  url: string
  status: DeliveryStatus
  attempts: number
  next_attempt_at: string | null
  status_code: number | null
  error: PresentedMessage | null
  created_at: string
}
