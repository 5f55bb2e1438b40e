import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { Logger } from "@medusajs/framework/types"
import { json } from "../kernel/database/database"
import { messageOf } from "../../../i18n/message"
import { audit } from "../kernel/database/audit"
import { Batcher } from "./delivery/batcher"
import { agentOnUse, type AgentOnUse } from "./delivery/guarded-agent"
import { send, type SendResult } from "./delivery/send"
import {
  acknowledgedValues,
  CLAIM,
  COUNT_DUE,
  DISABLE,
  NEXT_DUE,
  RECORD,
  RECORD_ACKNOWLEDGED,
} from "./delivery/statements"
import type { Acknowledged, ClaimedDelivery } from "./delivery/statements"
import { inDeliverySpan, named } from "./delivery/trace"
import { withOutcome } from "../kernel/http/callback-url"
import { clockNow, type Environment } from "../kernel/money/clock"
import { withinDeadline } from "../kernel/database/deadline"
import { eventBody } from "../kernel/database/events"
import type { Capacity } from "./receiver-concurrency"
import { ENDPOINT_FAILING_DAYS, nextDeliverySeconds } from "./retries"
import { newDeliveryAttemptId } from "../kernel/text/ids"
import { UnreadableSecret, type SecretBox } from "../kernel/database/secret-box"
import { signatureHeaders } from "./signature"
import type { Signing } from "./endpoints"
import type { Database, Sql } from "../kernel/database/database"
import { webhookAttempts } from "../kernel/http/metrics"
import type { Cradle } from "../kernel/types"
import { secretsOf } from "./signing"
import { textOf } from "../kernel/text/text"

/** When a clock is moved: sent at once, and of these to one receiver. */
const DRAINED = { atOnce: 128, perReceiver: 16 }
/** The database may be away for a moment, and what is not recorded is sent again: milliseconds between the tries. */
const RECORD_AGAIN_MS = [250, 500, 1_000, 2_000, 4_000]
/** For sending and recording together: shorter than the lease of a delivery (delivery/statements.ts). */
const DELIVERED_WITHIN_SECONDS = 50
const RECORDED_TOGETHER = 256
const ACKNOWLEDGED = 200
const GONE = 410

/** Sends what is due: claim (one statement), send (no transaction), record (one statement). */
export class WebhookDispatchService {
  private readonly database: Database
  /** Where claims and records go: the worker has connections for them that do not wait for the disk. */
  private queue: Sql
  private readonly agent: AgentOnUse
  private readonly secretBox: SecretBox
  private readonly logger: Logger
  private readonly lostClaims: string[] = []
  private readonly acknowledged = new Batcher<Acknowledged>(async (items) => {
    await this.queue.query(RECORD_ACKNOWLEDGED, acknowledgedValues(items), "gateway_webhook_acknowledged")
  }, RECORDED_TOGETHER)
  private closed = false

  constructor({ database, gatewayOptions, logger, secretBox }: Cradle) {
    this.database = database
    this.secretBox = secretBox
    this.logger = logger
    this.queue = database
    this.agent = agentOnUse({ allowPrivate: gatewayOptions.allowPrivateUrls })
  }

  /** The worker's connections while it runs; null: the store's own. */
  useConnections(queue: Sql | null): void {
    this.queue = queue ?? this.database
  }

  /**
   * Claims up to `limit` deliveries, of each receiver as many as `capacity` has places for. A claim whose answer got
   * lost may have been made: nobody knows of those deliveries, so the next claim gives them back instead of leaving
   * them to their lease.
   */
  async claim(limit: number, capacity: Capacity, onlyMerchant: string | null = null): Promise<ClaimedDelivery[]> {
    const token = randomUUID()
    const values = [limit, capacity.others, JSON.stringify(capacity.receivers), onlyMerchant, token]
    await this.giveBackLost()
    try {
      return await this.queue.query<ClaimedDelivery>(CLAIM, values, "gateway_webhook_claim")
    } catch (error) {
      this.lostClaims.push(token)
      throw error
    }
  }

