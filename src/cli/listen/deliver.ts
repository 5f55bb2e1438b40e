import { signatureHeaders } from "../../modules/gateway/webhooks/signature"
import { reasonOf } from "../api"
import { printable } from "../output"

/** As the gateway's own dispatcher: what is not acknowledged with 200 in this time has failed (decisions: Webhooks). */
const TIMEOUT_MS = 30_000
const SHOWN_CHARS = 200

/** What became of a delivery. `status` is null when nothing answered; `answer` is the beginning of the receiver's text. */
export type Delivery = { delivered: boolean; status: number | null; duration_ms: number; answer: string }

/** Sends one event to a receiver, signed as the gateway signs webhooks. Never throws. */
export async function deliver(
  url: URL,
  secret: string,
  event: { event_id: string },
  stop: AbortSignal,
  now: () => Date = () => new Date()
): Promise<Delivery> {
  const body = JSON.stringify(event)
  const begun = now().getTime()
  const took = () => now().getTime() - begun
  const timestamp = Math.floor(begun / 1_000)
  const signatures = signatureHeaders({ secrets: [secret], format: "hex", id: event.event_id, timestamp, body })
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...signatures },
      body,
      redirect: "manual",
      signal: AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const text = printable((await response.text()).slice(0, SHOWN_CHARS))
    return { delivered: response.status === 200, status: response.status, duration_ms: took(), answer: text }
  } catch (error) {
    return { delivered: false, status: null, duration_ms: took(), answer: reasonOf(error) }
  }
}

const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/

/** Whether a text can be a signing secret: with any other one, `verifyWebhook` of the receiver refuses everything. */
export function isWebhookSecret(text: string): boolean {
  return SECRET.test(text)
}
