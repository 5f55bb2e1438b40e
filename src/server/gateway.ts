import { readdirSync } from "node:fs"
import { join } from "node:path"
import { asValue } from "@medusajs/framework/awilix"
import { pgConnectionLoader } from "@medusajs/framework/database"
import { logger as medusaLogger } from "@medusajs/framework/logger"
import type { LoaderOptions, Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, createMedusaContainer } from "@medusajs/framework/utils"
import { gatewayFrom, releaseGateway, type Gateway, type ModuleCradle } from "../modules/gateway/container"
import type { Database } from "../modules/gateway/kernel/database"
import { startNotices } from "../modules/gateway/kernel/start-notices"
import registerResources from "../modules/gateway/loaders/resources"
import { loadStoreConfig } from "./store-config"

const MIGRATIONS = join(__dirname, "../modules/gateway/migrations")

/** The gateway of a store, in a process that has nothing else of the store. */
export type GatewayProcess = {
  gateway: Gateway
  logger: Logger
  database: Database
  /** Null, or why this process cannot answer requests at the moment. */
  problem(): Promise<"database" | "migrations" | null>
  /** Writes what waits to be written and closes every connection. */
  close(): Promise<void>
}

/**
 * Makes the gateway's services as Medusa's module loader does: from the store's configuration, on a connection pool as
 * the store's. No other module of Medusa is loaded, so that the process starts in a moment.
 */
export async function openGateway(directory: string): Promise<GatewayProcess> {
  const { config, options } = await loadStoreConfig(directory)
  const logger = config.logger ?? (medusaLogger as Logger)
  const connection = await pgConnectionLoader()
  const container = createMedusaContainer()
  container.register({
    [ContainerRegistrationKeys.PG_CONNECTION]: asValue(connection),
    [ContainerRegistrationKeys.LOGGER]: asValue(logger),
    [ContainerRegistrationKeys.CONFIG_MODULE]: asValue(config),
  })
  await registerResources({ container, options } as unknown as LoaderOptions)
  const cradle = container.cradle as unknown as ModuleCradle
  const gateway = gatewayFrom(cradle)
  for (const { level, text } of startNotices(gateway.options)) {
    logger[level](text)
  }
  return {
    gateway,
    logger,
    database: cradle.database,
    problem: problemOf(cradle.database),
    close: async () => {
      await releaseGateway(gateway)
      await connection.destroy()
    },
  }
}

/** Migrations are never taken back: once they are found, the database only has to answer. */
function problemOf(database: Database): GatewayProcess["problem"] {
  let migrated = false
  return async () => {
    try {
      await (migrated ? database.query("SELECT 1 AS reachable") : undefined)
      migrated ||= await isMigrated(database)
      return migrated ? null : "migrations"
    } catch {
      return "database"
    }
  }
}

async function isMigrated(database: Database): Promise<boolean> {
  const [table] = await database.query<{ has: boolean }>(
    "SELECT to_regclass('mikro_orm_migrations') IS NOT NULL AS has"
  )
  const done = table.has ? await database.query<{ name: string }>("SELECT name FROM mikro_orm_migrations") : []
  const names = new Set(done.map(({ name }) => name.replace(/\.(js|ts)$/, "")))
  return ownMigrations().every((name) => names.has(name))
}

function ownMigrations(): string[] {
  return readdirSync(MIGRATIONS).flatMap((file) => /^(Migration[0-9]+)\.(js|ts)$/.exec(file)?.[1] ?? [])
}
