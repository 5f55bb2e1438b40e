/**
 * What a merchant may try to make the gateway call. Each entry is the host part of a URL, as it would be written
 * there; `is` says where it really leads.
 */
export interface Vector {
  host: string
  is: string
}

const vectors = (is: string, ...hosts: string[]): Vector[] => hosts.map((host) => ({ host, is }))

/** Spellings of literals. All of them must be refused as text and, when asked to connect, by the connector. */
export const LITERALS: readonly Vector[] = [
  ...vectors(
    "loopback, IPv4",
    "127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "127.255.255.254", "127.127.127.127", "2130706433", "0x7f000001",
    "0x7f.0x0.0x0.0x1", "0X7F.1", "0177.0.0.1", "017700000001", "0177.1", "127.0x1", "0x7f.0.1", "127.00.00.01",
    "00000177.0.0.1", "0x0000007f.0.0.1"
  ),
  ...vectors("unspecified, which systems take for loopback", "0.0.0.0", "0", "0x0", "00", "0.0", "[::]", "[0:0:0:0:0:0:0:0]", "[::0.0.0.0]"),
  ...vectors("this network", "0.0.0.1", "0.255.255.255", "1", "0x1"),
  ...vectors("loopback, IPv6", "[::1]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[::0001]", "[0::1]", "[::0.0.0.1]"),
  ...vectors(
    "IPv4-mapped",
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::FFFF:127.0.0.1]", "[0:0:0:0:0:ffff:7f00:0001]", "[::ffff:10.0.0.1]",
    "[::ffff:a9fe:a9fe]", "[::ffff:169.254.169.254]", "[::ffff:192.168.1.1]", "[::ffff:0.0.0.0]", "[::ffff:168.63.129.16]"
  ),
  ...vectors("IPv4-compatible", "[::127.0.0.1]", "[::7f00:1]", "[::10.0.0.1]", "[::169.254.169.254]", "[::8.8.8.8]"),
  ...vectors("IPv4-translated", "[::ffff:0:127.0.0.1]", "[::ffff:0:7f00:1]", "[::ffff:0:10.0.0.1]"),
  ...vectors("6to4", "[2002:7f00:1::]", "[2002:7f00:0001::1]", "[2002:a00:1::]", "[2002:c0a8:101::]", "[2002:a9fe:a9fe::]", "[2002:808:808::1]"),
  ...vectors("NAT64", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]", "[64:ff9b::169.254.169.254]", "[64:ff9b::8.8.8.8]"),
  ...vectors("local NAT64", "[64:ff9b:1::127.0.0.1]", "[64:ff9b:1::a00:1]", "[64:ff9b:1:ffff:ffff:ffff:8.8.8.8]"),
  ...vectors("Teredo", "[2001::1]", "[2001:0:7f00:1::]", "[2001:0:4136:e378:8000:63bf:80ff:fffe]", "[2001:0000:a9fe:a9fe::]"),
  ...vectors("unique local", "[fc00::1]", "[fd00::1]", "[fd12:3456:789a::1]", "[fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]"),
  ...vectors("link-local, IPv6", "[fe80::1]", "[fe80::a00:27ff:fe4e:66a1]", "[febf:ffff::1]"),
  ...vectors("site-local", "[fec0::1]", "[feff::1]"),
  ...vectors("multicast, IPv6", "[ff02::1]", "[ff01::1]", "[ff05::1:3]", "[ff0e::1]"),
  ...vectors("documentation, IPv6", "[2001:db8::1]", "[2001:db8:ffff:ffff::1]", "[3fff::1]", "[3fff:fff:ffff::1]"),
  ...vectors("benchmarks, IPv6", "[2001:2::1]", "[2001:2:0:ffff::1]"),
  ...vectors("ORCHID", "[2001:10::1]", "[2001:1f:ffff::1]", "[2001:20::1]", "[2001:2f:ffff::1]"),
  ...vectors("discard", "[100::1]", "[100::ffff]"),
  ...vectors("segment routing", "[5f00::1]"),
  ...vectors("reserved, IPv6", "[1::1]", "[4000::1]", "[8000::1]", "[e000::1]", "[f000::1]", "[200::1]"),
  ...vectors("private 10/8", "10.0.0.1", "10.255.255.255", "10.1", "0xa.0.0.1", "012.0.0.1", "167772161", "0x0a000001"),
  ...vectors("private 172.16/12", "172.16.0.1", "172.31.255.255", "0xac.0x10.0.1", "0254.020.0.1", "2886729729"),
  ...vectors("private 192.168/16", "192.168.0.1", "192.168.255.255", "192.168.1", "0xc0a80001", "0300.0250.0.1", "3232235521"),
  ...vectors("link-local, IPv4", "169.254.0.1", "169.254.255.255", "169.254.1"),
  ...vectors("CGNAT", "100.64.0.1", "100.127.255.255", "0x64.0x40.0.1", "1681915905"),
  ...vectors("benchmarks, IPv4", "198.18.0.1", "198.19.255.255"),
  ...vectors("documentation, IPv4", "192.0.2.1", "198.51.100.1", "203.0.113.1"),
  ...vectors("protocol assignments", "192.0.0.1", "192.0.0.8", "192.0.0.170", "192.0.0.192"),
  ...vectors("6to4 relay", "192.88.99.1"),
  ...vectors("AS112 and AMT", "192.31.196.1", "192.52.193.1", "192.175.48.1"),
  ...vectors("multicast, IPv4", "224.0.0.1", "239.255.255.250", "232.1.1.1", "0xe0000001"),
  ...vectors("reserved 240/4", "240.0.0.1", "254.255.255.255", "0xf0000001"),
  ...vectors("broadcast", "255.255.255.255", "4294967295", "0xffffffff", "037777777777"),
  ...vectors(
    "metadata services",
    "169.254.169.254", "2852039166", "0xa9fea9fe", "0xa9.0xfe.0xa9.0xfe", "0251.0376.0251.0376", "169.16689662", "169.254.43518",
    "[fd00:ec2::254]", "[fd20:ce::254]", "169.254.170.2", "168.63.129.16", "0xa83f8110", "2822734096", "100.100.100.200", "1684301000",
    "169.254.0.23", "[fe80::a9fe:a9fe]"
  ),
  ...vectors(
    "loopback, in digits that are folded",
    "１２７.０.０.１", "127。0。0。1", "127．0．0．1", "127｡0｡0｡1", "①②⑦.⓪.⓪.①", "𝟏𝟐𝟕.𝟎.𝟎.𝟏", "１２７。１", "２１３０７０６４３３", "０x7f.1", "1２7.0.0.1",
    "%31%32%37.0.0.1", "127%2e0%2e0%2e1", "0\u00ad.0.0.0", "127.0\u200b.0.1", "₁₂₇.₀.₀.₁"
  ),
]

