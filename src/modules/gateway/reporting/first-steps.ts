import type { Database } from "../kernel/database/database"
import type { Cradle } from "../kernel/types"

const PAID = "state IN ('SUCCESS', 'REFUNDED')"
const LIVE = `SELECT 1 FROM gateway_transaction WHERE merchant_id = $1 AND environment = 'production' AND ${PAID}`

/**
 * What a merchant has done before it takes real money, in order, and the fact that shows it: each is a question to an
 * index about the merchant $1.
 */
const FACTS = {
  /** Shoppers can reach the merchant. */
  profile: `SELECT 1 FROM gateway_merchant WHERE id = $1
    AND COALESCE(profile ->> 'support_email', profile ->> 'support_phone', profile ->> 'support_url', profile ->> 'address') IS NOT NULL`,
  /** A connection has worked, or real money has come through one of the deployment's own acquirers. */
  acquirer: `SELECT 1 FROM gateway_acquirer_account WHERE merchant_id = $1 AND is_active AND worked_at IS NOT NULL
    UNION ALL ${LIVE}`,
  webhook: "SELECT 1 FROM gateway_webhook_endpoint WHERE merchant_id = $1 AND is_active AND deleted_at IS NULL",
  /** Sandbox payments are deleted after a week; a merchant who takes real money has tested. */
  test_payment: `SELECT 1 FROM gateway_transaction WHERE merchant_id = $1 AND environment = 'sandbox' AND ${PAID}
    UNION ALL ${LIVE}`,
  live: LIVE,
} as const

type FirstStep = keyof typeof FACTS
type FirstSteps = { name: FirstStep; done: boolean }[]

const STEPS = Object.keys(FACTS) as FirstStep[]

/** The checklist of a new merchant; its steps are marked done from what has happened. */
export class FirstStepsService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  async read(merchant_id: string): Promise<FirstSteps> {
    const [done] = await this.database.query<Record<FirstStep, boolean>>(
      `SELECT EXISTS (${FACTS.profile}) AS profile, EXISTS (${FACTS.acquirer}) AS acquirer, EXISTS (${FACTS.webhook}) AS webhook,
         EXISTS (${FACTS.test_payment}) AS test_payment, EXISTS (${FACTS.live}) AS live`,
      [merchant_id]
    )
    return STEPS.map((name) => ({ name, done: done[name] }))
  }
}
