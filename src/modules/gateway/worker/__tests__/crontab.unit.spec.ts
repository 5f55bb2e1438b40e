import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import type { ConfigModule, Logger } from "@medusajs/framework/types"
import type { Facade } from "../../container"
import { StoreConnection, type StorePort } from "../../store-port"
import { CRONTAB } from "../crontab"
import { tasksOf } from "../tasks"
import { GatewayWorker } from "../worker"

const OPERATIONS = readFileSync(resolve(__dirname, "../../../../../docs/operations.md"), "utf8")

describe("schedules", () => {
  it.each(CRONTAB.map(({ task }) => task))("%s is in docs/operations.md", (task) => {
    expect(OPERATIONS).toContain(`\`${task}\``)
  })

  it("each has a task: the core's own, or the connected store's", async () => {
    const done: string[] = []
    const ofStore = CRONTAB.filter(({ by }) => by === "store").map(({ task }) => [
      task,
      async () => void done.push(task),
    ])
    const store = { tasks: Object.fromEntries(ofStore) } as StorePort
    const tasks = tasksOf({} as Facade, store)

    expect(Object.keys(tasks).sort()).toEqual(CRONTAB.map(({ task }) => task).sort())
    await tasks["process-returns"]()
    expect(done).toEqual(["process-returns"])
  })

  it("a worker whose store is not connected does not start, and opens nothing", async () => {
    const storePort = new StoreConnection()
    const config = { projectConfig: { databaseUrl: "postgres://nobody@localhost:1/none" } } as ConfigModule
    const gateway = { webhookDispatch: {} } as Facade
    const worker = new GatewayWorker(gateway, () => tasksOf(gateway, storePort.connected), config, {} as Logger)

    await expect(worker.start()).rejects.toThrow("the gateway is not connected to its store")
    storePort.connect({ tasks: {} } as StorePort)
    expect(storePort.connected.tasks).toEqual({})
  })
})
