import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * A proposal used to be confirmed in one transaction and refunded in the next. Those that were cut off in between get
 * the refund that was made for them, or are open again: from now on a confirmed one always has its refund.
 */
const CUT_OFF = [
  `update gateway_refund_proposal p set refund_id = r.id from gateway_refund r
   where p.state = 'confirmed' and p.refund_id is null
     and r.transaction_id = p.transaction_id and r.request_key = 'proposal:' || p.id || ':' || p.tries;`,
  `update gateway_refund_proposal
   set state = 'open', confirmed_minor = null, confirmed_by = null, confirmed_at = null
   where state = 'confirmed' and refund_id is null;`,
]

export class Migration20261121160440 extends Migration {

  override async up(): Promise<void> {
    CUT_OFF.forEach((statement) => this.addSql(statement))
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_refund_list_by_state" ON "gateway_refund" ("merchant_id", "environment", "state", "requested_at", "id") WHERE state <> 'completed';`)
    this.addSql(`drop index if exists "IDX_gateway_refund_proposal_confirmed_at";`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_refund_proposal_open" ON "gateway_refund_proposal" ("merchant_id", "environment", "created_at") WHERE state = 'open';`)
    this.addSql(`alter table if exists "gateway_refund_proposal" add constraint gateway_refund_proposal_refund check(state <> 'confirmed' OR refund_id IS NOT NULL);`)
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_gateway_refund_list_by_state";`)
    this.addSql(`drop index if exists "IDX_gateway_refund_proposal_open";`)
    this.addSql(`alter table if exists "gateway_refund_proposal" drop constraint if exists gateway_refund_proposal_refund;`)
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_gateway_refund_proposal_confirmed_at" ON "gateway_refund_proposal" ("confirmed_at") WHERE state = 'confirmed' AND refund_id IS NULL;`)
  }

}
