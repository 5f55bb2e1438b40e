/** For receivers of webhooks and IPNs: `import { verifyWebhook } from "medusa-payment-gateway/webhooks"`. */
export { verifyWebhook, type VerifyOptions } from "./modules/gateway/webhooks/signature"
