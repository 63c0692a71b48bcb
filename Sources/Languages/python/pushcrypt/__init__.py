"""Seals APNs payloads for one device, and opens them for tests."""

from .keys import PushCryptError, SigningKey, VerificationKey
from .opener import Account, Opened, Opener
from .recipients import PrivateKey, Recipient, Registration, Row, accepted_row, device_token
from .sealer import Push, Sealer

__all__ = ["Account", "Opened", "Opener", "PrivateKey", "Push", "PushCryptError", "Recipient", "Registration", "Row",
           "Sealer", "SigningKey", "VerificationKey", "accepted_row", "device_token"]
