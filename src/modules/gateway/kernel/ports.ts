/** Ports below this belong to system services; the web uses two of them. */
const FIRST_UNPRIVILEGED = 1024
const WEB_PORTS = [80, 443]

/** The unprivileged ports among the Fetch standard's "bad ports", which no browser connects to. */
const BAD_PORTS = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]

/** Ports of databases, caches, queues, proxies and machine control: no receiver of callbacks listens there. */
const SERVICE_PORTS = [
  1080, 1194, 1433, 1434, 1521, 1883, 2181, 2375, 2376, 2377, 2379, 2380, 3128, 3268, 3269, 3306, 3389, 4369, 4505,
  4506, 5432, 5555, 5671, 5672, 5900, 5984, 5985, 5986, 6379, 6380, 6432, 6443, 7000, 7001, 7474, 7687, 8009, 8086,
  8125, 8200, 8300, 8301, 8302, 8500, 8501, 8529, 8600, 8883, 8983, 9042, 9092, 9160, 9200, 9300, 10250, 10255, 10256,
  11211, 15672, 16379, 26257, 26379, 27017, 27018, 27019, 28015, 61616,
]

const REFUSED = new Set([...BAD_PORTS, ...SERVICE_PORTS])

/**
 * Whether a callback may go to the port: 80, 443, and every unprivileged port where no other service is known to
 * listen. Otherwise a merchant could make the gateway talk to services that execute what they receive.
 */
export function isWebPort(port: number): boolean {
  return port < FIRST_UNPRIVILEGED ? WEB_PORTS.includes(port) : !REFUSED.has(port)
}
