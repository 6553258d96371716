"""Networks that are not public: IANA's registries of special-purpose addresses.

https://www.iana.org/assignments/iana-ipv4-special-registry and -ipv6-special-registry, as of 2025,
with multicast and reserved networks. Not `ipaddress.is_global`, which differs between patch levels
of Python and admits some of them.
"""

from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address

V4 = tuple(
    map(
        IPv4Network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
            *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24"),
            *("192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24"),
            *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        ),
    )
)
# All global unicast addresses (RFC 4291, 2.4), and the special ones within. Outside are ::,
# ::1, ::ffff:0:0/96, 64:ff9b::/96, 64:ff9b:1::/48, 100::/64, 5f00::/16, fc00::/7, fe80::/10 and
# ff00::/8.
UNICAST = IPv6Network("2000::/3")
V6 = tuple(
    map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"))
)


def is_public(address: str) -> bool:
    """Return True if an IP address is public, in any notation.

    >>> is_public("93.184.216.34"), is_public("192.0.0.9"), is_public("::ffff:93.184.216.34")
    (True, False, False)
    """
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        return found in UNICAST and not any(found in network for network in V6)
    return not any(found in network for network in V4)
