import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { asValue, createContainer } from "@medusajs/framework/awilix"
import type { LoaderOptions } from "@medusajs/framework/types"
import type { ModuleCradle } from "../container"
import registerResources from "../loaders/resources"
import GatewayModuleService from "../service"
import type { StorePort } from "../store-port"
import { GatewayWorker } from "../worker/worker"

const logged: string[] = []
const quiet = () => undefined
const logger = { error: (text: string) => void logged.push(text), warn: quiet, info: quiet, debug: quiet }
/** Nothing asks it while the module starts. */
const database = { client: { on: quiet } }

async function moduleOf(options: object): Promise<GatewayModuleService> {
  const container = createContainer()
  container.register({
    __pg_connection__: asValue(database),
    logger: asValue(logger),
    configModule: asValue({ projectConfig: { workerMode: "worker", http: {} } }),
    baseRepository: asValue(undefined),
    connectionGuard: asValue({ stop: quiet, settled: quiet }),
  })
  await registerResources({ container, options } as unknown as LoaderOptions)
  return new GatewayModuleService(container.cradle as unknown as ModuleCradle)
}

let start: jest.SpyInstance
beforeEach(() => {
  logged.length = 0
  start = jest.spyOn(GatewayWorker.prototype, "start").mockResolvedValue()
})
afterEach(() => jest.restoreAllMocks())

describe("docs/decisions/30: Medusa swallows what the start of a module throws", () => {
  it("a worker whose port is taken says so, and works all the same", async () => {
    const taken = createServer()
    await new Promise<void>((done) => taken.listen(0, done))
    const { port } = taken.address() as AddressInfo
    const gateway = await moduleOf({ workerPort: port })
    gateway.storePort.connect({ tasks: {} } as StorePort)
    await gateway.__hooks.onApplicationStart()
    expect(start).toHaveBeenCalledTimes(1)
    expect(logged).toEqual([expect.stringMatching(new RegExp(`port ${port} .*EADDRINUSE.*GATEWAY_WORKER_PORT`))])
    await gateway.__hooks.onApplicationPrepareShutdown()
    await new Promise((done) => taken.close(done))
  })

  it("a gateway without its store does not start, and says so", async () => {
    const gateway = await moduleOf({})
    await expect(gateway.__hooks.onApplicationStart()).rejects.toThrow("not connected to its store")
    expect([logged, start.mock.calls.length]).toEqual([[expect.stringContaining("not connected to its store")], 0])
  })
})