  /**
   * Sends one and writes down what happened; answers whether it was acknowledged. It throws only when the database
   * fails, or does not answer before the deadline: the lease then runs out.
   */
  deliver(claimed: ClaimedDelivery): Promise<boolean> {
    return withinDeadline(DELIVERED_WITHIN_SECONDS, () => this.sendAndRecord(claimed))
  }

  private async sendAndRecord(claimed: ClaimedDelivery): Promise<boolean> {
    if (claimed.endpoint_active === false) {
      await this.giveUp(claimed)
      return false
    }
    const merchantNow = clockNow(new Date(), claimed.clock_offset_seconds)
    const body = JSON.stringify(claimed.ipn_body ?? eventBody(claimed))
    const result = await inDeliverySpan(claimed, () => this.signAndSend(claimed, body, merchantNow))
    webhookAttempts.inc({ outcome: result.status_code === ACKNOWLEDGED ? "acknowledged" : "failed" })
    if (result.status_code === ACKNOWLEDGED) {
      await this.acknowledge(claimed, result, merchantNow)
      return true
    }
    // The process is ending and has broken the connection off itself: that is no failure of the receiver.
    if (!this.closed || result.status_code !== null) {
      await this.recordPatiently(claimed, result, merchantNow)
    }
    return false
  }

