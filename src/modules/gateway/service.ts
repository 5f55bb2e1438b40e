import { setTimeout as pause } from "node:timers/promises"
import { MedusaService } from "@medusajs/framework/utils"
import { gatewayFrom, releaseGateway, type Gateway, type ModuleCradle } from "./container"
import type { ConnectionGuard } from "./http-server/connections"
import { GatewayPlan } from "./models/plan"
import { needsOwnKeys } from "./kernel/options"
import { startWarnings } from "./kernel/http/start-warnings"
import { WorkerPort } from "./worker/port"
import { tasksOf } from "./worker/tasks"
import { GatewayWorker } from "./worker/worker"

/** The one model that links/ refers to: Query reads it through the methods that Medusa generates. */
const Models = MedusaService({ GatewayPlan })

/** How long an ending process waits for the work of requests whose clients have left. */
const SETTLE_MS = 30_000

type Read = "retrieveGatewayPlan" | "listGatewayPlans" | "listAndCountGatewayPlans"

/**
 * Medusa also generates writers for a model. They would bypass every rule, lock and audit entry of the services, so
 * they are removed.
 */
for (const write of ["create", "update", "delete", "softDelete", "restore"]) {
  Reflect.deleteProperty(Models.prototype, `${write}GatewayPlans`)
}

/** Medusa's service for Query, plus the gateway's services, which the constructor adds. */
const Base = Models as unknown as new (
  ...given: ConstructorParameters<typeof Models>
) => Pick<InstanceType<typeof Models>, Read> & Gateway

/** The gateway's façade: its services by name (container.ts), and the start and stop of the worker. No logic here. */
export default class GatewayModuleService extends Base {
  /** Where src/front-door opens the door of the store's http server. */
  readonly connectionGuard: ConnectionGuard
  readonly __hooks: {
    onApplicationStart: () => Promise<void>
    onApplicationPrepareShutdown: () => Promise<void>
    onApplicationShutdown: () => Promise<void>
  }

  constructor(cradle: ModuleCradle, ...rest: unknown[]) {
    super(cradle, ...rest)
    Object.assign(this, gatewayFrom(cradle))
    this.connectionGuard = cradle.connectionGuard
    const tasks = () => tasksOf(this, this.storePort.connected)
    const { directDatabaseUrl, workerPort } = this.options
    const { workerMode } = cradle.configModule.projectConfig
    const port = new WorkerPort(this, cradle.logger, workerMode === "worker" ? workerPort : undefined)
    const worker = new GatewayWorker(this, tasks, cradle.configModule, cradle.logger, { directDatabaseUrl })
    this.__hooks = {
      onApplicationStart: async () => {
        try {
          // In every mode: a store that is not connected shows now, not with the first renewal.
          void this.storePort.connected
          for (const { level, text } of startWarnings(this.options)) {
            cradle.logger[level](text)
          }
          await port.open()
          const isKeyWrong = (await this.readiness.problem()) === "encryption_key"
          if (isKeyWrong && needsOwnKeys(this.options.environment)) {
            // It would sign nothing, charge nobody, and encrypt with a key that the other secrets do not have.
            throw new Error("the process stays out of service until GATEWAY_ENCRYPTION_KEYS is right")
          }
          if (this.options.worker && workerMode !== "server") {
            await worker.start()
          }
        } catch (error) {
          // Medusa swallows it.
          cradle.logger.error(`gateway: the gateway could not start: ${(error as Error).message}`)
          throw error
        }
      },
      onApplicationPrepareShutdown: async () => {
        const settled = Promise.race([cradle.connectionGuard.settled(), pause(SETTLE_MS, null, { ref: false })])
        await Promise.all([port.close(), worker.stop(), settled])
      },
      onApplicationShutdown: async () => {
        cradle.connectionGuard.stop()
        await releaseGateway(this)
      },
    }
  }
}
