import type { ClaimedDelivery } from "../../webhooks/delivery/statements"
import type { Capacity } from "../../webhooks/receiver-concurrency"
import { Dispatcher } from "../dispatcher"

type Landing = { delivery: ClaimedDelivery; land: (acknowledged: boolean) => void; fail: (error: Error) => void }

/** A service whose deliveries finish when the test says so. */
class Service {
  due: ClaimedDelivery[] = []
  claims: { limit: number; capacity: Capacity }[] = []
  flying: Landing[] = []
  broken = false

  add(count: number, receiver_key: string): void {
    for (let index = 0; index < count; index++) {
      this.due.push({ id: `${receiver_key}-${this.due.length}`, receiver_key } as ClaimedDelivery)
    }
  }

  claim = async (limit: number, capacity: Capacity): Promise<ClaimedDelivery[]> => {
    this.claims.push({ limit, capacity })
    await Promise.resolve()
    if (this.broken) {
      throw new Error("the database is away")
    }
    const counts = new Map<string, number>()
    const turns = this.due.map((delivery) => {
      const [left, inFlight] = capacity.receivers[delivery.receiver_key] ?? [capacity.others, 0]
      const turn = (counts.get(delivery.receiver_key) ?? 0) + 1
      counts.set(delivery.receiver_key, turn)
      return { delivery, allowed: turn <= left, turn: turn + inFlight }
    })
    const taken = turns
      .filter(({ allowed }) => allowed)
      .sort((one, other) => one.turn - other.turn)
      .slice(0, limit)
      .map(({ delivery }) => delivery)
    this.due = this.due.filter((delivery) => !taken.includes(delivery))
    return taken
  }

  deliver = (delivery: ClaimedDelivery): Promise<boolean> =>
    new Promise((land, fail) => this.flying.push({ delivery, land, fail }))

  of(receiver_key: string): number {
    return this.flying.filter(({ delivery }) => delivery.receiver_key === receiver_key).length
  }

  landAll(acknowledged: boolean, receiver_key?: string): void {
    const landing = this.flying.filter(
      ({ delivery }) => receiver_key === undefined || delivery.receiver_key === receiver_key
    )
    this.flying = this.flying.filter((one) => !landing.includes(one))
    landing.forEach(({ land }) => land(acknowledged))
  }
}

const warnings: string[] = []
const logger = { warn: (message: string) => void warnings.push(message) }
let service: Service
let dispatcher: Dispatcher

beforeEach(() => {
  jest.useFakeTimers()
  warnings.length = 0
  service = new Service()
  dispatcher = new Dispatcher(service, logger)
})
afterEach(async () => {
  const stopped = dispatcher.stop()
  service.landAll(true)
  await jest.advanceTimersByTimeAsync(20_000)
  await stopped
  jest.useRealTimers()
})

/** Longer than the dispatcher waits for further deliveries to finish. */
const settle = () => jest.advanceTimersByTimeAsync(5)

it("a wake-up during a claim is not lost", async () => {
  dispatcher.wake()
  service.add(1, "a")
  dispatcher.wake()
  dispatcher.wake()
  await settle()
  expect(service.of("a")).toBe(1)
  expect(service.claims.length).toBeLessThanOrEqual(3)
})

it("a claim that fails with the database is repeated without a wake-up", async () => {
  service.add(1, "a")
  service.broken = true
  dispatcher.start()
  await settle()
  expect(warnings).toEqual([expect.stringContaining("the database is away")])
  service.broken = false
  await jest.advanceTimersByTimeAsync(2_500)
  expect(service.of("a")).toBe(1)
})

it("what falls due later is found without a wake-up", async () => {
  dispatcher.start()
  await settle()
  service.add(1, "a")
  await jest.advanceTimersByTimeAsync(2_500)
  expect(service.of("a")).toBe(1)
})

