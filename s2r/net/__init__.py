"""The one door to the network: guarded addresses, shared limits, capped bodies, careful retries, errors of our own tree."""

from s2r.net.address import Endpoint, Target, check_url
from s2r.net.client import Net
from s2r.net.errors import (
    AddressRefused,
    CoolingDown,
    NotConnected,
    RedirectRefused,
    RobotsRefused,
    RobotsUnread,
    TooLarge,
    Unreachable,
)
from s2r.net.inflate import Caps
from s2r.net.limits import Limit, Limiter
from s2r.net.mask import Mask
from s2r.net.opening import Role, open_limiter, open_net, user_agent
from s2r.net.reply import Reply
from s2r.net.retry import NO_RETRY, RetryRule
from s2r.net.robots import Robots

__all__ = [
    "NO_RETRY",
    "AddressRefused",
    "Caps",
    "CoolingDown",
    "Endpoint",
    "Limit",
    "Limiter",
    "Mask",
    "Net",
    "NotConnected",
    "RedirectRefused",
    "Reply",
    "RetryRule",
    "Robots",
    "RobotsRefused",
    "RobotsUnread",
    "Role",
    "Target",
    "TooLarge",
    "Unreachable",
    "check_url",
    "open_limiter",
    "open_net",
    "user_agent",
]
