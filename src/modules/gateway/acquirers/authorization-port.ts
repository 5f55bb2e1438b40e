import type { Minor } from "../kernel/money/money"

type References = Readonly<Record<string, string>>

/**
 * Until when reserved money can be captured, on the merchant's clock. `is_single`: the acquirer takes one capture, and
 * releases what it leaves.
 */
export type Authorized = { capture_before: Date; is_single: boolean }

/** Reserved money, as calls about it name it. `amount`: all that was reserved, in hundredths of `currency`. */
export type AuthorizationRequest = {
  key: string
  reference: string
  amount: Minor
  currency: string
  references: References
  now: Date
}

export type CaptureRequest = {
  /** The capture's id; the acquirer moves money at most once per key. */
  key: string
  amount: Minor
  currency: string
  /** Nothing is captured after it. */
  is_final: boolean
  /** References of this capture that earlier answers gave. */
  references: References
  authorization: AuthorizationRequest
  now: Date
}

/** The reserved money is the shopper's again, or was before. */
export type Released = { result: "released" }

/** What an acquirer offers that can reserve money and take it later. */
export interface Authorizing<Done, Refused, Unknown, Absent> {
  /** The same key again returns the first answer and moves nothing. Refused: the money stays reserved, or is gone. */
  capture(request: CaptureRequest): Promise<Done | Refused | Unknown>
  captureStatus(request: CaptureRequest): Promise<Done | Refused | Unknown | Absent>
  /** Releases what was not captured. May be repeated. Refused: it cannot, because the money was captured. */
  release(request: AuthorizationRequest): Promise<Released | Refused | Unknown>
}
