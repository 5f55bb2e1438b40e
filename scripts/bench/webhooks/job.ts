export const QUEUE = "deliveries"

/** All that sending needs is in the job: the peer looks nothing up. */
export type DeliveryJob = { url: string; secret: string; event_id: string; body: string }