/** Names that never are a public host. */
export const NAMES: readonly Vector[] = [
  ...vectors(
    "this machine",
    "localhost", "LOCALHOST", "LocalHost.", "localhost.localdomain", "a.localhost", "a.b.localhost.", "ｌｏｃａｌｈｏｓｔ", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "l\u00adocalhost", "local%68ost", "ℓocalhost", "loca\u200blhost", "𝓁𝑜𝒸𝒶𝓁𝒽𝑜𝓈𝓉"
  ),
  ...vectors("an inner name", "db.internal", "metadata.google.internal", "metadata。google。internal", "printer.local", "printer.ｌｏｃａｌ", "router.localdomain", "x.INTERNAL."),
  ...vectors(
    "special use",
    "shop.test", "test", "a.b.TEST.", "shop.invalid", "invalid", "expyuzz4wqqyqhjn.onion", "www.duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad.onion",
    "onion.", "shop.alt", "gns.alt.", "ｓｈｏｐ.ａｌｔ", "shop%2etest", "shop。onion"
  ),
  ...vectors(
    "the DNS's own",
    "home.arpa", "router.home.arpa", "HOME.ARPA.", "1.0.0.127.in-addr.arpa", "in-addr.arpa", "1.0.0.0.ip6.arpa", "ipv4only.arpa", "service.arpa", "resolver.arpa", "254.169.in-addr.arpa."
  ),
  ...vectors(
    "a cluster",
    "kubernetes.default.svc", "kubernetes.default.svc.", "kubernetes.default.svc.cluster.local", "payments.shop.svc", "api.default.svc.cluster", "vault.service.consul",
    "consul.service.dc1.consul", "x.node.consul.", "redis.docker", "host.docker.internal", "gateway.docker.internal", "kubernetes.docker.internal"
  ),
  ...vectors(
    "a router or an office",
    "printer.lan", "router.LAN.", "nas.home", "wiki.corp", "git.corp.", "smtp.mail", "wiki.intranet", "hr.intra", "db.private", "pc.workgroup", "nas.ｌａｎ", "wiki.c­orp"
  ),
  ...vectors("one label", "intranet", "kubernetes", "metadata.", "redis", "instance-data"),
]

