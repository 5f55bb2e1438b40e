import { messageOf } from "../../../i18n/message"
import { actorOf, audit, type By } from "../kernel/database/audit"
import type { AuditAction } from "../kernel/database/logged-actions"
import type { Database, Sql } from "../kernel/database/database"
import { fault, GatewayError, validationError } from "../kernel/errors"
import { newOrderedId } from "../kernel/text/ids"
import type { Cradle, Tenant } from "../kernel/types"
import type { Evidence } from "../acquirers/dispute-port"
import { findDispute, holdDispute, type Dispute, type Held } from "./records"
import type { DisputeReportService } from "./reports"
import { checkFile, requireAnswerable, safeFileName, type FileKind, type MediaType } from "./rules"
import type { DisputeService } from "./service"

/** A file of evidence, without what is in it. */
export type EvidenceFile = {
  id: string
  kind: FileKind
  file_name: string
  media_type: MediaType
  size_bytes: number
  uploaded_by: string
  uploaded_at: Date
}

/** Longer than the slowest submission takes: up to seven files, each with a time limit of its own. */
const SUBMITTING = "interval '5 minutes'"
/** Before that time is over: the acquirer may have the evidence although its answer was lost. */
const ASKED_AFTER = "interval '4 minutes'"

const FILE_COLUMNS = "f.id, f.kind, f.file_name, f.media_type, f.size_bytes, f.uploaded_by, f.uploaded_at"

/** The evidence of disputes: a text, and one file of each kind, until it is submitted (docs/decisions/10). */
export class DisputeEvidenceService {
  private readonly database: Database
  private readonly disputes: DisputeService
  private readonly reports: DisputeReportService

  constructor(cradle: Cradle & { disputeService: DisputeService; disputeReportService: DisputeReportService }) {
    this.database = cradle.database
    this.disputes = cradle.disputeService
    this.reports = cradle.disputeReportService
  }

  /** The files of a dispute. Throws DISPUTE_NOT_FOUND, for another tenant's too. */
  async list(tenant: Tenant, id: string): Promise<EvidenceFile[]> {
    const { id: dispute_id } = await findDispute(this.database, id, tenant)
    return this.database.query<EvidenceFile>(
      `SELECT ${FILE_COLUMNS} FROM gateway_dispute_file f WHERE f.dispute_id = $1 ORDER BY f.uploaded_at, f.id`,
      [dispute_id]
    )
  }

  /** Errors: DISPUTE_NOT_FOUND, also for another tenant's file. */
  async read(tenant: Tenant, id: string, file_id: string): Promise<EvidenceFile & { content: Buffer }> {
    const [file] = await this.database.query<EvidenceFile & { content: Uint8Array }>(
      `SELECT ${FILE_COLUMNS}, f.content FROM gateway_dispute_file f JOIN gateway_dispute d ON d.id = f.dispute_id
       WHERE f.id = $1 AND d.id = $2 AND d.merchant_id = $3 AND d.environment = $4`,
      [file_id, id, tenant.merchant_id, tenant.environment]
    )
    if (file === undefined) {
      throw new GatewayError("DISPUTE_NOT_FOUND")
    }
    return { ...file, content: Buffer.from(file.content) }
  }

  /**
   * Replaces the text; null: there is none. Errors: DISPUTE_NOT_FOUND, INVALID_STATE_TRANSITION (it is submitted, or is
   * being submitted).
   */
  async write(tenant: Tenant & By, id: string, text: string | null): Promise<Dispute> {
    return this.change(tenant, id, async (sql, { dispute }) => {
      await sql.query("UPDATE gateway_dispute SET evidence_text = $2, updated_at = now() WHERE id = $1", [id, text])
      await note(sql, dispute, tenant, "dispute.evidence_written", { characters: text?.length ?? 0 })
    })
  }