  /**
   * A delivery that cannot be signed is not sent. It counts as a failed attempt, and is tried again until the operator
   * has found the key.
   */
  private async signAndSend(claimed: ClaimedDelivery, body: string, merchantNow: Date): Promise<SendResult> {
    let secrets: [string, ...string[]]
    try {
      secrets = await secretsOf(claimed, merchantNow, { database: this.database, box: this.secretBox })
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) {
        throw error
      }
      this.logger.error(`gateway: ${named(claimed)} cannot be signed: ${error.message}`)
      return {
        status_code: null,
        response: null,
        error: messageOf("delivery.secret_unreadable"),
        duration_ms: 0,
        retry_after_seconds: 0,
      }
    }
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = signatureHeaders({
      secrets,
      format: claimed.signature_format ?? "hex",
      id: claimed.event_id,
      timestamp,
      body,
    })
    return send(this.agent.get(), { url: targetOf(claimed), headers, body })
  }

  /** A sample to a URL, at once and outside the log (contract 4.7, /webhooks/test). */
  async sample(url: string, body: string, id: string, { secret, format }: Signing): Promise<SendResult> {
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = signatureHeaders({ secrets: [secret], format, id, timestamp, body })
    return send(this.agent.get(), { url, headers, body })
  }

  /**
   * For a merchant's sandbox clock: sends as many as are due at this moment. Returns the number of them. No DueWork of
   * the kernel: the claim divides the places between the receivers, as the dispatcher's does.
   */
  async drain(merchant_id: string): Promise<number> {
    const [{ due }] = await this.database.query<{ due: number }>(COUNT_DUE, [merchant_id])
    let sent = 0
    const claim = () => this.claim(DRAINED.atOnce, { receivers: {}, others: DRAINED.perReceiver }, merchant_id)
    for (let batch = await claim(); batch.length > 0; batch = sent < due ? await claim() : []) {
      await Promise.all(batch.map((claimed) => this.deliver(claimed)))
      sent += batch.length
    }
    return sent
  }

  /** When the next delivery of a merchant's sandbox is due, by its own clock; what a worker is sending is not. */
  async nextDue(merchant_id: string, after?: Date): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date | null }>(NEXT_DUE, [merchant_id, after ?? null])
    return row.at
  }

  async close(): Promise<void> {
    this.closed = true
    await this.agent.destroy()
  }

  /** Written while its endpoint was being switched off: nothing is sent to one that is off. */
  private async giveUp({ id, created_at, lock_token }: ClaimedDelivery): Promise<void> {
    await this.database.query(
      `UPDATE gateway_webhook_delivery SET state = 'failed', last_error = $3,
         locked_until = NULL, lock_token = NULL, updated_at = now()
       WHERE id = $1 AND created_at = $4 AND lock_token = $2`,
      [id, lock_token, json(messageOf("delivery.endpoint_off")), created_at]
    )
  }

  private async giveBackLost(): Promise<void> {
    const tokens = [...this.lostClaims]
    if (tokens.length > 0) {
      await this.database.query(
        `UPDATE gateway_webhook_delivery SET locked_until = NULL, lock_token = NULL
         WHERE state = 'pending' AND lock_token = ANY($1::text[])`,
        [tokens]
      )
      this.lostClaims.splice(0, tokens.length)
    }
  }

  /** Writes it together with others that have just been acknowledged, or alone if that fails. */
  private async acknowledge(claimed: ClaimedDelivery, result: SendResult, merchantNow: Date): Promise<void> {
    const { duration_ms, response } = result
    try {
      await this.acknowledged.add({
        id: claimed.id,
        created_at: claimed.created_at,
        lock_token: claimed.lock_token,
        attempt_id: newDeliveryAttemptId(),
        attempted_at: merchantNow,
        url: targetOf(claimed),
        duration_ms,
        status_code: ACKNOWLEDGED,
        response,
      })
    } catch {
      await this.recordPatiently(claimed, result, merchantNow)
    }
  }

  private async recordPatiently(claimed: ClaimedDelivery, result: SendResult, merchantNow: Date): Promise<void> {
    for (const wait of RECORD_AGAIN_MS) {
      try {
        return await this.record(claimed, result, merchantNow)
      } catch {
        await sleep(wait)
      }
    }
    return this.record(claimed, result, merchantNow)
  }

  private async record(claimed: ClaimedDelivery, result: SendResult, merchantNow: Date): Promise<void> {
    const delivered = result.status_code === ACKNOWLEDGED
    const failures = delivered ? 0 : claimed.failures + 1
    const seconds = delivered ? 0 : nextDeliverySeconds(failures, Math.random(), result.retry_after_seconds)
    const state = delivered ? "delivered" : seconds === null || result.status_code === GONE ? "failed" : "pending"
    const [endpoint] = await this.queue.query<{ id: string; failing_since: Date | null }>(
      RECORD,
      [
        claimed.id,
        claimed.lock_token,
        state,
        failures,
        seconds ?? 0,
        result.status_code,
        json(result.error),
        newDeliveryAttemptId(),
        merchantNow,
        result.duration_ms,
        result.response,
        targetOf(claimed),
        claimed.created_at,
      ],
      "gateway_webhook_record"
    )
    if (endpoint !== undefined && !delivered) {
      await this.giveUpOn(endpoint, result, merchantNow)
    }
  }

  /** 410 means gone; five days without one success mean the same. The merchant is notified by e-mail (a task of its own). */
  private async giveUpOn(
    endpoint: { id: string; failing_since: Date | null },
    result: SendResult,
    merchantNow: Date
  ): Promise<void> {
    const failingMs = merchantNow.getTime() - (endpoint.failing_since ?? merchantNow).getTime()
    const exhausted = failingMs >= ENDPOINT_FAILING_DAYS * 86_400_000
    if (result.status_code !== GONE && !exhausted) {
      return
    }
    const reason =
      result.status_code === GONE
        ? messageOf("endpoint.gone")
        : messageOf("endpoint.failing", { days: ENDPOINT_FAILING_DAYS })
    await this.database.transaction(async (sql) => {
      const [disabled] = await sql.query<{ merchant_id: string; environment: Environment }>(DISABLE, [
        endpoint.id,
        json(reason),
        json(messageOf("delivery.endpoint_off")),
      ])
      if (disabled !== undefined) {
        const after = { is_active: false, disabled_reason: reason }
        await audit(sql, { ...disabled, by: {}, action: "webhook_endpoint.disabled", resource_id: endpoint.id, after })
      }
    })
  }
}

/** Receivers of IPNs that exist read only the query (decisions: Callback URLs). */
function targetOf({ url, ipn_body }: ClaimedDelivery): string {
  return ipn_body === null
    ? url
    : withOutcome(url, { transaction_id: textOf(ipn_body.transaction_id), order_id: textOf(ipn_body.order_id) })
}