/** URLs whose form is a trick: what stands before the host is not what it seems, or something is smuggled in. */
export const FORMS: readonly { url: string; is: string }[] = [
  ...[
    "https://shop.example.com@127.0.0.1/", "https://user:pw@shop.example.com/", "https://shop.example.com:443@10.0.0.1/",
    "https://x@shop.example.com/", "https://%31@127.0.0.1/", "https://shop.example.com%40127.0.0.1@10.0.0.1/", "https://:@[::1]/",
  ].map((url) => ({ url, is: "userinfo" })),
  ...[
    "https://shop.example.com\\@127.0.0.1/", "https:\\\\127.0.0.1\\", "https://127.0.0.1\\.shop.example.com/", "https:/\\127.0.0.1/",
    "https:127.0.0.1/", "https:/127.0.0.1/", "https:////127.0.0.1/", "//127.0.0.1/", "https://127.0.0.1#.shop.example.com/", "https://127.0.0.1?.shop.example.com/",
  ].map((url) => ({ url, is: "parsers that disagree" })),
  ...[
    "https://shop.example.com\r\n.x/", "https://127.0.0.1\t/", "ht\ntps://127.0.0.1/", "\u0000https://127.0.0.1/", "https://127.0.0.1\u0000.shop.example.com/",
    "https://shop.example.com/\r\nHost: localhost", " https://127.0.0.1/", "https://127.0.0.1 .shop.example.com/", "https://shop.example.com/\u0085", "https://shop.example.com/\u2028",
  ].map((url) => ({ url, is: "control characters" })),
  ...[
    "https://127.0.0.1:8443/", "https://127.0.0.1:65535/", "https://127.0.0.1:0/", "https://127.0.0.1:00443/", "https://[::1]:6379/", "https://shop.example.com:65536/",
    "https://shop.example.com:-1/", "https://shop.example.com:80a/", "https://localhost:22/", "https://10.0.0.1:/",
  ].map((url) => ({ url, is: "odd ports" })),
  ...[
    "http://shop.example.com/", "ftp://shop.example.com/", "file:///etc/passwd", "gopher://127.0.0.1:6379/_INFO", "dict://127.0.0.1:11211/", "ws://shop.example.com/",
    "wss://shop.example.com/", "data:text/plain,x", "javascript:alert(1)", "unix:/var/run/docker.sock", "jar:https://shop.example.com/!/", "HTTP://SHOP.EXAMPLE.COM/",
  ].map((url) => ({ url, is: "another scheme" })),
  ...["https://[::1%25lo]/", "https://[fe80::1%25eth0]/", "https://[::ffff:127.0.0.1%25lo]/", "https://[127.0.0.1]/", "https://[::1/", "https://::1/", "https://[v1.fe80::1]/"].map(
    (url) => ({ url, is: "zones and broken brackets" })
  ),
]