it("a finished delivery whose receiver has no more leads to no claim", async () => {
  service.add(3, "a")
  service.add(2, "b")
  dispatcher.wake()
  await settle()
  const { length } = service.claims
  service.landAll(true)
  await jest.advanceTimersByTimeAsync(100)
  expect(service.claims).toHaveLength(length)
})

it("many deliveries that finish together lead to few claims", async () => {
  for (let index = 0; index < 20; index++) {
    service.add(40, `receiver-${index}`)
  }
  dispatcher.wake()
  await settle()
  while (service.flying.length > 0) {
    for (const landing of service.flying.splice(0, 4)) {
      landing.land(true)
      await Promise.resolve()
    }
    await jest.advanceTimersByTimeAsync(1)
  }
  expect(service.due).toHaveLength(0)
  expect(service.claims.length).toBeLessThan(800 / 4)
})

it("a place freed during a claim is used by the next one", async () => {
  service.add(5, "a")
  dispatcher.wake()
  await settle()
  expect(service.of("a")).toBe(4)
  dispatcher.wake()
  service.landAll(true)
  await settle()
  expect(service.of("a")).toBe(1)
})

it("a receiver gets more places with every acknowledgement, up to 16", async () => {
  service.add(200, "a")
  dispatcher.wake()
  await settle()
  expect(service.of("a")).toBe(4)
  const places = []
  for (let round = 0; round < 4; round++) {
    service.landAll(true)
    await settle()
    places.push(service.of("a"))
  }
  expect(places).toEqual([8, 16, 16, 16])
})

it("a receiver that fails drops to one place, and earns more again", async () => {
  service.add(100, "a")
  dispatcher.wake()
  await settle()
  service.landAll(false)
  await settle()
  expect(service.of("a")).toBe(1)
  service.landAll(true)
  await settle()
  expect(service.of("a")).toBe(2)
})

it.each([0, 20])(
  "hundreds of receivers that hang, after %i answers each, leave places for one that answers",
  async (answers) => {
    for (let index = 0; index < 400; index++) {
      service.add(50, `hangs-${index}`)
    }
    dispatcher.start()
    await settle()
    for (let round = 0; round < answers; round++) {
      service.landAll(true)
      await settle()
    }
    service.add(100, "healthy")
    dispatcher.wake()
    await settle()
    let delivered = 0
    for (let round = 0; round < 200 && delivered < 100; round++) {
      delivered += service.of("healthy")
      service.landAll(true, "healthy")
      await settle()
    }
    expect(delivered).toBe(100)
  },
  60_000
)

it("a delivery that could not be recorded frees its place", async () => {
  service.add(1, "a")
  dispatcher.wake()
  await settle()
  service.flying.splice(0).forEach(({ fail }) => fail(new Error("no connection")))
  await settle()
  expect(warnings).toEqual([expect.stringContaining("no connection")])
  service.add(3, "a")
  dispatcher.wake()
  await settle()
  expect(service.claims.at(-1)?.limit).toBeGreaterThanOrEqual(254)
  expect(service.of("a")).toBeGreaterThan(0)
})

it("after stop it claims nothing more, and waits for deliveries in flight", async () => {
  service.add(2, "a")
  dispatcher.start()
  await settle()
  let stopped = false
  const stopping = dispatcher.stop().then(() => (stopped = true))
  service.add(5, "b")
  dispatcher.wake()
  await jest.advanceTimersByTimeAsync(5_000)
  expect([stopped, service.of("b")]).toEqual([false, 0])
  service.landAll(true)
  await settle()
  await stopping
  expect([stopped, service.of("b")]).toEqual([true, 0])
})

it("stop does not wait for ever for a receiver that hangs", async () => {
  service.add(1, "a")
  dispatcher.start()
  await settle()
  let stopped = false
  void dispatcher.stop().then(() => (stopped = true))
  await jest.advanceTimersByTimeAsync(10_500)
  expect(stopped).toBe(true)
})
