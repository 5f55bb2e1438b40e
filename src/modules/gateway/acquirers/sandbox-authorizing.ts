import { randomBytes } from "node:crypto"
import type { Database } from "../kernel/database/database"
import type { AuthorizationRequest, Authorizing, CaptureRequest, Released } from "./authorization-port"
import type { Absent, Done, Refused, Unknown } from "./port"

type Captured = { outcome: "SUCCESS" | "CAPTURE_FAILED"; reference: string; amount_minor: number; currency: string }
type Held = { amount_minor: number; captures_fail: boolean; authorized_until: Date; released: boolean; taken: number }

const BOOKED = "outcome, reference, amount_minor, currency"

/** How the sandbox's bank takes and releases money that it has reserved, in the same book (decisions: Captures). */
export class SandboxAuthorizing implements Authorizing<Done, Refused, Unknown, Absent> {
  constructor(private readonly database: Database) {}

  /** The first request wins: the same key again returns the first answer and moves nothing. */
  async capture(request: CaptureRequest): Promise<Done | Refused | Unknown> {
    const { key, amount, currency, authorization, now } = request
    return this.database.transaction(async (sql) => {
      await sql.query("SELECT 1 FROM gateway_sandbox_operation WHERE kind = 'authorization' AND key = $1 FOR UPDATE", [
        authorization.key,
      ])
      const [held] = await sql.query<Held>(
        `SELECT o.amount_minor, o.captures_fail, o.authorized_until,
           EXISTS (SELECT 1 FROM gateway_sandbox_operation r WHERE r.kind = 'release' AND r.key = o.key) AS released,
           COALESCE((SELECT sum(c.amount_minor) FROM gateway_sandbox_operation c
             WHERE c.kind = 'capture' AND c.charge_key = o.key AND c.key <> $2 AND c.outcome = 'SUCCESS'), 0)::int AS taken
         FROM gateway_sandbox_operation o
         WHERE o.kind = 'authorization' AND o.key = $1 AND o.outcome = 'SUCCESS' AND o.authorized_until IS NOT NULL`,
        [authorization.key, key]
      )
      if (held === undefined) {
        return { result: "refused", code: "PAYMENT_NOT_FOUND", message: "The acquirer has reserved no such money" }
      }
      const isOver = held.released || now >= held.authorized_until
      const isTooMuch = amount > BigInt(held.amount_minor - held.taken)
      const outcome = held.captures_fail || isOver || isTooMuch ? "CAPTURE_FAILED" : "SUCCESS"
      const [booked] = await sql.query<Captured>(
        `INSERT INTO gateway_sandbox_operation AS book (id, key, kind, charge_key, outcome, amount_minor, currency, reference, available_at)
         VALUES ($1, $2, 'capture', $3, $4, $5, $6, $7, $8)
         ON CONFLICT (kind, key) DO UPDATE SET tries = book.tries + 1, updated_at = now() RETURNING ${BOOKED}`,
        [
          `sbo_${randomBytes(13).toString("hex")}`,
          key,
          authorization.key,
          outcome,
          Number(amount),
          currency,
          `SBX${randomBytes(8).toString("hex").toUpperCase()}`,
          now,
        ]
      )
      return answerOf(booked)
    })
  }

  async captureStatus({ key }: CaptureRequest): Promise<Done | Refused | Unknown | Absent> {
    const [booked] = await this.database.query<Captured>(
      `SELECT ${BOOKED} FROM gateway_sandbox_operation WHERE kind = 'capture' AND key = $1`,
      [key]
    )
    return booked === undefined ? { result: "absent" } : answerOf(booked)
  }

  async release({ key, amount, currency, now }: AuthorizationRequest): Promise<Released> {
    await this.database.query(
      `INSERT INTO gateway_sandbox_operation AS book (id, key, kind, charge_key, outcome, amount_minor, currency, reference, available_at)
       VALUES ($1, $2, 'release', $2, 'SUCCESS', $3, $4, $5, $6)
       ON CONFLICT (kind, key) DO UPDATE SET tries = book.tries + 1, updated_at = now()`,
      [
        `sbo_${randomBytes(13).toString("hex")}`,
        key,
        Number(amount),
        currency,
        `SBX${randomBytes(8).toString("hex").toUpperCase()}`,
        now,
      ]
    )
    return { result: "released" }
  }
}

function answerOf({ outcome, reference, amount_minor, currency }: Captured): Done | Refused {
  return outcome === "SUCCESS"
    ? { result: "done", reference, amount: BigInt(amount_minor), currency }
    : { result: "refused", code: outcome, message: "The acquirer refused the capture" }
}