const ports = (is: string, ...numbers: number[]): { port: number; is: string }[] => numbers.map((port) => ({ port, is }))

/** Ports that no receiver of callbacks has. */
export const REFUSED_PORTS: readonly { port: number; is: string }[] = [
  ...ports("none", 0),
  ...ports("a service of the machine", 1, 7, 19, 21, 22, 23, 25, 53, 69, 79, 81, 110, 111, 123, 135, 139, 143, 161, 389, 444, 445, 465, 514, 587, 636, 873, 989, 993, 995, 1023),
  ...ports("telephony, chat, screens and other bad ports of browsers", 1720, 1723, 2049, 4045, 4190, 5060, 5061, 6000, 6667, 6697, 10080),
  ...ports("a database", 1433, 1521, 3306, 5432, 5984, 7000, 7474, 7687, 8086, 8529, 8983, 9042, 9200, 9300, 26257, 27017, 28015),
  ...ports("a cache or a queue", 1883, 5671, 5672, 6379, 6380, 8883, 9092, 11211, 15672, 26379, 61616),
  ...ports("the control of machines", 2181, 2375, 2376, 2379, 2380, 3389, 4369, 4505, 5555, 5900, 5985, 6443, 8125, 8200, 8500, 8600, 10250, 10255),
  ...ports("a proxy", 1080, 1194, 3128, 8009),
]

/** So that the battery does not pass by refusing every port. */
export const WEB_PORTS = [80, 443, 1024, 3000, 4443, 5000, 5173, 8000, 8080, 8443, 8888, 9000, 9443, 10443, 32768, 49152, 65535]

/** What a lookup may answer: every list has something private in it, and must be refused as a whole. */
export const ANSWERS: readonly { addresses: string[]; is: string }[] = [
  ...["127.0.0.1", "10.0.0.5", "172.20.0.1", "192.168.0.10", "169.254.169.254", "168.63.129.16", "100.100.100.200", "100.64.1.1", "0.0.0.0", "255.255.255.255", "224.0.0.251"].map(
    (address) => ({ addresses: [address], is: "one private answer" })
  ),
  ...["::1", "::", "fd00:ec2::254", "fe80::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "64:ff9b::7f00:1", "64:ff9b:1::7f00:1", "2002:7f00:1::1", "2001:0:7f00:1::", "fe80::1%lo", "::127.0.0.1"].map(
    (address) => ({ addresses: [address], is: "one private answer" })
  ),
  { addresses: ["8.8.8.8", "127.0.0.1"], is: "a private answer among public ones" },
  { addresses: ["127.0.0.1", "8.8.8.8"], is: "a private answer among public ones" },
  { addresses: ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "::1"], is: "a private answer among public ones" },
  { addresses: ["2606:4700:4700::1111", "fd00::1", "8.8.8.8"], is: "a private answer among public ones" },
  { addresses: ["", "8.8.8.8"], is: "no address at all" },
  { addresses: ["localhost"], is: "no address at all" },
  { addresses: ["not an address"], is: "no address at all" },
]

/** So that the battery does not pass by refusing everything. */
export const PUBLIC_HOSTS = [
  "8.8.8.8", "1.1.1.1", "103.4.145.245", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1", "169.253.255.255",
  "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "168.63.129.17",
  "134744072", "0x08080808", "010.010.010.010", "８.８.８.８", "[2606:4700:4700::1111]", "[2400:cb00::1]", "[2a00:1450:4001:80b::200e]", "[::ffff:8.8.8.8]",
  "shop.example", "lan.example.com", "svc.example.com", "consul.io", "mail.example.com", "corp.example.com", "test.example.com", "arpa.example.com", "homes.example", "shop.lan.example.com",
  "shop.example.com", "shop.example.com.", "xn--45q11c.example.com", "দোকান.বাংলা", "localhost.example.com", "127.0.0.1.nip.example.com",
]
