import { eventBody, type EventType } from "../../../../modules/gateway/kernel/events"
import { sampleData } from "../webhooks/[test]/samples"

const AT = new Date("2027-03-01T10:00:00.000Z")

/** Ids of samples are new each time; the document must be the same each time. */
const IDS: readonly [RegExp, string][] = [
  [/\btxn[0-9a-f]{32}\b/g, "txn0123456789abcdef0123456789abcdef"],
  [/\bses_[A-Za-z0-9_-]{32}(?=")/g, "ses_Q2hlY2tvdXRTZXNzaW9uRXhhbXBsZTAx"],
  [/\brfd_[0-9a-f]+\b/g, "rfd_0193a5f0c2d4000001a1b2c3d4e5"],
  [/\bdsp_[0-9a-f]+\b/g, "dsp_0193a5f0c2d4000001a1b2c3d4e5"],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "a695655c-7203-4d78-b5cd-f5d3dfc8fc26"],
]

/** The sample of an event type, with ids that never change. */
export function exampleOfEvent(event_type: EventType): unknown {
  const record = { event_id: "", event_type, occurred_at: AT, merchant_number: 1, data: sampleData(event_type, AT) }
  const body = { ...eventBody(record), event_id: "a695655c-7203-4d78-b5cd-f5d3dfc8fc26" }
  return JSON.parse(IDS.reduce((text, [id, fixed]) => text.replace(id, fixed), JSON.stringify(body)))
}

export const EXAMPLE_IPN = {
  event_id: "a695655c-7203-4d78-b5cd-f5d3dfc8fc26",
  transaction_id: "txn0123456789abcdef0123456789abcdef",
  order_id: "order-1001",
  session_id: "ses_Q2hlY2tvdXRTZXNzaW9uRXhhbXBsZTAx",
  status: "SUCCESS",
  amount: "1250.50",
  currency: "BDT",
  payment_method: "CARD",
  occurred_at: "2027-03-01T10:00:00.000Z",
}
