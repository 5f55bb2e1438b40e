import { claimedBy, type Database } from "./database"
import { GatewayError, type FieldError } from "./errors"
import { messageOf, type Message } from "../../../i18n/message"
import { newId } from "./ids"
import { SEALED } from "./sealed-columns"
import type { SecretBox } from "./secret-box"
import { currentTraceparent } from "./tracing"
import type { Cradle } from "./types"

/** What an API process asks of a store process; src/store does it (store-port.ts). */
export const STORE_CALLS = ["pay", "cancel", "leave", "confirm", "follow_hint", "complete_cart", "move_clock"] as const
export type StoreCallKind = (typeof STORE_CALLS)[number]

/**
 * `input` decrypts, and throws when it cannot be decrypted: the call is taken by then, so that it has to be answered, and
 * the others of its claim worked on. `traceparent`: the trace of the request that asks.
 */
export type ClaimedStoreCall = { id: string; kind: StoreCallKind; input: () => unknown; traceparent: string | null }

/** What became of a call. A refusal is for the caller; a fault is the store's own and is in its log. */
export type StoreAnswer =
  | { result: unknown }
  | { refusal: { code: GatewayError["code"]; reason: Message; field?: string; details?: readonly FieldError[] } }
  | { fault: string }

/** The channel of PostgreSQL that says that there is a call. */
export const STORE_CALL_CHANNEL = "gateway_store_calls"

/** How long a call waits for a store process to take it. Nothing has been done when none does. */
const TAKEN_WITHIN_SECONDS = 5
/** How long a process that has taken a call may work on it. */
const ANSWERED_WITHIN_SECONDS: Readonly<Record<StoreCallKind, number>> = {
  pay: 60,
  cancel: 60,
  leave: 60,
  confirm: 60,
  follow_hint: 60,
  complete_cart: 60,
  move_clock: 600,
}
/** How often a process reports that it still works on a call (`heartbeat`). */
export const HEARTBEAT_MS = 2_000
/** A process without a heartbeat for so long is gone: longer than a restart of PostgreSQL and a stalled network. */
const SILENT_SECONDS = 20
const FIRST_LOOK_MS = 5
const LONGEST_LOOK_MS = 200

/**
 * Calls from API processes to store processes, as rows. A call is taken at most once and never again: when the process
 * that has taken it dies, what it did is what it would have done in a request of its own, and the reconcilers finish
 * that. Inputs and answers are encrypted, because an input may hold a card number of the sandbox.
 */
export class StoreCallService {
  private readonly database: Database
  private readonly secretBox: SecretBox

  constructor({ database, secretBox }: Cradle) {
    this.database = database
    this.secretBox = secretBox
  }

  /**
   * Has a store process do something, and answers its result. Errors: the refusal of the store; SERVICE_UNAVAILABLE when
   * no process takes the call (nothing is done then), or the one that did has not answered in time, or is gone.
   */
  async ask(kind: StoreCallKind, input: unknown): Promise<unknown> {
    const id = newId("gsc")
    const sealed = this.secretBox.seal(JSON.stringify(input), SEALED.storeCallInput, id)
    await this.database.query(
      `WITH made AS (INSERT INTO gateway_store_call (id, kind, input, state, take_by, traceparent)
                     VALUES ($1, $2, $3, 'waiting', now() + $4 * interval '1 second', $6) RETURNING id)
       SELECT pg_notify($5, '') AS notified FROM made`,
      [id, kind, sealed, TAKEN_WITHIN_SECONDS, STORE_CALL_CHANNEL, currentTraceparent()]
    )
    const stored = (await this.look(id, TAKEN_WITHIN_SECONDS)) ?? (await this.afterWaiting(id, kind))
    return resultOf(id, JSON.parse(this.secretBox.open(stored, SEALED.storeCallAnswer, id)) as StoreAnswer)
  }

  private async afterWaiting(id: string, kind: StoreCallKind): Promise<string> {
    const withdrawn = await this.database.query<{ id: string }>(
      "DELETE FROM gateway_store_call WHERE id = $1 AND state = 'waiting' RETURNING id",
      [id]
    )
    if (withdrawn.length > 0) {
      throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.no_store_process"))
    }
    const stored = await this.look(id, ANSWERED_WITHIN_SECONDS[kind])
    if (stored === null) {
      throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.store_process_late"))
    }
    return stored
  }

  /**
   * Looks for the answer, ever less often, and removes it with its call. Null: there is none within `seconds`, or none
   * is to be expected, because the process that has taken the call is silent.
   */
  private async look(id: string, seconds: number): Promise<string | null> {
    const until = performance.now() + seconds * 1_000
    for (let wait = FIRST_LOOK_MS; performance.now() < until; wait = Math.min(wait * 1.5, LONGEST_LOOK_MS)) {
      await new Promise((done) => setTimeout(done, wait))
      const [row] = await this.database.query<{ answer: string | null }>(
        `WITH answered AS (DELETE FROM gateway_store_call WHERE id = $1 AND state = 'answered' RETURNING answer)
         SELECT answer FROM answered
         UNION ALL SELECT NULL FROM gateway_store_call
         WHERE id = $1 AND state = 'taken' AND updated_at < now() - $2 * interval '1 second'`,
        [id, SILENT_SECONDS]
      )
      if (row !== undefined) {
        return row.answer
      }
    }
    return null
  }

  /** Takes waiting calls of these kinds for this process alone. */
  async claim(kinds: readonly StoreCallKind[], limit: number): Promise<ClaimedStoreCall[]> {
    const rows = await this.database.query<Omit<ClaimedStoreCall, "input"> & { input: string }>(
      `UPDATE gateway_store_call SET state = 'taken', updated_at = now()
       WHERE id ${claimedBy(`SELECT id FROM gateway_store_call WHERE state = 'waiting' AND take_by > now() AND kind = ANY($2)
                    ORDER BY take_by, id LIMIT $1 FOR UPDATE SKIP LOCKED`)}
       RETURNING id, kind, input, traceparent`,
      [limit, kinds]
    )
    return rows.map(({ id, input, ...call }) => ({
      ...call,
      id,
      input: () => JSON.parse(this.secretBox.open(input, SEALED.storeCallInput, id)) as unknown,
    }))
  }

  /** Says that this process still works on calls that it has taken. */
  async heartbeat(ids: readonly string[]): Promise<void> {
    await this.database.query(
      "UPDATE gateway_store_call SET updated_at = now() WHERE id = ANY($1) AND state = 'taken'",
      [ids]
    )
  }

  async answer(id: string, answer: StoreAnswer): Promise<void> {
    const sealed = this.secretBox.seal(JSON.stringify(answer), SEALED.storeCallAnswer, id)
    await this.database.query(
      "UPDATE gateway_store_call SET state = 'answered', answer = $2, updated_at = now() WHERE id = $1 AND state = 'taken'",
      [id, sealed]
    )
  }

  /** Deletes calls that nobody waits for any more; returns how many. */
  async purge(): Promise<number> {
    const gone = await this.database.query<{ id: string }>(
      "DELETE FROM gateway_store_call WHERE take_by < now() - interval '1 hour' RETURNING id"
    )
    return gone.length
  }
}

/** A fault names the call: the log of the store process has its cause under that id. */
function resultOf(id: string, answer: StoreAnswer): unknown {
  if ("result" in answer) {
    return answer.result
  }
  if ("refusal" in answer) {
    const { code, reason, field, details } = answer.refusal
    throw new GatewayError(code, reason, { field, details })
  }
  throw new Error(`a store process failed (call ${id}): ${answer.fault}`)
}
