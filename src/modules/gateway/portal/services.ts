import { PortalAccountService } from "./account"
import { CancellationMailService } from "./cancellation-mails"
import { PortalLoginService } from "./logins"
import { PortalSessionService } from "./sessions"

/** The services of the customer portal, by the names that code outside the module uses (container.ts). */
export const PORTAL_SERVICES = {
  cancellationMails: CancellationMailService,
  portalAccounts: PortalAccountService,
  portalLogins: PortalLoginService,
  portalSessions: PortalSessionService,
}
