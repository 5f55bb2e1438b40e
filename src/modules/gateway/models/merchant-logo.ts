import { model } from "@medusajs/framework/utils"

/**
 * A merchant's logo. `file` is the SHA-256 of its content and its type, so an address never changes its picture; a logo
 * that is replaced stays, because e-mails that were sent show it. `content` is base64.
 */
export const GatewayMerchantLogo = model
  .define("gateway_merchant_logo", {
    id: model.id({ prefix: "mlg" }).primaryKey(),
    file: model.text(),
    content: model.text(),
  })
  .indexes([{ on: ["file"], unique: true }])
