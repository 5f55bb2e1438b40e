import { messageOf } from "../../../i18n/message"
import type { Database } from "../kernel/database/database"
import { DUE_WORK, DueWork } from "../kernel/database/due-work"
import { GatewayError } from "../kernel/errors"
import { hashPortalToken, newOrderedId, newPortalToken } from "../kernel/text/ids"
import type { Language } from "../../../i18n/languages"
import type { GatewayOptions } from "../kernel/options"
import type { Cradle, Tenant } from "../kernel/types"
import { shopName, type StoredProfile } from "../merchants/profile-rules"
import type { StoreConnection, WithStore } from "../store-port"
import { linkMail } from "./link-mail"
import { claimLinks, giveLink, moveLink, planLink, type DueLink } from "./records"
import { portalUrl } from "./rules"

const TEMPLATE = "gateway-portal-link"

/** The merchant whose page asks for an e-mail address. */
export type PortalMerchant = Tenant & { name: string; profile: StoredProfile }

/**
 * Links by e-mail, for customers who ask for one. The link is made when its e-mail is sent, because only its hash is
 * stored; each try has its own, and the earlier one is no longer valid.
 */
export class PortalLoginService {
  private readonly database: Database
  private readonly options: GatewayOptions
  private readonly store: StoreConnection
  readonly due: DueWork<DueLink>

  constructor({ database, logger, gatewayOptions, storePort }: Cradle & WithStore) {
    this.database = database
    this.options = gatewayOptions
    this.store = storePort
    this.due = new DueWork(logger, DUE_WORK.portalMail, {
      id: ({ id }) => id,
      claim: (limit, { seconds }) => claimLinks(database, limit, seconds),
      work: (link) => this.send(link),
      failures: ({ tries }) => tries - 1,
      failed: (link, { retry_seconds }) => moveLink(database, link, retry_seconds),
    })
  }

  /** Null: there is no such merchant. */
  async merchant({ merchant_id, environment }: Tenant): Promise<PortalMerchant | null> {
    const [row] = await this.database.query<{ name: string; profile: StoredProfile }>(
      `SELECT m.name, m.profile FROM gateway_merchant m JOIN gateway_merchant_environment e ON e.merchant_id = m.id
       WHERE m.id = $1 AND e.environment = $2`,
      [merchant_id, environment]
    )
    return row === undefined ? null : { merchant_id, environment, ...row }
  }

  /**
   * Sends the merchant's customer with this address a link, soon. Nothing shows whether there is one: the caller's answer
   * must not depend on anything, nor the time that it takes: the same statements run for everybody.
   */
  async request(tenant: Tenant, request: { email: string; language: Language }): Promise<void> {
    await this.database.transaction(async (sql) => {
      await planLink(sql, tenant, { id: newOrderedId("prs"), ...request })
      await sql.query("SELECT gateway_add_job('send-portal-links') AS queued")
    })
  }

  private async send(link: DueLink): Promise<void> {
    const { publicUrl, mailLanguage } = this.options
    const { connected: store } = this.store
    if (publicUrl === undefined) {
      // A link made of a request's Host header could be forged, so it is this address or none.
      throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("mail.no_public_url"))
    }
    const token = newPortalToken()
    if (!(await giveLink(this.database, link, hashPortalToken(token)))) {
      return
    }
    const { id, customer_name, customer_email, environment } = link
    const language = link.language ?? mailLanguage
    const merchant_name = shopName(link.merchant_name, link.profile, language)
    const url = portalUrl(publicUrl.replace(/\/$/, ""), token)
    const shown = { merchant: merchant_name, name: customer_name, url, language, environment }
    await store.sendMail({
      occasion: `${TEMPLATE}:${id}:${link.tries}`,
      template: TEMPLATE,
      to: customer_email,
      ...linkMail(shown),
      data: { customer_name, merchant_name, url, language },
      resource: { id, type: "gateway_portal_session" },
    })
    await moveLink(this.database, link, null)
  }
}
