import { ContainerRegistrationKeys, defineConfig, loadEnv, Modules } from "@medusajs/framework/utils"
import { dropUnwritableLines } from "./src/modules/gateway/kernel/http/log-output"

// As `withPaymentGateway` does for a store that has installed the plugin.
dropUnwritableLines()

loadEnv(process.env.NODE_ENV || "development", process.cwd())

const { DATABASE_URL, GATEWAY_PUBLIC_URL, REDIS_URL } = process.env

/** With REDIS_URL the store shares its events, workflows, locks and cache between processes. No money path needs it. */
const redisModules = REDIS_URL
  ? [
      { resolve: "@medusajs/medusa/event-bus-redis", options: { redisUrl: REDIS_URL } },
      { resolve: "@medusajs/medusa/workflow-engine-redis", options: { redis: { redisUrl: REDIS_URL } } },
      {
        resolve: "@medusajs/medusa/locking",
        options: {
          providers: [
            {
              resolve: "@medusajs/medusa/locking-redis",
              id: "locking-redis",
              is_default: true,
              options: { redisUrl: REDIS_URL },
            },
          ],
        },
      },
      {
        key: Modules.CACHING,
        resolve: "@medusajs/medusa/caching",
        options: {
          providers: [
            {
              resolve: "@medusajs/caching-redis",
              id: "caching-redis",
              is_default: true,
              options: { redisUrl: REDIS_URL },
            },
          ],
        },
      },
    ]
  : []

/**
 * Texts of products and deliveries in other languages. Medusa reads its own flags after this file, so the flag alone does
 * not load the module.
 */
const translationModules =
  process.env.MEDUSA_FF_TRANSLATION === "true" ? [{ resolve: "@medusajs/medusa/translation" }] : []

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: DATABASE_URL,
    redisUrl: REDIS_URL,
    http: {
      storeCors: process.env.STORE_CORS || "http://localhost:8000",
      adminCors: process.env.ADMIN_CORS || "http://localhost:9000",
      authCors: process.env.AUTH_CORS || "http://localhost:8000,http://localhost:9000",
      jwtSecret: process.env.JWT_SECRET,
      cookieSecret: process.env.COOKIE_SECRET,
    },
    // A browser drops a Secure cookie that comes over plain http, and nobody could sign in to the admin:
    // a deployment that says it is reached over http gets the cookie without the mark.
    cookieOptions: GATEWAY_PUBLIC_URL?.startsWith("http://") ? { secure: false } : {},
  },
  admin: { disable: process.env.DISABLE_MEDUSA_ADMIN === "true" },
  modules: [
    { resolve: "./src/modules/gateway" },
    {
      resolve: "@medusajs/medusa/payment",
      dependencies: ["gateway", ContainerRegistrationKeys.QUERY],
      options: {
        providers: [
          { resolve: "./src/providers/gateway-payment", id: "default" },
          { resolve: "./src/providers/gateway-cod", id: "cod" },
        ],
      },
    },
    {
      // This repository's store writes its e-mails into the log; a real one has a provider that sends them.
      resolve: "@medusajs/medusa/notification",
      options: {
        providers: [
          { resolve: "@medusajs/medusa/notification-local", id: "local", options: { channels: ["feed", "email"] } },
        ],
      },
    },
    ...translationModules,
    ...redisModules,
  ],
})