  /**
   * Adds a file. `name` is what the admin's computer calls it. Errors: as `write`; VALIDATION_ERROR (field `file`: no PDF,
   * JPEG or PNG by its content, too large; field `kind`: there is one of this kind).
   */
  async add(
    tenant: Tenant & By,
    id: string,
    { kind, name, content }: { kind: FileKind; name: string; content: Buffer }
  ): Promise<Dispute> {
    return this.change(tenant, id, async (sql, { dispute, now }) => {
      const others = await sql.query<{ kind: FileKind; size_bytes: number }>(
        "SELECT kind, size_bytes FROM gateway_dispute_file WHERE dispute_id = $1",
        [id]
      )
      if (others.some((other) => other.kind === kind)) {
        throw validationError([fault("kind", messageOf("rule.evidence_kind"))])
      }
      const media_type = checkFile(
        content,
        others.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
      )
      const file_name = safeFileName(name, media_type)
      await sql.query(
        `INSERT INTO gateway_dispute_file (id, dispute_id, kind, file_name, media_type, size_bytes, content, uploaded_by, uploaded_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [newOrderedId("dsf"), id, kind, file_name, media_type, content.length, content, actorOf(tenant).id, now]
      )
      await note(sql, dispute, tenant, "dispute.file_added", { kind, file_name, bytes: content.length })
    })
  }

  /** Errors: as `write`; DISPUTE_NOT_FOUND for a file that is not the dispute's. */
  async remove(tenant: Tenant & By, id: string, file_id: string): Promise<Dispute> {
    return this.change(tenant, id, async (sql, { dispute }) => {
      const [removed] = await sql.query<{ kind: FileKind; file_name: string }>(
        "DELETE FROM gateway_dispute_file WHERE id = $1 AND dispute_id = $2 RETURNING kind, file_name",
        [file_id, id]
      )
      if (removed === undefined) {
        throw new GatewayError("DISPUTE_NOT_FOUND")
      }
      await note(sql, dispute, tenant, "dispute.file_removed", removed)
    })
  }

  /**
   * Submits the evidence: to the acquirer where it reports disputes; otherwise this records that the merchant has sent it.
   * It can be done once. What the acquirer gets stays as it is while nobody knows whether it has it. Errors:
   * DISPUTE_NOT_FOUND, INVALID_STATE_TRANSITION, VALIDATION_ERROR (there is none), INVALID_REQUEST (the acquirer refuses),
   * SERVICE_UNAVAILABLE (it does not answer).
   */
  async submit(tenant: Tenant & By, id: string): Promise<Dispute> {
    const dispute = await findDispute(this.database, id, tenant)
    requireAnswerable(dispute)
    if (dispute.source === "admin") {
      return this.disputes.decide(tenant, id, { on: "submit" })
    }
    const { evidence, until } = await this.database.transaction((sql) => takeEvidence(sql, tenant, id))
    try {
      return await this.reports.submit(dispute, evidence, tenant)
    } catch (error) {
      if (GatewayError.is(error) && error.code !== "SERVICE_UNAVAILABLE") {
        await this.database.query(
          "UPDATE gateway_dispute SET submitting_until = NULL WHERE id = $1 AND submitting_until = $2",
          [id, until]
        )
      }
      throw error
    }
  }

  /** Under the lock that a submission holds too when it reads the evidence: what is submitted does not change. */
  private async change(tenant: Tenant, id: string, work: (sql: Sql, held: Held) => Promise<void>): Promise<Dispute> {
    return this.database.transaction(async (sql) => {
      const held = await holdDispute(sql, id, tenant)
      await requireUnsent(sql, held.dispute)
      await work(sql, held)
      return findDispute(sql, id, tenant)
    })
  }
}

/** Errors: as `write`. */
async function requireUnsent(sql: Sql, dispute: Dispute): Promise<void> {
  requireAnswerable(dispute)
  const sending = await sql.query("SELECT id FROM gateway_dispute WHERE id = $1 AND submitting_until > now()", [
    dispute.id,
  ])
  if (sending.length > 0) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.dispute_submitting"))
  }
}

/** Reads what is to be sent to the acquirer and fixes it, under the lock of its changes. */
async function takeEvidence(sql: Sql, tenant: Tenant, id: string): Promise<{ evidence: Evidence; until: Date }> {
  const { dispute } = await holdDispute(sql, id, tenant)
  await requireUnsent(sql, dispute)
  const { acquirer_reference: reference, evidence_text: text } = dispute
  const files = await sql.query<{ kind: FileKind; name: string; media_type: MediaType; content: Uint8Array }>(
    "SELECT kind, file_name AS name, media_type, content FROM gateway_dispute_file WHERE dispute_id = $1 ORDER BY id",
    [id]
  )
  if (text === null && files.length === 0) {
    throw validationError([fault("evidence_text", messageOf("rule.evidence_missing"))])
  }
  const [{ submitting_until: until }] = await sql.query<{ submitting_until: Date }>(
    `UPDATE gateway_dispute SET submitting_until = date_trunc('milliseconds', now()) + ${SUBMITTING},
       inquiry_at = LEAST(inquiry_at, now() + ${ASKED_AFTER})
     WHERE id = $1 RETURNING submitting_until`,
    [id]
  )
  return { evidence: { reference, text, files }, until }
}

async function note(
  sql: Sql,
  { id: resource_id, merchant_id, environment }: Dispute,
  by: By,
  action: AuditAction,
  after: Record<string, unknown>
): Promise<void> {
  await audit(sql, { merchant_id, environment, by, action, resource_id, after })
}
