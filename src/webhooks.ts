/** For receivers of webhooks and IPNs: `import { verifyWebhook } from "medusa-payment-gateway/webhooks"`. */
export { verifyWebhook } from "./modules/gateway/webhooks/signature"
